"""How far annotators agree, and one annotation made from many.

Ratings come as ``{item: {rater: value}}``; a rater who did not see an item is not in its mapping. What
cannot be computed is NaN.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

import numpy as np

from marginalia.core.errors import FormatError
from marginalia.core.stats import pearson

Value = TypeVar("Value", bound=Hashable)
Label = TypeVar("Label", bound=Hashable)
Ratings = Mapping[str, Mapping[str, Value]]
Distance = Callable[[Any, Any], float]
Span = tuple[int, int]


def cohen_kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """kappa = (p_o - p_e) / (1 - p_e) of two raters of the same items.

    p_o is the share of items they agree on, p_e what it would be by chance, the sum over classes of
    the product of their shares (Cohen 1960). NaN without items, or when both use one class only.
    """
    n = len(a)
    agree = sum(x == y for x, y in zip(a, b, strict=True))
    if not n:
        return math.nan
    one, other = Counter(a), Counter(b)
    chance = sum(count * other[label] for label, count in one.items())
    # In whole numbers until the division, so that perfect agreement is exactly 1.
    return (agree * n - chance) / (n * n - chance) if chance != n * n else math.nan


def nominal(a: Hashable, b: Hashable) -> float:
    """0 for equal values, else 1."""
    return float(a != b)


def interval(a: float, b: float) -> float:
    """(a - b)^2"""
    return (a - b) ** 2


def jaccard(a: AbstractSet[Any], b: AbstractSet[Any]) -> float:
    """1 - |a & b| / |a | b| of two sets; 0 for two empty ones."""
    return 1 - len(a & b) / len(a | b) if a or b else 0.0


def masi(a: AbstractSet[Any], b: AbstractSet[Any]) -> float:
    """1 - M |a & b| / |a | b| of two sets (Passonneau 2006, measuring agreement on set-valued items).

    M is 1 for equal sets, 2/3 if one holds the other, 1/3 if they merely overlap, 0 if they do not.
    """
    monotonic = 1.0 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3
    return 1 - monotonic * (1 - jaccard(a, b))


def krippendorff_alpha(ratings: Ratings[Any], distance: Distance = nominal) -> float:
    """alpha = 1 - D_o / D_e over the items that have two ratings or more.

    D_o is the mean distance of two ratings of one item, an item with m ratings weighing m; D_e that of
    two ratings of any items (Krippendorff 2011, Computing Krippendorff's alpha-reliability). For sets
    take ``jaccard`` or ``masi`` and give frozen sets. NaN when nothing was rated twice or all ratings
    are equal.
    """
    units = [list(each.values()) for each in ratings.values() if len(each) > 1]
    count = Counter(value for unit in units for value in unit)
    places = {value: place for place, value in enumerate(count)}
    apart = np.array([[distance(a, b) for b in count] for a in count], dtype=float)
    totals = np.array(list(count.values()), dtype=float)
    n = totals.sum()
    observed = 0.0
    for unit in units:
        here = [places[value] for value in unit]
        observed += float(apart[np.ix_(here, here)].sum()) / (len(unit) - 1)
    expected = float(totals @ apart @ totals) / (n - 1) if n > 1 else 0.0
    return 1 - observed / expected if expected else math.nan


def each_against_rest(
    ratings: Ratings[float], correlation: Callable[[Any, Any], float] = pearson
) -> dict[str, float]:
    """For each rater the correlation with the mean of the other raters, over the items they share."""
    pairs: dict[str, list[tuple[float, float]]] = {}
    for each in ratings.values():
        for rater, value in each.items():
            rest = [other for name, other in each.items() if name != rater]
            if rest:
                pairs.setdefault(rater, []).append((value, math.fsum(rest) / len(rest)))
    return {rater: correlation(*zip(*rows, strict=True)) for rater, rows in sorted(pairs.items())}


def one_against_rest(
    ratings: Ratings[float], correlation: Callable[[Any, Any], float] = pearson
) -> float:
    """The mean of ``each_against_rest`` over the raters for whom it is defined."""
    values = [r for r in each_against_rest(ratings, correlation).values() if r == r]
    return math.fsum(values) / len(values) if values else math.nan


def means(ratings: Ratings[float]) -> dict[str, float]:
    """The mean rating of each item that has one."""
    return {id: math.fsum(each.values()) / len(each) for id, each in ratings.items() if each}


def likert_means(ratings: Ratings[float], *, low: float = 1, high: float = 5) -> dict[str, float]:
    """Means on a scale from 0 to 1: point ``low`` is 0, point ``high`` is 1.

    With five points they are 0, .25, .5, .75 and 1, as in the LCP overview paper (Shardlow et al.
    2021), where the ratings from very easy to very difficult become a complexity.
    """
    for id, each in ratings.items():
        for rater, value in each.items():
            if not low <= value <= high:
                raise FormatError(
                    f"{rater} rates {id} with {value}, which is not on the scale {low} to {high}"
                )
    return {id: (mean - low) / (high - low) for id, mean in means(ratings).items()}


def union_labels(
    labels: Mapping[str, Mapping[str, Iterable[Label]]],
) -> dict[str, frozenset[Label]]:
    """For each item the labels that any of its annotators gave."""
    return {id: frozenset[Label]().union(*each.values()) for id, each in labels.items()}
