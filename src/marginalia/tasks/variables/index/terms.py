"""The words of a variable or a sentence as an index knows them, and their groups of letters.

German compounds are there whole and in parts, so that ``Arbeitszufriedenheit`` meets ``Zufriedenheit``.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from marginalia.nlp.compounds import split_compound
from marginalia.nlp.frequency import zipf
from marginalia.nlp.function_words import FUNCTION_WORDS, NEGATIONS
from marginalia.nlp.tokens import lower_words
from marginalia.tasks.variables.official.vocabulary import Variable

FIELD_WEIGHTS = {"study": 0.3, "items": 0.5, "answers": 0.3, "instructions": 0.3, "notes": 0.5}
"""How much a word counts in a field; 1 where nothing is said. Answers are alike in many variables."""
PART_WEIGHT = 0.5
"""How much a part of a compound counts next to a whole word."""
GRAM_LETTERS = 4
STOP_WORD_WEIGHT = 0.1
"""How much a function word counts in a query: nearly nothing, but more than a word that is not there."""
MIN_GRAM_LETTERS = 4
"""Words with fewer letters have no relatives: most that look alike are other words."""

STOP_WORDS = FUNCTION_WORDS | NEGATIONS
"""A variable is found whether a sentence affirms it or denies it."""


@lru_cache(maxsize=300_000)
def terms_of(word: str) -> tuple[tuple[str, float], ...]:
    """The word, in small letters, and the parts of it with what they count; a bare number is no word."""
    found: dict[str, float] = {}
    for piece in word.replace("’", "'").replace("‐", "-").replace("‑", "-").split("-"):
        piece = piece.removesuffix("'s").strip("'.")
        if piece.isdigit() and len(piece) != 4:
            continue
        if piece:
            found[piece] = 1.0
            parts = split_compound(piece) if piece.isalpha() else ()
            # "Overtime" is no German compound, though its parts are words of German texts.
            if len(parts) > 1 and zipf(piece, "de") >= zipf(piece, "en"):
                for part in parts:
                    found.setdefault(part, PART_WEIGHT)
    return tuple(found.items())


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


def variable_terms(variable: Variable) -> dict[str, float]:
    """The terms of all its fields, or of its text where the source does not tell fields apart."""
    found: dict[str, float] = {}
    texts = {name: value for name, value in variable.fields.items() if name != "name"}
    if not texts:
        count_terms(variable.text, into=found)
    for name, value in texts.items():
        count_terms(value, FIELD_WEIGHTS.get(name, 1.0), into=found)
    count_terms(variable.fields.get("name", ""), into=found)
    return found


@lru_cache(maxsize=300_000)
def grams(term: str) -> tuple[str, ...]:
    """The different groups of four letters, the edges of the word counting as letters."""
    if len(term) < MIN_GRAM_LETTERS or not term.isalpha():
        return ()
    padded = f"^{term}$"
    return tuple({padded[i : i + GRAM_LETTERS] for i in range(len(padded) - GRAM_LETTERS + 1)})
