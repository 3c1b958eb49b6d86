"""The prose of a document: its paragraphs and sentences, without what its regions say is none, and where its words are read
as words: not in code, addresses, names of files or foreign quotations.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from marginalia.core.document import SILENT, Document
from marginalia.nlp.frequency import zipf
from marginalia.nlp.sentences import sentences, trimmed
from marginalia.nlp.tokens import words

BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
LINE = re.compile(r"[^\n]+")

_REFERENCES = re.compile(
    r"(?:(?:\d{1,2}|[ivx]+|[a-z])[.)]?\s+)?"
    r"(?:references(?: cited)?|bibliography|works cited|literature(?: cited)?|reference list|further reading|"
    r"literatur(?:verzeichnis|angaben)?|quellen(?:verzeichnis)?|referenzen|bibliogra(?:ph|f)ie)\W*",
    re.IGNORECASE,
)

# What may begin with a long run of letters is looked for where the run begins, or is bounded: a text may be one word.
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{0,40}://\S+|www\.\S+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+"  # URLs and e-mail
    r"|(?<!\w)(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]*)+|(?<![\w.-])[\w.-]+/[\w.-]+/[\w./-]*"  # paths
    r"|(?<![\w-])[\w-]+\.(?:[a-z]{2,4}|[ch]|toml|yaml|json|html)(?!\w)(?!\s+[A-Z])"  # names of files
    r"|\{[^{}\n]{0,40}\}|\[\[[^\]\n]{0,60}\]\]|<[^<>\n]{1,60}>|&\w+;"  # markup
    r"|:[\w.+-]+:(?:`[^`\n]*`)?|\\[a-zA-Z]+(?:\{[^{}\n]*\})?|`[^`\n]+`",  # roles and commands
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“„«\"]([^“”„«»\"\n]{8,160})[”“»\"]")
_BEFORE, _AFTER = (
    frozenset("-_./\\@#:$`{<=&~+|^*%0123456789"),
    frozenset("_/\\(@=`{<~|^+*0123456789"),
)
FOREIGN_ZIPF = 3.5
"""A quotation of which more than half of the words are rarer than this is in another language."""


@dataclass(frozen=True, slots=True)
class SpanSet:
    """SpanSet in reading order that neither overlap nor touch; a question about a place is a binary search."""

    pairs: tuple[tuple[int, int], ...] = ()

    @classmethod
    def merge(cls, pairs: Iterable[tuple[int, int]]) -> SpanSet:
        merged: list[tuple[int, int]] = []
        for start, end in sorted(pairs):
            if merged and start <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(merged[-1][1], end)
            else:
                merged.append((start, end))
        return cls(tuple(merged))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self.pairs)

    def hold(self, offset: int) -> bool:
        """Whether one of them holds this character."""
        return self.cover(offset, offset + 1)

    def cover(self, start: int, end: int) -> bool:
        """Whether one of them holds all of the span."""
        place = bisect_right(self.pairs, start, key=lambda pair: pair[0]) - 1
        return place >= 0 and end <= self.pairs[place][1]

    def holding(self, offset: int) -> tuple[int, int] | None:
        """The one that holds this character."""
        place = bisect_right(self.pairs, offset, key=lambda pair: pair[0]) - 1
        return self.pairs[place] if place >= 0 and offset < self.pairs[place][1] else None

    def touch(self, start: int, end: int) -> bool:
        """Whether one of them shares a character with the span."""
        place = bisect_right(self.pairs, end - 1, key=lambda pair: pair[0]) - 1
        return start < end and place >= 0 and start < self.pairs[place][1]


NO_SPANS = SpanSet()


def spans_of(doc: Document, kinds: Iterable[str], *, inline: bool | None = None) -> SpanSet:
    """Where the document has regions of these kinds; with ``inline``, only those within lines, or only blocks."""
    kinds = frozenset(kinds)
    return SpanSet.merge(
        (region["start"], region["end"])
        for region in doc.meta.get("regions", ())
        if region["kind"] in kinds and (inline is None or bool(region.get("inline")) is inline)
    )


def paragraphs(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """The runs of text between blank lines, without the white space around them."""
    end = len(text) if end is None else end
    for match in BLANK_LINE.finditer(text, start, end):
        yield from trimmed(text, start, match.start())
        start = match.end()
    yield from trimmed(text, start, end)


def beside_tables(
    text: str, tables: Iterable[tuple[int, int]], piece: re.Pattern[str]
) -> Iterator[tuple[int, int, bool]]:
    """The text in order: what stands between tables, and each piece (a cell, a line) of the tables, marked as such."""
    last = 0
    for start, end in tables:
        yield last, start, False
        for match in piece.finditer(text, max(last, start), end):
            yield *match.span(), True
        last = max(last, end)
    yield last, len(text), False


def prose_sentences(
    doc: Document, *, without: Iterable[str], lang: str | None = None
) -> Iterator[tuple[int, int]]:
    """The sentences of a document that share no character with a region of these kinds."""
    left_out = spans_of(doc, without)
    for start, end in sentences(doc.text, lang):
        if not left_out.touch(start, end):
            yield start, end


def is_reference_heading(title: str) -> bool:
    """Whether a section of this title lists what was cited."""
    return _REFERENCES.fullmatch(title.strip()) is not None


def closed_spans(doc: Document, lang: str) -> SpanSet:
    """Where no word is looked at."""
    spans = [(m.start(), m.end()) for m in _ADDRESS.finditer(doc.text)]
    spans += _foreign_quotations(doc.text, lang)
    spans += spans_of(doc, {*SILENT, "table", "heading", "caption", "title"})
    return SpanSet.merge(spans)


def _foreign_quotations(text: str, lang: str) -> Iterator[tuple[int, int]]:
    for match in _QUOTED.finditer(text):
        inside = [word.group() for word in words(match[1]) if word.group().isalpha()]
        known = sum(zipf(word, lang) >= FOREIGN_ZIPF for word in inside)
        if len(inside) > 1 and 2 * known < len(inside):
            yield match.span()


def stands_free(text: str, start: int, end: int) -> bool:
    """Whether the word is no part of an identifier, option, call, number with unit or compound with a sign."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in _BEFORE or after in _AFTER:
        return before == after == ""
    if after in ".:" and text[end + 1 : end + 2].isalnum():
        return False
    # 5 farads: a unit
    return not text[max(0, start - 2) : start].rstrip().endswith(tuple("0123456789"))
