"""Words without their endings, and the parts of German compounds: how sentences and variables are compared.

The labels of German surveys are in capitals with AE for Ä, so umlauts are written that way everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from marginalia.nlp.compounds import split_compound
from marginalia.nlp.tokens import words
from marginalia.tasks.variables.index.terms import FUNCTION_WORDS

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
ENDINGS = (
    "ungen", "ingen", "ities", "ing", "ung", "ies", "isch", "ern", "est",
    "ed", "en", "er", "es", "em", "s", "e", "n",
)  # fmt: skip
MIN_STEM = 4


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
    if len(word) < 2 or word in FUNCTION_WORDS:
        return ()
    parts = split_compound(word)
    inner = [part for part in parts if part not in FUNCTION_WORDS] if len(parts) > 1 else []
    return tuple(dict.fromkeys(stem(part) for part in (word, *inner)))


def stem(word: str) -> str:
    """The word without its ending, English or German; rough, and the same for both sides of a match."""
    plain = word.translate(UMLAUTS)
    for ending in ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= MIN_STEM:
            return plain[: -len(ending)]
    return plain
