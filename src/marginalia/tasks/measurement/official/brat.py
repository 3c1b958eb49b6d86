"""Brat ``.ann`` files, in and out: one per quantity, as the organisers ship them, or one per document.

A file per quantity is one annotation set: ``T1`` in ``<docId>-2.ann`` is ``T1-2`` in the TSV. A file per
document numbers its spans anew and says in notes to which set and id each belongs, so that nothing is
lost on the way back. Without notes, spans that relations join are one set.

A unit is a span of its own in brat: the last place in the quantity that reads so, or else the next one
after it; a unit that the paragraph nowhere has stands in a note. Brat knows neither an empty unit nor an
empty list of modifiers, nor a relation to nothing. Of a discontinuous span the two ends are kept, of two
relations of the same kind from the same span the first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.files import read_text
from marginalia.tasks.measurement.official.spans import KEYS, MODIFIERS, TYPES, Span, Spans, by_set

PLAIN = ("IsApproximate", "IsCount")
"""Modifiers that are attributes of their own; the others are values of ``QuantityQualifier``."""


def to_brat(doc: str, spans: Spans, text: str) -> dict[str, str]:
    """A file per set, ``<docId>-<set>.ann``; an empty ``<docId>.ann`` when there is none."""
    sets = by_set(spans)
    files = {f"{doc}-{number}.ann": _format(sets[number], text, number) for number in sets}
    return files or {f"{doc}.ann": ""}


def to_document_brat(spans: Spans, text: str) -> str:
    """The content of one file for all sets of the document."""
    return _format(spans, text, None)


def _format(spans: Sequence[Span], text: str, set: int | None) -> str:
    names = _names(spans, set)
    place = {(span.set, span.id): name for name, span in zip(names, spans, strict=True)}
    free = max((int(name[1:]) for name in names), default=0)
    lines: dict[str, list[str]] = {"T": [], "R": [], "A": [], "#": []}
    for name, span in zip(names, spans, strict=True):
        lines["T"].append(_bound(name, span.type, span.start, span.end, text))
        note: dict[str, Any] = {}
        if f"{name}-{set}" != span.id:
            note = {"set": span.set, "id": span.id}
        if span.type == "Quantity":
            lines["A"] += [
                f"{mod} {name}" if mod in PLAIN else f"QuantityQualifier {name} {mod}"
                for mod in span.mods
            ]
            if span.unit:
                start = _find_unit(span, span.unit, text)
                if start < 0:
                    note["unit"] = span.unit
                else:
                    free += 1
                    end = start + len(span.unit)
                    lines["T"].append(_bound(f"T{free}", "Unit", start, end, text))
                    if set is None:
                        lines["#"].append(_note(f"T{free}", {"of": name}))
        else:
            lines["R"] += [
                f"{relation} Arg1:{name} Arg2:{place[span.set, id]}\t"
                for relation, id in span.other.items()
                if (span.set, id) in place
            ]
        if note:
            lines["#"].append(_note(name, note))
    numbered = [f"{kind}{i}\t{body}" for kind in "RA#" for i, body in enumerate(lines[kind], 1)]
    return "".join(line + "\n" for line in (*lines["T"], *numbered))


def _names(spans: Sequence[Span], set: int | None) -> list[str]:
    """``T1-2`` keeps its number in the file of set 2; other ids are numbered anew."""
    own = [span.id.removesuffix(f"-{set}") for span in spans]
    if set is not None and all(re.fullmatch("T[1-9][0-9]*", name) for name in own):
        return own
    return [f"T{i}" for i in range(1, len(spans) + 1)]


def _bound(name: str, type: str, start: int, end: int, text: str) -> str:
    return f"{name}\t{type} {start} {end}\t{_flat(text[start:end])}"


def _note(name: str, data: dict[str, Any]) -> str:
    return f"AnnotatorNotes {name}\t{json.dumps(data, ensure_ascii=False)}"


def _flat(text: str) -> str:
    return re.sub(r"[\t\n\r]", " ", text)


def _find_unit(quantity: Span, unit: str, text: str) -> int:
    inside = text.rfind(unit, quantity.start, quantity.end)
    return inside if inside >= 0 else text.find(unit, quantity.start)


@dataclass(slots=True)
class _Ann:
    """The lines of a file, by the name of the span they speak of."""

    bounds: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    relations: list[tuple[str, str, str]] = field(default_factory=list)
    mods: dict[str, list[str]] = field(default_factory=dict)
    notes: dict[str, dict[str, Any]] = field(default_factory=dict)


def from_brat(ann: str, text: str, *, set: int | None = None) -> Spans:
    """The spans of a file; ``set`` is its number when it has one set only."""
    lines = _parse(ann, text)
    numbers = _sets(lines) if set is None else dict.fromkeys(lines.bounds, set)
    ids = {
        name: str(lines.notes.get(name, {}).get("id", f"{name}-{numbers[name]}"))
        for name in lines.bounds
    }
    units = _units(lines, text)
    joined: dict[str, list[tuple[str, str]]] = {}
    for relation, source, target in lines.relations:
        joined.setdefault(source, []).append((relation, target))
    spans = []
    for name, (type, start, end) in lines.bounds.items():
        if type == "Unit":
            continue
        other: dict[str, Any] = {"mods": lines.mods[name]} if name in lines.mods else {}
        if name in units:
            other["unit"] = units[name]
        for relation, target in joined.get(name, ()):
            other.setdefault(relation, ids[target])
        spans.append(Span(numbers[name], type, start, end, ids[name], text[start:end], other))
    return tuple(spans)


def _parse(ann: str, text: str) -> _Ann:
    lines = _Ann()
    for number, line in enumerate(ann.split("\n"), 1):
        try:
            _parse_line(line.removesuffix("\r"), text, lines)
        except FormatError as error:
            raise FormatError(error.message, line=number) from None
        except (ValueError, IndexError, RecursionError):
            raise FormatError(f"not a brat annotation: {line[:60]!r}", line=number) from None
    for relation, source, target in lines.relations:
        if source not in lines.bounds or target not in lines.bounds:
            raise FormatError(f"{relation} joins {source} and {target}, one of which is not there")
        if relation not in KEYS.get(lines.bounds[source][0], ()):
            raise FormatError(f"{relation} cannot start from a {lines.bounds[source][0]}")
    return lines


def _parse_line(line: str, text: str, lines: _Ann) -> None:
    name, *cells = line.split("\t")
    kind = name[:1]
    if not kind:
        return
    words = cells[0].split(" ")
    if kind == "T":
        start, end = _whole(words[1]), _whole(words[-1])
        if words[0] not in (*TYPES, "Unit"):
            raise FormatError(f"the type {words[0]!r} is not one of {', '.join(TYPES)}, Unit")
        if len(words) == 3 and _flat(text[start:end]) != cells[1]:
            raise FormatError(
                f"{name} quotes {cells[1][:40]!r}, but the paragraph has "
                f"{text[start:end][:40]!r} at {start}:{end}"
            )
        lines.bounds[name] = words[0], start, end
    elif kind == "R":
        source, target = (word.partition(":")[2] for word in words[1:])
        lines.relations.append((words[0], source, target))
    elif kind == "A":
        mod = words[0] if len(words) == 2 else words[2]
        if mod not in MODIFIERS:
            raise FormatError(f"the modifier {mod!r} is not one of {', '.join(MODIFIERS)}")
        lines.mods.setdefault(words[1], []).append(mod)
    elif kind == "#" and cells[1].startswith("{"):
        note = json.loads(cells[1])
        if {"set", "id"} & note.keys() and not isinstance(note.get("set"), int):
            raise FormatError(f"the note of {words[1]} must name a set and an id")
        lines.notes[words[1]] = note


def _whole(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", word):
        raise FormatError(f"{word[:40]!r} is no whole number of up to nine digits")
    return int(word)


def _sets(lines: _Ann) -> dict[str, int]:
    """The set of each span: as its note says, or that of the spans it is joined with, or a new one."""
    joined = {name: [name] for name in lines.bounds}
    for _, source, target in lines.relations:
        if joined[source] is not joined[target]:
            joined[source] += joined[target]
            for name in joined[target]:
                joined[name] = joined[source]
    numbers = {name: note["set"] for name, note in lines.notes.items() if "set" in note}
    fresh = max(numbers.values(), default=0)
    for name in lines.bounds:
        if name in numbers or lines.bounds[name][0] == "Unit":
            continue
        known = [numbers[other] for other in joined[name] if other in numbers]
        fresh += not known
        numbers[name] = known[0] if known else fresh
    return {name: numbers.get(name, 0) for name in lines.bounds}


def _units(lines: _Ann, text: str) -> dict[str, str]:
    """The unit of each quantity: from its note, or the unit span that names it, lies in it or follows it."""
    quantities = [name for name, (type, _, _) in lines.bounds.items() if type == "Quantity"]
    units = {name: str(note["unit"]) for name, note in lines.notes.items() if "unit" in note}
    for name, (type, start, end) in lines.bounds.items():
        if type != "Unit" or not quantities:
            continue
        owner = lines.notes.get(name, {}).get("of")
        around = [q for q in quantities if _within(start, end, lines.bounds[q])]
        units.setdefault(owner or (around or quantities)[0], text[start:end])
    return units


def _within(start: int, end: int, bound: tuple[str, int, int]) -> bool:
    return bound[1] <= start and end <= bound[2]


def read_brat(folder: Path, texts: Mapping[str, str]) -> dict[str, Spans]:
    """The spans of each paragraph from a folder of ``<docId>-<set>.ann`` and ``<docId>.ann`` files.

    ``texts`` are the paragraphs by docId. ``<docId>.ann`` holds all sets of its document, or none.
    """
    docs: dict[str, list[Span]] = {}
    for path in sorted(folder.glob("*.ann"), key=lambda path: (len(path.name), path.name)):
        doc, _, number = path.stem.rpartition("-")
        if path.stem in texts:
            doc, number = path.stem, ""
        if doc not in texts:
            raise FormatError("there is no paragraph of this name", path=path)
        try:
            set = _whole(number) if number else None
            spans = from_brat(read_text(path), texts[doc], set=set)
        except FormatError as error:
            raise error.at(path) from None
        docs.setdefault(doc, []).extend(spans)
    return {doc: tuple(spans) for doc, spans in docs.items()}
