"""Tail probabilities of the normal, t, F and χ² distributions, without a library of statistics.

The incomplete beta and gamma functions are evaluated as series and continued fractions (Abramowitz and Stegun 6.5.29, 6.5.31 and
26.5.8) by Lentz's method, to about twelve digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

MAX_TERMS = 10_000
"""Of a series or continued fraction; a statistic with millions of degrees of freedom needs a few hundred."""
_TINY, _EXACT = 1e-300, 1e-14


def normal(z: float) -> float:
    """P(|Z| ≥ |z|)"""
    return math.erfc(abs(z) / math.sqrt(2))


def student(t: float, df: float) -> float:
    """P(|T| ≥ |t|) = I(df / (df + t²); df/2, 1/2)"""
    return _beta(df / (df + t * t), df / 2, 0.5)


def correlation(r: float, df: float) -> float:
    """P of Pearson's r with n − 2 degrees of freedom, by t = r √(df / (1 − r²))"""
    if abs(r) >= 1:
        return 0.0
    return student(r * math.sqrt(df / (1 - r * r)), df)


def fisher(f: float, df1: float, df2: float) -> float:
    """P(F ≥ f) = I(df2 / (df2 + df1 f); df2/2, df1/2)"""
    return _beta(df2 / (df2 + df1 * f), df2 / 2, df1 / 2) if f > 0 else 1.0


def chi_square(x: float, df: float) -> float:
    """P(χ² ≥ x), the upper incomplete gamma function of df/2 at x/2"""
    a, x = df / 2, x / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in range(1, MAX_TERMS):
            term *= x / (a + n)
            total += term
            if term < total * _EXACT:
                break
        return max(0.0, 1 - scale * total)
    steps = ((-n * (n - a), x + 2 * n + 1 - a) for n in range(1, MAX_TERMS))
    return scale / _continued(x + 1 - a, steps)


def _beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I(x; a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    scale = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    return scale / (a * _continued(1.0, _beta_steps(x, a, b)))


def _beta_steps(x: float, a: float, b: float) -> Iterator[tuple[float, float]]:
    for m in range(MAX_TERMS):
        if m:
            yield m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), 1.0
        yield -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1.0


def _continued(first: float, steps: Iterator[tuple[float, float]]) -> float:
    """first + a₁/(b₁ + a₂/(b₂ + …)) by Lentz's method."""
    value = c = first or _TINY
    d = 0.0
    for a, b in steps:
        d = 1 / ((b + a * d) or _TINY)
        c = (b + a / c) or _TINY
        value *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return value
