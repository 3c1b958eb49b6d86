"""The organisers' frequency baseline and two floors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import numpy as np

from marginalia.core.benchmark import Split, uniform
from marginalia.core.errors import ContractError
from marginalia.nlp.frequency import mean_zipf
from marginalia.tasks.complexity.official.data import Target


class Line:
    """A straight line from one feature to complexity, one for words and one for multi-words."""

    def __init__(self) -> None:
        self.lines: dict[str, tuple[float, float]] = {}

    def feature(self, item: Target) -> float:
        raise NotImplementedError

    def fit(self, split: Split) -> Self:
        gold = split.require_gold()
        for kind in ("words", "multi"):
            ids = [id for id in gold if split.items[id].kind == kind]
            x = [self.feature(split.items[id]) for id in ids]
            slope, intercept = np.polyfit(x, [gold[id] for id in ids], 1)
            self.lines[kind] = float(slope), float(intercept)
        return self

    def predict(self, items: Mapping[str, Target]) -> dict[str, float]:
        if not self.lines:
            raise ContractError(f"{type(self).__name__} must be fitted before it predicts")
        pred = {}
        for id, item in items.items():
            slope, intercept = self.lines[item.kind]
            pred[id] = min(1.0, max(0.0, slope * self.feature(item) + intercept))
        return pred


class Frequency(Line):
    """Log frequency and linear regression, as the organisers' baseline; theirs counts Web1T, ours wordfreq."""

    def feature(self, item: Target) -> float:
        return mean_zipf(item.token)


class Length(Line):
    """The number of letters and nothing else."""

    def feature(self, item: Target) -> float:
        return len(item.token)


class Random:
    """A number from 0 to 1 that depends on the id and the seed only."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def predict(self, items: Mapping[str, Target]) -> dict[str, float]:
        return {id: uniform(f"{self.seed}:{id}") for id in items}
