"""How sure a figure is: its spread over groups, an interval around it, the smallest difference that could be seen, the
places that systems may have by chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from marginalia.bench.run import RESAMPLES
from marginalia.core.benchmark import Benchmark, Predictions, Split
from marginalia.core.stats import Floats, Interval, percentiles, resampled

GroupStatistic = Callable[[NDArray[np.intp]], float]
FEW_GROUPS = 50
"""Below this, percentile intervals hold the truth too rarely, and Student's t is used with the jackknife
(``benchmarks/significance.py`` has the figures)."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The standard error of a figure, and what was left when each group was left out in turn."""

    error: float
    without: Floats

    @property
    def groups(self) -> int:
        return len(self.without)


def jackknife(statistic: GroupStatistic, n_groups: int) -> Spread:
    """se^2 = (n - 1)/n sum (d_(i) - mean d_(.))^2 over the figures without one group.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 11.
    """
    everyone = np.arange(n_groups)
    without = np.array([statistic(np.delete(everyone, i)) for i in range(n_groups)])
    defined = without[~np.isnan(without)]
    n = len(defined)
    if n < 2:
        return Spread(math.nan, defined)
    return Spread(
        float(math.sqrt((n - 1) / n * np.square(defined - defined.mean()).sum())), defined
    )


def interval(
    statistic: GroupStatistic, n_groups: int, *, n: int = 1000, level: float = 0.95, seed: int = 0
) -> Interval:
    """Student's t with the jackknife for few groups, the percentiles of a bootstrap for many."""
    if n_groups < FEW_GROUPS:
        return student(statistic, n_groups, level=level)
    return percentiles(resampled(statistic, n_groups, n=n, seed=seed), level)


def student(statistic: GroupStatistic, n_groups: int, *, level: float = 0.95) -> Interval:
    """The figure plus and minus t times its jackknife error, with one degree of freedom less than groups."""
    from scipy.stats import t

    spread = jackknife(statistic, n_groups)
    middle = statistic(np.arange(n_groups))
    half = float(t.ppf((1 + level) / 2, max(1, spread.groups - 1))) * spread.error
    return Interval(middle - half, middle + half, level)


def detectable(spread: Spread, *, level: float = 0.95, power: float = 0.8) -> float:
    """The smallest true difference that a test at this level finds with this power: (t_level + t_power) se."""
    from scipy.stats import t

    freedom = max(1, spread.groups - 1)
    return float((t.ppf((1 + level) / 2, freedom) + t.ppf(power, freedom)) * spread.error)


def effect_size(difference: float, spread: Spread) -> float:
    """The difference in standard deviations of one group's part in it: d / (se sqrt n), Cohen's d_z for a mean."""
    width = spread.error * math.sqrt(spread.groups)
    return difference / width if width > 0 else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class RankInterval:
    """The place of a system by one figure, and those that it has in the middle 95 % of resampled test sets."""

    metric: str
    system: str
    rank: int
    low: int
    high: int


def rank_intervals(
    task: Benchmark,
    split: Split,
    preds: Mapping[str, Predictions],
    *,
    n: int = RESAMPLES,
    level: float = 0.95,
    seed: int = 0,
) -> list[RankInterval]:
    """All systems are scored on the same samples of groups and placed in each; an undefined figure comes last.

    Source: Goldstein and Spiegelhalter, JRSS A 159, 1996, for intervals of ranks.
    """
    statistics = {name: task.statistics(split, pred) for name, pred in preds.items()}
    n_groups = len(set(split.group.values()))
    intervals = []
    for metric in task.metrics:
        known = [name for name in preds if metric.path in statistics[name]]
        if len(known) < 2:
            continue
        rng = np.random.default_rng(seed)
        samples = [np.arange(n_groups)]
        samples += [rng.integers(0, n_groups, n_groups) for _ in range(n)]
        values = np.array([[statistics[name][metric.path](s) for name in known] for s in samples])
        values = np.where(np.isnan(values), -np.inf, values)
        # Places count those that are strictly better, so that equal systems share the better place.
        places = 1 + (values[:, None, :] > values[:, :, None]).sum(axis=2)
        tails = np.quantile(places[1:], [(1 - level) / 2, (1 + level) / 2], axis=0)
        for column, name in enumerate(known):
            intervals.append(
                RankInterval(
                    metric=metric.path,
                    system=name,
                    rank=int(places[0, column]),
                    low=int(np.floor(tails[0, column])),
                    high=int(np.ceil(tails[1, column])),
                )
            )
    return sorted(
        intervals, key=lambda row: ([m.path for m in task.metrics].index(row.metric), row.rank)
    )
