"""Two documents side by side: their paragraphs, notes and numbers, and what one says that the other contradicts or repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from marginalia.core.annotator import Annotator
from marginalia.core.document import Document
from marginalia.core.extraction import Across
from marginalia.nlp.tokens import words
from marginalia.reader.diff.alignment import Alignment, Row
from marginalia.reader.diff.changes import Change, find_changes
from marginalia.reader.view.caption import is_part


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
