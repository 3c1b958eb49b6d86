"""A document as the checks see it: its text without code, formulas and lists of references, its sentences, its language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from marginalia.core.document import SILENT, Document
from marginalia.lang import DEFAULT, Language, language
from marginalia.nlp.language import document_language
from marginalia.nlp.prose import SpanSet, spans_of
from marginalia.nlp.sentences import sentences

SUBJECT = "statistics"
"""The file of a language with what is looked for and what is said."""
MAX_SENTENCE = 2_000
"""Characters; what is longer is a table or a list without full stops."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a span of the text, and the arithmetic that shows it."""

    label: str
    start: int
    end: int
    why: str


@dataclass(frozen=True)
class Manuscript:
    doc: Document

    @property
    def text(self) -> str:
        return self.doc.text

    @cached_property
    def lang(self) -> str:
        return document_language(self.doc)

    @cached_property
    def language(self) -> Language:
        return language(self.lang)

    @cached_property
    def silent(self) -> SpanSet:
        """Blocks that are not read; a formula within a line is."""
        return SpanSet.merge(
            [
                *spans_of(self.doc, SILENT - {"formula"}),
                *spans_of(self.doc, {"formula"}, inline=False),
            ]
        )

    @cached_property
    def tables(self) -> SpanSet:
        return spans_of(self.doc, {"table"})

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """Those of the prose, captions included, tables not."""
        return [
            (start, end)
            for start, end in sentences(self.text, self.lang)
            if end - start <= MAX_SENTENCE
            and not self.silent.touch(start, end)
            and not self.tables.touch(start, end)
        ]

    def matches(
        self, pattern: re.Pattern[str], start: int = 0, end: int | None = None
    ) -> Iterator[re.Match[str]]:
        """Where the pattern is found in what is read."""
        for match in pattern.finditer(self.text, start, len(self.text) if end is None else end):
            if not self.silent.touch(*match.span()):
                yield match

    def within(self, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], int, int]]:
        """Where the pattern is found in a sentence, with that sentence."""
        for start, end in self.sentences:
            for match in pattern.finditer(self.text, start, end):
                yield match, start, end

    def pattern(self, name: str) -> str:
        """Alternatives that the language has for this."""
        return self.language.pattern(SUBJECT, name)

    def say(self, message: str, /, **values: object) -> str:
        """What to tell the writer, in the language of the text."""
        messages = self.language.table(SUBJECT, "messages")
        if message not in messages:
            messages = language(DEFAULT).table(SUBJECT, "messages")
        return str(messages[message]).format(**values)
