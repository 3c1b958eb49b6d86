"""What nouns are and what stands before them, from WordNet 3.0; ``build`` says how the file was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from marginalia.core.resources import read_resource

PATH = Path(__file__).parent / "lexicon.json.gz"


@dataclass(frozen=True, slots=True)
class Noun:
    """What is known of a noun."""

    field: str
    """Its lexicographer file in WordNet, such as ``artifact`` or ``attribute``."""
    heads: int
    """How many names of things end in it."""
    modifiers: tuple[str, ...]
    parts: tuple[str, ...]


UNKNOWN = Noun("", 0, (), ())


@cache
def lexicon() -> Mapping[str, Any]:
    return dict(read_resource(__package__, PATH.name))


def is_noun(word: str) -> bool:
    return word in lexicon()["nouns"]


def noun(word: str) -> Noun:
    """What is known of a noun in the singular."""
    row = lexicon()["nouns"].get(word)
    return UNKNOWN if row is None else Noun(row[0], row[1], tuple(row[2]), tuple(row[3]))


@lru_cache(maxsize=20_000)
def singular(word: str) -> str:
    """The singular of a noun, in small letters; the word itself where it has none that is known."""
    word = word.lower()
    data = lexicon()
    if word in data["noun_forms"]:
        return str(data["noun_forms"][word])
    for ending, instead in (("ies", "y"), ("s", ""), ("es", "")):
        if word.endswith(ending) and not word.endswith("ss"):
            stem = word.removesuffix(ending) + instead
            if stem in data["nouns"]:
                return stem
    return word


@cache
def _plurals() -> dict[str, str]:
    return {one: many for many, one in lexicon()["noun_forms"].items()}


def plural(word: str) -> str:
    """The plural of a noun in the singular."""
    if word in _plurals():
        return _plurals()[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"
