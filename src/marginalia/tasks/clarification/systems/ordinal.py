"""Ordinal regression on features, without a network: the classes are steps of one scale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.core.errors import ContractError
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import CLASSES, Rating
from marginalia.tasks.clarification.systems.features import features, table

Floats = NDArray[np.float64]


class Ordinal:
    """Proportional odds: one direction in the features, and two bounds on it between three classes.

    The score is the mean rating that the probabilities of the classes lead one to expect.
    """

    def __init__(self, strength: float = 10.0) -> None:
        self.strength = strength
        self.weights: Floats | None = None
        self.bounds, self.means = np.zeros(2), np.zeros(len(CLASSES))
        self.centre, self.spread = np.zeros(0), np.ones(0)

    def fit(self, split: Split) -> Self:
        gold = split.require_gold()
        rows = table([split.items[id] for id in gold]).astype(np.float64)
        labels = np.array([CLASSES.index(rating.label) for rating in gold.values()])
        scores = np.array([rating.score for rating in gold.values()])
        self.centre, self.spread = rows.mean(axis=0), rows.std(axis=0)
        self.spread[self.spread < 1e-6] = 1.0
        known = [scores[labels == k] for k in range(len(CLASSES))]
        self.means = np.array([each.mean() if len(each) else scores.mean() for each in known])
        self.weights, self.bounds = fit_odds(
            (rows - self.centre) / self.spread, labels, self.strength
        )
        return self

    def predict(self, items: Mapping[str, Item]) -> dict[str, Rating]:
        if self.weights is None:
            raise ContractError("Ordinal must be fitted before it predicts")
        weights = self.weights
        return {id: self._rate(item, weights) for id, item in items.items()}

    def _rate(self, item: Item, weights: Floats) -> Rating:
        row = (np.array(features(item), dtype=np.float32) - self.centre) / self.spread
        above = 1 / (1 + np.exp(self.bounds - float(row @ weights)))
        chances = np.array([1 - above[0], above[0] - above[1], above[1]])
        return Rating(CLASSES[int(np.argmax(chances))], float(chances @ self.means))


def fit_odds(x: Floats, labels: NDArray[Any], strength: float) -> tuple[Floats, Floats]:
    """Direction and bounds of greatest likelihood, with a ridge on the direction."""
    from scipy.optimize import minimize

    above = np.stack([labels > 0, labels > 1], axis=1)

    def cost(given: Floats) -> tuple[float, Floats]:
        weights, bounds = given[:-2], np.array([given[-2], given[-2] + np.exp(given[-1])])
        p = 1 / (1 + np.exp(bounds - (x @ weights)[:, None]))
        whole = np.stack([np.ones(len(x)), p[:, 0], p[:, 1], np.zeros(len(x))], axis=1)
        at = np.arange(len(x))
        chance = np.maximum(whole[at, labels] - whole[at, labels + 1], 1e-12)
        slope = p * (1 - p)
        # A bound enters the chance of the class below it with one sign, of that above it with the other.
        sign = np.where(above, 1.0, -1.0) * (
            (labels[:, None] == [0, 1]) | (labels[:, None] == [1, 2])
        )
        pull = sign * slope / chance[:, None]
        step = np.exp(given[-1])
        gradient = np.concatenate(
            [
                -x.T @ pull.sum(axis=1) + 2 * strength * weights,
                [pull.sum(), pull[:, 1].sum() * step],
            ]
        )
        return float(-np.log(chance).sum() + strength * weights @ weights), gradient

    start = np.concatenate([np.zeros(x.shape[1]), [-0.5, 0.0]])
    found = minimize(cost, start, jac=True, method="L-BFGS-B").x
    return found[:-2], np.array([found[-2], found[-2] + np.exp(found[-1])])
