"""Detection by a fine-tuned encoder: layers of the shared multilingual one learn from whole sentences.

Nothing of it ships: ``fit`` tunes the layers, from the shipped weights on, in some minutes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import numpy as np

from marginalia.core.task import Split
from marginalia.nlp.encoder import multilingual
from marginalia.nlp.span_regressor import Spot, Tuned
from marginalia.tasks.variables.official.data import Statement
from marginalia.tasks.variables.official.prediction import Mention
from marginalia.tasks.variables.systems.train.recipe import balanced

LAYERS = range(9, 11)
EPOCHS = 3


class FineTuned:
    """A sentence alone, without its paper and its candidates; both classes weigh the same."""

    def __init__(self) -> None:
        self.tuned = Tuned(multilingual, LAYERS, epochs=EPOCHS, chance=True)

    def fit(self, split: Split) -> Self:
        """Needs ``marginalia[train]``."""
        gold = split.require_gold()
        labels = np.array([gold[id].is_variable for id in gold])
        spots = [spot(split.items[id]) for id in gold]
        self.tuned.learn(spots, labels.tolist(), balanced(labels).tolist())
        return self

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        scores = self.tuned.scores([spot(item) for item in items.values()])
        return {id: Mention(int(score >= 0.5)) for id, score in zip(items, scores, strict=True)}


def spot(item: Statement) -> Spot:
    return Spot(item.sentence, 0, len(item.sentence))
