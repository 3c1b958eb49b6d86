"""Whether two systems differ by more than chance: both on the same items, and tests with a known error rate.

A test says what it assumes and refuses where that does not hold; then there is no p, and ``refusal`` says why.
How often each of them errs on data shaped like the tasks is measured by ``benchmarks/significance.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from marginalia.core.benchmark import Benchmark, Predictions, Split, Statistic
from marginalia.core.errors import ContractError
from marginalia.core.stats import fisher_z

Flips = NDArray[np.bool_]
FlipStatistic = Callable[[Flips], float]
"""The difference of two systems after the groups marked True have changed sides."""
MIN_GROUPS = 7
"""With fewer, the sign patterns are so few that no test at 5 % is near 5 %: six allow steps of .031."""
EXACT_GROUPS = 12
"""Up to here every sign pattern is tried: 2,048 of them."""
FLIPS = 1999
"""Sign patterns drawn where there are too many to try them all."""
MAX_ALIKE = 0.1
"""Two runs that correlate by more are no independent samples."""
TESTS = ("randomisation", "mcnemar", "williams", "fisher")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a test says. ``p`` is two-sided; NaN where the test refuses or the figure is undefined."""

    test: str
    p: float = math.nan
    floor: float = 0.0
    """The smallest p that this test could have given."""
    refusal: str = ""

    @property
    def at_floor(self) -> bool:
        return self.p <= self.floor

    def __str__(self) -> str:
        if self.p != self.p:
            return self.refusal or "undefined"
        shown = f"{max(self.p, self.floor):.4f}".rstrip("0").rstrip(".")
        return f"≤ {shown}" if self.at_floor and self.p < 1 else shown


def randomisation(
    difference: FlipStatistic, n_groups: int, *, flips: int = FLIPS, seed: int = 0
) -> Verdict:
    """If two systems are alike, it does not matter which of them gave the answers of a group.

    p is the share of ways to change sides, group by group, that leave a difference at least as large as the observed
    one. All 2^(n-1) ways are tried for up to twelve groups; beyond, p = (1 + #{|d*| >= |d|}) / (1 + flips) over
    random ones. An undefined difference counts as large.
    Source: Noreen, Computer-Intensive Methods for Testing Hypotheses, 1989; Yeh, COLING 2000.
    """
    if n_groups < MIN_GROUPS:
        return Verdict(
            test="randomisation",
            refusal=f"{n_groups} groups are too few for any claim; at least {MIN_GROUPS} are needed",
        )
    observed = abs(difference(np.zeros(n_groups, dtype=bool)))
    if math.isnan(observed):
        return Verdict(test="randomisation")
    edge = observed - 1e-12 * max(1.0, observed)  # the same sum in another order is no smaller one
    exact = n_groups <= EXACT_GROUPS
    if exact:
        # The first group may stay: the mirror image of a pattern has the same size of difference.
        numbers = np.arange(2 ** (n_groups - 1))[:, None]
        patterns = (numbers >> np.arange(n_groups) & 1).astype(bool)
    else:
        patterns = np.random.default_rng(seed).random((flips, n_groups)) < 0.5
    large = sum(not abs(difference(pattern)) < edge for pattern in patterns)
    if exact:
        return Verdict(
            test="randomisation", p=large / len(patterns), floor=float(1 / len(patterns))
        )
    return Verdict(test="randomisation", p=(1 + large) / (1 + flips), floor=1 / (1 + flips))


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Verdict:
    """McNemar's test, mid-p, of two systems that are right or wrong on the same independent items.

    Of the n items that only one system has right, b are the first one's: with X ~ Binomial(n, 1/2),
    p = 2 P(X < min(b, n - b)) + P(X = min(b, n - b)). The exact test claims too rarely; its mid-p keeps near the level.
    Source: McNemar, Psychometrika 12, 1947; Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13, 2013.
    """
    from scipy.stats import binom

    one, other = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    only_first, only_second = int((one & ~other).sum()), int((other & ~one).sum())
    n, fewer = only_first + only_second, min(only_first, only_second)
    if not n or only_first == only_second:
        return Verdict(test="mcnemar", p=1.0)
    p = 2 * float(binom.cdf(fewer, n, 0.5)) - float(binom.pmf(fewer, n, 0.5))
    return Verdict(test="mcnemar", p=p, floor=0.5**n)


def williams(gold: ArrayLike, first: ArrayLike, second: ArrayLike) -> Verdict:
    """Whether one of two systems correlates better with the same gold, on independent items.

    t = (r1 - r2) sqrt((n - 1)(1 + r12) / (2 |R| (n - 1)/(n - 3) + ((r1 + r2)/2)^2 (1 - r12)^3)) with n - 3 degrees of freedom,
    |R| = 1 - r1^2 - r2^2 - r12^2 + 2 r1 r2 r12.
    Source: Williams 1959 as given by Steiger, Psychological Bulletin 87, 1980, equation 7.
    """
    from scipy.stats import t as student

    from marginalia.core.stats import pearson

    r1, r2, r12 = pearson(gold, first), pearson(gold, second), pearson(first, second)
    n = len(np.asarray(gold))
    if n < 4:
        return Verdict(test="williams", refusal=f"{n} items are too few; at least 4 are needed")
    if any(math.isnan(r) for r in (r1, r2, r12)):
        return Verdict(test="williams")
    if r12 >= 1 - 1e-12:
        return Verdict(test="williams", p=1.0)
    determinant = max(0.0, 1 - r1**2 - r2**2 - r12**2 + 2 * r1 * r2 * r12)
    spread = 2 * determinant * (n - 1) / (n - 3) + ((r1 + r2) / 2) ** 2 * (1 - r12) ** 3
    if spread <= 0:
        return Verdict(test="williams")
    value = (r1 - r2) * math.sqrt((n - 1) * (1 + r12) / spread)
    return Verdict(test="williams", p=float(2 * student.sf(abs(value), n - 3)))


def fisher(gold: ArrayLike, first: ArrayLike, second: ArrayLike) -> Verdict:
    """Fisher's z of two correlations with gold, two-sided; refuses runs whose answers are alike.

    It takes the two for independent samples. The task of 2013 used it on runs of the same pairs, where it claims far
    too rarely.
    """
    from marginalia.core.stats import pearson

    alike = pearson(first, second)
    if abs(alike) > MAX_ALIKE:
        return Verdict(
            test="fisher",
            refusal=f"fisher takes the runs for independent, but they correlate by {alike:.2f}; use williams",
        )
    n = len(np.asarray(gold))
    one_sided = fisher_z(pearson(gold, first), n, pearson(gold, second), n)
    return Verdict(test="fisher", p=2 * min(one_sided, 1 - one_sided))


def holm(p: Sequence[float]) -> list[float]:
    """Adjusted p values that keep the chance of any false claim below the level (Holm 1979). NaN stays and is not counted."""
    return _stepwise(p, lambda rank, n: n - rank, largest_first=False)


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Adjusted p values that keep the expected share of false claims below the level (Benjamini and Hochberg 1995)."""
    return _stepwise(p, lambda rank, n: n / (rank + 1), largest_first=True)


CORRECTIONS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "none": list,
}


def _stepwise(
    p: Sequence[float], factor: Callable[[int, int], float], *, largest_first: bool
) -> list[float]:
    """Each p times its factor, made monotone: upwards from the smallest, or downwards from the largest."""
    adjusted = [math.nan] * len(p)
    order = sorted((place for place, value in enumerate(p) if value == value), key=p.__getitem__)
    ranked = list(enumerate(order))
    bound = 1.0 if largest_first else 0.0
    for rank, place in reversed(ranked) if largest_first else ranked:
        value = min(1.0, p[place] * factor(rank, len(order)))
        bound = min(bound, value) if largest_first else max(bound, value)
        adjusted[place] = bound
    return adjusted
