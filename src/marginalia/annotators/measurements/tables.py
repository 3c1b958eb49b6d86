"""The numbers of tables: their labels say what is measured, of what, under which conditions and in which unit.

A number in a cell measures something only beside its labels, so that the paragraph's system leaves it out. A unit in the
cell comes before one of a column of units, that before one of the heads above, and those before the ones of the row.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any

from marginalia.annotators.measurements.context import Part, part_of
from marginalia.annotators.measurements.records import Measurement
from marginalia.annotators.measurements.table_grid import TableCell, read_cells
from marginalia.annotators.measurements.table_labels import (
    Label,
    Span,
    caption_property,
    caption_subject,
    said_by,
)
from marginalia.lang import compile_all
from marginalia.nlp.prose import SpanSet
from marginalia.quantities.lexicon import BLANK, lexicon
from marginalia.quantities.statistics import Statistics
from marginalia.quantities.units.defined import DefinedUnits
from marginalia.quantities.units.kinds import contradicts, find_kind
from marginalia.quantities.units.measure import Measure, read_measure
from marginalia.quantities.units.unit import to_si
from marginalia.quantities.values import Value, parse_value

CONFIDENCE = {True: 0.95, False: 0.8}
"""Of property and entity that heads give, by whether a head names a unit: then the column surely measures something."""
_MARKS = (
    r"(?:\s?[*†‡§¶]{1,3}|\s?[ᵃ-ᶻ]{1,3}|[a-cefg](?:,\s?[a-cefg]){0,3}|\s[a-c](?:,\s?[a-c]){0,3})?"
)
"""Of footnotes, or letters that say which means differ."""
_SECOND = re.compile(
    r"(?P<first>.*?)\s*(?:±|\+/-|[(\[,])\s*(?:±\s?)?(?P<what>%|SDs?|S\.D\.|SEM|SE|S\.E\.|IQR|range|9[059](?:\.\d)?\s?%[\s-]?CI|CI)[)\]]?",
    re.IGNORECASE,
)
"""What the head says of the second number of a cell: ``n (%)``, ``Mean (SD)``, ``RR (95% CI)``."""
_LEVEL = re.compile(r"\d\d(?:\.\d)?(?=\s?%)")
_COUNT_SYMBOLS = frozenset("nN")


@cache
def _cell(language: str) -> re.Pattern[str]:
    """A number, perhaps with a second one in brackets; or with a symbol before it: ``V = 3.2 ± .1``, ``p < 0.001``."""
    number = lexicon(language).numeral
    signed = rf"[-−–+]?{BLANK}?{number}"
    return re.compile(
        rf"\s*\(?(?:(?P<symbol>[A-Za-zα-ω]\w{{0,3}}){BLANK}?(?:={BLANK}?|(?=[<>≤≥])))?(?P<value>(?:[<>≤≥~≈]{BLANK}?)?{signed}"
        rf"(?:{BLANK}?±{BLANK}?{number}|{BLANK}?(?:[–—]|-|to|bis){BLANK}?{number})?)"
        rf"(?:\s*[(\[](?P<second>[<>]?{BLANK}?{signed}(?:{BLANK}?(?:[–—,;-]|to|bis){BLANK}?{signed})?){BLANK}?%?[)\]])?{_MARKS}\)?[,;]?\s*"
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the cells of one table are read with."""

    text: str
    language: str
    defined: DefinedUnits
    caption: Part | None
    subject: Label | None
    """The property that the caption names."""


def with_tables(
    text: str,
    tables: Iterable[Any],
    records: Sequence[Measurement],
    *,
    language: str,
    silent: SpanSet,
    defined: DefinedUnits,
) -> list[Measurement]:
    """The records with what the heads of their table say, and one for each number that only its heads explain."""
    starts = [record.quantity.start for record in records]
    found = dict(enumerate(records))
    added: list[Measurement] = []
    last = max((record.set for record in records), default=0)

    def within(start: int, end: int) -> range:
        return range(bisect_left(starts, start), bisect_left(starts, end))

    for table in tables:
        cells = list(read_cells(text, table, language))
        reading = _reading(text, table, language, defined)
        for row in table["rows"] if cells else ():
            for head in row:
                if head.get("head"):  # "RR (95 % CI)" names what is below it
                    for number in within(head["start"], head["end"]):
                        found.pop(number, None)
        for cell in cells:
            own = within(cell.start, cell.end)
            if silent.touch(cell.start, cell.end):
                continue
            if made := list(_read_cell(reading, cell, last + 1)):
                for number in own:
                    found.pop(number, None)
                added += made
                last += len(made)
            for number in own:
                if number in found:
                    found[number] = _with_heads(reading, found[number], cell)
            for place in cell.asides.values():
                for number in within(*place):
                    found.pop(number, None)
        for number in within(table["start"], table["end"]):
            if number in found and found[number].says_nothing():
                del found[number]
    return sorted([*found.values(), *added], key=lambda record: record.quantity.start)


def _reading(text: str, table: Mapping[str, Any], language: str, defined: DefinedUnits) -> _Reading:
    caption = table.get("caption")
    about = caption_subject(text, caption["start"], caption["end"]) if caption else None
    return _Reading(
        text,
        language,
        defined,
        part_of(text, *about) if about else None,
        caption_property(text, *about) if about else None,
    )


def _with_heads(reading: _Reading, record: Measurement, cell: TableCell) -> Measurement:
    """A quantity with a unit of its own, which fills its cell, under its heads."""
    text = reading.text
    rest = text[cell.start : record.quantity.start] + text[record.quantity.end : cell.end]
    if any(sign.isalnum() for sign in rest):
        return replace(record, caption=reading.caption)
    return _named(reading, record, cell)


def _read_cell(reading: _Reading, cell: TableCell, number: int) -> Iterator[Measurement]:
    """The records of a cell that holds nothing but numbers: one, one with a second in brackets, or several with symbols."""
    text, pattern = reading.text, _cell(reading.language)
    matches: list[re.Match[str]] = []
    place = cell.start
    while place < cell.end:
        match = pattern.match(text, place, cell.end)
        if match is None or match.end() == place or (matches and not match["symbol"]):
            return
        matches.append(match)
        place = match.end()
    for match in matches:
        for record in _read_number(reading, cell, match, number):
            yield record
            number += 1


def _read_number(
    reading: _Reading, cell: TableCell, match: re.Match[str], number: int
) -> Iterator[Measurement]:
    text = reading.text
    said = (_SECOND.match(text[slice(*label.whole)]) for label in cell.labels)
    pair = next(filter(None, said), None)
    unit = next(filter(None, (cell.unit, *(label.unit for label in cell.labels))), None)
    estimated = cell.estimated(text)
    otherwise = not estimated and _is_otherwise(text, cell)
    if unit and otherwise and unit in [label.unit for label in cell.above]:
        unit = next((label.unit for label in cell.before if label.unit), None)
    if match["symbol"] or estimated:
        unit = None
    shared = match["second"] is not None and pair is not None and pair["what"] == "%"
    own = [(match.span("value"), None if shared else unit)]
    if shared:  # "23 (45.1)" below "n (%)"
        own.append((match.span("second"), unit or _percent(text, cell)))
    for i, (place, named) in enumerate(own):
        record = _record(reading, place, named, number + i, cell)
        if record is None:
            continue
        if i == 0 and match["second"] and pair and not shared:
            record = replace(
                record, statistics=_second(match["second"], pair["what"], match.end(), reading)
            )
        elif i == 0 and cell.asides:
            record = replace(record, statistics=_asides(reading, cell))
        if otherwise and cell.before:
            record = replace(
                record, property=_part(text, cell.before[0]), entity=_part(text, cell.above[0])
            )
        symbol = match["symbol"]
        if symbol and not (symbol in _COUNT_SYMBOLS and record.count):
            thing = [label for label in cell.labels if label.whole[0] != match.start("symbol")]
            record = replace(
                record,
                property=part_of(text, *match.span("symbol")),
                entity=_part(text, cell.before[0] if cell.before else thing[0]),
                qualifiers=tuple(
                    part_of(text, one.start, one.end)
                    for one in thing
                    if one != (cell.before[0] if cell.before else thing[0])
                ),
            )
        if record.statistics and not record.statistics.holds(record.value.low):
            record = replace(record, doubt="the interval does not hold the value")
        yield record


def _is_otherwise(text: str, cell: TableCell) -> bool:
    """Whether the row's numbers are not in the unit of the column: a ratio, a p-value, a share."""
    pattern = compile_all(
        r"\b(?:<ALL>)\b|(?<!\d)(?<!\d )%|\A[pn]\Z", "tables", "otherwise", re.IGNORECASE
    )
    return any(
        pattern.search(text[slice(*label.whole)]) and not label.unit for label in cell.before[:1]
    )


def _percent(text: str, cell: TableCell) -> tuple[int, int] | None:
    """Where a label of the cell says per cent."""
    for label in cell.labels:
        if (place := text.find("%", *label.whole)) >= 0:
            return place, place + 1
    return None


def _record(
    reading: _Reading, place: Span, unit: Span | None, number: int, cell: TableCell
) -> Measurement | None:
    text, language, defined = reading.text, reading.language, reading.defined
    quote, written = text[slice(*place)], text[slice(*unit)] if unit else None
    named, _, _ = cell.roles(text, reading.subject)
    said = text[named.start : named.end] if named else ""
    spoken = f"{quote} {written}" if written else quote
    measure = read_measure(spoken, written, before=said, language=language, defined=defined.units)
    value, known = measure.value, measure.unit
    if value.kind in ("none", "date"):
        return None
    doubt = measure.doubt
    if said and contradicts(said, known):
        doubt = f"{said} is not measured in {measure.unit_text}"
    made = Measurement(
        set=number,
        quantity=part_of(text, *place),
        value=value,
        unit=known,
        unit_part=part_of(text, *unit) if unit else None,
        unit_text=measure.unit_text,
        unit_confidence=measure.confidence if known or measure.money else None,
        currency=measure.currency,
        doubt=doubt,
        si=to_si(value, known, quote=spoken, language=language, defined=defined.units)
        if known and not (doubt and said)
        else None,
        modifiers=(),
        count=_is_count(value, measure, said),
        entity=None,
        property=None,
        qualifiers=(),
        kind=find_kind(said or None, known),
    )
    return _named(reading, made, cell)


def _is_count(value: Value, measure: Measure, said: str) -> bool:
    """A whole number below "N" or "Number of patients"."""
    whole = all(one.value == one.value.to_integral_value() for one in value.numbers)
    counted = compile_all("(?:<ALL>)", "tables", "counted", re.IGNORECASE)
    return not measure.unit and not measure.money and whole and counted.match(said) is not None


def _second(written: str, what: str, end: int, reading: _Reading) -> Statistics | None:
    """What a second number says of the first, by how the head calls it."""
    value = parse_value(written.replace(",", " to "), language=reading.language)
    if what[0] in "sS":
        kind = "SD" if said_by("deviation").fullmatch(what) else "SE"
        return Statistics(end, deviation=value.low, deviation_kind=kind)
    if value.low is None or value.high is None or value.low == value.high:
        value = parse_value(re.sub(r"[–—,;]|(?<=\d)-", " to ", written), language=reading.language)
    if value.low is None or value.high is None:
        return None
    level = _LEVEL.match(what)
    confidence = what.upper().endswith("CI")
    return Statistics(
        end,
        low=value.low,
        high=value.high,
        interval_kind="CI" if confidence else "IQR" if what.upper() == "IQR" else "range",
        level=Decimal(level.group()) if level else None,
    )


def _asides(reading: _Reading, cell: TableCell) -> Statistics | None:
    """What columns beside the number say of how sure it is."""
    text, found = reading.text, dict[str, Any]()
    for what, place in cell.asides.items():
        said = text[slice(*place)].strip(" ()[]±")
        value = parse_value(said, language=reading.language)
        if what in ("deviation", "error"):
            found |= {
                "deviation": value.low,
                "deviation_kind": "SD" if what == "deviation" else "SE",
            }
        elif what == "interval":
            ends = _second(said, "CI", place[1], reading)
            found |= {"low": ends.low, "high": ends.high} if ends else {}
        else:
            found["low" if what == "lower" else "high"] = value.low
    if "low" in found or "high" in found:
        found["interval_kind"] = "CI"
    return Statistics(cell.end, **found) if found else None


def _named(reading: _Reading, record: Measurement, cell: TableCell) -> Measurement:
    text = reading.text
    sure = CONFIDENCE[record.unit_part is not None]
    property, entity, rest = cell.roles(text, reading.subject)
    fixed = [
        replace(part_of(text, *span), name=text[slice(*label.whole)]) for label, span in cell.fixed
    ]
    conditions = tuple(filter(None, (_part(text, label) for label in rest)))
    return replace(
        record,
        property=_part(text, property),
        entity=_part(text, entity),
        qualifiers=(*conditions, *fixed),
        property_confidence=sure if property else None,
        entity_confidence=sure if entity else None,
        qualifier_confidence=sure if rest or fixed else None,
        caption=reading.caption,
    )


def _part(text: str, label: Label | None) -> Part | None:
    return part_of(text, label.start, label.end) if label else None
