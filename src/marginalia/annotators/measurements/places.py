"""Where in its document a quantity stands: the section and the sentence around it."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from marginalia.core.document import Document
from marginalia.nlp.prose import SpanSet, spans_of
from marginalia.nlp.sentences import sentences

MAX_SENTENCE = 2_000
"""Characters; of a longer one a row has what stands around its quantity."""


class Places:
    """The sections, sentences and tables of a document, found once for all of its rows."""

    def __init__(self, doc: Document) -> None:
        self.doc = doc

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        return list(sentences(self.doc.text, self.doc.meta.get("lang")))

    @cached_property
    def _tables(self) -> SpanSet:
        return spans_of(self.doc, {"table"})

    def section(self, offset: int) -> str | None:
        """The title of the innermost section that holds the offset."""
        around = [
            section
            for section in self.doc.meta.get("sections") or ()
            if section["start"] <= offset < section["end"]
        ]
        # Sections lie within each other, so the innermost is the one that begins last.
        return max(around, key=lambda section: section["start"])["title"] if around else None

    def sentence(self, offset: int) -> str | None:
        """The text of the sentence that holds the offset, on one line; a table has no sentences."""
        place = bisect_right(self._sentences, offset, key=lambda one: one[0]) - 1
        if place < 0 or self._tables.hold(offset):
            return None
        start, end = self._sentences[place]
        if offset >= end:
            return None
        if (
            end - start > MAX_SENTENCE
        ):  # a table without lines, say: each of its numbers would repeat all of it
            half = MAX_SENTENCE // 2
            start, end = max(start, offset - half), min(end, offset + half)
        return " ".join(self.doc.text[start:end].split())
