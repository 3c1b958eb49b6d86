"""Which text of one document is which of the other: paragraph by paragraph, and word by word where a paragraph changed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from marginalia.core.document import Document
from marginalia.reader.view.blocks import Block, blocks

MIN_SHARED_WORDS = 0.4
"""Of the words of two paragraphs: with fewer, one was not made of the other."""
MAX_PAIRED = 400
"""Paragraphs of one stretch that are compared with each other; of longer ones, those with the same place."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_PIECE = re.compile(r"\s+|\d+(?:[.,]\d+)+|\w+|[^\w\s]")
"""With numbers whole: of 2,418 and 2,502 it does not help to see that both begin with a 2."""


@dataclass(frozen=True, slots=True)
class Row:
    """A paragraph and what became of it; None where it is only in the other document."""

    old: Block | None
    new: Block | None
    same: bool = False

    @property
    def kind(self) -> str:
        if self.old is None:
            return "new"
        if self.new is None:
            return "gone"
        return "same" if self.same else "changed"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A span of the old text and the span of the new one in its place."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    same: bool


class Alignment:
    def __init__(self, old: Document, new: Document) -> None:
        self.rows = list(_rows(old, new))
        self.stretches = sorted(
            (one for row in self.rows for one in _stretches(old, new, row)),
            key=lambda one: (one.old_start, one.old_end),
        )
        self._starts = [one.old_start for one in self.stretches]

    def find(self, start: int, end: int) -> tuple[int, int] | None:
        """The span of the new text that has the place of this one of the old; None if there is none."""
        parts = []
        for one in self.stretches[max(0, bisect_right(self._starts, start) - 1) :]:
            if one.old_start >= end and one.old_start > start:
                break
            if one.old_end <= start and one.old_end > one.old_start:
                continue
            if one.same:
                low = one.new_start + max(0, start - one.old_start)
                parts.append((low, one.new_end - max(0, one.old_end - end)))
            else:
                parts.append((one.new_start, one.new_end))
        return (min(low for low, _ in parts), max(high for _, high in parts)) if parts else None


def _rows(old: Document, new: Document) -> Iterator[Row]:
    sides = [[*blocks(doc)] for doc in (old, new)]
    texts = [
        [" ".join(doc.text[one.start : one.end].split()) for one in side]
        for doc, side in zip((old, new), sides, strict=True)
    ]
    matcher = SequenceMatcher(None, texts[0], texts[1], autojunk=False)
    for tag, i, j, k, n in matcher.get_opcodes():
        if tag == "equal":
            yield from (Row(a, b, True) for a, b in zip(sides[0][i:j], sides[1][k:n], strict=True))
        else:
            yield from _paired(sides[0][i:j], sides[1][k:n], texts[0][i:j], texts[1][k:n])


def _paired(
    olds: Sequence[Block], news: Sequence[Block], left: Sequence[str], right: Sequence[str]
) -> Iterator[Row]:
    """Each new paragraph with the old one that it was made of, in order."""
    first = 0
    words = [set(text.lower().split()) for text in left]
    for place, text in enumerate(right):
        mine = set(text.lower().split())
        best, share = -1, MIN_SHARED_WORDS
        for number in range(first, min(len(olds), first + MAX_PAIRED)):
            shared = len(mine & words[number]) / max(1, len(mine | words[number]))
            if shared > share:
                best, share = number, shared
        if best < 0:
            yield Row(None, news[place])
            continue
        yield from (Row(one, None) for one in olds[first:best])
        yield Row(olds[best], news[place])
        first = best + 1
    yield from (Row(one, None) for one in olds[first:])


def _stretches(old: Document, new: Document, row: Row) -> Iterator[Stretch]:
    if row.old is None or row.new is None:
        return
    a, b = row.old, row.new
    if row.same and a.end - a.start == b.end - b.start:
        yield Stretch(a.start, a.end, b.start, b.end, True)
        return
    left = [*_TOKEN.finditer(old.text, a.start, a.end)]
    right = [*_TOKEN.finditer(new.text, b.start, b.end)]
    texts = [match.group() for match in left], [match.group() for match in right]
    for tag, i, j, k, n in SequenceMatcher(None, texts[0], texts[1], autojunk=False).get_opcodes():
        if tag == "equal":  # word by word: white space between them may differ
            for one, other in zip(left[i:j], right[k:n], strict=True):
                yield Stretch(*one.span(), *other.span(), True)
        elif i < j and k < n:
            yield Stretch(
                left[i].start(), left[j - 1].end(), right[k].start(), right[n - 1].end(), False
            )


Pieces = list[tuple[str, bool]]
"""A text in pieces, and whether each is missing from the other text."""


def changed_words(old: str, new: str) -> tuple[Pieces, Pieces]:
    """Both texts word by word, each with whether it is missing in the other."""
    left, right = _PIECE.findall(old), _PIECE.findall(new)
    sides: tuple[Pieces, Pieces] = ([], [])
    for tag, i, j, k, n in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for side, piece in zip(sides, ("".join(left[i:j]), "".join(right[k:n])), strict=True):
            if piece:
                side.append((piece, tag != "equal"))
    return sides
