"""The words of a variable or a sentence as an index knows them: stems, German compounds whole and in parts.

German compounds are there whole and in parts, so that ``Arbeitszufriedenheit`` meets ``Zufriedenheit``.

Sentences and labels of both languages are compared with each other, so each word is stemmed in the language
in which it is the commoner one, wherever it stands.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from marginalia.nlp.compounds import split_compound
from marginalia.nlp.frequency import zipf
from marginalia.nlp.language import FUNCTION_WORDS, NEGATIONS
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import lower_words, words

PART_WEIGHT = 0.5
"""How much a part of a compound counts next to a whole word."""
STOP_WORD_WEIGHT = 0.1
"""How much a function word counts in a query: nearly nothing, but more than a word that is not there."""
MIN_STEM_LETTERS = 4
STEM_MARK = "~~"
STOP_WORDS = FUNCTION_WORDS | NEGATIONS
"""A variable is found whether a sentence affirms it or denies it."""


@lru_cache(maxsize=50_000)
def stems(text: str) -> tuple[str, ...]:
    """The stems of a text in its order; parts of a compound follow the whole."""
    return tuple(stem for _, _, found in stems_with_places(text) for stem in found)


def stems_with_places(text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Each word that is no function word: where it stands, its stem and those of its parts."""
    for match in words(text):
        start = match.start()
        for piece in match.group().split("-"):
            found = stems_of(piece.lower())
            if found:
                yield start, start + len(piece), found
            start += len(piece) + 1


@lru_cache(maxsize=100_000)
def stems_of(word: str) -> tuple[str, ...]:
    if len(word) < 2 or word in STOP_WORDS:
        return ()
    parts = split_compound(word)
    inner = [part for part in parts if part not in STOP_WORDS] if len(parts) > 1 else []
    return tuple(dict.fromkeys(stem(part) for part in (word, *inner)))


@lru_cache(maxsize=300_000)
def terms_of(word: str) -> tuple[tuple[str, float], ...]:
    """The word, in small letters, and the parts of it with what they count; a bare number is no word."""
    weights: dict[str, float] = {}
    for piece in word.replace("’", "'").replace("‐", "-").replace("‑", "-").split("-"):
        piece = piece.removesuffix("'s").strip("'.")
        if piece.isdigit() and len(piece) != 4:
            continue
        if piece:
            weights[piece] = 1.0
            parts = split_compound(piece) if piece.isalpha() else ()
            # "Overtime" is no German compound, though its parts are words of German texts.
            if len(parts) > 1 and zipf(piece, "de") >= zipf(piece, "en"):
                for part in parts:
                    weights.setdefault(part, PART_WEIGHT)
    return tuple(weights.items())


def count_terms(
    text: str, weight: float = 1.0, into: dict[str, float] | None = None
) -> dict[str, float]:
    """How often each term occurs, parts of compounds counting less."""
    found = {} if into is None else into
    for word in lower_words(text if text.isascii() else unicodedata.normalize("NFC", text)):
        for term, count in terms_of(word):
            found[term] = found.get(term, 0.0) + count * weight
    return found


def query_terms(text: str) -> dict[str, float]:
    """The terms of a query with what each counts, however often the query has it."""
    return {
        term: STOP_WORD_WEIGHT if term in STOP_WORDS else min(count, 1.0)
        for term, count in count_terms(text).items()
    }


def index_terms(text: str) -> list[str]:
    """The terms of a text that is searched, in its order, each longer one also by its stem."""
    found = []
    for word in lower_words(unicodedata.normalize("NFC", text)):
        for term, _ in terms_of(word):
            found += [term, *stem_term(term)]
    return found


@lru_cache(maxsize=300_000)
def stem_term(term: str) -> tuple[str, ...]:
    """The stem under a mark that tells it from words; more than a letter away from any."""
    if len(term) < MIN_STEM_LETTERS or term in STOP_WORDS or not term.isalpha():
        return ()
    return (f"{STEM_MARK}{stem(term)}",)
