"""The family of fine-tuned encoders: layers of the shared encoder learn from targets in their sentences.

Nothing of it ships: ``fit`` tunes the layers, from the shipped weights on, in some minutes. Weights that users train may be those of a whole encoder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Self

from marginalia.core.benchmark import Split
from marginalia.core.own_weights import own_folder
from marginalia.nlp.encoder import english
from marginalia.nlp.span_regressor import SpanGraph, Spot, Tuned, scorer_in
from marginalia.tasks.complexity.official.data import Target

LAYERS = range(3, 5)
"""The lower ones learn best what a word is; what comes later is about the sentence."""
EPOCHS = 3
MULTI_WEIGHT = 2.0
"""Multi-words are five times rarer than words; each counts twice in a training."""


class FineTuned:
    """Two low layers, read off at the target, which is put before its sentence; no features."""

    def __init__(self) -> None:
        self.tuned = Tuned(english, LAYERS, epochs=EPOCHS)

    @cached_property
    def scorer(self) -> Tuned | SpanGraph:
        folder = None if self.tuned.model else own_folder("complexity", "tuned")
        return self.tuned if folder is None else scorer_in(folder, self.tuned)

    def fit(self, split: Split) -> Self:
        """Needs ``marginalia[train]``."""
        self.tuned.learn(*examples(split))
        return self

    def predict(self, items: Mapping[str, Target]) -> dict[str, float]:
        return dict(zip(items, self.scores(list(items.values())), strict=True))

    def scores(self, targets: Sequence[Target]) -> list[float]:
        """Scores from 0 to 1, for notes too."""
        found = self.scorer.scores([spot(target) for target in targets])
        return [min(1.0, max(0.0, score)) for score in found]


def examples(split: Split) -> tuple[list[Spot], list[float], list[float]]:
    """The targets of a split, what raters said of them, and how much each counts."""
    gold = split.require_gold()
    targets = [split.items[id] for id in gold]
    weights = [MULTI_WEIGHT if target.kind == "multi" else 1.0 for target in targets]
    return [spot(target) for target in targets], list(gold.values()), weights


def spot(target: Target) -> Spot:
    """The target and its sentence as one text, as in a pair of texts; it need not occur in the sentence."""
    return Spot(f"{target.token} : {target.sentence}", 0, len(target.token))
