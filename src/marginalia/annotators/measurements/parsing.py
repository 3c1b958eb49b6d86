"""One quantity from a bare string: ``parse_quantity("5.2 ± 0.3 mg/kg")``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from marginalia.annotators.measurements.annotate import attributes
from marginalia.annotators.measurements.records import Measurement, records
from marginalia.core.errors import FormatError
from marginalia.quantities.finder import find_quantities
from marginalia.quantities.quantity import Quantity
from marginalia.quantities.units.defined import DefinedUnits, UnitTable, define_units
from marginalia.quantities.units.ucum import read_ucum
from marginalia.quantities.values import parse_value
from marginalia.tasks.measurement.official.spans import Span

MAX_LENGTH = 1000
"""Characters; a longer text is a document, which ``extract_measurements`` reads."""
_PARTS = ("why", "unit_start", "unit_end", "alternatives", "quantity_kind", "quantity_kind_label")
"""Attributes of a note that only mean something in a document."""


@dataclass(frozen=True, slots=True)
class ParsedQuantity:
    """A quantity with exact numbers; ``low`` and ``high`` are equal for a single number, None for an open end."""

    text: str
    """The part of the string that was read."""
    record: Measurement

    @property
    def low(self) -> Decimal | None:
        return self.record.value.low

    @property
    def high(self) -> Decimal | None:
        return self.record.value.high

    @property
    def uncertainty(self) -> Decimal | None:
        said, own = self.record.statistics, self.record.value.uncertainty
        return said.deviation if said and own is None else own

    @property
    def unit(self) -> str | None:
        """As written."""
        return self.record.unit_text

    @property
    def ucum(self) -> str | None:
        return self.record.unit.ucum if self.record.unit else None

    @property
    def currency(self) -> str | None:
        return self.record.currency

    @property
    def si(self) -> tuple[Decimal | None, Decimal | None, str] | None:
        """Both bounds in SI and the SI unit; None where the unit is unknown or stays open (``doubt``)."""
        si = self.record.si
        return (si.low, si.high, si.unit) if si else None

    @property
    def doubt(self) -> str | None:
        """Why there is no SI value although a unit is written."""
        return self.record.doubt

    def to_dict(self) -> dict[str, Any]:
        """The columns of ``extract measurement`` that need no document."""
        found = attributes(self.record, self.text, "en")
        return {"quantity": self.text} | {
            key: value for key, value in found.items() if key not in _PARTS
        }


_CODED = re.compile(r"(?P<value>.*\S)\s(?P<code>\S+)", re.DOTALL)
_NUMBERS = re.compile(r"(?:[\d.,\s()±×<>≤≥~E^−-]|\bto\b|\bx\b)+")
"""Nothing but numbers and signs, as ``write_value`` writes them."""
_APART = re.compile(r"\d\s+\d")


def _in_ucum(
    text: str, found: Sequence[Quantity], defined: DefinedUnits
) -> tuple[str, DefinedUnits] | None:
    """The UCUM code at the end of the text, where it is not read as words would be: ``5 mg.kg-1``."""
    match = _CODED.fullmatch(text)
    if match is None or (found and found[-1].unit and found[-1].end == len(text)):
        return None
    unit = read_ucum(match["code"])
    if unit is None or _NUMBERS.fullmatch(match["value"]) is None:
        return None
    return match["code"], replace(defined, units={**defined.units, match["code"]: unit})


def _is_canonical(text: str, last: Quantity) -> bool:
    """Whether all before the unit is one value as ``write_value`` writes it: ``1, 5, 10``, ``0.5 < x ≤ 0.7``."""
    before = text[: last.unit[0]] if last.unit else text
    return last.start > 0 and _NUMBERS.fullmatch(before) is not None and not _APART.search(before)


def parse_quantity(
    text: str, *, lang: str = "en", units: UnitTable | None = None
) -> ParsedQuantity:
    """The first quantity of a short text, as ``extract_measurements`` would write it down.

    ``lang`` is ``en`` or ``de``: it decides what a comma and a point mean. A text without a number raises ``FormatError``.
    ``units`` defines units of your own, ``{"furlong": "201.168 m"}``, or names the settings file with that table.

    >>> found = parse_quantity("5.2 ± 0.3 mg/kg")
    >>> found.low, found.uncertainty, found.ucum
    (Decimal('5.2'), Decimal('0.3'), 'mg.kg-1')
    """
    defined = define_units(units)
    if len(text) > MAX_LENGTH:
        raise FormatError(f"a quantity has at most {MAX_LENGTH} characters, this text {len(text)}")
    found = find_quantities(text, language=lang, min_score=0.0)
    mods: tuple[str, ...] = ()
    unit: str | None = None
    if coded := _in_ucum(text, found, defined):
        start, end = 0, len(text)
        unit, defined = coded
    elif found and (last := found[-1]).unit and last.end == len(text) and _is_canonical(text, last):
        start, end, unit = 0, last.end, text[slice(*last.unit)]
    elif found:
        first = found[0]
        start, end, mods = first.start, first.end, first.modifiers
        unit = text[slice(*first.unit)] if first.unit else None
    elif parse_value(text, language=lang).kind != "none":
        start, end = 0, len(text)
    else:
        raise FormatError(f"there is no quantity in {text[:60]!r}")
    other: dict[str, Any] = {"mods": list(mods)} | ({"unit": unit} if unit else {})
    span = Span(1, "Quantity", start, end, "T1-1", text[start:end], other)
    (record,) = records(text, (span,), language=lang, defined=defined)
    said, end = record.statistics, record.quantity.end
    return ParsedQuantity(text[start : said.end if said else end], record)
