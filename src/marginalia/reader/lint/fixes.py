"""Fixes in the file itself. They are proved by reading the file again: nothing but the words in question may have changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from itertools import pairwise
from pathlib import Path

from marginalia.core.document import Annotation, Document
from marginalia.core.files import encode
from marginalia.reader.read import read_data
from marginalia.reader.view.places import Places

MAX_LOOK_AROUND_CHARACTERS = 400
"""So far from where the words seem to stand they are looked for, if mark-up has led astray."""
MAX_LOOKS = 8

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """A span of the document's text and what should stand in its place."""

    start: int
    end: int
    text: str


Placed = dict[Edit, Span]
"""Where in the source each edit is made."""


def edits_of(note: Annotation) -> tuple[Edit, ...]:
    """What a note would have written instead (``attrs["edits"]``), here or where the same stands again."""
    return tuple(Edit(**edit) for edit in note.attrs.get("edits", ()))


def place_edits(doc: Document, source: str, edits: Iterable[Edit]) -> Placed:
    """The edits that can be made in the source of this document without touching anything else.

    All are tried at once; where that is not safe, each half by itself.
    """
    return _place(doc, Places(source, doc.text), _apart(edits), {})


def write_edits(source: str, placed: Placed) -> str:
    for edit, (start, end) in sorted(placed.items(), key=lambda one: -one[1][0]):
        source = source[:start] + edit.text + source[end:]
    return source


def diff(path: Path, old: str, new: str) -> str:
    """What was changed in a file, as a unified diff."""
    names = f"a/{path.as_posix()}".replace("//", "/"), f"b/{path.as_posix()}".replace("//", "/")
    lines = unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), *names)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _place(doc: Document, places: Places, edits: Sequence[Edit], done: Placed) -> Placed:
    if not edits:
        return done
    spans = {edit: places.span(edit.start, edit.end) for edit in edits}
    all_there = all(_has(doc, places.source, edit, span) for edit, span in spans.items())
    if all_there and _is_safe(doc, places.source, {**done, **spans}):
        return {**done, **spans}
    if len(edits) > 1:
        middle = len(edits) // 2
        return _place(doc, places, edits[middle:], _place(doc, places, edits[:middle], done))
    for span in _other_spans(doc, places, edits[0]):
        if _is_safe(doc, places.source, {**done, edits[0]: span}):
            return {**done, edits[0]: span}
    return done


def _has(doc: Document, source: str, edit: Edit, span: Span) -> bool:
    """Whether the source has the same words there, and no mark-up between them."""
    return source[slice(*span)].split() == doc.text[edit.start : edit.end].split()


def _other_spans(doc: Document, places: Places, edit: Edit) -> list[Span]:
    """Where else near by the same words stand."""
    quote = doc.text[edit.start : edit.end]
    near = places.offset(edit.start)
    start, spans = max(0, near - MAX_LOOK_AROUND_CHARACTERS), list[Span]()
    while len(spans) < MAX_LOOKS:
        start = places.source.find(quote, start, near + MAX_LOOK_AROUND_CHARACTERS)
        if start < 0:
            break
        spans.append((start, start + len(quote)))
        start += 1
    return spans


def _is_safe(doc: Document, source: str, placed: Placed) -> bool:
    """Whether the changed source, read again, is the changed text and has the same regions."""
    if any(end > start for (_, end), (start, _) in pairwise(sorted(placed.values()))):
        return False
    wanted = doc.text
    for edit in sorted(placed, key=lambda one: -one.start):
        wanted = wanted[: edit.start] + edit.text + wanted[edit.end :]
    again = _read_again(doc, write_edits(source, placed))
    return again.text == wanted and _kinds(again) == _kinds(doc)


def _kinds(doc: Document) -> list[str]:
    return [str(region["kind"]) for region in doc.meta.get("regions", ())]


def _read_again(doc: Document, source: str) -> Document:
    from marginalia.reader.formats.registry import all_formats

    path = Path(str(doc.meta["path"]))
    format = all_formats()[str(doc.meta["format"])]
    return read_data(encode(source, path), path, lang=str(doc.meta["lang"]), format=format)


def _apart(edits: Iterable[Edit]) -> list[Edit]:
    """In the order of the text; of two that touch each other the first."""
    apart: list[Edit] = []
    for edit in sorted(set(edits), key=lambda one: (one.start, one.end, one.text)):
        if not apart or edit.start >= apart[-1].end:
            apart.append(edit)
    return apart
