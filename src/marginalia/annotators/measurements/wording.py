"""Measurements in words: the sentences of the notes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from marginalia.annotators.measurements.context import Part
from marginalia.annotators.measurements.names import implied_property
from marginalia.annotators.measurements.records import Measurement
from marginalia.quantities.units.unit import Unit
from marginalia.quantities.values import parse_value

SYMBOLS = {
    "ampere": "A",
    "candela": "cd",
    "kelvin": "K",
    "kilogram": "kg",
    "meter": "m",
    "mole": "mol",
    "second": "s",
    "hertz": "Hz",
    "newton": "N",
    "pascal": "Pa",
    "joule": "J",
    "watt": "W",
    "coulomb": "C",
    "volt": "V",
    "ohm": "Ω",
    "farad": "F",
    "siemens": "S",
    "tesla": "T",
    "weber": "Wb",
    "henry": "H",
    "becquerel": "Bq",
    "gray": "Gy",
    "sievert": "Sv",
    "katal": "kat",
    "lumen": "lm",
    "lux": "lx",
}
MAX_LISTED_QUANTITIES = 8
"""Quantities that the note on an entity, property or qualifier lists."""
MIN_OF_GAP, MAX_OF_GAP = 4, 12
"""Characters of " of " and " of all the "."""
READABLE_RANGE = (1e-4, 1e5)
"""Converted values outside are only in the table: a light year in metres helps no reader."""
_OWN = re.compile(
    r"(?P<down>less|fewer|lower|smaller|shorter|younger|below|under|weniger|kleiner|niedriger|geringer|kürzer|jünger|unter)\b"
    r"|(?:more|greater|higher|larger|longer|older|above|mehr|größer|höher|länger|älter)\b",
    re.IGNORECASE,
)
_SUPERSCRIPT = str.maketrans("-0123456789.", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹·")
_FACTOR = re.compile(r"([a-z_]+)(?: \*\* (-?[0-9.]+))?")


def describe(record: Measurement, language: str = "en") -> str:
    """The record as a reader would say it: ``temperature of the film: 150 °C (423.15 K), in vacuum``."""
    said = flat(record.quantity.quote).removesuffix(" of")
    denied = _is_denied(record)
    if denied:
        said = f"{'not' if language == 'en' else 'nicht'} {said}"
    unit = record.unit_part
    if (
        unit
        and not record.currency
        and not record.quantity.start <= unit.start < record.quantity.end
    ):
        said += f" {unit.quote}"  # from the head of a table, or of the last of a list
    if record.per:
        said += f" {record.per}"
    converted = in_si(record)
    if converted:
        said += f" ({converted})"
    of = subject(record, language)
    if (
        of or converted
    ) and not denied:  # a bare number with a sign would say no more than the text
        said = _sign(record, language) + said
    said = f"{of}: {said}" if of else said
    said = ", ".join([said, *map(condition, record.qualifiers)])
    return f"{said} ({flat(record.caption.quote)})" if record.caption else said


def condition(part: Part) -> str:
    """A condition in words; a number of a table with the head of its column."""
    return f"{flat(part.name)} {flat(part.quote)}".strip()


def subject(record: Measurement, language: str = "en") -> str:
    """What the quantity is of: property and entity, or one of them."""
    entity = flat(record.entity.quote) if record.entity else ""
    property = flat(record.property.quote) if record.property else ""
    if language == "en" and (entity or property) and (name := implied_property(record)):
        property = f"{name} ({property})" if property else name
    # "number of wards: 12", but "ward: 1015 patients": there the quantity says what it counts.
    if record.count and not property and entity and record.unit_part is None and _whole(record):
        if record.entity and _is_of(record, record.entity):
            return entity
        return f"number of {entity}" if language == "en" else f"Anzahl ({entity})"
    if record.entity and not property and _is_share_of(record, record.entity):
        return f"share of {entity}" if language == "en" else f"Anteil ({entity})"
    if not (entity and property):
        return entity or property
    if record.entity and record.property and _same(record.entity, record.property):
        return max(entity, property, key=len)
    # A German noun after a preposition would have to be declined.
    return f"{property} of {entity}" if language == "en" else f"{property} ({entity})"


def _is_denied(record: Measurement) -> bool:
    """Whether "not" before the quantity turns its words round: not "smaller than 512 MB" is 512 MB or more."""
    if record.value.kind != "bound" or (own := _OWN.match(record.quantity.quote)) is None:
        return False
    return (record.value.high is None) == bool(own["down"])


def _sign(record: Measurement, language: str) -> str:
    """What the words around a quantity make of it, where it says nothing itself: "> " for "sold to over 300 people"."""
    value, quote = record.value, record.quantity.quote
    plain = parse_value(quote, language=language)
    if value.kind != "bound" or plain.kind != "number" or plain.numbers[0].start > 0:
        return ""
    if value.high is None:
        return "> " if value.low_open else "≥ "
    return "< " if value.high_open else "≤ "


def _whole(record: Measurement) -> bool:
    """Whether things are counted: "two-thirds" are a share."""
    ends = [end for end in (record.value.low, record.value.high) if end is not None]
    return all(end == int(end) for end in ends)


def _is_of(record: Measurement, entity: Part) -> bool:
    """Whether the entity stands before its number, which then counts something else: "a resolution of less than 100"."""
    return MIN_OF_GAP <= record.quantity.start - entity.end <= MAX_OF_GAP


def _is_share_of(record: Measurement, entity: Part) -> bool:
    """Whether it is "40 % of the patients", and not "40 % ethanol"."""
    gap = entity.start - record.quantity.end
    return record.unit is not None and record.unit.ucum == "%" and MIN_OF_GAP <= gap <= MAX_OF_GAP


def describe_part(role: str, records: Iterable[Measurement]) -> str:
    """Why a span that is no quantity has a note: what it has, is, or qualifies."""
    said = []
    for record in records:
        quantity = flat(record.quantity.quote)
        if role == "entity":
            property = flat(record.property.quote) if record.property else ""
            said.append(f"{property}: {quantity}" if property else quantity)
        elif role == "property":
            entity = flat(record.entity.quote) if record.entity else ""
            said.append(f"{quantity} ({entity})" if entity else quantity)
        else:
            said.append(quantity)
    verb = {"entity": "has", "property": "is", "qualifier": "holds for"}[role]
    distinct = list(dict.fromkeys(said))
    more = (
        [f"and {len(distinct) - MAX_LISTED_QUANTITIES} more"]
        if len(distinct) > MAX_LISTED_QUANTITIES
        else []
    )
    return f"{verb} {'; '.join(distinct[:MAX_LISTED_QUANTITIES] + more)}"


def in_si(record: Measurement) -> str:
    """The value in SI base units, where that tells the reader something and is easily read."""
    if record.unit is None or record.si is None or _is_decimal(record.unit):
        return ""
    low, high, off, unit, each = record.si
    symbol, value = si_symbol(unit), record.value
    ends = [end for end in (low, high) if end is not None] or list(each)
    if not symbol or not ends or not all(map(_readable, ends)):
        return ""
    if value.kind == "size":
        said = " × ".join(map(short, each))
    elif value.kind == "list" and each:
        said = ", ".join(map(short, each))
    elif low is None:
        said = f"{'<' if value.high_open else '≤'} {short(ends[0])}"
    elif high is None:
        said = f"{'>' if value.low_open else '≥'} {short(ends[0])}"
    else:
        said = short(low) if low == high else f"{short(low)}–{short(high)}"
        said += f" ± {short(off)}" if off is not None and low == high else ""
    return f"{said} {symbol}"


def si_symbol(si: str) -> str:
    """``kilogram / meter ** 3`` as ``kg·m⁻³``; nothing for what has no dimension or an unknown factor."""
    over, _, under = si.partition(" / ")
    factors = [(over.split(" * "), 1), (re.split(r" [*/] ", under) if under else [], -1)]
    said = []
    for names, sign in factors:
        for name in names:
            match = _FACTOR.fullmatch(name)
            if match is None or match[1] not in SYMBOLS:
                return ""
            power = f"{sign * float(match[2] or 1):g}"
            raised = "" if power == "1" else power.translate(_SUPERSCRIPT)
            said.append(SYMBOLS[match[1]] + raised)
    return "·".join(said)


def short(number: Decimal | float) -> str:
    """A number for display: six significant digits, no trailing zeros."""
    return f"{float(number):.6g}"


def flat(text: str) -> str:
    return " ".join(text.split())


def _same(a: Part, b: Part) -> bool:
    """Whether they overlap, or say the same in two places."""
    return (a.start < b.end and b.start < a.end) or flat(a.quote).lower() == flat(b.quote).lower()


def _is_decimal(unit: Unit) -> bool:
    """Whether it is a power of ten of an SI unit: nobody needs 5 km in metres."""
    return unit.offset == 0 and unit.factor.normalize().as_tuple().digits == (1,)


def _readable(number: Decimal | float) -> bool:
    return number == 0 or READABLE_RANGE[0] <= abs(float(number)) < READABLE_RANGE[1]
