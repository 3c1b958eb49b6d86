"""Two systems on the same items, with answers that can change sides group by group."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Benchmark, Predictions, Split, Statistic
from marginalia.core.errors import ContractError


@dataclass(frozen=True, slots=True)
class Pair:
    """One figure of two systems. A choice of groups has numbers below ``n`` for the first system's answers, and ``n``
    more for the second's."""

    statistic: Statistic
    n: int

    def less(self, drawn: NDArray[np.intp]) -> float:
        """The first minus the second, on the same drawn groups."""
        return self.statistic(drawn) - self.statistic(drawn + self.n)

    def flipped(self, flips: NDArray[np.bool_]) -> float:
        """The same on all groups, those marked having changed sides."""
        groups = np.arange(self.n)
        one, other = (np.where(side, groups + self.n, groups) for side in (flips, ~flips))
        return self.statistic(one) - self.statistic(other)


def pair(task: Benchmark, split: Split, first: Predictions, second: Predictions) -> dict[str, Pair]:
    """Each figure of the task by its path, for two systems at once.

    The statistics of a task know groups, not systems: so both copies of the split stand side by side as one, and a
    group of the second copy is chosen by its number.
    """
    n = len(set(split.group.values()))
    both = task.statistics(_doubled(split), {**_side(0, first), **_side(1, second)})
    everyone = np.arange(n)
    for number, pred in enumerate((first, second)):
        alone = task.statistics(split, pred)
        for path, statistic in alone.items():
            here = both[path](everyone + number * n) if path in both else math.nan
            there = statistic(everyone)
            if abs(here - there) > 1e-9 or (here == here) != (there == there):
                raise ContractError(
                    f"{task.name}: the statistic {path} mixes groups of equal items, so two runs cannot be compared by it"
                )
    return {path: Pair(statistic, n) for path, statistic in both.items()}


def _doubled(split: Split) -> Split:
    return Split(
        name=split.name,
        items={**_side(0, split.items), **_side(1, split.items)},
        gold={**_side(0, split.require_gold()), **_side(1, split.require_gold())},
        group={
            f"{side}:{id}": f"{side}:{name}" for side in (0, 1) for id, name in split.group.items()
        },
        files=split.files,
    )


def _side(number: int, by_id: Mapping[str, Any]) -> dict[str, Any]:
    """The mapping with ids that tell the copy."""
    return {f"{number}:{id}": value for id, value in by_id.items()}
