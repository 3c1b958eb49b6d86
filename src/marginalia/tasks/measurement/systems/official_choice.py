"""Which entity and property a quantity is given: those with the highest expected official score.

The score is the sum of all matches' values over the number of all rows. What is given and meets nothing adds a row of
its own for the span and one for its relation, so it pays only where it brings more than the mean row. A relation
counts in full when both its spans only touch those of gold, which is why wide spans are worth their lower overlap, and
why entity and property are chosen together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from marginalia.tasks.measurement.systems.decoding import (
    Floats,
    Ints,
    PieceSpan,
    overlaps,
    ranked,
)
from marginalia.tasks.measurement.systems.span_chances import Evidence, Weights, span_chances

ENTITY, PROPERTY = "MeasuredEntity", "MeasuredProperty"
LEVEL = 0.5
"""The mean of all rows, which is the score: what a further row costs."""
MATCH = 1 + LEVEL
"""What a relation that matches brings beside one that does not: its value, and a row less."""
PROPERTY_VALUE = 1 + 2 * LEVEL
"""What meeting the property brings beside their overlap: a row less, and its relation to the quantity."""
USUAL_MEETING = 0.7
"""How often the entity meets gold, before it is chosen."""


@dataclass(frozen=True, slots=True)
class Options:
    """The spans of a role: the expected overlap of each with the true one, and the probability that they meet."""

    spans: Ints
    overlap: Floats
    met: Floats
    meets: NDArray[np.bool_]
    exists: float
    """The probability that there is one."""


@dataclass(frozen=True, slots=True)
class JointChoice:
    """The spans of both roles from the best to the worst, and whether the best is given."""

    entities: list[PieceSpan]
    properties: list[PieceSpan]
    gives_entity: bool
    gives_property: bool


def choose_together(evidence: Mapping[str, Evidence], words: Ints, weights: Weights) -> JointChoice:
    """The entity and the property of a quantity, or one of them, or neither."""
    entity, property = (
        _options(evidence.get(role), words, weights[role]) for role in (ENTITY, PROPERTY)
    )
    # Both need a true quantity, so given the one the other is a little likelier.
    real = max(entity.exists, 0.5)
    relation = MATCH * max(0.0, real - property.exists) / real
    alone = entity.overlap + (LEVEL + relation) * entity.met
    beside = alone
    worth_property: Floats = np.zeros(0, dtype=np.float32)
    meeting, with_property = USUAL_MEETING, -np.inf
    if len(property.spans):
        for _ in range(2):  # each knows the other's chance after the second look
            worth_property = property.overlap + (PROPERTY_VALUE + MATCH * meeting) * property.met
            best = int(worth_property.argmax())
            beside = entity.overlap + (LEVEL + MATCH * property.met[best] / real) * entity.met
            meeting = float(entity.met[beside.argmax()] / real) if len(beside) else 0.0
        own = property.overlap[best] + PROPERTY_VALUE * property.met[best] - 2 * LEVEL
        with_property = float(own) + _gain(beside)
    gives_property = with_property > _gain(alone)
    worth = beside if gives_property else alone
    return JointChoice(
        ranked(entity.spans, worth, entity.met, entity.meets),
        ranked(property.spans, worth_property, property.met, property.meets),
        gives_entity=_gain(worth) > 0,
        gives_property=gives_property,
    )


def _gain(worth: Floats) -> float:
    """What the best entity brings over none: it costs two rows, its own and its relation's."""
    return max(0.0, float(worth.max(initial=0.0)) - 2 * LEVEL)


def _options(evidence: Evidence | None, words: Ints, weights: Mapping[str, float]) -> Options:
    if evidence is None:
        nothing = np.zeros(0, dtype=np.float32)
        return Options(
            np.zeros((0, 2), dtype=np.int64), nothing, nothing, np.zeros((0, 0), dtype=bool), 0.0
        )
    chances = span_chances(evidence, weights)
    overlap, meets = overlaps(evidence.spans, evidence.spans, words)
    return Options(evidence.spans, overlap @ chances, meets @ chances, meets, float(chances.sum()))
