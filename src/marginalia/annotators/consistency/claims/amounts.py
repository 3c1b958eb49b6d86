"""Amounts and times of day in a sentence, brought to one unit, and whether two of them can both be true.

``1.5 hours`` is ``90 minutes``, 3.14 rounded is 3.1, 52 is ``at least 40``, and ``5 to 10 mg`` holds 8 mg.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from marginalia.quantities.dates import find_times
from marginalia.quantities.finder import find_quantities
from marginalia.quantities.quantity import Quantity
from marginalia.quantities.surroundings import with_surroundings
from marginalia.quantities.units.measure import Measure, read_measure
from marginalia.quantities.units.unit import DIMENSIONLESS
from marginalia.quantities.values import Value

MAX_ROUNDING, MAX_HEDGED_ROUNDING, MAX_CONVERSION_ERROR = 0.05, 0.1, 0.02
"""How far a round number may lie from the exact one, one after ``about``, and one in another unit."""
MIN_ROUND_NUMBER = 1_000
"""From here on a number with zeros at its end may be a rounded one."""
WINDOW = 60
"""Characters around an amount that may say what its unit is."""
SHARE = "dimensionless"
_HALF = re.compile(
    r"\b(?:half(?= of\b)|(?:die )?Hälfte(?= (?:der|des|aller|von)\b))", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Amount:
    """What is said of an amount: from ``low`` to ``high``, in the basic unit of its dimension."""

    start: int
    end: int
    low: float
    high: float
    dimension: str
    """What it measures: a QUDT dimension, ``clock``, a currency; empty for a bare number."""
    unit: str = ""
    step: float = 0.0
    """What one more in the last digit that is written would add."""
    hedged: bool = False
    bound: str = ""
    """``least`` or ``most``, where only a bound is given."""
    at: int = 0
    """Where the first digit stands: ``start`` is that of ``at least`` or ``about``."""

    @property
    def is_point(self) -> bool:
        return self.low == self.high and not self.bound


def amounts(text: str, lang: str, taken: list[tuple[int, int]]) -> Iterator[Amount]:
    """The amounts of a sentence in their order, apart from the spans that are ``taken`` by dates."""
    found = [
        Amount(start, end, minutes, minutes, "clock", "", 1.0, at=start)
        for start, end, minutes in find_times(text, lang)
    ]
    for match in _HALF.finditer(text):
        found.append(Amount(*match.span(), 0.5, 0.5, SHARE, "percent", 0.01, at=match.start()))
    for quantity in find_quantities(text, language=lang):
        if amount := _amount(text, quantity, lang):
            found.append(amount)
    last = 0
    for amount in sorted(found, key=lambda amount: (amount.start, -amount.end)):
        if amount.start >= last and not any(
            start < amount.end and amount.start < end for start, end in taken
        ):
            last = amount.end
            yield amount


def _amount(text: str, quantity: Quantity, lang: str) -> Amount | None:
    """The quantity in the basic unit of its dimension; None where it has no bounds: dates, sizes."""
    start, end = quantity.start, quantity.end
    unit = text[slice(*quantity.unit)] if quantity.unit else None
    measure = read_measure(
        text[start:end],
        unit,
        before=text[max(0, start - WINDOW) : start],
        after=text[end : end + WINDOW],
        language=lang,
    )
    value = with_surroundings(measure.value, text, start, end, lang)
    ends = [bound for bound in (value.low, value.high) if bound is not None]
    if value.kind not in ("number", "bound", "range", "list") or not ends:
        return None
    dimension, name, factor = _dimension(measure)
    if unit and not name and quantity.unit:  # "a sample of 530 participants"
        end = start + len(text[start : quantity.unit[0]].rstrip())
    at = start + value.numbers[0].start
    if value.kind == "number" and not value.approximate:  # "after 3 days": only bounds belong to it
        start = min(at, quantity.unit[0] if quantity.unit else at)
    low, high = (float(bound * factor) for bound in (ends[0], ends[-1]))
    off = float((value.uncertainty or 0) * factor)
    return Amount(
        start,
        end,
        low - off,
        high + off,
        dimension,
        name,
        float(_step(value) * factor),
        value.approximate,
        ("least" if value.high is None else "most") if value.kind == "bound" else "",
        at,
    )


def _dimension(measure: Measure) -> tuple[str, str, Decimal]:
    """What is measured, in which unit, and what that is in the basic one. Scales with a zero of their own stay as they are."""
    unit = measure.unit
    if measure.money:
        name = measure.currency or measure.unit_text or ""
        return name, name, Decimal(1)
    if unit is None:
        name = measure.unit_text or "" if measure.doubt else ""
        return name, name, Decimal(1)
    if unit.offset:
        return unit.pint, unit.pint, Decimal(1)
    return unit.si if unit.dimension == DIMENSIONLESS else unit.dimension, unit.pint, unit.factor


def _step(value: Value) -> Decimal:
    exponent = value.numbers[0].value.as_tuple().exponent
    return Decimal(10) ** (min(0, exponent) if isinstance(exponent, int) else 0)


def agree(a: Amount, b: Amount, *, is_rule: bool) -> bool | None:
    """Whether both can be true; None where they cannot be compared. ``is_rule``: the sentence sets a limit."""
    if a.dimension != b.dimension:
        return None
    if a.bound and a.bound == b.bound:
        # At least 40 came, and at least 50 came; but a password has one smallest length.
        return not is_rule or _near(a, b)
    if a.bound or b.bound:
        bound, other = (a, b) if a.bound else (b, a)
        return other.high >= bound.low if bound.bound == "least" else other.low <= bound.high
    if a.is_point and b.is_point:
        return _near(a, b)
    return a.low <= b.high and b.low <= a.high


def _near(a: Amount, b: Amount) -> bool:
    """Whether two points are the same number, more or less exactly told."""
    x, y = a.low, b.low
    apart, size = abs(x - y), max(abs(x), abs(y))
    if apart <= 1e-6 * size:
        return True
    if a.dimension == "clock":
        return False
    if a.unit != b.unit:
        return apart <= MAX_CONVERSION_ERROR * size
    if a.step != b.step and apart <= 0.5001 * max(a.step, b.step):
        return True
    if (a.hedged or b.hedged) and apart <= MAX_HEDGED_ROUNDING * size:
        return True
    return (
        size >= MIN_ROUND_NUMBER and apart <= MAX_ROUNDING * size and _is_round(x) != _is_round(y)
    )


def _is_round(value: float) -> bool:
    return value == int(value) and int(value) % 100 == 0
