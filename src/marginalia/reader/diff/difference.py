"""Two documents side by side: their paragraphs, notes and numbers, and what one says that the other contradicts or repeats."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from marginalia.core.annotator import Annotator
from marginalia.core.document import Annotation, Document
from marginalia.core.extraction import Across
from marginalia.core.report import plain
from marginalia.nlp.tokens import words
from marginalia.reader.diff.alignment import Alignment, Row
from marginalia.reader.view.caption import is_part

_NO_VALUES = ("why", "usefulness", "cloze", "question")
"""Attributes that are wording or ranks, no values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    kind: str
    """``changed``, ``new`` or ``gone``."""
    old: Annotation | None = None
    new: Annotation | None = None
    values: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    """Attribute -> what it was and what it is, where a note changed."""

    @property
    def note(self) -> Annotation:
        note = self.new or self.old
        assert note is not None  # noqa: S101 - one of them is always there
        return note

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "task": self.note.task,
            "label": self.note.label,
            "old": plain(self.old.to_dict()) if self.old else None,
            "new": plain(self.new.to_dict()) if self.new else None,
            "values": {name: list(pair) for name, pair in plain(self.values).items()},
        }


def find_changes(old: Document, new: Document, alignment: Alignment) -> list[Change]:
    """In the order of the new text; what is gone stands where it stood."""
    olds = [note for note in old.annotations if not is_part(note)]
    left = {note.id: note for note in new.annotations if not is_part(note)}
    by_kind: dict[tuple[str, str], list[Annotation]] = defaultdict(list)
    for note in left.values():
        by_kind[note.task, note.label].append(note)
    changes: list[tuple[int, Change]] = []
    lost: list[tuple[int, Annotation]] = []
    for note in olds:
        place = alignment.find(note.start, note.end)
        partner = _partner(note, place, by_kind[note.task, note.label], left) if place else None
        if partner is None:
            lost.append((place[0] if place else note.start, note))
            continue
        del left[partner.id]
        if _words(note) != _words(partner):
            values = dict(_values(note, partner))
            change = Change(kind="changed", old=note, new=partner, values=values)
            changes.append((partner.start, change))
    # What has only moved is as it was: a word that is explained elsewhere now, a sentence further down.
    moved: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for note in left.values():
        moved[note.task, note.label, _words(note)].append(note.id)
    for position, note in lost:
        if same := moved[note.task, note.label, _words(note)]:
            del left[same.pop(0)]
        else:
            changes.append((position, Change(kind="gone", old=note)))
    changes += [(note.start, Change(kind="new", new=note)) for note in left.values()]
    return [change for _, change in sorted(changes, key=lambda pair: pair[0])]


def _partner(
    note: Annotation,
    place: tuple[int, int],
    candidates: list[Annotation],
    left: Mapping[str, Annotation],
) -> Annotation | None:
    """The note at the place of this one; if there are several, one with the same words."""
    here = [
        one
        for one in candidates
        if one.id in left and one.start < place[1] and place[0] < max(one.end, one.start + 1)
    ]
    return next((one for one in here if _words(one) == _words(note)), here[0] if here else None)


def _words(note: Annotation) -> str:
    return " ".join(note.quote.lower().split())


def _values(old: Annotation, new: Annotation) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """The plain attributes that differ; offsets and confidences do not count."""
    for name in dict.fromkeys([*old.attrs, *new.attrs]):
        if name in _NO_VALUES or name.endswith(("_start", "_end", "_confidence")):
            continue
        pair = old.attrs.get(name), new.attrs.get(name)
        simple = all(value is None or isinstance(value, (str, int, float)) for value in pair)
        if simple and pair[0] != pair[1]:
            yield name, pair


@dataclass(frozen=True, slots=True)
class Number:
    """A figure of the documents as a whole, before and now."""

    name: str
    old: float
    new: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    old: Document
    new: Document
    rows: tuple[Row, ...]
    """All paragraphs of both, in order."""
    changes: tuple[Change, ...]
    numbers: tuple[Number, ...]
    across: tuple[Across, ...]

    @property
    def paragraphs(self) -> dict[str, int]:
        """How many are the same, changed, new and gone."""
        counts = Counter(row.kind for row in self.rows)
        return {kind: counts[kind] for kind in ("same", "changed", "new", "gone")}

    def to_dict(self) -> dict[str, Any]:
        return {
            "old": {"id": self.old.id, "path": self.old.meta.get("path")},
            "new": {"id": self.new.id, "path": self.new.meta.get("path")},
            "paragraphs": self.paragraphs,
            "numbers": [{"name": one.name, "old": one.old, "new": one.new} for one in self.numbers],
            "changes": [one.to_dict() for one in self.changes],
            "across": [quoted(one, self.old, self.new) for one in self.across],
        }


def quoted(one: Across, old: Document, new: Document) -> dict[str, Any]:
    """Two passages with their words."""
    words = {
        "old": old.text[one.old_start : one.old_end],
        "new": new.text[one.new_start : one.new_end],
    }
    return one.to_dict() | words


def compare_versions(
    old: Document,
    new: Document,
    annotators: Iterable[Annotator] = (),
    *,
    progress: Callable[[str, int, int], None] | None = None,
) -> Difference:
    """What changed between two documents with their notes.

    The tasks that compare documents (``Annotator.across``) add what one says that the other contradicts or repeats.
    """
    alignment = Alignment(old, new)
    return Difference(
        old=old,
        new=new,
        rows=tuple(alignment.rows),
        changes=tuple(find_changes(old, new, alignment)),
        numbers=tuple(_numbers(old, new)),
        across=find_across(old, new, annotators, progress=progress),
    )


def find_across(
    old: Document,
    new: Document,
    annotators: Iterable[Annotator],
    *,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[Across, ...]:
    """What one says that the other contradicts or repeats: the slow part, which asks models."""
    found = [
        one
        for annotator in annotators
        if annotator.across is not None
        for one in annotator.across(old, new, progress=progress)
    ]
    return tuple(sorted(found, key=lambda one: (one.kind, one.new_start, one.old_start)))


def _numbers(old: Document, new: Document) -> Iterator[Number]:
    sides = [dict(_figures(doc)) for doc in (old, new)]
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        before, now = (side.get(name, 0) for side in sides)
        if before != now:
            yield Number(name, before, now)


def _figures(doc: Document) -> Iterator[tuple[str, float]]:
    """The words, the notes of each kind, and the figures with which tasks sum the document up."""
    yield "words", sum(1 for _ in words(doc.text))
    kinds = Counter(f"{note.task}: {note.label}" for note in doc.annotations if not is_part(note))
    yield from sorted(kinds.items())
    for annotator, summary in doc.meta.get("summary", {}).items():
        for name, value in summary.items():
            counted = isinstance(value, (int, float)) and not isinstance(value, bool)
            if counted and name != "words":  # said already
                yield f"{annotator}: {name.replace('_', ' ')}", value
