"""Which place each of several systems may have by chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from marginalia.bench.run import RESAMPLES
from marginalia.core.benchmark import Benchmark, Predictions, Split


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
    found = []
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
            found.append(
                RankInterval(
                    metric=metric.path,
                    system=name,
                    rank=int(places[0, column]),
                    low=int(np.floor(tails[0, column])),
                    high=int(np.ceil(tails[1, column])),
                )
            )
    return sorted(
        found, key=lambda row: ([m.path for m in task.metrics].index(row.metric), row.rank)
    )
