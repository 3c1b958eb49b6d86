"""Detection by a fine-tuned encoder: layers of the shared multilingual one learn from whole sentences.

Nothing of it ships: ``fit`` tunes the layers, from the shipped weights on, in some minutes. Weights that users
train may be those of a whole encoder.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.core.own_weights import own_folder
from marginalia.nlp.encoder import multilingual
from marginalia.nlp.span_regressor import SpanGraph, Spot, Tuned, scorer_in
from marginalia.tasks.variables.official.data import Mention, Statement

LAYERS = range(9, 11)
EPOCHS = 3


class FineTuned:
    """A sentence alone, without its paper and its candidates; both classes weigh the same."""

    def __init__(self) -> None:
        self.tuned = Tuned(multilingual, LAYERS, epochs=EPOCHS, chance=True)

    @cached_property
    def scorer(self) -> Tuned | SpanGraph:
        folder = None if self.tuned.model else own_folder("variables", "tuned")
        return self.tuned if folder is None else scorer_in(folder, self.tuned)

    def fit(self, split: Split) -> Self:
        """Needs ``marginalia[train]``."""
        self.tuned.learn(*examples(split))
        return self

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        scores = self.scorer.scores([spot(item) for item in items.values()])
        return {id: Mention(int(score >= 0.5)) for id, score in zip(items, scores, strict=True)}


def examples(split: Split) -> tuple[list[Spot], list[float], list[float]]:
    """The sentences of a split, whether each mentions a variable, and how much it counts."""
    gold = split.require_gold()
    labels = np.array([gold[id].is_variable for id in gold])
    return [spot(split.items[id]) for id in gold], labels.tolist(), balanced(labels).tolist()


def spot(item: Statement) -> Spot:
    return Spot(item.sentence, 0, len(item.sentence))


def balanced(labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Weights with which both classes count the same."""
    weights: NDArray[np.float64] = (
        len(labels) / (2 * np.bincount(labels, minlength=2).clip(1))[labels]
    )
    return weights
