"""The few statistics the official scorers are made of, and honest intervals around them.

Undefined values are NaN, never an error: the caller knows whether that is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """r = cov(x, y) / (sd(x) sd(y)); NaN when a side is constant or has fewer than two values."""
    return weighted_pearson(x, y, None)


def weighted_pearson(x: ArrayLike, y: ArrayLike, weights: ArrayLike | None) -> float:
    """Pearson with every mean replaced by sum(w v) / sum(w); the scale of the weights is irrelevant.

    Source: *SEM 2013 STS, where the weight is the confidence of the system. NaN when the weights add
    up to nothing or when, among rows of non-zero weight, a side is constant.

    Negative weights can leave one variance negative. The official program then divides by an imaginary root and
    prints what stands before the i: the same quotient with its sign turned.
    """
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if weights is None:
        w = np.ones(len(a))
    else:
        w = np.asarray(weights, dtype=float)
        a, b, w = a[w != 0], b[w != 0], w[w != 0]
    total = w.sum()
    if len(a) < 2 or total == 0 or _constant(a) or _constant(b):
        return math.nan
    w = w / total
    with np.errstate(invalid="ignore", over="ignore"):
        a, b = (_scaled(side - w @ side) for side in (a, b))
        variance = float((w @ (a * a)) * (w @ (b * b)))
        root = math.copysign(math.sqrt(abs(variance)), variance)
        r = float(w @ (a * b)) / root if root else math.nan
    if r != r:
        return math.nan
    # With a negative weight this is no correlation and may leave -1..1, as in the official program.
    return r if (w < 0).any() else max(-1.0, min(1.0, r))


def _scaled(values: Floats) -> Floats:
    """The values with 1 as the largest of them, so that no square of a tiny or huge one is lost."""
    largest = float(np.abs(values).max())
    return values / largest if largest > 0 else values


def _constant(values: Floats) -> bool:
    return bool((values == values[0]).all())


def ranks(values: ArrayLike) -> Floats:
    """Ranks from 1; equal values share the mean of their ranks."""
    a = np.asarray(values, dtype=float)
    _, inverse, counts = np.unique(a, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    mean_rank: Floats = last - (counts - 1) / 2
    return mean_rank[inverse]


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Pearson of the ranks; NaN also when a value is NaN."""
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if np.isnan(a).any() or np.isnan(b).any():
        return math.nan
    return pearson(ranks(a), ranks(b))


def mae(gold: ArrayLike, pred: ArrayLike) -> float:
    """mean |gold - pred|"""
    return _mean(np.abs(np.subtract(gold, pred)))


def mse(gold: ArrayLike, pred: ArrayLike) -> float:
    """mean (gold - pred)^2"""
    return _mean(np.square(np.subtract(gold, pred)))


def _mean(values: Floats | list[float]) -> float:
    """The mean; of nothing NaN, without a warning."""
    return float(np.mean(values)) if np.size(values) else math.nan


def r2(gold: ArrayLike, pred: ArrayLike) -> float:
    """1 - sum (gold - pred)^2 / sum (gold - mean gold)^2; for constant gold 1 if perfect, else 0."""
    g = np.asarray(gold, dtype=float)
    if not len(g):
        return math.nan
    error = float(np.square(g - np.asarray(pred, dtype=float)).sum())
    if _constant(g):
        return 1.0 if error == 0 else 0.0
    return 1 - error / float(np.square(g - g.mean()).sum())


@dataclass(frozen=True, slots=True)
class ClassScores:
    p: float
    r: float
    f1: float


def class_scores(gold: Sequence[Hashable], pred: Sequence[Hashable]) -> dict[Hashable, ClassScores]:
    """Precision, recall and F1 of each class seen in gold or prediction; undefined counts 0."""
    scores = {}
    for label in dict.fromkeys((*gold, *pred)):
        hits = sum(g == label == p for g, p in zip(gold, pred, strict=True))
        p = _ratio(hits, sum(value == label for value in pred))
        r = _ratio(hits, sum(value == label for value in gold))
        scores[label] = ClassScores(p, r, f1(p, r))
    return scores


def macro_f1(gold: Sequence[Hashable], pred: Sequence[Hashable]) -> ClassScores:
    """Unweighted means over the classes; the F1 is the mean of the class F1 values."""
    each = class_scores(gold, pred).values()
    return ClassScores(*(_mean([getattr(c, key) for c in each]) for key in ("p", "r", "f1")))


def micro_f1(gold: Sequence[Hashable], pred: Sequence[Hashable], without: Hashable) -> ClassScores:
    """Precision, recall and F1 over all classes together except ``without``."""
    hits = sum(g == p != without for g, p in zip(gold, pred, strict=True))
    p = _ratio(hits, sum(value != without for value in pred))
    r = _ratio(hits, sum(value != without for value in gold))
    return ClassScores(p, r, f1(p, r))


def f1(p: float, r: float) -> float:
    """Harmonic mean 2pr / (p + r); 0 when both are 0."""
    return 2 * p * r / (p + r) if p + r else 0.0


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def average_precision(relevant: Sequence[bool], n_relevant: int, k: int | None = None) -> float:
    """AP@k = sum over relevant ranks i <= k of precision@i, divided by the number of all relevant ones.

    As in ranx 0.2.8, the divisor is not min(k, n): with more than k relevant ones AP@k stays below 1.
    """
    if not n_relevant:
        return 0.0
    flags = np.asarray(relevant[:k], dtype=float)
    precisions = flags.cumsum() / np.arange(1, len(flags) + 1)
    return float((precisions * flags).sum() / n_relevant)


def r_precision(relevant: Sequence[bool], n_relevant: int) -> float:
    """Share of relevant ones among the first R, R being their number, even if the ranking is shorter."""
    return sum(relevant[:n_relevant]) / n_relevant if n_relevant else 0.0


def fisher_z(r1: float, n1: int, r2: float, n2: int) -> float:
    """One-tailed p of r1 > r2 by Fisher's z: (atanh r1 - atanh r2) / sqrt(1/(n1-3) + 1/(n2-3)).

    Source: the significance test between runs in *SEM 2013 STS. It treats the two samples as
    independent, so it is conservative for two runs on the same pairs.
    """
    if min(n1, n2) <= 3 or math.isnan(r1) or math.isnan(r2):
        return math.nan
    edge = 1 - 1e-12
    z1, z2 = (math.atanh(max(-edge, min(edge, r))) for r in (r1, r2))
    z = (z1 - z2) / math.sqrt(1 / (n1 - 3) + 1 / (n2 - 3))
    return 0.5 * math.erfc(z / math.sqrt(2))


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval."""

    low: float
    high: float
    level: float = 0.95


def bootstrap(
    statistic: Callable[[NDArray[np.intp]], float],
    n_groups: int,
    *,
    n: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Percentile interval of a statistic over groups drawn with replacement; NaN when no draw is defined."""
    return percentiles(resampled(statistic, n_groups, n=n, seed=seed), level)


def resampled(
    statistic: Callable[[NDArray[np.intp]], float], n_groups: int, *, n: int = 1000, seed: int = 0
) -> Floats:
    """A statistic of ``n`` samples of groups, drawn with replacement.

    ``statistic`` gets the indices of the drawn groups. Undefined draws (a constant sample, say) are left out.
    """
    rng = np.random.default_rng(seed)
    draws = np.array([statistic(rng.integers(0, n_groups, n_groups)) for _ in range(n)])
    defined: Floats = draws[~np.isnan(draws)]
    return defined


def percentiles(draws: Floats, level: float = 0.95) -> Interval:
    """The interval that holds the middle of the draws."""
    if not len(draws):
        return Interval(math.nan, math.nan, level)
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level)


def rows_by_group(ids: Iterable[str], group: Mapping[str, str]) -> list[NDArray[np.intp]]:
    """For each group in sorted order the positions of its ids; a group without one has none."""
    rows: dict[str, list[int]] = {name: [] for name in sorted(set(group.values()))}
    for position, id in enumerate(ids):
        rows[group[id]].append(position)
    return [np.array(positions, dtype=np.intp) for positions in rows.values()]


def drawn_rows(rows: Sequence[NDArray[np.intp]], drawn: NDArray[np.intp]) -> NDArray[np.intp]:
    """The positions that belong to the drawn groups."""
    return np.concatenate([rows[index] for index in drawn])
