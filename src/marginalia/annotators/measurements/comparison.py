"""One comparison of a query: a cell of a row with text, a truth value, a number or a quantity.

A quantity is read by ``parse_quantity``, so that a query knows the units that documents may have.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from marginalia.annotators.measurements.parsing import parse_quantity
from marginalia.core.errors import FormatError

Row: TypeAlias = Mapping[str, Any]
CLOSE = 1e-9
"""Relative: numbers that differ by less are equal, for conversions such as that of °F are not exact."""
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?", re.A)
_BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}


def comparison_test(column: str, kind: type, operator: str, operand: str) -> Callable[[Row], bool]:
    """Whether a row's cell of this column, which holds this kind, compares so with the operand.

    An operand that the column cannot be compared with raises ``FormatError``.
    """
    if not operand.strip():
        if operator not in ("=", "!="):
            raise FormatError("an empty cell is compared with = or !=")
        return lambda row: (row[column] in (None, "", [])) == (operator == "=")
    if operator == "~":
        if kind not in (str, list):
            raise FormatError(f"'{column}' is no text: compare it with =, !=, <, <=, > or >=")
        part = _plain(operand).casefold()
        return lambda row: any(part in text.casefold() for text in _texts(row[column]))
    if column == "value":
        return _compare_amount(column, operator, _read(operand))
    if kind in (int, float):
        amount = _read(operand)
        if (amount.si or amount.currency) and column not in ("low", "high"):
            raise FormatError(f"'{column}' is compared with a plain number, without a unit")
        return _compare_amount(column, operator, amount)
    if operator not in ("=", "!="):
        raise FormatError(f"'{column}' is no number: compare it with =, != or ~")
    if kind is bool:
        if operand.lower() not in _BOOLEANS:
            raise FormatError(f"'{column}' is true or false, not '{_plain(operand)}'")
        wanted = _BOOLEANS[operand.lower()] == (operator == "=")
        return lambda row: row[column] is wanted
    whole = _plain(operand)
    if operator == "=":
        return lambda row: whole in _texts(row[column])
    return lambda row: bool(_texts(row[column])) and whole not in _texts(row[column])


def _plain(text: str) -> str:
    return " ".join(text.split())


def _texts(cell: Any) -> list[str]:
    """The text of a cell, or of a list what its members quote."""
    members = cell if isinstance(cell, list) else [] if cell is None else [cell]
    return [_plain(str(one["quote"] if isinstance(one, dict) else one)) for one in members]


class _Amount(NamedTuple):
    """The right side of a comparison of numbers: in SI where a unit is given, in its currency where it is money."""

    text: str
    low: float | None
    high: float | None
    si: str | None = None
    currency: str | None = None


def _read(operand: str) -> _Amount:
    text = _plain(operand)
    if _NUMBER.fullmatch(text):  # 1999 may be a year elsewhere
        return _Amount(text, float(text), float(text))
    found = parse_quantity(text)
    if found.text != text:
        raise FormatError(f"only '{found.text}' of '{text}' can be read as a quantity")
    if found.unit and found.si is None and found.currency is None:
        raise FormatError(f"'{text}' cannot be compared: {found.doubt or 'its unit is not known'}")
    if found.uncertainty is not None or (found.low is None and found.high is None):
        raise FormatError(f"'{text}' is not one number, range or bound")
    low, high, si = found.si or (found.low, found.high, None)
    if found.currency:
        low, high, si = found.low, found.high, None
    least, most = (None if bound is None else float(bound) for bound in (low, high))
    return _Amount(text, least, most, si, found.currency)


def _compare_amount(column: str, operator: str, amount: _Amount) -> Callable[[Row], bool]:
    """Compares both bounds: in SI where a unit is given, or else the numbers as they are written."""
    asked = amount.low
    if operator not in ("=", "!=") and (asked is None or asked != amount.high):
        raise FormatError(f"'{amount.text}' is no single number: compare it with = or !=")
    prefix = "si_" if amount.si else ""
    low, high = ("low", "high") if column == "value" else (column, column)

    def test(row: Row) -> bool:
        if (amount.si and row["si"] != amount.si) or (
            amount.currency and row["currency"] != amount.currency
        ):
            return False
        bottom, top = row[prefix + low], row[prefix + high]
        if bottom is None and top is None:
            return False
        if operator in ("=", "!="):
            same = _same(bottom, amount.low) and _same(top, amount.high)
            return same == (operator == "=")
        # A range is above a number if all of it is: the lower bound decides, and of "below" the upper one.
        above = operator.startswith(">")
        bound, is_open = (bottom, "low_open") if above else (top, "high_open")
        if bound is None or asked is None:
            return False
        if _same(bound, asked):
            return operator.endswith("=") or (column == "value" and bool(row[is_open]))
        return bool(bound > asked) == above

    return test


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=CLOSE)
