"""Where in its document a quantity stands: the section and the sentence around it."""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import cached_property
from typing import Any

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

    @cached_property
    def _titles(self) -> tuple[list[int], list[str | None]]:
        """Where the innermost section changes, and its title from there on. Sections lie within each other."""
        starts: list[int] = []
        titles: list[str | None] = []
        around: list[dict[str, Any]] = []

        def close(until: float) -> None:
            while around and around[-1]["end"] <= until:
                starts.append(around.pop()["end"])
                titles.append(around[-1]["title"] if around else None)

        sections = self.doc.meta.get("sections") or ()
        for section in sorted(sections, key=lambda one: (one["start"], -one["end"])):
            close(section["start"])
            around.append(section)
            starts.append(section["start"])
            titles.append(section["title"])
        close(math.inf)
        return starts, titles

    def section(self, offset: int) -> str | None:
        """The title of the innermost section that holds the offset."""
        starts, titles = self._titles
        place = bisect_right(starts, offset) - 1
        return titles[place] if place >= 0 else None

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
