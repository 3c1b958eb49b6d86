"""A text that is being written: read as a whole when it is opened or saved, and in between only where it changed.

Paragraphs that stay as they were keep their notes. A changed one is read by itself. An annotator whose notes depend on the whole
document then says less than it could, never more: what it did not report when it read the whole is not reported now.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.files import encode
from marginalia.reader.annotate import Progress, annotate, spoken
from marginalia.reader.cache import NoteCache
from marginalia.reader.lint.check import Matter, find_matters
from marginalia.reader.lint.wanted import Wanted
from marginalia.reader.parts import Joiner, cut, move
from marginalia.reader.read import read_data
from marginalia.reader.view.blocks import blocks
from marginalia.reader.view.findings import code_of, require_lines

Said = frozenset[tuple[str, str]]
"""Codes and quotes that were reported."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A state of the text with its notes and what is to be reported of it."""

    doc: Document
    source: str
    matters: tuple[Matter, ...]
    read_characters: int
    """How much of the text was read for notes this time."""


@dataclass(frozen=True, slots=True)
class _Paragraph:
    start: int
    end: int
    key: tuple[Any, ...]
    """Its text and its regions: what notes on it depend on, wherever it stands."""


class LiveText:
    """One file in an editor."""

    def __init__(self, path: Path, wanted: Wanted, *, cache: NoteCache | None = None) -> None:
        self.path, self.wanted, self.cache = path, wanted, cache
        self._doc: Document | None = None
        self._words = ""
        """The text that was last read as a whole, in lower case."""
        self._whole: Said = frozenset()
        """What was reported of it."""

    def check(self, source: str) -> Seen:
        """What the fast annotators report: the first answer for a file that was just opened."""
        doc = self._parse(source, None)
        return self._seen(doc.annotate(self._fast_notes(doc)), source, 0)

    def read(self, source: str, *, progress: Progress | None = None) -> Seen:
        """Read the whole text."""
        doc = self._parse(source, None)
        if self.wanted.annotators and doc.text.strip():
            doc = annotate(
                doc,
                self.wanted.annotators,
                options=self.wanted.options_for(doc),
                progress=progress,
                cache=self.cache,
            )
        self._words, self._whole = doc.text.lower(), _said(doc.annotations)
        return self._seen(doc, source, len(doc.text))

    def change(self, source: str) -> Seen:
        """Read what has changed since; the whole text if it was never read."""
        old = self._doc
        if old is None:
            return self.read(source)
        with _no_collection():
            return self._change(old, source)

    def _change(self, old: Document, source: str) -> Seen:
        doc = self._parse(source, str(old.meta["lang"]))
        slow = [one for one in self.wanted.annotators if not one.fast]
        names = {one.name for one in slow}
        old = replace(old, annotations=tuple(n for n in old.annotations if n.task in names))
        stay, changed, gone = _compare(old, doc)
        notes = [*_without_lost_links(stay, gone), *self._fast_notes(doc)]
        joiner = Joiner(note.id for note in notes)
        elsewhere, before = _said(notes), _said(gone)
        for one in changed:
            part = cut(doc, one.start, one.end)
            options = self.wanted.options_for(part)
            options = {n: v for n, v in options.items() if any(n in one.options for one in slow)}
            made = annotate(part, slow, options=options).annotations
            due = [note for note in made if self._is_due(note, elsewhere, before)]
            left_out = (note for note in made if note not in due)
            notes += joiner.join(_without_lost_links(due, left_out), one.start)
        read = sum(one.end - one.start for one in changed)
        return self._seen(doc.annotate(notes), source, read)

    def _is_due(self, note: Annotation, elsewhere: Said, before: Said) -> bool:
        """Whether a note on a changed paragraph would be made by a reading of the whole, as far as that is known."""
        if not any(
            annotator.whole for annotator in self.wanted.annotators if annotator.name == note.task
        ):
            return True
        said = code_of(note), note.quote.lower()
        if said in before or said in elsewhere:
            return said in before
        return said in self._whole or said[1] not in self._words

    def _fast_notes(self, doc: Document) -> list[Annotation]:
        """The notes of the annotators that read the whole text again at every change."""
        if not doc.text.strip():
            return []
        options, lang = self.wanted.options_for(doc), str(doc.meta["lang"])
        fast = (one for one in self.wanted.annotators if one.fast and one.knows(lang))
        return list(spoken(doc, (note for one in fast for note in one.notes_on(doc, **options))))

    def _parse(self, source: str, lang: str | None) -> Document:
        return require_lines(read_data(encode(source, self.path), self.path, lang=lang))

    def _seen(self, doc: Document, source: str, read: int) -> Seen:
        self._doc = doc
        matters = find_matters(doc, source, self.wanted) if doc.text.strip() else []
        return Seen(doc, source, tuple(matters), read)


@contextmanager
def _no_collection() -> Iterator[None]:
    """A change makes many small things and no cycles; looking for cycles among the models' data costs a fifth of it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _compare(
    old: Document, new: Document
) -> tuple[list[Annotation], list[_Paragraph], list[Annotation]]:
    """The notes that stay, at their new places; the paragraphs to be read; the notes that are gone."""
    before: dict[tuple[Any, ...], list[_Paragraph]] = defaultdict(list)
    for one in _paragraphs(old):
        before[one.key].append(one)
    stay: list[Annotation] = []
    changed = []
    kept: set[str] = set()
    notes = _by_paragraph(old)
    for one in _paragraphs(new):
        same = before.get(one.key)
        if not same:
            changed.append(one)
            continue
        was = same.pop(0)
        own = notes.get(was.start, [])
        kept |= {note.id for note in own}
        stay += [move(note, one.start - was.start) for note in own]
    return stay, changed, [note for note in old.annotations if note.id not in kept]


def _paragraphs(doc: Document) -> Iterator[_Paragraph]:
    regions = sorted(doc.meta.get("regions", ()), key=lambda region: region["start"])
    first = 0
    for block in blocks(doc):
        while first < len(regions) and regions[first]["start"] < block.start:
            first += 1
        inside = []
        for region in regions[first:]:
            if region["start"] >= block.end:
                break
            inside.append(
                (region["kind"], region["start"] - block.start, region["end"] - block.start)
            )
        around = tuple(region["kind"] for region in block.regions)
        text = doc.text[block.start : block.end]
        yield _Paragraph(block.start, block.end, (text, around, tuple(inside)))


def _by_paragraph(doc: Document) -> dict[int, list[Annotation]]:
    """The notes that lie within one paragraph, by its start."""
    notes_of: dict[int, list[Annotation]] = defaultdict(list)
    notes = iter(sorted(doc.annotations, key=lambda note: note.start))
    note = next(notes, None)
    for block in blocks(doc):
        while note is not None and note.start < block.end:
            if note.start >= block.start and note.end <= block.end:
                notes_of[block.start].append(note)
            note = next(notes, None)
    return notes_of


def _without_lost_links(
    notes: Iterable[Annotation], gone: Iterable[Annotation]
) -> Iterator[Annotation]:
    """The notes without links to those that are gone. One that spoke of nothing else goes too: what it contradicted,
    repeated or was part of is not there any more."""
    lost = {note.id for note in gone}
    for note in notes:
        links = {
            role: tuple(id for id in ids if id not in lost) for role, ids in note.links.items()
        }
        links = {role: ids for role, ids in links.items() if ids}
        if (note.links and not links) or lost.intersection(note.attrs.get("part_of") or ()):
            continue
        yield replace(note, links=links)


def _said(notes: Iterable[Annotation]) -> Said:
    return frozenset((code_of(note), note.quote.lower()) for note in notes)
