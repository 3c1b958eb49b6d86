"""Our system for TYPED: the encoder for each field, fuzzy names, intervals of dates, and places.

Every type is a weighted sum of a few measures from 0 to 1. Without training the weights are set by
hand; ``fit`` learns them from rated pairs by ridge regression that is drawn to those.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.nlp.encoder import Encoder, for_language
from marginalia.nlp.language import english_or_german
from marginalia.tasks.similarity.official.typed import TYPES, Record, RecordPair, Scores
from marginalia.tasks.similarity.systems.records.measures import Compared, compare

WEIGHTS: dict[str, dict[str, float]] = {
    "general": {"meaning": 0.45, "title": 0.1, "subject": 0.15, "description": 0.1, "author": 0.1,
                "time": 0.05, "place": 0.05},
    "author": {"author": 0.9, "best author": 0.1},
    "people involved": {"people": 0.6, "best person": 0.4},
    "time": {"time": 0.45, "age": 0.35, "era": 0.1, "time told": 0.1},
    "location": {"place": 0.25, "capitals": 0.5, "source": 0.05, "meaning": 0.2},
    "event": {"verbs": 0.25, "actions": 0.25, "description": 0.25, "meaning": 0.25},
    "subject": {"subject": 0.6, "terms": 0.2, "meaning": 0.2},
    "description": {"description": 0.4, "words": 0.2, "meaning": 0.4},
}  # fmt: skip
"""What each type looks at, and how much that counts before anything was learned."""
ALPHA = 0.1
"""How strongly ``fit`` draws the weights to these, for each rated pair."""
PAIRS_PER_BATCH = 64


class TypedMeasured:
    """Eight scores from measures of fields, names, dates and places."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self.encoder = encoder
        self.weights = WEIGHTS
        self.level = dict.fromkeys(TYPES, 0.0)

    def fit(self, split: Split) -> Self:
        """Learn the weights of each type from rated pairs; a type that is rated alike everywhere stays as it is."""
        gold = split.require_gold()
        measured = self.measures([split.items[id] for id in gold])
        y = np.array([gold[id] for id in gold], dtype=float) / 5
        self.weights = {}
        for place, name in enumerate(TYPES):
            x = np.array([[one[key] for key in WEIGHTS[name]] for one in measured])
            weights, self.level[name] = ridge(x, y[:, place], list(WEIGHTS[name].values()))
            self.weights[name] = dict(zip(WEIGHTS[name], weights, strict=True))
        return self

    def predict(self, items: Mapping[str, RecordPair]) -> dict[str, Scores]:
        ids, found = list(items), {}
        for begin in range(0, len(ids), PAIRS_PER_BATCH):
            some = ids[begin : begin + PAIRS_PER_BATCH]
            for id, one in zip(some, self.measures([items[i] for i in some]), strict=True):
                found[id] = tuple(self.score(name, one) for name in TYPES)
        return found

    def score(self, name: str, measured: Compared) -> float:
        if not measured[f"has {name}"]:
            return 0.0  # what a record does not say cannot be rated
        total = math.fsum(weight * measured[key] for key, weight in self.weights[name].items())
        return 5 * min(1.0, max(0.0, self.level[name] + total))

    def measures(self, pairs: Sequence[RecordPair]) -> list[Compared]:
        # In one order, so that exchanging the records changes nothing.
        ordered = [tuple(sorted((pair.left, pair.right), key=repr)) for pair in pairs]
        return [compare(a, b, self.encoder or encoder_for(a, b)) for a, b in ordered]


def encoder_for(a: Record, b: Record) -> Encoder:
    both_english = english_or_german(a.text()) == english_or_german(b.text()) == "en"
    return for_language("en" if both_english else "de")


def ridge(
    x: NDArray[np.float64], y: NDArray[np.float64], prior: Sequence[float]
) -> tuple[list[float], float]:
    """Weights and level: least squares, with the weights drawn to the prior ones."""
    start = np.array(prior)
    middle, level = x.mean(axis=0), y.mean()
    centred = x - middle
    left = (y - level) - centred @ start
    squares = centred.T @ centred + ALPHA * len(y) * np.eye(len(start))
    weights = start + np.linalg.solve(squares, centred.T @ left)
    return [float(value) for value in weights], float(level - middle @ weights)
