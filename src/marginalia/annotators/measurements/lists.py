"""Lists that are told off against each other: "26.2, 22.1 and 20.3 MPa for 30, 40 and 50 percent, respectively".

Where a sentence says "respectively", each number of a list has the item of the other list in the same place as its entity or condition.
The other list may be one of numbers or of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from marginalia import lang
from marginalia.annotators.measurements.context import Part, part_of
from marginalia.annotators.measurements.records import Measurement
from marginalia.nlp.sentences import sentences
from marginalia.quantities.lexicon import lexicon, stop_words

MAX_ITEM_WORDS = 8
"""Of a name in a list; longer ones are clauses."""
MAX_LIST_GAP = 40
"""Characters between the numbers of a list: a unit or a deviation and a comma."""
LISTED = 0.8
"""How sure an item of the other list is."""
_EDGE = re.compile(r"[\s,;:()]+")

Place = tuple[int, int]


@cache
def _respectively(code: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{lexicon(code).any_of('numbers', 'respectively')})\b", re.IGNORECASE)


@cache
def _joint(code: str) -> re.Pattern[str]:
    """Between two items of a list."""
    words = lexicon(code).any_of("numbers", "and_or")
    return re.compile(rf"\s*,\s*(?:(?:{words})\s+)?|\s+(?:{words}|&)\s+")


def with_lists(text: str, records: Sequence[Measurement], code: str) -> list[Measurement]:
    """The records, those of such lists with their own item."""
    found = {id(record): record for record in records}
    stops = [match.start() for match in _respectively(code).finditer(text)]
    for start, end in sentences(text, code) if stops else ():
        own = [one for one in records if start <= one.quantity.start < end]
        begin = start
        for stop in (stop for stop in stops if start <= stop < end):
            here = [one for one in own if begin <= one.quantity.start < stop]
            for values, items in _told_off(text, here, (begin, stop), code):
                made = _with_items(text, values, items, own)
                found |= {id(old): new for old, new in zip(values, made, strict=True)}
            begin = stop
    return [found[id(record)] for record in records]


def _told_off(
    text: str, records: Sequence[Measurement], place: Place, code: str
) -> Iterator[tuple[list[Measurement], list[Part]]]:
    """A list of numbers and as many items; the items may be numbers too."""
    lists = [one for one in _number_lists(text, records, code) if len(one) > 1]
    pairs = ((a, b) for a in lists for b in lists if a is not b and len(a) == len(b))
    if pair := next(pairs, None):
        values, items = sorted(pair, key=lambda one: _is_condition(text, one[0]))
        yield values, [_as_item(one) for one in items]
    elif len(lists) == 1 and (names := _names(text, place, lists[0], code)):
        yield lists[0], [part_of(text, *name) for name in names]


def _as_item(record: Measurement) -> Part:
    """The number, with the unit that it shares with others of its list as its name."""
    unit = record.unit_part
    apart = unit is not None and not _meet(unit, record.quantity)
    return replace(record.quantity, name=unit.quote) if unit and apart else record.quantity


def _number_lists(
    text: str, records: Sequence[Measurement], code: str
) -> Iterator[list[Measurement]]:
    own: list[Measurement] = []
    for record in sorted(records, key=lambda one: one.quantity.start):
        gap = text[_said_end(own[-1]) : record.quantity.start] if own else ""
        if own and not (len(gap) <= MAX_LIST_GAP and _joint(code).fullmatch(gap)):
            yield own
            own = []
        own.append(record)
    yield own


def _said_end(record: Measurement) -> int:
    return record.statistics.end if record.statistics else record.quantity.end


def _is_condition(text: str, record: Measurement) -> bool:
    """Whether a preposition stands before the list: "for 30, 40 and 50 percent"."""
    before = text[: record.quantity.start].split()[-1:]
    return bool(before) and before[0].lower() in lang.words_of_all("numbers", "of_condition")


def _names(text: str, place: Place, values: Sequence[Measurement], code: str) -> list[Place]:
    """As many names with commas between them as there are values, behind the values or else before them."""
    first, last = values[0].quantity.start, _said_end(values[-1])
    for low, high in ((last, place[1]), (place[0], first)):
        for found in _runs(text, low, high, code):
            if len(found) == len(values):
                return found
    return []


def _runs(text: str, low: int, high: int, code: str) -> Iterator[list[Place]]:
    """Lists of names in a part of a sentence: cut at joints; from a preposition or a verb on, up to the next."""
    edges, at = [], low
    for match in _joint(code).finditer(text, low, high):
        edges.append((at, match.start()))
        at = match.end()
    edges.append((at, high))
    items = [_trimmed(text, a, b) for a, b in edges]
    run = [item for item in items if item[0] < item[1]]
    if len(run) < 2:
        return
    run[0] = _last_phrase(text, *run[0])
    run[-1] = _first_phrase(text, *run[-1])
    if all(0 < len(text[a:b].split()) <= MAX_ITEM_WORDS for a, b in run):
        yield run


def _trimmed(text: str, start: int, end: int) -> Place:
    lead = _EDGE.match(text, start, end)
    start = lead.end() if lead else start
    while end > start and text[end - 1] in " ,;:(":
        end -= 1
    return start, end


def _last_phrase(text: str, start: int, end: int) -> Place:
    """What stands behind the last function word: "was higher for the limed plots"."""
    for match in reversed(list(re.finditer(r"\S+", text[start:end]))):
        if match.group().strip("(),;") in stop_words():
            return _trimmed(text, start + match.end(), end)
    return start, end


def _first_phrase(text: str, start: int, end: int) -> Place:
    """What stands before the first function word but the one that it begins with."""
    for number, match in enumerate(re.finditer(r"\S+", text[start:end])):
        if number and match.group().strip("(),;") in stop_words():
            return _trimmed(text, start, start + match.start())
    return start, end


def _with_items(
    text: str, values: Sequence[Measurement], items: Sequence[Part], listed: Sequence[Measurement]
) -> list[Measurement]:
    """Names are what has the value, or what was measured where the property names them all; numbers are conditions."""
    whole = Part(items[0].start, items[-1].end, "")
    numbers = [one.quantity for one in listed]
    are_numbers = any(_meet(whole, one) for one in numbers)
    are_properties = any(one.property and _meet(one.property, whole) for one in values)
    # The list says what was measured only once.
    named = [one for one in values if one.property and not _meet(one.property, whole)]
    best = max(named, key=lambda one: one.property_confidence or 0.0, default=None)
    made = []
    for record, item in zip(values, items, strict=True):
        kept = tuple(
            one
            for one in record.qualifiers
            if not _meet(one, whole) and not any(_meet(one, number) for number in numbers)
        )
        entity = record.entity
        if entity and (_meet(entity, whole) or any(_meet(entity, one) for one in numbers)):
            entity = None
        new = replace(record, entity=entity, qualifiers=kept)
        if are_properties and not are_numbers:
            new = replace(new, property=item, property_confidence=LISTED)
        elif best:
            new = replace(new, property=best.property, property_confidence=best.property_confidence)
        if are_numbers:
            new = replace(new, qualifiers=(item, *kept), qualifier_confidence=LISTED)
        elif not are_properties:
            rest = (entity, *kept) if entity else kept
            new = replace(new, entity=item, entity_confidence=LISTED, qualifiers=rest)
        made.append(new)
    return made


def _meet(a: Part, b: Part) -> bool:
    return a.start < b.end and b.start < a.end
