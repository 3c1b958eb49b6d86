"""The words of a document with all places where each is used, whatever its form."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt

from marginalia.core.document import Document
from marginalia.core.pauses import pause
from marginalia.nlp.function_words import FUNCTION_WORDS
from marginalia.nlp.prose import spans_of
from marginalia.nlp.sentences import sentences
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import words
from marginalia.nlp.word_places import closed_spans, stands_free

WORDS_PER_STEP = 1_000
MIN_LETTERS = 4
MIN_SENTENCE_WORDS = 3
MAX_SENTENCE_CHARACTERS = 1_200
"""A longer run without a full stop is a list or a table."""
MIN_TERM_USES = 3
TERM_USES_PER_ROOT = 16
"""A word is a term of the document if it is used so often: three times, more in a book (the root of its words by this)."""


@dataclass(slots=True)
class Word:
    """One word of a document."""

    key: str
    """Its stem, which all forms share."""
    places: list[tuple[int, int]] = field(default_factory=list)
    """Where it stands in running text, in reading order."""
    count: int = 0
    """How often the document has it, in headings and tables too."""
    capitals: int = 0
    """How often it has a capital inside a sentence: a name."""
    in_heading: bool = False


@dataclass(frozen=True, slots=True)
class Uses:
    """All words of a document, and its sentences."""

    words: dict[str, Word]
    size: int
    """How many words the text has."""
    spans: tuple[tuple[int, int], ...]

    def sentence(self, offset: int) -> tuple[int, int]:
        place = bisect_right(self.spans, offset, key=lambda span: span[0]) - 1
        return self.spans[max(0, place)]

    def is_term(self, word: Word) -> bool:
        """Whether the document uses the word so often, or in a heading and again, that its reader knows it by now."""
        often = max(MIN_TERM_USES, sqrt(self.size) / TERM_USES_PER_ROOT)
        return word.count >= often or (word.in_heading and word.count > 1)


def uses_in(doc: Document, lang: str) -> Uses:
    """The words of a document by their stem."""
    text = doc.text
    spans = tuple(sentences(text, lang))
    starts = {_first_word(text, low) for low, _ in spans}
    closed, headings = closed_spans(doc, lang), spans_of(doc, {"heading", "title"})
    found: dict[str, Word] = {}
    size = 0
    for match in words(text):
        size += 1
        if size % WORDS_PER_STEP == 0:
            pause()
        form = match.group()
        if len(form) < MIN_LETTERS or not form.isalpha() or form.lower() in FUNCTION_WORDS:
            continue
        start, end = match.span()
        key = stem(form, lang)
        word = found.get(key) or found.setdefault(key, Word(key))
        word.count += 1
        if headings.hold(start):
            word.in_heading = True
        elif lang != "de" and form[0].isupper() and start not in starts:
            word.capitals += 1
        elif not closed.touch(start, end) and stands_free(text, start, end):
            word.places.append((start, end))
    return Uses(found, size, spans)


def _first_word(text: str, low: int) -> int:
    match = next(words(text[low : low + 80]), None)
    return low + match.start() if match else low


def is_prose(sentence: str) -> bool:
    """Whether it is a sentence in which a word has a meaning: long enough, with words of grammar, not in capitals."""
    if len(sentence) > MAX_SENTENCE_CHARACTERS or sentence.isupper():
        return False
    found = [match.group().lower() for match in words(sentence)]
    grammar = sum(word in FUNCTION_WORDS for word in found)
    return len(found) >= MIN_SENTENCE_WORDS and grammar * 6 >= len(found)


def in_order(uses: Uses) -> Iterator[Word]:
    """The words with a place in running text, by their first one."""
    yield from sorted((w for w in uses.words.values() if w.places), key=lambda word: word.places[0])
