"""Units that a project defines itself: ``furlong = "201.168 m"`` in the table ``units`` of its settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from marginalia.core.errors import FormatError
from marginalia.core.files import read_toml
from marginalia.quantities.currencies import is_money
from marginalia.quantities.finder import find_quantities
from marginalia.quantities.lexicon import BLANK
from marginalia.quantities.units.measure import read_measure
from marginalia.quantities.units.notation import MAX_UNIT_LENGTH
from marginalia.quantities.units.unit import DIMENSIONLESS, Unit, read_unit
from marginalia.quantities.values import scale

UnitTable = Mapping[str, str] | str | Path
"""Names with their definitions, or the settings file that has them."""
COUNT = "count"
"""The definition of a unit that only counts."""
_ONE = Unit("", "dimensionless", "dimensionless", Decimal(1), Decimal(0), "1", None, DIMENSIONLESS)
_NAME = re.compile(r"[^\s\d](?:[^\r\n\t\d]*[^\s\d])?")
_COMPOUND = rf"{BLANK}?(?:[/÷·⋅∙*^]|(?:per|pro|je)(?!\w))|{BLANK}?[-−–]\d"
"""What makes a name a part of a longer unit, which is not read: ``furlongs per day``, ``furlong-2``."""
_GAP = re.compile(rf"{BLANK}?|-")
LOOKAHEAD = 10
"""Characters behind a name that may make it a part of something longer."""


@dataclass(frozen=True, slots=True)
class DefinedUnits:
    """The units of a project; two are the same if their definitions are."""

    definitions: tuple[tuple[str, str], ...] = ()
    units: Mapping[str, Unit] = field(default_factory=dict, compare=False)
    pattern: re.Pattern[str] | None = field(default=None, compare=False)

    def find(self, text: str, start: int, end: int, unit: str | None) -> tuple[int, int] | None:
        """Where a defined name ends the quantity ``text[start:end]`` or stands right behind it.

        ``unit`` is what was taken for its unit: a name must have all of that.
        """
        written = text.rfind(unit, start, end) if unit else end + 1
        if self.pattern is None or written < 0:
            return None
        for match in self.pattern.finditer(text, start + 1, end + MAX_UNIT_LENGTH + LOOKAHEAD):
            behind = match.start() > end
            if behind and not _GAP.fullmatch(text, end, match.start()):
                return None
            if match.end() >= end and match.start() <= written:
                return match.span()
        return None

    def doubt(self, unit: str) -> str | None:
        """Why a unit that has a defined name among others is not read: it may mean what is defined or what is known."""
        for name in self.units:
            part = rf"(?<![^\W\d_]){re.escape(name)}(?![^\W\d_¹²³⁰⁴-⁹])"
            if name != unit and unit not in self.units and re.search(part, unit):
                return f"{name} is defined by you, and a defined unit is only read alone"
        return None

    def counts(self, name: str) -> bool:
        """Whether the unit only counts things."""
        return self.units[name].pint == _ONE.pint


NO_UNITS = DefinedUnits()


def define_units(source: UnitTable | None) -> DefinedUnits:
    """The units of a table or settings file; a definition that is not understood raises ``FormatError``."""
    if source is None:
        return NO_UNITS
    if isinstance(source, Mapping):
        return _define(_checked(source))
    path = Path(source)
    try:
        return _define(_checked(_table(path)))
    except FormatError as error:
        raise error.at(path) from error


def _table(path: Path) -> Mapping[str, object]:
    found = read_toml(path)
    if path.name == "pyproject.toml":
        found = found.get("tool", {}).get("marginalia", {})
    table = found.get("units")
    if not isinstance(table, dict):
        raise FormatError("there is no table 'units'")
    return table


def _checked(table: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for name, definition in table.items():
        if len(name) > MAX_UNIT_LENGTH or not _NAME.fullmatch(name):
            raise FormatError(
                f"'units.{name}' is no name of a unit: it has digits, blanks around it or more than "
                f"{MAX_UNIT_LENGTH} characters, or is empty"
            )
        if not isinstance(definition, str):
            raise FormatError(f"'units.{name}' must be a text")
        pairs.append((name, definition))
    return tuple(pairs)


@lru_cache(maxsize=16)
def _define(definitions: tuple[tuple[str, str], ...]) -> DefinedUnits:
    if not definitions:
        return NO_UNITS
    names = [name for name, _ in definitions]
    units = {name: _unit(name, definition, names) for name, definition in definitions}
    listed = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(rf"(?<![^\W\d_])(?:{listed})(?!\w|{_COMPOUND})")
    return DefinedUnits(definitions, units, pattern)


def _unit(name: str, definition: str, names: list[str]) -> Unit:
    """One name: a known unit by another name, so many of it, or a count."""
    said = definition.strip()
    known = _ONE if said == COUNT else read_unit(said)
    money = any(is_money(word) for word in said.split())
    if known is not None and not money:
        return replace(known, text=name)
    expected = f"'units.{name}' is {definition!r}, expected a unit, a positive number of a unit, or '{COUNT}'"
    found = find_quantities(said, min_score=0.0)
    if len(found) != 1 or found[0].start != 0:
        raise FormatError(expected)
    (quantity,) = found
    written = said[slice(*quantity.unit)] if quantity.unit else None
    rest = said[quantity.end :].strip()
    measure = read_measure(said[: quantity.end], written)
    value = measure.value
    if written is None and rest in ("", COUNT):
        base: Unit | None = _ONE
    else:
        base = None if rest else measure.unit
    if value.kind != "number" or value.uncertainty is not None or not value.low or value.low < 0:
        raise FormatError(expected)
    if written in names:
        raise FormatError(f"{expected}; {written!r} is defined in the same table")
    if base is None or base.offset:
        raise FormatError(f"{expected}; {measure.doubt}" if measure.doubt else expected)
    if value.low == 1:
        return replace(base, text=name)
    return replace(base, text=name, factor=scale(value.low, base.factor), ucum=None, qudt=None)
