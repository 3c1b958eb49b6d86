"""A file of decisions, for documents that are read again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from marginalia.core.decisions import Decision, read_decisions
from marginalia.core.document import Document
from marginalia.reader.decisions.apply import apply
from marginalia.reader.view.caption import shorten


class Decided:
    """Decisions by document. A file about one document is taken for whichever is read: its name may have changed."""

    def __init__(self, path: Path, keep: str) -> None:
        self.keep = keep
        self._found: dict[str, list[Decision]] = {}
        for one in read_decisions(path):
            self._found.setdefault(one.document, []).append(one)
        self._lost: dict[str, tuple[Decision, ...]] = {}

    def apply(self, doc: Document) -> Document:
        own = self._found.get(doc.id)
        if own is None and len(self._found) == 1:
            (own,) = self._found.values()
        applied = apply(doc, own or (), keep=self.keep)
        self._lost[doc.id] = applied.lost
        return applied.doc

    def lost(self, doc: Document) -> Iterator[str]:
        """A sentence for each decision whose place is gone, or one if the file has none on this document."""
        if len(self._found) > 1 and doc.id not in self._found:
            yield f"{doc.id}: no decision is about it, only about {shorten(', '.join(self._found), 200)}"
        for one in self._lost.get(doc.id, ()):
            quote = shorten(one.note.quote, 60)
            yield f"{doc.id}: the place of a decision is gone: {one.verdict} {quote!r}"
