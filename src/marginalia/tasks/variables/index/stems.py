"""The stems of the words of a sentence or a variable, German compounds whole and in parts.

Sentences and labels of both languages are compared with each other, so each word is stemmed in the language
in which it is the commoner one, wherever it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from marginalia.nlp.compounds import split_compound
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import words
from marginalia.tasks.variables.index.terms import STOP_WORDS


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
