"""How probable each span is as the entity or property of a quantity.

First and last piece mostly say the same, so their product is too sure of itself; the rules see something else than
the network; and what is the property of the next quantity is hardly the entity of this one. A conditional logit for each
role weighs this evidence, over the spans, "there is none" and "it is elsewhere". Its weights are fitted by ``train/chances.py`` on paragraphs that the network has not learned from, for each convention by itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from marginalia.core.errors import FormatError
from marginalia.core.files import read_json
from marginalia.core.resources import read_resource
from marginalia.tasks.measurement.systems.conditions import CONDITION
from marginalia.tasks.measurement.systems.conditions import FEATURES as CONDITION_FEATURES
from marginalia.tasks.measurement.systems.decoding import Floats, Ints, overlaps, possible, tagged
from marginalia.tasks.measurement.systems.window_reading import WindowReading

FITTED_ROLES = ("MeasuredEntity", "MeasuredProperty")
"""A network's qualifier meets the true one too seldom to be worth its rows in the official score."""
SPANS = 80
"""Spans of the network that are weighed for each role; with fewer the figures fall."""
DOUBT = 2.0
"""Both ends' evidence is halved where the spans are collected, and where a neighbour's are asked for."""
FEATURES = (
    "start", "end", "tags", "rule_entity", "rule_property", "near_entity", "near_property",
)  # fmt: skip
"""Of a span: logs of its ends' probabilities, what the tags say, its overlap with what the rules see, and the expected
overlap with what the quantities before and after in the sentence have; of the two the higher."""
NONE_FEATURES = ("start", "end")
"""Of "there is none": logs of the probabilities that the network gives to it."""
FILE = "span_chances.json"
_FLOOR = 1e-6

RoleWeights = Mapping[str, float]
Weights = Mapping[str, RoleWeights]
"""Role -> the weight of each feature, ``none_start``, ``none_end``, and the constants ``none`` and ``elsewhere``."""
WEIGHT_NAMES = (*FEATURES, *(f"none_{name}" for name in NONE_FEATURES), "none", "elsewhere")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The spans that could be a role, and what speaks for each."""

    spans: Ints
    features: Floats
    """A row for each span, in the order of ``FEATURES``."""
    none: Floats
    """In the order of ``NONE_FEATURES``."""


def read_weights(folder: Path, convention: str) -> Weights:
    """Those in a weights folder that has its own, as the folds of a cross-validation do, else those that ship."""
    path = folder / FILE
    found: Any = (
        read_json(path)
        if path.is_file()
        else read_resource("marginalia.tasks.measurement", f"systems/{FILE}")
    )
    made: Any = found.get(convention) if isinstance(found, dict) else None
    wanted = dict.fromkeys(FITTED_ROLES, WEIGHT_NAMES)
    if convention == "margin":
        wanted[CONDITION] = (*CONDITION_FEATURES, "constant")
    for role, names in wanted.items():
        own = made.get(role) if isinstance(made, dict) else None
        if not isinstance(own, dict) or not all(_is_number(own.get(name)) for name in names):
            raise FormatError(f"the weights of {role} are not all there", path=path)
    return dict(made)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)


def gather(reading: WindowReading) -> list[dict[str, Evidence]]:
    """For each quantity of a window the evidence of both roles; one without any span is not there."""
    window, words = reading.window, reading.words
    count = len(reading.quantities)
    ruled = [_ruled(reading, number) for number in range(count)]
    likely = [
        {
            role: possible(*reading.pointing(number, role), doubt=DOUBT, count=SPANS)
            for role in FITTED_ROLES
        }
        for number in range(count)
    ]
    sentence = [int(window.sentences[first]) for first, _ in reading.places]
    found: list[dict[str, Evidence]] = []
    for number in range(count):
        beside = (number - 1, number + 1)
        near = [n for n in beside if 0 <= n < count and sentence[n] == sentence[number]]
        own: dict[str, Evidence] = {}
        for role in FITTED_ROLES:
            spans, seen = likely[number][role][0], ruled[number].get(role)
            if seen is not None and not (spans == seen).all(axis=1).any():
                spans = np.concatenate([spans, [seen]])
            if not len(spans):
                continue
            starts, ends, inside = reading.pointing(number, role)
            columns = [
                np.log(starts[spans[:, 0]] + _FLOOR),
                np.log(ends[spans[:, 1]] + _FLOOR),
                tagged(inside, spans[:, 0], spans[:, 1]),
                *(_overlap_with(spans, ruled[number].get(r), words) for r in FITTED_ROLES),
                *(_expected(spans, [likely[n][r] for n in near], words) for r in FITTED_ROLES),
            ]
            none = np.log(np.array([starts[0], ends[0]]) + _FLOOR)
            own[role] = Evidence(spans, np.stack(columns, axis=1), none)
        found.append(own)
    return found


def _ruled(reading: WindowReading, number: int) -> dict[str, tuple[int, int]]:
    """The pieces where the rules see entity and property."""
    places = {
        span.role: reading.window.cover(span.start, span.end)
        for span in reversed(reading.quantities[number].context)
    }
    return {role: place for role, place in places.items() if place is not None}


def _overlap_with(spans: Ints, other: tuple[int, int] | None, words: Ints) -> Floats:
    if other is None:
        return np.zeros(len(spans), dtype=np.float32)
    return overlaps(spans, np.array([other]), words)[0][:, 0]


def _expected(spans: Ints, near: Sequence[tuple[Ints, Floats]], words: Ints) -> Floats:
    found = np.zeros(len(spans), dtype=np.float32)
    for others, chances in near:
        if len(others):
            found = np.maximum(found, overlaps(spans, others, words)[0] @ chances)
    return found


def span_chances(evidence: Evidence, weights: RoleWeights) -> Floats:
    """The probability of each span; with "none" and "elsewhere" they add up to 1."""
    scores = evidence.features @ [weights[name] for name in FEATURES]
    none = evidence.none @ [weights[f"none_{name}"] for name in NONE_FEATURES] + weights["none"]
    every = np.array([*scores, none, weights["elsewhere"]])
    every = np.exp(every - every.max())
    found: Floats = (every / every.sum())[:-2]
    return found
