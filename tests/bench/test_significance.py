"""Tests of a difference: the same p as other libraries give, refusals, and corrections for many."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar
from statsmodels.stats.multitest import multipletests

from marginalia.bench.significance import (
    MIN_GROUPS,
    Verdict,
    benjamini_hochberg,
    fisher,
    holm,
    mcnemar,
    randomisation,
    williams,
)

SIDES = np.random.default_rng(7).normal(0.2, 1, (2, 11))


def flipped_mean(one: np.ndarray, other: np.ndarray):  # type: ignore[no-untyped-def, type-arg]
    return lambda flips: float(np.where(flips, other - one, one - other).mean())


def test_randomisation_agrees_with_scipy_to_the_digit_where_it_is_exact() -> None:
    one, other = SIDES
    theirs = scipy_stats.permutation_test(
        (one, other),
        lambda a, b: np.mean(a) - np.mean(b),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    ours = randomisation(flipped_mean(one, other), 11)
    assert ours.p == pytest.approx(theirs.pvalue, abs=1e-12)
    assert ours.floor == pytest.approx(2 / 2**11)


def test_random_patterns_come_near_to_all_of_them() -> None:
    rng = np.random.default_rng(3)
    one, other = rng.normal(0.25, 1, 40), rng.normal(0, 1, 40)
    theirs = scipy_stats.ttest_rel(one, other).pvalue
    ours = randomisation(flipped_mean(one, other), 40, flips=4999)
    assert ours.p == pytest.approx(theirs, abs=0.03)
    assert ours == randomisation(flipped_mean(one, other), 40, flips=4999)


def test_a_floor_is_printed_as_a_floor() -> None:
    verdict = randomisation(lambda flips: 30 - 2 * float(flips.sum()), 30, flips=499)
    assert (verdict.p, str(verdict)) == (1 / 500, "≤ 0.002")
    assert str(Verdict(test="any", p=0.25, floor=0.01)) == "0.25"


def test_too_few_groups_allow_no_claim() -> None:
    verdict = randomisation(lambda flips: 1.0, MIN_GROUPS - 1)
    assert math.isnan(verdict.p) and "6 groups are too few for any claim" in verdict.refusal
    assert not math.isnan(randomisation(lambda flips: 1.0, MIN_GROUPS).p)


def test_an_undefined_difference_is_no_evidence() -> None:
    assert math.isnan(randomisation(lambda flips: math.nan, 20).p)
    sometimes = randomisation(lambda flips: math.nan if flips.any() else 1.0, 20, flips=99)
    assert sometimes.p == 1.0


@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemar_agrees_with_statsmodels(only_first: int, only_second: int) -> None:
    first = [True] * only_first + [False] * only_second + [True]
    second = [False] * only_first + [True] * only_second + [True]
    ours = mcnemar(first, second).p
    exact = their_mcnemar([[1, only_first], [only_second, 0]], exact=True).pvalue
    n, fewer = only_first + only_second, min(only_first, only_second)
    if only_first == only_second:
        assert ours == 1
    else:  # mid-p: half of the observed outcome's own probability is left out on either side
        assert ours == pytest.approx(exact - scipy_stats.binom.pmf(fewer, n, 0.5))
    assert ours == mcnemar(second, first).p


def test_williams_has_the_value_of_a_published_example() -> None:
    """r.test(n=103, r12=.4, r13=.5, r23=.1) of the R package psych says t = -0.89, p < 0.37."""
    wanted = np.array([[1, 0.4, 0.5], [0.4, 1, 0.1], [0.5, 0.1, 1]])
    raw = np.random.default_rng(0).normal(size=(103, 3))
    raw -= raw.mean(axis=0)
    plain = raw @ np.linalg.inv(np.linalg.cholesky(np.cov(raw.T))).T
    gold, first, second = (plain @ np.linalg.cholesky(wanted).T).T
    assert williams(gold, first, second).p == pytest.approx(0.3743, abs=1e-3)
    assert williams(gold, first, first).p == 1
    assert math.isnan(williams(gold, first, np.ones(103)).p)


def test_fisher_refuses_runs_that_are_alike() -> None:
    rng = np.random.default_rng(5)
    gold = rng.normal(size=50)
    one = gold + rng.normal(size=50)
    assert "they correlate by" in fisher(gold, one, gold + rng.normal(size=50)).refusal
    halves = np.repeat([1.0, 0.0], 25), np.repeat([0.0, 1.0], 25)
    first, second = (half * np.tile([1.0, -1.0], 25) for half in halves)
    assert 0 < fisher(gold, first, second).p <= 1


P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@settings(max_examples=25)
@given(P_VALUES)
def test_corrections_agree_with_statsmodels(p: list[float]) -> None:
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist())
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1].tolist())


@given(P_VALUES)
def test_a_refused_test_is_not_counted(p: list[float]) -> None:
    for correct in (holm, benjamini_hochberg):
        with_hole = correct([math.nan, *p])
        assert math.isnan(with_hole[0]) and with_hole[1:] == correct(p)
