"""The family of fine-tuned encoders: layers of the shared encoder learn from targets in their sentences.

Nothing of it ships: ``fit`` tunes the layers, from the shipped weights on, in some minutes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from marginalia.core.task import Split
from marginalia.nlp.encoder import english
from marginalia.nlp.span_regressor import Spot, Tuned
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems.train.recipe import MULTI_WEIGHT

LAYERS = range(3, 5)
"""The lower ones learn best what a word is; what comes later is about the sentence."""
EPOCHS = 3


class FineTuned:
    """Two low layers, read off at the target, which is put before its sentence; no features."""

    def __init__(self) -> None:
        self.tuned = Tuned(english, LAYERS, epochs=EPOCHS)

    def fit(self, split: Split) -> Self:
        """Needs ``marginalia[train]``."""
        gold = split.require_gold()
        targets = [split.items[id] for id in gold]
        weights = [MULTI_WEIGHT if target.kind == "multi" else 1.0 for target in targets]
        self.tuned.learn([spot(target) for target in targets], list(gold.values()), weights)
        return self

    def predict(self, items: Mapping[str, Target]) -> dict[str, float]:
        scores = self.tuned.scores([spot(target) for target in items.values()])
        return {id: min(1.0, max(0.0, score)) for id, score in zip(items, scores, strict=True)}


def spot(target: Target) -> Spot:
    """The target and its sentence as one text, as in a pair of texts; it need not occur in the sentence."""
    return Spot(f"{target.token} : {target.sentence}", 0, len(target.token))
