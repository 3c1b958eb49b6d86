"""From measures to a score: a weighted sum, put on the scale from 0 to 5, with a confidence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.tasks.similarity.official.data import Score

Floats = NDArray[np.float64]

MAX_DEVIATIONS = 3.0
"""A measure counts for no more than this many standard deviations."""
MIN_CONFIDENCE = 1.0
"""The least confidence: with 0 a pair would not count at all."""


@dataclass(frozen=True, slots=True)
class Regression:
    """Standardised measures times weights; a line and its ends make it a score."""

    names: tuple[str, ...]
    shift: tuple[float, ...]
    spread: tuple[float, ...]
    weights: tuple[float, ...]
    line: tuple[float, float]
    """Slope and intercept"""
    errors: tuple[float, float, float] | None = None
    """The score at which the expected error is greatest, that error, and the one at both ends of the scale"""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Regression:
        fields: dict[str, Any] = {name: tuple(value) for name, value in data.items() if value}
        return cls(**fields)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def raw(self, measures: Mapping[str, float]) -> float:
        """The weighted sum; a measure that is not there counts as an average one."""
        rows = zip(self.names, self.shift, self.spread, self.weights, strict=True)
        return math.fsum(
            weight
            * max(
                -MAX_DEVIATIONS, min(MAX_DEVIATIONS, (measures.get(name, shift) - shift) / spread)
            )
            for name, shift, spread, weight in rows
        )

    def score(self, measures: Mapping[str, float]) -> Score:
        slope, intercept = self.line
        score = min(5.0, max(0.0, slope * self.raw(measures) + intercept))
        return Score(score, self.confidence(score))

    def confidence(self, score: float) -> float:
        """How much less error than at most is expected, from 1 to 100.

        Where nothing in between is left to choose, at the ends of the scale, there is least doubt.
        """
        if self.errors is None:
            return 100.0
        return max(MIN_CONFIDENCE, 100 * distance(score, self.errors[0]))

    def error(self, score: float) -> float:
        """The absolute error to be expected, in points."""
        if self.errors is None:
            return math.nan
        middle, most, least = self.errors
        return most + (least - most) * distance(score, middle)


def distance(score: float, middle: float) -> float:
    """From 0 at the middle to 1 at either end of the scale."""
    return (score - middle) / (5 - middle) if score > middle else (middle - score) / middle


def standardise(x: Floats) -> tuple[Floats, Floats, Floats]:
    """The columns less their means, in standard deviations and cut off at MAX_DEVIATIONS; means and deviations."""
    shift = x.mean(axis=0)
    spread = x.std(axis=0)
    spread = np.where(spread > 1e-9, spread, 1.0)
    return ((x - shift) / spread).clip(-MAX_DEVIATIONS, MAX_DEVIATIONS), shift, spread


def fit(
    names: Sequence[str],
    x: Floats,
    y: Floats,
    sets: Sequence[str],
    *,
    alpha: float,
    prior: Mapping[str, float] | None = None,
) -> Regression:
    """Ridge regression inside the sets, each set counting alike.

    Scores and measures are taken relative to the mean of their set, and scores in its standard
    deviations: across sets the level says more about the set than about similarity. The weights are drawn
    to ``prior``, as strongly as ``alpha`` says; measures that it does not name, to 0.
    """
    z, shift, spread = standardise(x)
    centred, target, weight = np.zeros_like(z), np.zeros(len(y)), np.zeros(len(y))
    groups = np.array(sets)
    for name in sorted(set(sets)):
        rows = groups == name
        centred[rows] = z[rows] - z[rows].mean(axis=0)
        target[rows] = (y[rows] - y[rows].mean()) / max(float(y[rows].std()), 1e-9)
        weight[rows] = 1 / rows.sum()
    start = np.array([(prior or {}).get(name, 0.0) for name in names])
    squares = (centred * weight[:, None]).T @ centred / len(set(sets))
    rest = (centred * weight[:, None]).T @ (target - centred @ start) / len(set(sets))
    weights = start + np.linalg.solve(squares + alpha * np.eye(len(start)), rest)
    return Regression(
        tuple(names),
        tuple(map(float, shift)),
        tuple(map(float, spread)),
        tuple(map(float, weights)),
        fit_line(z @ weights, y, weight),
    )


def fit_line(raw: Floats, y: Floats, weight: Floats) -> tuple[float, float]:
    """The line whose values, cut off at 0 and 5, have the least squared error.

    A plain regression line knows nothing of the cut; this one lets more of the unlike pairs have 0.
    """
    ends = np.quantile(raw, (0.0, 0.45)), np.quantile(raw, (0.55, 1.0))
    best, line = math.inf, (1.0, 0.0)
    for low in np.linspace(ends[0][0], ends[0][1], 41):
        for high in np.linspace(ends[1][0], ends[1][1] + 0.5, 41):
            slope = 5 / max(high - low, 1e-9)
            error = float((((slope * (raw - low)).clip(0, 5) - y) ** 2 * weight).sum())
            if error < best:
                best, line = error, (float(slope), float(-slope * low))
    return line


def fit_errors(scores: Floats, gold: Floats, sets: Sequence[str]) -> tuple[float, float, float]:
    """The tent that fits absolute errors best, each set counting alike; scores are of unseen sets."""
    error = np.abs(scores - gold)
    count = Counter(sets)
    weight = np.array([1 / count[name] for name in sets])
    best, tent = math.inf, (2.5, 1.0, 0.0)
    for middle in np.arange(1.0, 4.01, 0.05):
        far = np.array([distance(score, middle) for score in scores])
        x = np.column_stack([1 - far, far])
        ends = np.linalg.solve((x * weight[:, None]).T @ x, (x * weight[:, None]).T @ error)
        left = float(((error - x @ ends) ** 2 * weight).sum())
        if left < best:
            best, tent = left, (float(middle), float(ends[0]), float(ends[1]))
    return tent
