"""Which sense a word has in its sentence, and how sure that is.

The vector of the sentence is compared with that of each sense's words and gloss, and senses that WordNet's tagged texts have
more often are preferred a little. Weight and confidence were fitted on sentences of ours, each with its sense, words
kept together; ``benchmarks/senses.py`` has them and the figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from marginalia.annotators.words.glosses.lexicon import Sense

PRIOR_WEIGHT = 0.01
MAX_MARGIN = 0.1
"""The most that a lead over the second sense counts."""
CONFIDENCE = (-6.524, 7.513, 56.258, 1.010)
"""Intercept, and weights of the likeness, of the lead over the second sense, and of being the only one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The likeliest sense, with the probability that it is the right one."""

    sense: Sense
    confidence: float
    alone: bool
    """Whether the word has no other sense."""


def choose(sentence: str, found: Sequence[Sense], encoder: Any) -> Choice | None:
    """The sense of a word in this sentence; None for a word without senses."""
    if not found:
        return None
    vectors = encoder.vectors([sentence, *(described(sense) for sense in found)])
    return ranked(vectors[1:] @ vectors[0], found)


def described(sense: Sense) -> str:
    return f"{sense.related}: {sense.gloss}"


def ranked(likeness: Any, found: Sequence[Sense]) -> Choice:
    """The best of the senses by these likenesses."""
    best, like, lead = evidence(likeness, found)
    intercept, by_likeness, by_lead, alone = CONFIDENCE
    value = intercept + by_likeness * like + by_lead * lead + alone * (len(found) == 1)
    return Choice(found[best], 1 / (1 + math.exp(-value)), len(found) == 1)


def evidence(likeness: Any, found: Sequence[Sense]) -> tuple[int, float, float]:
    """The number of the best sense, its likeness, and its lead over the second: what the confidence is fitted on."""
    likeness = np.asarray(likeness, dtype=np.float64)
    counts = np.array([sense.count for sense in found])
    scores = likeness + PRIOR_WEIGHT * np.log((counts + 1) / (counts.sum() + len(found)))
    order = np.argsort(-scores, kind="stable")
    best = int(order[0])
    lead = min(MAX_MARGIN, float(scores[best] - scores[order[1]])) if len(found) > 1 else 0.0
    return best, float(likeness[best]), lead
