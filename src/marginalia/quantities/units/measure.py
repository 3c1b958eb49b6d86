"""The text of a quantity as a value with its unit or currency: what a record and ``parse_quantity`` both read.

Nothing is written that the text leaves open: where a symbol has several readings and no word around it settles which,
there is no unit, and ``doubt`` says why.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from marginalia.quantities.amounts import parse_amount
from marginalia.quantities.compounds import parse_compound
from marginalia.quantities.currencies import (
    SIGNS,
    currency_code,
    is_millions,
    is_money,
)
from marginalia.quantities.numerals import shift
from marginalia.quantities.units.unit import DIMENSIONLESS, NONE_DEFINED, Unit, read_unit
from marginalia.quantities.units.unit_disambiguation import settle
from marginalia.quantities.values import Value, parse_value

_POWER = re.compile(r"([^\W\d_)\]][)\]]?\s?(?:\^|\*\*)?\s?[({]?\s?[-−–‐+]?\s?)[1-9](?!\d)")
"""The exponent of a unit, however it is written: ``s^-2``, ``s−2``, ``(m K) - 1``."""
_PER = re.compile(
    r"\s?(?:/|\b(?:per|pro|je|an?)\s)\s?(?P<per>(?:(?:square|cubic|sq\.?|metric)\s)?[^\W\d_]+)|-a-(?P<each>[^\W\d_]+)"
)
_SCALED_UNIT = re.compile(r"1[.·]73\s?m|100\s?(?:km|g|m[lL])|1(?:0{1,2})?[., ]?000")
"""A number that belongs to the unit: mL/min/1.73 m², per 100,000."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A value and what it is in."""

    value: Value
    unit: Unit | None = None
    unit_text: str | None = None
    """The unit as written; of a price also what it is paid for: ``$ per kg``."""
    currency: str | None = None
    """ISO 4217 code, and what it is paid for: ``USD``, ``EUR/kg``."""
    money: bool = False
    doubt: str | None = None
    """Why the unit was not read."""
    confidence: float = 1.0
    """Of the reading of the unit."""


def read_measure(
    quote: str,
    unit: str | None,
    *,
    before: str = "",
    after: str = "",
    language: str = "en",
    defined: Mapping[str, Unit] = NONE_DEFINED,
) -> Measure:
    """The measure of ``quote``, in which ``unit`` is written, between the words before and after it."""
    if unit is not None and unit in defined:  # whatever else the name could mean
        # Masked, since a number may be part of the name: "5 dozen eggs".
        bare = re.sub(rf"(?<![^\W\d_]){re.escape(unit)}(?!\w)", "m" * len(unit), quote)
        return Measure(parse_value(bare, language=language), defined[unit], unit)
    sign = before[-1:] if before[-1:] in tuple(SIGNS) and not (unit and is_money(unit)) else ""
    if sign and re.match(r"[\d.]", quote):
        return _money(sign + quote, sign, language, shift=len(sign))
    if unit and is_money(unit):
        return _money(quote, unit, language)
    if unit is None:
        kelvin = read_unit("K") if quote.lower() == "absolute zero" else None
        return Measure(parse_value(quote, language=language), kelvin)
    reading = settle(unit, quote=quote, before=before, after=after)
    if reading.currency:
        value = parse_amount(quote.replace(unit, " " * len(unit)), language=language)
        return Measure(value, None, unit, reading.currency, True, None, reading.confidence)
    value = parse_compound(quote, language=language) or parse_value(
        without_powers(quote, unit), language=language
    )
    known = read_unit(reading.unit, language=language) if reading.unit else None
    if value.kind == "ratio" and "/" in quote and known and known.dimension != DIMENSIONLESS:
        value = _apart(value)
    if known is not None and known.text != unit:
        known = replace(known, text=unit)
    return Measure(value, known, unit, doubt=reading.reason, confidence=reading.confidence)


def _apart(value: Value) -> Value:
    """Two numbers of one unit: a blood pressure of ``120/80 mmHg`` is no quotient."""
    each = [shift(number.value, value.power) for number in value.numbers]
    return replace(value, kind="list", low=min(each), high=max(each))


def without_powers(quote: str, unit: str | None) -> str:
    """The quote with the exponents of its unit masked, so that they are not parsed as numbers."""
    if not unit:
        return quote
    masked = _SCALED_UNIT.sub(lambda match: "m" * len(match.group()), unit)
    masked = _POWER.sub(r"\1m", masked)
    if masked == unit:
        return quote
    return re.sub(rf"{re.escape(unit)}(?!\d)", masked, quote)


def _money(quote: str, unit: str, language: str, *, shift: int = 0) -> Measure:
    value = parse_amount(quote, language=language)
    if shift:
        numbers = (
            replace(number, start=max(0, number.start - shift), end=number.end - shift)
            for number in value.numbers
        )
        value = replace(value, numbers=tuple(numbers))
    inside = _PER.search(unit)
    name = unit[: inside.start()] if inside else unit
    paid = inside or _PER.search(quote, quote.find(unit) + len(unit))
    written = re.sub(r"\s(?=[$])", "", name.strip())
    written = written[1:] if is_millions(written) else written  # the value has the millions
    code = currency_code(name)
    if paid is None:
        return Measure(value, None, written, code, True, _open(name, code))
    thing = paid["per"] or paid["each"]
    known = read_unit(thing, language=language)
    per = known.ucum if known and known.ucum else thing
    text = unit if inside else f"{written} {paid.group().strip()}"
    return Measure(value, None, text, f"{code}/{per}" if code else None, True, _open(name, code))


def _open(name: str, code: str | None) -> str | None:
    return None if code else f"{name.strip()}: several currencies are called so"
