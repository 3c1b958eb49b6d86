"""The numbers of tables: their labels say what is measured, of what, under which conditions and in which unit.

A number in a cell measures something only beside its labels, so that the paragraph's system leaves it out. A unit in the
cell comes before one of a column of units, that before one of the heads above, and those before the ones of the row.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any

from marginalia.annotators.measurements.context import Part, part_of
from marginalia.annotators.measurements.records import Measurement
from marginalia.annotators.measurements.table_heads import Label, TableCell, read_cells
from marginalia.nlp.prose import SpanSet
from marginalia.quantities.lexicon import BLANK, lexicon
from marginalia.quantities.statistics import Statistics
from marginalia.quantities.units.defined import DefinedUnits
from marginalia.quantities.units.kinds import find_kind
from marginalia.quantities.units.measure import Measure, read_measure
from marginalia.quantities.units.unit import to_si
from marginalia.quantities.values import Value, parse_value

CONFIDENCE = {True: 0.95, False: 0.8}
"""Of property and entity that heads give, by whether a head names a unit: then the column surely measures something."""
_OTHERWISE = re.compile(
    r"(?i)\b(?:ratio|p[- ]?values?|fold|rank|CV|verhältnis|change|veränderung)\b|%|\Ap\Z|\A[nN]\Z"
)
"""Rows whose numbers are not in the unit of the column."""
_MARKS = (
    r"(?:\s?[*†‡§¶]{1,3}|\s?[ᵃ-ᶻ]{1,3}|[a-cefg](?:,\s?[a-cefg]){0,3}|\s[a-c](?:,\s?[a-c]){0,3})?"
)
"""Of footnotes, or letters that say which means differ."""
_COUNT = re.compile(
    r"(?i:[nN]|counts?|#|number|no\. of|anzahl|participants|patients|cases|respondents|fälle)\b"
)
_SECOND = re.compile(
    r"(?P<first>.*?)\s*(?:±|\+/-|[(\[,])\s*(?:±\s?)?(?P<what>%|SDs?|S\.D\.|SEM|SE|S\.E\.|IQR|range|9[059](?:\.\d)?\s?%[\s-]?CI|CI)[)\]]?",
    re.IGNORECASE,
)
"""What the head says of the second number of a cell: ``n (%)``, ``Mean (SD)``, ``RR (95% CI)``."""


@cache
def _cell(language: str) -> re.Pattern[str]:
    number = lexicon(language).numeral
    signed = rf"[-−–+]?{BLANK}?{number}"
    return re.compile(
        rf"\s*\(?(?:(?P<symbol>[A-Za-zα-ω]\w{{0,3}})\s?=\s?)?(?P<value>(?:[<>≤≥~≈]{BLANK}?)?{signed}"
        rf"(?:{BLANK}?±{BLANK}?{number}|{BLANK}?(?:[–—]|-|to|bis){BLANK}?{number})?)"
        rf"(?:\s*[(\[](?P<second>[<>]?{BLANK}?{signed}(?:{BLANK}?(?:[–—,;-]|to|bis){BLANK}?{signed})?){BLANK}?%?[)\]])?{_MARKS}\)?\s*"
    )


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
        for row in table["rows"] if cells else ():
            for head in row:
                if head.get("head"):  # "RR (95 % CI)" names what is below it
                    for number in within(head["start"], head["end"]):
                        found.pop(number, None)
        for cell in cells:
            own = within(cell.start, cell.end)
            if silent.touch(cell.start, cell.end):
                continue
            if made := _read_cell(text, cell, last + 1, language, defined):
                for number in own:
                    found.pop(number, None)
                added += made
                last += len(made)
            for number in own:
                if number in found:
                    found[number] = _with_heads(text, found[number], cell)
        for number in within(table["start"], table["end"]):
            if number in found and found[number].says_nothing():
                del found[number]
    return sorted([*found.values(), *added], key=lambda record: record.quantity.start)


def _with_heads(text: str, record: Measurement, cell: TableCell) -> Measurement:
    """A quantity with a unit of its own, which fills its cell, under its heads."""
    rest = text[cell.start : record.quantity.start] + text[record.quantity.end : cell.end]
    if record.property or record.entity or any(sign.isalnum() for sign in rest):
        return record
    if record.unit is None and record.unit_part is None and record.currency is None:
        return record
    return _named(text, record, cell)


def _read_cell(
    text: str, cell: TableCell, number: int, language: str, defined: DefinedUnits
) -> list[Measurement]:
    """The records of a cell that holds nothing but a number, or one with a second in brackets."""
    match = _cell(language).fullmatch(text, cell.start, cell.end)
    if match is None:
        return []
    said = (_SECOND.match(text[slice(*label.whole)]) for label in cell.labels)
    pair = next(filter(None, said), None)
    unit = next(filter(None, (cell.unit, *(label.unit for label in cell.labels))), None)
    otherwise = any(_OTHERWISE.search(text, *label.whole) for label in cell.before[:1])
    if unit and otherwise and unit in [label.unit for label in cell.above]:
        return []
    if match["symbol"]:
        unit = None
    shared = match["second"] is not None and pair is not None and pair["what"] == "%"
    own = [(match.span("value"), None if shared else unit)]
    if shared:  # "23 (45.1)" below "n (%)"
        own.append((match.span("second"), unit or _percent(text, cell)))
    made = [
        _record(text, place, named, number + i, language, defined, cell)
        for i, (place, named) in enumerate(own)
    ]
    found = [record for record in made if record is not None]
    if found and match["second"] and pair and not shared:
        found[0] = replace(found[0], statistics=_statistics(match, pair["what"], language))
    if found and match["symbol"]:
        found[0] = replace(found[0], property=part_of(text, *match.span("symbol")))
    return found


def _percent(text: str, cell: TableCell) -> tuple[int, int] | None:
    """Where a label of the cell says per cent."""
    for label in cell.labels:
        if (place := text.find("%", *label.whole)) >= 0:
            return place, place + 1
    return None


def _record(
    text: str,
    place: tuple[int, int],
    unit: tuple[int, int] | None,
    number: int,
    language: str,
    defined: DefinedUnits,
    cell: TableCell,
) -> Measurement | None:
    quote, written = text[slice(*place)], text[slice(*unit)] if unit else None
    named, _, _ = cell.roles(text)
    said = text[named.start : named.end] if named else ""
    spoken = f"{quote} {written}" if written else quote
    measure = read_measure(spoken, written, before=said, language=language, defined=defined.units)
    value, known = measure.value, measure.unit
    if value.kind in ("none", "date"):
        return None
    made = Measurement(
        set=number,
        quantity=part_of(text, *place),
        value=value,
        unit=known,
        unit_part=part_of(text, *unit) if unit else None,
        unit_text=measure.unit_text,
        unit_confidence=measure.confidence if known or measure.money else None,
        currency=measure.currency,
        doubt=measure.doubt,
        si=to_si(value, known, quote=spoken, language=language, defined=defined.units)
        if known
        else None,
        modifiers=(),
        count=_is_count(value, measure, said),
        entity=None,
        property=None,
        qualifiers=(),
        kind=find_kind(said or None, known),
    )
    return _named(text, made, cell)


def _is_count(value: Value, measure: Measure, said: str) -> bool:
    """A whole number below "N" or "Number of patients"."""
    whole = all(one.value == one.value.to_integral_value() for one in value.numbers)
    return not measure.unit and not measure.money and whole and _COUNT.match(said) is not None


def _statistics(match: re.Match[str], what: str, language: str) -> Statistics | None:
    value = parse_value(match["second"].replace(",", " to "), language=language)
    if what[0] in "sS":
        kind = "SD" if what.upper().replace(".", "").startswith("SD") else "SE"
        return Statistics(match.end(), deviation=value.low, deviation_kind=kind)
    if value.low is None or value.high is None or value.low == value.high:
        return None
    level = re.match(r"\d\d(?:\.\d)?", what)
    confidence = what.upper().endswith("CI")
    return Statistics(
        match.end(),
        low=value.low,
        high=value.high,
        interval_kind="CI" if confidence else "IQR" if what.upper() == "IQR" else "range",
        level=Decimal(level.group()) if level else None,
    )


def _named(text: str, record: Measurement, cell: TableCell) -> Measurement:
    sure = CONFIDENCE[record.unit_part is not None]
    property, entity, rest = cell.roles(text)
    return replace(
        record,
        property=_part(text, property),
        entity=_part(text, entity),
        qualifiers=tuple(filter(None, (_part(text, label) for label in rest))),
        property_confidence=sure if property else None,
        entity_confidence=sure if entity else None,
        qualifier_confidence=sure if rest else None,
    )


def _part(text: str, label: Label | None) -> Part | None:
    return part_of(text, label.start, label.end) if label else None
