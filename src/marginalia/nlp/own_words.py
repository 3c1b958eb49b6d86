"""What the document says of its own words: short forms with their long forms, and terms that it defines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from marginalia.core.document import Document
from marginalia.nlp.abbreviations import abbreviations, first_mentions
from marginalia.nlp.definitions import definitions
from marginalia.nlp.ease import ease
from marginalia.nlp.frequency import zipf
from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.prose import SpanSet, closed_spans, stands_free
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import words

FAR = 2_500
"""Characters after which a reader may have forgotten what was said: a page and a half."""
NEAR = 700
"""Characters on each side in which a reader sees the long form again."""
MAX_HEAD = 3
"""Words of a meaning by which it is known again."""
FAMILIAR_ZIPF = 4.0
"""A short form as frequent as this is known to everyone (TV, DNA)."""
TERM_ZIPF = 3.8
"""A defined term has a word that is rarer than this: else the sentence only says something of a thing."""

_INITIALS = re.compile(r"\b[A-Z]{2,4}(?:,|\s+and|\s+und|\s+&)\s+[A-Z]{2,4}\b")
# "IHC designed the study and wrote the manuscript": who did what for this article.
_CONTRIBUTED = re.compile(
    r"\b(?:wrote|drafted|revised|conceived|supervised|designed|approved)\s(?:[\w-]+\s){0,4}?(?:manuscript|paper|article|study|experiments?)\b",
    re.IGNORECASE,
)
BESIDE = 150
"""Characters on each side in which a line of contributions says so."""
_LEGEND = re.compile(r"\s*(?:[=:–—,]|\(\w+ \w)")


@dataclass(frozen=True, slots=True)
class OwnWord:
    """A word that the document explains, and the first place where a reader may have missed or forgotten it."""

    kind: str
    """``abbreviation`` or ``term``."""
    word: str
    meaning: str
    explained_at: int
    start: int = -1
    end: int = -1

    @property
    def is_far(self) -> bool:
        return self.start >= 0


def own_words(doc: Document, lang: str) -> Iterator[OwnWord]:
    """Everything that the document explains, in the order in which it does so."""
    silent, places = closed_spans(doc, lang), list(abbreviations(doc.text))
    said = [(min(a.start, a.long_start), max(a.end, a.long_end)) for a in places]
    closed = SpanSet.merge([*silent, *said])
    for short, one in first_mentions(places).items():
        if zipf(short, lang) >= FAMILIAR_ZIPF or silent.touch(one.long_start, one.long_end):
            continue
        pattern = re.compile(rf"(?<![\w-]){re.escape(short)}(?:s|'s)?(?![\w-])")
        low, high = min(one.start, one.long_start), max(one.end, one.long_end)
        place = _far_use(doc, pattern, low, high, closed, one.long, lang)
        yield OwnWord("abbreviation", short, _one_line(one.long), low, *place)
    seen = set()
    for two in definitions(doc.text, lang):
        term = _one_line(two.term)
        if term.lower() in seen or silent.touch(two.start, two.end) or not _is_term(term, lang):
            continue
        if not _is_easier(two.meaning, lang):
            continue
        seen.add(term.lower())
        pattern = re.compile(rf"(?<![\w-]){re.escape(term)}(?![\w-])", re.IGNORECASE)
        place = _far_use(doc, pattern, two.start, two.meaning_end, closed, two.meaning, lang)
        yield OwnWord("term", term, _one_line(two.meaning), two.start, *place)


def _is_term(term: str, lang: str) -> bool:
    """Whether it is a term and not just the subject of a sentence."""
    parts = term.split()
    return (
        len(parts) <= 3
        and all(word[0].isalpha() for word in parts)
        and min(ease(word, lang) for word in parts) < TERM_ZIPF
    )


def _is_easier(meaning: str, lang: str) -> bool:
    """Whether it explains: another name that is as hard does not."""
    said = [word for word in meaning.split() if word.isalpha()]
    return len(said) > 2 or (bool(said) and min(ease(word, lang) for word in said) >= TERM_ZIPF)


def _far_use(
    doc: Document,
    pattern: re.Pattern[str],
    low: int,
    high: int,
    closed: SpanSet,
    meaning: str,
    lang: str,
) -> tuple[int, int]:
    """The first use before the explanation, or well after it, around which it is not said again."""
    head = list(_stems(meaning, lang))[:MAX_HEAD]
    for match in pattern.finditer(doc.text):
        start, end = match.span()
        if low <= start < high + FAR or closed.touch(start, end):
            continue
        # "SF = long form" in a legend explains it again; alone in brackets or in a row (AB, CD and EF) they may be initials.
        alone = start > 0 and doc.text[start - 1] in "([" and doc.text[end : end + 1] in (")", "]")
        if alone or _LEGEND.match(doc.text, end):
            continue
        if _INITIALS.search(doc.text[max(0, start - 8) : end + 8]) or _CONTRIBUTED.search(
            doc.text[max(0, start - BESIDE) : end + BESIDE]
        ):
            continue
        if not stands_free(doc.text, start, end):
            continue
        # Last, since it reads the most.
        around = set(_stems(doc.text[max(0, start - NEAR) : end + NEAR], lang))
        if not around.issuperset(head):
            return start, end
    return -1, -1


def _stems(text: str, lang: str) -> Iterator[str]:
    """Of the words that carry meaning: "erweiterte Ausdrücke" says "erweiterten Ausdrücken" again."""
    for match in words(text.replace("-", " ")):
        if (word := match.group().lower()) not in FUNCTION_WORDS:
            yield stem(word, lang)


def _one_line(text: str) -> str:
    return " ".join(text.split())
