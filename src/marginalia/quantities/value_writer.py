"""A value as canonical text; parsed again, it has the same numbers and bounds."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from marginalia.quantities.dates import write_date
from marginalia.quantities.numerals import shift

if TYPE_CHECKING:
    from marginalia.quantities.values import Number, Value


def write_value(value: Value) -> str:
    """In English, without the unit; empty for a value of kind ``none``."""
    if value.kind == "none":
        return ""
    about = "~" if value.approximate else ""
    if value.kind == "date":
        return about + _write_dates(value)
    groups = _groups(value.numbers)
    if groups[0][0].tolerance:
        text = "±" + write_number(groups[0][0].value)
    elif value.kind == "ratio":
        text = ":".join(write_number(number.value) for number in value.numbers)
    elif value.kind == "range":
        text = _write_range(groups, value)
    elif value.kind == "bound":
        text = _sign(value) + _write_group(groups[0], value)
    else:
        text = (" × " if value.kind == "size" else ", ").join(
            _write_group(group, value) for group in groups
        )
    return about + (f"({text}) × 10^{value.power}" if value.power else text)


def write_number(value: Decimal) -> str:
    """The number with all its digits; four digits get a comma, so that they do not look like a year."""
    sign, digits, exponent = value.as_tuple()
    if not -20 < value.adjusted() < 20 and 0 < abs(int(exponent)) < 100_000:
        return f"{'-' * sign}{''.join(map(str, digits))}E{exponent}"
    text = format(value, "f")
    return f"{value:,f}" if len(text.lstrip("-")) == 4 and text.lstrip("-").isdecimal() else text


def _groups(numbers: Sequence[Number]) -> list[list[Number]]:
    """Each number with its tolerances behind it."""
    groups: list[list[Number]] = []
    for number in numbers:
        if number.tolerance and groups:
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


def _write_group(group: Sequence[Number], value: Value) -> str:
    text = write_number(group[0].value)
    off = "".join(f" ± {write_number(number.value)}" for number in group[1:])
    largest = max((number.value.copy_abs() for number in group[1:]), default=None)
    if largest is None or value.uncertainty in (None, shift(largest, value.power)):
        return text + off
    return f"{text} units{off}%"


def _write_range(groups: Sequence[Sequence[Number]], value: Value) -> str:
    if value.low is not None and value.high is not None and not _is_written(groups, value):
        ends = (shift(bound, -value.power) for bound in (value.low, value.high))
        return " to ".join(map(write_number, ends))
    if value.low_open or value.high_open:
        first, last = (write_number(group[0].value) for group in groups)
        low, high = ("<" if open_ else "≤" for open_ in (value.low_open, value.high_open))
        if groups[0][0].value <= groups[1][0].value:
            return f"{first} {low} x {high} {last}"
        return f"{first} {high} x {low} {last}".replace("<", ">").replace("≤", "≥")
    return " to ".join(_write_group(group, value) for group in groups)


def _is_written(groups: Sequence[Sequence[Number]], value: Value) -> bool:
    """Whether the bounds are the numbers themselves; not so in "500 g to 2 kg"."""
    ends = sorted(shift(group[0].value, value.power) for group in groups)
    return ends[0] == value.low and ends[-1] == value.high


def _sign(value: Value) -> str:
    if value.low is None:
        return "< " if value.high_open else "≤ "
    return "> " if value.low_open else "≥ "


def _write_dates(value: Value) -> str:
    texts = [write_date(text, approximate=value.approximate) for text in value.dates]
    if value.numbers and value.high is None:
        texts[0] = ("after " if value.low_open else "since ") + texts[0]
    elif value.numbers and value.low is None:
        texts[0] = ("before " if value.high_open else "until ") + texts[0]
    return " to ".join(texts) if len(texts) == 2 else ", ".join(texts)
