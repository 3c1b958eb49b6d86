"""A document as the rules see it: its prose with true offsets, its words and sentences, its language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from marginalia.annotators.style.masks import BLOT, masked
from marginalia.core.document import Document
from marginalia.lang import DEFAULT, Language, language
from marginalia.nlp.language import document_language
from marginalia.nlp.prose import BLANK_LINE, SpanSet, paragraphs, spans_of
from marginalia.nlp.sentences import sentences, trimmed
from marginalia.nlp.vocabulary import EMPTY, Vocabulary

_WORD = re.compile(r"[^\W\d_]+(?:['’\-‐‑][^\W\d_]+)*")
_OPENING = re.compile(r"(?:[:\u2022•\-–*]|\n|\d[.)])\s{0,8}(?=[A-ZÄÖÜ])")
_LINE = re.compile(r"([ \t]*)[^\n]+")
MAX_INDENT_STEP = 1
"""Columns by which lines of one paragraph may differ."""
QUOTATION = r"[\"“„«][^\"“”„«»]*+[\"”“»]"
_QUOTATION = re.compile(QUOTATION)
_END = re.compile(r"[.!?:;…]\W*\Z")


class Word(
    NamedTuple
):  # tens of thousands are made at each change: a dataclass takes three times as long
    text: str
    start: int
    end: int
    opens: bool
    """Whether it is the first of a sentence, heading or item: a capital letter then says nothing."""


@dataclass(frozen=True)
class Draft:
    doc: Document
    limits: dict[str, int] = field(default_factory=dict)
    """Bounds that a profile or project sets, by the code of the rule."""
    vocabulary: Vocabulary = EMPTY

    @cached_property
    def lang(self) -> str:
        return document_language(self.doc)

    @cached_property
    def text(self) -> str:
        """The text with everything blotted out that is not linted."""
        return masked(self.doc)

    @cached_property
    def headings(self) -> SpanSet:
        return spans_of(self.doc, {"heading", "caption"})

    @cached_property
    def paragraphs(self) -> list[tuple[int, int]]:
        """The paragraphs that are no heading and have some prose."""
        blocks = paragraphs(self.text)
        if self.doc.meta.get("format") == "text":
            blocks = (block for one in blocks for block in _by_indent(self.text, *one))
        return [
            (start, end)
            for start, end in blocks
            if not self.headings.touch(start, end) and _has_prose(self.text[start:end])
        ]

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Those of the paragraphs."""
        spans = []
        for start, end in self.paragraphs:
            inner = sentences(self.text[start:end], self.lang)
            spans += [(start + low, start + high) for low, high in inner]
        return spans

    @cached_property
    def words(self) -> list[Word]:
        """All words of the prose, headings included; numbers are none."""
        return [
            Word(text, start + low, start + high, opens)
            for start, end in paragraphs(self.text)
            for text, low, high, opens in _words(self.text[start:end], self.lang)
        ]

    @cached_property
    def pairs(self) -> list[tuple[Word, Word]]:
        """Words with nothing but one gap between them, in one paragraph."""
        neighbours = []
        for left, right in pairwise(self.words):
            gap = self.text[left.end : right.start]
            if gap == " " or (gap.isspace() and not BLANK_LINE.search(gap) and "\t" not in gap):
                neighbours.append((left, right))
        return neighbours

    @cached_property
    def quotations(self) -> SpanSet:
        """Words of others, whose spelling is not the writer's."""
        return SpanSet.merge(
            (start + match.start(), start + match.end())
            for start, end in paragraphs(self.text)
            for match in _QUOTATION.finditer(self.text[start:end])
        )

    def in_heading(self, offset: int) -> bool:
        return self.headings.hold(offset)

    def line_count(self, offset: int) -> int:
        return self.doc.text.count("\n", 0, offset) + 1

    def limit(self, code: str, otherwise: int) -> int:
        return self.limits.get(code, otherwise)

    @cached_property
    def language(self) -> Language:
        """The data of its language."""
        return language(self.lang)

    def listed(self, name: str) -> frozenset[str]:
        """Words that the language lists for a rule."""
        return self.language.words("style", name)

    def say(self, message: str, /, **values: object) -> str:
        """What to tell the writer, in the language of the text; in the default one where it has no such message."""
        messages = self.language.table("style", "messages")
        if message not in messages:
            messages = language(DEFAULT).table("style", "messages")
        return str(messages[message]).format(**values)


@lru_cache(maxsize=2**12)  # a text that is edited has the same paragraphs in each version
def _words(text: str, lang: str) -> tuple[tuple[str, int, int, bool], ...]:
    """The words of a paragraph, as ``Word`` has them."""
    starts = {match.end() for match in _OPENING.finditer(text)}
    for low, high in sentences(text, lang):
        first = _WORD.search(text, low, high)
        if first:
            starts.add(first.start())
    words = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        beside = text[max(0, start - 1) : start], text[end : end + 1]
        if (
            BLOT in beside
            or "\\" in beside
            or "_" in beside
            or beside[0].isdigit()
            or beside[1].isdigit()
        ):
            continue  # a piece of something that was blotted out
        words.append((match.group(), start, end, start in starts))
    return tuple(words)


def _by_indent(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines of a plain text that are indented alike: a term and what is said of it are two blocks."""
    first, before = start, None
    for match in _LINE.finditer(text, text.rfind("\n", 0, start) + 1, end):
        indent = len(match[1].expandtabs())
        if before is not None and abs(indent - before) > MAX_INDENT_STEP:
            yield from trimmed(text, first, match.start())
            first = match.start()
        before = indent
    yield from trimmed(text, first, end)


def _has_prose(text: str) -> bool:
    return _WORD.search(text) is not None


def ends_like_a_sentence(text: str) -> bool:
    return _END.search(text) is not None
