"""The last step: from a row of evidence to a rating and its class.

A ridge regression on standardised columns. Then each phenomenon gets a scale of its own, in units of the spread of its
scores. Two people rated an item of train, and not all of them with care: a careless rating pulls the mean to the
middle and, by way of all that learned from it, the scores of its phenomenon too. How much can be seen in train itself:
the ratings of fused heads can be foretold twice as well as those of implicit references, by anything. So the scores of
each phenomenon are spread alike, and a class begins where it becomes the likeliest, if all were rated as carefully as
the best of them. Nothing here is taken from dev.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from marginalia.tasks.clarification.official.ratings import CLASSES, Rating, label_of

Floats = NDArray[np.float64]

STACKS_FILE = "stacks.json"
LEAST_SHARE = 0.05
NEUTRAL_FROM, NEUTRAL_TO = 2.5, 4.0
"""Where a rating stops to be IMPLAUSIBLE, and begins to be PLAUSIBLE."""
STRENGTHS = (30.0, 100.0, 300.0, 1000.0, 3000.0)
FOLDS = 10
CLIP_DEVIATIONS = 4.0
"""Standardised columns beyond this are cut: a text of another kind shall not get an absurd rating."""
ANY = "any"
"""The scale of a phenomenon that is not one of the four."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The bounds between the classes on the scores of a phenomenon, and how far these spread."""

    low: float
    high: float
    spread: float

    def rating(self, score: float) -> Rating:
        """From 1 to 5, without ties, and in the class that the official bounds give it."""
        if score <= self.low:
            value = 1 + (NEUTRAL_FROM - 1) * math.exp((score - self.low) / self.spread)
        elif score >= self.high:
            value = 5 - (5 - NEUTRAL_TO) * math.exp((self.high - score) / self.spread)
        else:
            share = (score - self.low) / (self.high - self.low)
            value = min(
                max(
                    NEUTRAL_FROM + (NEUTRAL_TO - NEUTRAL_FROM) * share,
                    NEUTRAL_FROM + 1e-9,
                ),
                NEUTRAL_TO - 1e-9,
            )
        return Rating(label_of(value), value)


@dataclass(frozen=True, slots=True)
class Stack:
    """The regression and the scales by phenomenon. ``parts`` are the ingredients its rows are made of."""

    parts: tuple[str, ...]
    centre: tuple[float, ...]
    spread: tuple[float, ...]
    weights: tuple[float, ...]
    bias: float
    scales: Mapping[str, Scale]

    def score(self, row: Floats) -> float:
        """Row by row: products of larger tables differ in the last digits."""
        z = np.clip(
            (row - np.array(self.centre)) / np.array(self.spread), -CLIP_DEVIATIONS, CLIP_DEVIATIONS
        )
        return float(z @ np.array(self.weights)) + self.bias

    def rating(self, row: Floats, phenomenon: str) -> Rating:
        scale = self.scales.get(phenomenon, self.scales[ANY])
        return scale.rating(self.score(row))

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data.items()
        }
        fields["scales"] = {name: Scale(**scale) for name, scale in data["scales"].items()}
        return cls(**fields)


def fit(
    parts: Sequence[str],
    rows: Floats,
    scores: Sequence[float],
    groups: Sequence[str],
    phenomena: Sequence[str],
) -> Stack:
    """Learn from ratings; ``groups`` are kept together when the strength is chosen."""
    y = np.array(scores)
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread < 1e-6] = 1.0
    z = np.clip((rows - centre) / spread, -CLIP_DEVIATIONS, CLIP_DEVIATIONS)
    fold = {name: place % FOLDS for place, name in enumerate(dict.fromkeys(groups))}
    folds = np.array([fold[name] for name in groups])
    held = {strength: out_of_fold(z, y, folds, strength) for strength in STRENGTHS}
    strength = min(held, key=lambda s: float(((held[s] - y) ** 2).mean()))
    weights, bias = ridge(z, y, strength)
    kinds, best = np.array(phenomena), held[strength]
    even = best.copy()
    for kind in set(phenomena):
        even[kinds == kind] = standardised(best[kinds == kind])
    shares = careful_shares(best, y, kinds)
    bounds = likeliest(even, y, careful_weights(best, y, kinds, shares))
    scales = {ANY: scale_of(best, bounds)}
    for kind in sorted(set(phenomena)):
        scales[kind] = scale_of(best[kinds == kind], bounds)
    return Stack(
        parts=tuple(parts),
        centre=tuple(centre.tolist()),
        spread=tuple(spread.tolist()),
        weights=tuple(weights.tolist()),
        bias=bias,
        scales=scales,
    )


def to_bytes(stacks: Mapping[str, Stack]) -> bytes:
    """The file of the last steps, by system."""
    data = {name: stack.to_json() for name, stack in stacks.items()}
    return (json.dumps(data, indent=1) + "\n").encode()


def out_of_fold(z: Floats, y: Floats, folds: NDArray[np.int64], strength: float) -> Floats:
    """Each row rated by a regression that has not seen its group."""
    held = np.zeros(len(y))
    for number in range(FOLDS):
        out = folds == number
        if out.any() and not out.all():
            weights, bias = ridge(z[~out], y[~out], strength)
            held[out] = z[out] @ weights + bias
    return held


def ridge(z: Floats, y: Floats, strength: float) -> tuple[Floats, float]:
    middle, mean = z.mean(axis=0), float(y.mean())
    x = z - middle
    weights = np.linalg.solve(x.T @ x + strength * np.eye(x.shape[1]), x.T @ (y - mean))
    return weights, mean - float(middle @ weights)


def reliability(held: Floats, gold: Floats, kinds: NDArray[np.str_]) -> dict[str, float]:
    """How well the ratings of each phenomenon can be foretold: a correlation, at least 0."""
    found = {}
    for kind in sorted(set(kinds.tolist())):
        own = kinds == kind
        flat = own.sum() < 2 or not held[own].std() or not gold[own].std()
        found[kind] = 0.0 if flat else max(0.0, float(np.corrcoef(held[own], gold[own])[0, 1]))
    return found


def careful_shares(held: Floats, gold: Floats, kinds: NDArray[np.str_]) -> dict[str, float]:
    """The shares of the classes if each phenomenon were rated as carefully as the best.

    A line through the phenomena, share by reliability, read where reliability is highest.
    """
    labels, reliable = classes_of(gold), reliability(held, gold, kinds)
    known = np.array(list(reliable.values()))
    counts = np.array([np.bincount(labels[kinds == kind], minlength=3) for kind in reliable])
    shares = counts.sum(axis=0) / counts.sum()
    if len(known) > 1 and np.ptp(known) > 0:
        each = counts / counts.sum(axis=1, keepdims=True)
        away = known - known.mean()
        slope = away @ (each - each.mean(axis=0)) / (away @ away)
        shares = each.mean(axis=0) + slope * away.max()
    shares = np.maximum(shares, LEAST_SHARE)
    return dict(zip(CLASSES, (shares / shares.sum()).tolist(), strict=True))


def careful_weights(
    held: Floats, gold: Floats, kinds: NDArray[np.str_], shares: Mapping[str, float]
) -> Floats:
    """How much each rating counts: by how reliable its phenomenon is, and so that the classes have these shares."""
    reliable = reliability(held, gold, kinds)
    weight = np.array([reliable[kind] ** 2 for kind in kinds.tolist()]) + 1e-9
    labels = classes_of(gold)
    there = np.array([weight[labels == place].sum() for place in range(len(CLASSES))])
    wanted = np.array([shares[name] for name in CLASSES])
    found: Floats = weight * (wanted / np.maximum(there, 1e-9))[labels]
    return found


def classes_of(gold: Floats) -> NDArray[np.int64]:
    return np.array([CLASSES.index(label_of(value)) for value in gold.tolist()])


def likeliest(scores: Floats, gold: Floats, weight: Floats) -> tuple[float, float]:
    """Where IMPLAUSIBLE ceases to be the likeliest class, and where PLAUSIBLE begins to be."""
    from sklearn.linear_model import LogisticRegression

    labels = classes_of(gold)
    grid = np.linspace(float(scores.min()), float(scores.max()), 2001)
    above = []
    for place in (1, 2):
        wanted = labels >= place
        if wanted.all() or not wanted.any():
            above.append(np.full(len(grid), float(wanted[0])))
            continue
        model = LogisticRegression(C=1e4).fit(scores[:, None], wanted, weight / weight.mean())
        above.append(model.predict_proba(grid[:, None])[:, 1])
    first = np.argmax([1 - above[0], above[0] - above[1], above[1]], axis=0)
    low = float(grid[first == 0].max(initial=grid[0]))
    return low, max(low, float(grid[first == 2].min(initial=grid[-1])))


def standardised(scores: Floats) -> Floats:
    found: Floats = (scores - scores.mean()) / max(float(scores.std()), 1e-6)
    return found


def scale_of(scores: Floats, bounds: tuple[float, float]) -> Scale:
    """Bounds that are counted in deviations, on the scores of a phenomenon."""
    mean, spread = float(scores.mean()), max(float(scores.std()), 1e-6)
    low, high = (mean + bound * spread for bound in bounds)
    return Scale(low, high, spread)
