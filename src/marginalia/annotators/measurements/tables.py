"""The numbers of tables: their heads say what is measured, of what and in which unit.

A number in a cell measures something only beside its heads, so that the paragraph's system passes it over. Here the
head of its column gives property and unit (``Mass (kg)``), and that of its row the thing. Where the heads of the rows
name units and those of the columns do not, it is the other way round.
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
from marginalia.annotators.measurements.table_heads import BodyCell, HeadCell, body_cells
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
_OTHERWISE = re.compile(
    r"(?i)\b(?:ratio|p[- ]?values?|fold|rank|CV|verhältnis|change|veränderung)\b|%|\Ap\Z|\A[nN]\Z"
)
"""Rows whose numbers are not in the unit of the column."""
_MARKS = r"[*†‡§¶]{0,3}"
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
        rf"\s*(?P<value>(?:[<>≤≥~≈]{BLANK}?)?{signed}"
        rf"(?:{BLANK}?±{BLANK}?{number}|{BLANK}?(?:[–—]|-|to|bis){BLANK}?{number})?)"
        rf"(?:\s*[(\[](?P<second>[<>]?{BLANK}?{signed}(?:{BLANK}?(?:[–—,;-]|to|bis){BLANK}?{signed})?){BLANK}?%?[)\]])?{_MARKS}\s*"
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
        cells = list(body_cells(text, table, language))
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
            if number in found and _says_nothing(found[number]):
                del found[number]
    return sorted([*found.values(), *added], key=lambda record: record.quantity.start)


def _says_nothing(record: Measurement) -> bool:
    """A number in a table whose heads could not be read: nobody can tell what it is."""
    known = record.unit_part or record.unit or record.currency or record.statistics
    return not (known or record.property or record.entity) and record.value.kind != "date"


def _with_heads(text: str, record: Measurement, cell: BodyCell) -> Measurement:
    """A quantity with a unit of its own, which fills its cell, under its heads."""
    rest = text[cell.start : record.quantity.start] + text[record.quantity.end : cell.end]
    if record.property or record.entity or any(sign.isalnum() for sign in rest):
        return record
    if record.unit is None and record.unit_part is None and record.currency is None:
        return record
    return _named(record, *_roles(text, cell))


def _read_cell(
    text: str, cell: BodyCell, number: int, language: str, defined: DefinedUnits
) -> list[Measurement]:
    """The records of a cell that holds nothing but a number, or one with a second in brackets."""
    match = _cell(language).fullmatch(text, cell.start, cell.end)
    if match is None:
        return []
    pair = _SECOND.fullmatch(text[slice(*cell.above.whole)].strip())
    if match["second"] and pair is None:
        return []  # nobody says what is in the brackets
    roles = _roles(text, cell)
    unit = next((head.unit for head in (cell.above, cell.before) if head and head.unit), None)
    if unit and cell.before and _OTHERWISE.search(text, *cell.before.whole):
        return []
    shared = match["second"] is not None and pair is not None and pair["what"] == "%"
    own = [(match.span("value"), None if shared else unit)]
    if shared:  # "23 (45.1)" below "n (%)"
        own.append((match.span("second"), unit))
    made = [
        _record(text, place, named, number + i, language, defined, roles)
        for i, (place, named) in enumerate(own)
    ]
    found = [record for record in made if record is not None]
    if found and match["second"] and pair and not shared:
        found[0] = replace(found[0], statistics=_statistics(match, pair["what"], language))
    return found


def _record(
    text: str,
    place: tuple[int, int],
    unit: tuple[int, int] | None,
    number: int,
    language: str,
    defined: DefinedUnits,
    roles: tuple[Part | None, Part | None],
) -> Measurement | None:
    quote, written = text[slice(*place)], text[slice(*unit)] if unit else None
    said = roles[0].quote if roles[0] else ""
    spoken = f"{quote} {written}" if written else quote
    measure = read_measure(spoken, written, before=said, language=language, defined=defined.units)
    value, known = measure.value, measure.unit
    if value.kind in ("none", "date") or (known and said and contradicts(said, known)):
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
    return _named(made, *roles)


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


def _roles(text: str, cell: BodyCell) -> tuple[Part | None, Part | None]:
    """Property and entity: the column's head and the row's, or turned round if only the row's says what is measured."""
    above, before = cell.above, cell.before
    if before is not None and above.unit is None and before.names_measure(text):
        above, before = before, above
    return _part(text, above), _part(text, before)


def _named(record: Measurement, property: Part | None, entity: Part | None) -> Measurement:
    sure = CONFIDENCE[record.unit_part is not None]
    return replace(
        record,
        property=property,
        entity=entity,
        property_confidence=sure if property else None,
        entity_confidence=sure if entity else None,
    )


def _part(text: str, head: HeadCell | None) -> Part | None:
    return part_of(text, head.start, head.end) if head and head.start < head.end else None
