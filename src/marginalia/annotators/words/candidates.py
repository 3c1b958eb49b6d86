"""Words and expressions of a document that might stop a reader: every one that stands in running text, with its entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from marginalia.core.document import SILENT, Document
from marginalia.core.long_work import pause
from marginalia.lexicon.dictionary import Dictionary, Entry
from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.prose import closed_spans, spans_of, stands_free
from marginalia.nlp.sentences import sentences
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import words

NOT_READ = SILENT | {"table", "title"}
SENTENCES_PER_PAUSE = 50
MAX_CHARACTERS = 3000
"""A longer run without a full stop is a list or a table and not read: the encoder would take minutes for a long one."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word or expression at one place; offsets are those of its sentence."""

    start: int
    end: int
    form: str
    entry: Entry | None
    parts: tuple[str, ...]
    """The words of an expression; of a word, itself."""
    opens: bool
    """Whether it is the first of its sentence, where a capital says nothing."""

    def key(self, lang: str) -> str:
        """What all uses of a word or expression share."""
        word = self.entry.word if self.entry else self.form
        return word if len(self.parts) > 1 else stem(word, lang)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its candidates, in reading order."""

    start: int
    text: str
    candidates: tuple[Candidate, ...] = field(default=())


def sentences_of(doc: Document, lang: str, dictionary: Dictionary) -> Iterator[Sentence]:
    """The sentences of running text; what is code, an address or a formula has no candidates."""
    closed, blocks = closed_spans(doc, lang), spans_of(doc, NOT_READ, inline=False)
    for number, (start, end) in enumerate(sentences(doc.text, lang)):
        if number % SENTENCES_PER_PAUSE == 0:
            pause()
        if end - start > MAX_CHARACTERS or blocks.touch(start, end):
            continue
        text = doc.text[start:end]
        spans = [
            (low, high)
            for low, high in (match.span() for match in words(text))
            if not closed.touch(start + low, start + high)
            and stands_free(doc.text, start + low, start + high)
        ]
        yield Sentence(start, text, tuple(find_candidates(text, spans, dictionary)))


def find_candidates(
    text: str, spans: Sequence[tuple[int, int]], dictionary: Dictionary
) -> Iterator[Candidate]:
    """Expressions of the dictionary, the longest first, and the words that are in none."""
    lower = [text[low:high].lower() for low, high in spans]
    is_shouted = text.isupper()  # "MAP OF THE AREA" has no abbreviations
    place = 0
    while place < len(spans):
        low, high = spans[place]
        for expression in dictionary.expressions.get(lower[place], ()):
            end = expression.match(lower, place)
            if end is not None and _is_one_piece(text, spans, place, end):
                entry = dictionary.entry(expression.word)
                form = text[low : spans[end - 1][1]]
                parts = tuple(lower[place:end])
                yield Candidate(low, spans[end - 1][1], form, entry, parts, place == 0)
                place = end
                break
        else:
            form = text[low:high]
            if is_word(form):
                entry = dictionary.entry(form.lower() if is_shouted else form)
                yield Candidate(low, high, form, entry, (form,), place == 0)
            place += 1


def _is_one_piece(text: str, spans: Sequence[tuple[int, int]], first: int, end: int) -> bool:
    """Whether nothing but blanks and hyphens stands between the words."""
    gaps = (text[spans[n][1] : spans[n + 1][0]] for n in range(first, end - 1))
    return all(not gap.strip(" -‐‑\n") for gap in gaps)


def is_word(form: str) -> bool:
    """Whether it may be looked up: letters, no word of grammar."""
    return form[0].isalpha() and len(form) > 1 and form.lower() not in FUNCTION_WORDS
