"""A long document in parts, so that the first notes are there soon and memory stays bounded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.reader.view.blocks import blocks

PART_CHARACTERS = (2_000, 8_000, 32_000)
"""Characters of the first parts and of all that follow: a small start, then enough to keep all threads busy."""

_NUMBERED = re.compile(r"(.*?)(\d+)\Z", re.DOTALL)


def parts(doc: Document) -> Iterator[tuple[int, Document]]:
    """Where each part starts, and the part as a document of its own, cut between paragraphs."""
    bounds = list(_bounds(doc))
    if len(bounds) == 1:
        yield 0, doc
        return
    # What tells of places in the whole document would be wrong in a part.
    meta = {k: v for k, v in doc.meta.items() if k not in {"pages", "geometry", "sections"}}
    regions = _divided(doc.meta.get("regions", ()), bounds)
    tables = _divided(doc.meta.get("tables", ()), bounds)
    for (start, end), own, ours in zip(bounds, regions, tables, strict=True):
        places = {"regions": own, **({"tables": ours} if "tables" in meta else {})}
        yield start, Document(id=doc.id, text=doc.text[start:end], meta={**meta, **places})


def cut(doc: Document, start: int, end: int) -> Document:
    """One stretch of a document as a document of its own, which knows nothing of the rest."""
    meta = {k: v for k, v in doc.meta.items() if k not in {"pages", "geometry", "sections"}}
    for name in ("regions", "tables"):
        if name in meta:
            inside = (one for one in meta[name] if start <= one["start"] and one["end"] <= end)
            meta[name] = [_shifted(one, -start) for one in inside]
    return Document(id=doc.id, text=doc.text[start:end], meta=meta)


def move(note: Annotation, by: int) -> Annotation:
    """The note so many characters further on."""
    return replace(note, start=note.start + by, end=note.end + by, attrs=_shifted(note.attrs, by))


def _divided(
    places: Iterable[dict[str, Any]], bounds: Iterable[tuple[int, int]]
) -> Iterator[list[dict[str, Any]]]:
    """For each part what lies wholly in it, with offsets of its own."""
    ordered = sorted(places, key=lambda place: place["start"])
    first = 0
    for start, end in bounds:
        own = []
        while first < len(ordered) and ordered[first]["start"] < end:
            own.append(ordered[first])
            first += 1
        yield [_shifted(place, -start) for place in own if place["end"] <= end]


def _bounds(doc: Document) -> Iterator[tuple[int, int]]:
    start, number = 0, 0
    for cut in _cuts(doc):
        if cut - start >= PART_CHARACTERS[min(number, len(PART_CHARACTERS) - 1)]:
            yield start, cut
            start, number = cut, number + 1
    yield start, len(doc.text)


def _cuts(doc: Document) -> Iterator[int]:
    """Where paragraphs start, but not inside a region that holds several."""
    until = 0
    for block in blocks(doc):
        if block.start >= until:
            yield block.start
        until = max([until, *(region["end"] for region in block.regions)])


class Joiner:
    """Puts the notes of parts back into the document: offsets move, numbered ids go on counting."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.last: dict[str, int] = {}
        for prefix, number in map(_split, taken):
            self.last[prefix] = max(self.last.get(prefix, 0), number)

    def join(self, notes: Iterable[Annotation], start: int) -> list[Annotation]:
        notes = list(notes)
        names = {note.id: self._name(note.id) for note in notes}
        for note in notes:
            prefix, number = _split(note.id)
            if number:
                self.last[prefix] = max(self.last.get(prefix, 0), _split(names[note.id])[1])
        return [self._moved(note, names, start) for note in notes]

    def _name(self, id: str) -> str:
        prefix, number = _split(id)
        return f"{prefix}{number + self.last.get(prefix, 0)}" if number else id

    def _moved(self, note: Annotation, names: dict[str, str], start: int) -> Annotation:
        attrs = _shifted(note.attrs, start)
        if "part_of" in attrs:
            attrs["part_of"] = [names.get(id, id) for id in attrs["part_of"]]
        return replace(
            note,
            id=names[note.id],
            start=note.start + start,
            end=note.end + start,
            attrs=attrs,
            links={
                role: tuple(names.get(id, id) for id in ids) for role, ids in note.links.items()
            },
        )


def _split(id: str) -> tuple[str, int]:
    match = _NUMBERED.match(id)
    return (match[1], int(match[2])) if match else (id, 0)


def _shifted(value: Any, by: int, name: str = "") -> Any:
    """Data in which every offset has moved."""
    if isinstance(value, dict):
        return {key: _shifted(inner, by, key) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shifted(inner, by) for inner in value]
    offset = name in {"start", "end"} or name.endswith(("_start", "_end"))
    return value + by if offset and type(value) is int else value
