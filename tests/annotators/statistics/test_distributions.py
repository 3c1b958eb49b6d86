"""Tail probabilities against tables of statistics, and against SciPy where that is installed."""

from __future__ import annotations

import pytest

from marginalia.annotators.statistics.distributions import (
    chi_square,
    correlation,
    fisher,
    normal,
    student,
)


@pytest.mark.parametrize(
    ("computed", "tabulated"),
    [
        (normal(1.959964), 0.05), (normal(2.575829), 0.01), (normal(0), 1),
        (student(12.706205, 1), 0.05), (student(2.228139, 10), 0.05), (student(3.169273, 10), 0.01),
        (chi_square(3.841459, 1), 0.05), (chi_square(18.307038, 10), 0.05), (chi_square(124.342113, 100), 0.05),
        (fisher(4.964603, 1, 10), 0.05), (fisher(3.325835, 5, 10), 0.05), (fisher(10.044289, 1, 10), 0.01),
        (correlation(0.576, 10), 0.05), (correlation(1, 10), 0), (fisher(0, 2, 10), 1), (chi_square(0, 4), 1),
    ],
)  # fmt: skip
def test_tabulated_values(computed: float, tabulated: float) -> None:
    assert computed == pytest.approx(tabulated, abs=1e-4)


@pytest.mark.parametrize("df", [1, 2, 7.5, 90, 5_000, 1e6])
@pytest.mark.parametrize("x", [1e-6, 0.3, 1.0, 2.7, 9.0, 40.0])
def test_the_library_says_the_same(df: float, x: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert student(x, df) == pytest.approx(2 * stats.t.sf(x, df), rel=1e-6, abs=1e-14)
    assert chi_square(x * df, df) == pytest.approx(stats.chi2.sf(x * df, df), rel=1e-6, abs=1e-14)
    assert normal(x) == pytest.approx(2 * stats.norm.sf(x), rel=1e-9)
    for other in (1, 12.5, 300):
        wanted = stats.f.sf(x, df, other)
        assert fisher(x, df, other) == pytest.approx(wanted, rel=1e-6, abs=1e-14)
