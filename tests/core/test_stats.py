"""Statistics against scipy and scikit-learn, by properties, and where they are undefined."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics
from hypothesis import assume, given
from hypothesis import strategies as st

from marginalia.core import stats
from marginalia.core.stats import Interval

numbers = st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda value: round(value, 3))
labels = st.sampled_from("abc")


def columns(*values):
    """Lists of equal length, one for each strategy."""
    return st.lists(st.tuples(*values), min_size=2, max_size=30).map(
        lambda rows: tuple(list(column) for column in zip(*rows, strict=True))
    )


def spread(values) -> bool:
    """Whether the values differ by more than rounding noise; scipy warns otherwise."""
    return bool(np.ptp(values) > 1e-6 * max(1.0, float(np.abs(values).max())))


@given(columns(numbers, numbers))
def test_correlations_equal_scipy(sides) -> None:
    x, y = sides
    assume(spread(x) and spread(y))
    assert stats.pearson(x, y) == pytest.approx(scipy.stats.pearsonr(x, y)[0], abs=1e-9)
    assert stats.spearman(x, y) == pytest.approx(scipy.stats.spearmanr(x, y)[0], abs=1e-9)


@given(st.lists(st.integers(-5, 5), max_size=30))
def test_ranks_equal_scipy(values: list[int]) -> None:
    assert list(stats.ranks(values)) == list(scipy.stats.rankdata(values))


@given(columns(numbers, numbers))
def test_errors_and_r2_equal_scikit_learn(sides) -> None:
    gold, pred = sides
    assert stats.mae(gold, pred) == pytest.approx(sklearn.metrics.mean_absolute_error(gold, pred))
    assert stats.mse(gold, pred) == pytest.approx(sklearn.metrics.mean_squared_error(gold, pred))
    if spread(gold) or len(set(gold)) == 1:
        assert stats.r2(gold, pred) == pytest.approx(sklearn.metrics.r2_score(gold, pred))


@given(columns(labels, labels))
def test_class_scores_equal_scikit_learn(sides) -> None:
    gold, pred = sides
    p, r, f1, _ = sklearn.metrics.precision_recall_fscore_support(
        gold, pred, average="macro", zero_division=0
    )
    assert stats.macro_f1(gold, pred) == stats.ClassScores(*map(pytest.approx, (p, r, f1)))
    each = stats.class_scores(gold, pred)
    assert each.keys() == {*gold, *pred}
    for label, scores in each.items():
        theirs = sklearn.metrics.f1_score(gold, pred, labels=[label], average=None, zero_division=0)
        assert scores.f1 == pytest.approx(theirs[0])


@given(columns(labels, labels))
def test_micro_f1_without_a_class_equals_scikit_learn(sides) -> None:
    gold, pred = sides
    p, r, f1, _ = sklearn.metrics.precision_recall_fscore_support(
        gold, pred, labels=["a", "b"], average="micro", zero_division=0
    )
    ours = stats.micro_f1(gold, pred, without="c")
    assert ours == stats.ClassScores(*map(pytest.approx, (p, r, f1)))


@given(st.lists(st.booleans(), min_size=1, max_size=15))
def test_average_precision_equals_scikit_learn(flags: list[bool]) -> None:
    assume(any(flags))
    theirs = sklearn.metrics.average_precision_score(flags, range(len(flags), 0, -1))
    assert stats.average_precision(flags, sum(flags)) == pytest.approx(theirs)


def test_average_precision_is_cut_but_not_its_divisor() -> None:
    """Three relevant ones at ranks 1, 3 and 5: at 3 the sum is 1 + 2/3, still divided by three."""
    flags = [True, False, True, False, True]
    assert stats.average_precision(flags, 3, k=3) == pytest.approx((1 + 2 / 3) / 3)
    assert stats.average_precision(flags, 3, k=1) == pytest.approx(1 / 3)
    assert stats.average_precision([True] * 5, 5, k=2) == pytest.approx(2 / 5)
    assert stats.r_precision([True], 4) == 1 / 4, "a short ranking is not excused"


@given(columns(numbers, numbers, st.integers(0, 4)))
def test_whole_weights_are_repeated_rows(sides) -> None:
    x, y, weights = sides
    long_x, long_y = np.repeat(x, weights), np.repeat(y, weights)
    ours = stats.weighted_pearson(x, y, weights)
    if len(long_x) < 2 or len(set(long_x)) < 2 or len(set(long_y)) < 2:
        assert math.isnan(ours)
        return
    assume(spread(long_x) and spread(long_y))
    assert ours == pytest.approx(stats.pearson(long_x, long_y), abs=1e-9)
    for scale in (0.01, 1e9, -1):
        scaled = [weight * scale for weight in weights]
        assert stats.weighted_pearson(x, y, scaled) == pytest.approx(ours, abs=1e-9)


@given(columns(numbers, numbers), st.floats(1e-3, 1e3), numbers)
def test_correlation_knows_neither_scale_nor_shift(sides, scale: float, shift: float) -> None:
    x, y = sides
    moved = [value * scale + shift for value in x]
    assume(spread(x) and spread(y) and spread(moved))
    assert stats.pearson(moved, y) == pytest.approx(stats.pearson(x, y), abs=1e-4)
    assert stats.pearson(x, [-value for value in y]) == pytest.approx(-stats.pearson(x, y))


@pytest.mark.parametrize("size", [1e-200, 1e-100, 1e100, 1e200])
def test_tiny_and_huge_values_have_a_correlation(size: float) -> None:
    x, y = np.array([1.0, 2, 3]), np.array([1.0, 2, 4])
    assert stats.pearson(x * size, y * size) == pytest.approx(stats.pearson(x, y))
    assert stats.pearson(x * size, y) == pytest.approx(stats.pearson(x, y))


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([], []),
        ([1], [2]),
        ([1, 1, 1], [1, 2, 3]),
        ([1, 2, 3], [5, 5, 5]),
        ([1, 2, math.nan], [1, 2, 3]),
    ],
)
def test_undefined_correlations_are_nan_without_a_warning(x, y) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(stats.pearson(x, y))
        assert math.isnan(stats.spearman(x, y))


def test_infinity_has_a_rank_but_no_distance() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert stats.spearman([1, 2, math.inf], [1, 2, 3]) == pytest.approx(1)
        assert math.isnan(stats.pearson([1, 2, math.inf], [1, 2, 3]))


def test_undefined_figures_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for figure in (stats.mae, stats.mse, stats.r2):
            assert math.isnan(figure([], []))
        assert math.isnan(stats.macro_f1([], []).f1)
    assert stats.micro_f1(["n"], ["n"], without="n").f1 == 0
    assert stats.average_precision([], 0) == stats.r_precision([], 0) == 0
    assert math.isnan(stats.weighted_pearson([1, 2], [1, 2], [0, 0]))
    assert stats.f1(0, 0) == 0


def test_r2_of_constant_gold() -> None:
    assert stats.r2([2, 2], [2, 2]) == 1
    assert stats.r2([2, 2], [1, 3]) == 0


@pytest.mark.parametrize("figure", [stats.pearson, stats.spearman, stats.r2])
def test_unequal_lengths_are_an_error(figure) -> None:
    with pytest.raises(ValueError):
        figure([1, 2, 4], [1, 2])


def test_fisher_z_by_hand() -> None:
    """r = .5 and r = .3 of 103 pairs each: z = (.5493 - .3095) / sqrt(2 / 100) = 1.696, p = .045."""
    assert stats.fisher_z(0.5, 103, 0.3, 103) == pytest.approx(0.04499, abs=5e-6)
    z = (math.atanh(0.5) - math.atanh(0.3)) / math.sqrt(2 / 100)
    assert stats.fisher_z(0.5, 103, 0.3, 103) == pytest.approx(scipy.stats.norm.sf(z))


@given(st.floats(-1, 1), st.floats(-1, 1), st.integers(4, 1000))
def test_fisher_z_is_a_one_tailed_probability(r1: float, r2: float, n: int) -> None:
    p = stats.fisher_z(r1, n, r2, n)
    assert 0 <= p <= 1
    assert p + stats.fisher_z(r2, n, r1, n) == pytest.approx(1)
    assert stats.fisher_z(r1, n, r1, n) == 0.5
    assert math.isnan(stats.fisher_z(r1, 3, r2, n))
    assert math.isnan(stats.fisher_z(math.nan, n, r2, n))


VALUES = np.random.default_rng(7).normal(10, 2, 60)


def mean_of(drawn) -> float:
    return float(VALUES[drawn].mean())


def test_bootstrap_gives_the_same_interval_for_the_same_seed() -> None:
    first = stats.bootstrap(mean_of, 60)
    assert first == stats.bootstrap(mean_of, 60)
    assert first != stats.bootstrap(mean_of, 60, seed=1)


def test_bootstrap_holds_the_statistic_and_is_as_wide_as_theory_says() -> None:
    interval = stats.bootstrap(mean_of, 60)
    assert interval.low < mean_of(slice(None)) < interval.high
    wide = 2 * 1.96 * VALUES.std() / math.sqrt(60)
    assert interval.high - interval.low == pytest.approx(wide, rel=0.1)
    narrow = stats.bootstrap(mean_of, 60, level=0.5)
    assert interval.low < narrow.low < narrow.high < interval.high
    assert (interval.level, narrow.level) == (0.95, 0.5)


def test_bootstrap_leaves_out_undefined_draws() -> None:
    def at_times(drawn) -> float:
        return math.nan if drawn[0] % 2 else 3.0

    assert stats.bootstrap(at_times, 10, n=100) == Interval(3, 3, 0.95)
    never = stats.bootstrap(lambda drawn: math.nan, 10, n=100)
    assert math.isnan(never.low) and math.isnan(never.high)


def test_groups_are_drawn_whole() -> None:
    group = {"a": "d2", "b": "d1", "c": "d2", "d": "d1"}
    rows = stats.rows_by_group(["a", "b", "c"], group | {"e": "d3"})
    assert [list(each) for each in rows] == [[1], [0, 2], []], "sorted; a group may have no row"
    assert list(stats.drawn_rows(rows, np.array([1, 1, 0, 2]))) == [0, 2, 0, 2, 1]
    sizes = set()
    whole = stats.rows_by_group(group, group)
    stats.bootstrap(lambda drawn: sizes.add(len(stats.drawn_rows(whole, drawn))) or 0.0, 2, n=20)
    assert sizes == {4}


def test_dependent_rows_need_a_wider_interval() -> None:
    """Each value given ten times is no more evidence than given once."""
    values = np.repeat(VALUES, 10)
    ids = [str(place) for place in range(600)]
    rows = stats.rows_by_group(ids, {id: str(place // 10) for place, id in enumerate(ids)})
    grouped = stats.bootstrap(
        lambda drawn: float(values[stats.drawn_rows(rows, drawn)].mean()), 60, n=300
    )
    alone = stats.bootstrap(lambda drawn: float(values[drawn].mean()), 600, n=300)
    assert grouped.high - grouped.low > 2.5 * (alone.high - alone.low)


def test_negative_weights_leave_the_range_of_a_correlation() -> None:
    """As the program of 2013 does with negative confidences."""
    value = stats.weighted_pearson([0, 1, 2, 3], [0, 2, 1, 5], [1, 1, 1, -0.6])
    assert abs(value) > 1
    assert -1 <= stats.weighted_pearson([0, 1, 2, 3], [0, 2, 1, 5], [1, 1, 1, 0.6]) <= 1
