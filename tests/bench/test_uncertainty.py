"""Spread, intervals and what a test set can show."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from marginalia.bench.uncertainty import (
    FEW_GROUPS,
    detectable,
    effect_size,
    interval,
    jackknife,
    student,
)

VALUES = np.random.default_rng(1).normal(2, 1, 20)


def mean(drawn: np.ndarray) -> float:  # type: ignore[type-arg]
    return float(VALUES[drawn].mean())


def test_the_jackknife_error_of_a_mean_is_its_standard_error() -> None:
    assert jackknife(mean, 20).error == pytest.approx(scipy_stats.sem(VALUES))


def test_the_student_interval_of_a_mean_is_that_of_scipy() -> None:
    low, high = scipy_stats.t.interval(0.95, 19, VALUES.mean(), scipy_stats.sem(VALUES))
    found = student(mean, 20)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert interval(mean, 20) == found and FEW_GROUPS > 20


def test_many_groups_take_the_bootstrap() -> None:
    values = np.arange(100.0)
    found = interval(lambda drawn: float(values[drawn].mean()), 100)
    assert found.low < 49.5 < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * scipy_stats.sem(values), rel=0.1)


def test_what_is_detectable_shrinks_with_the_root_of_the_groups() -> None:
    def spread(n: int):  # type: ignore[no-untyped-def]
        values = np.tile([-1.0, 1.0], n // 2)
        return jackknife(lambda drawn: float(values[drawn].mean()), n)

    assert detectable(spread(400)) == pytest.approx(detectable(spread(100)) / 2, rel=0.03)
    # Cohen: a power of 80 % at 5 % needs an effect of about 2.8 standard errors
    assert detectable(spread(400)) == pytest.approx(2.8 / 20, rel=0.01)
    assert effect_size(0.5, spread(100)) == pytest.approx(0.5, rel=0.01)


def test_nothing_to_say_is_no_number() -> None:
    spread = jackknife(lambda drawn: math.nan, 5)
    assert math.isnan(spread.error) and math.isnan(effect_size(1.0, jackknife(lambda d: 1.0, 5)))
