"""Noun phrases in tagged words, by small rules: enough to see what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps.lexicon import lexicon
from marginalia.tasks.clarification.gaps.places import Word

Words = Sequence[Word]

POSSESSIVE = frozenset("my your his her its our their".split())
DETERMINERS = POSSESSIVE | frozenset(
    "the a an this that these those each every some any no another both all either neither".split()
)
_CONTRACTED = frozenset(
    "it's what's that's who's there's here's where's how's let's he's she's one's everything's".split()
)
TIMES = frozenset(
    "second minute hour day week month year night morning evening time moment".split()
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase: the indices of its first word and of what follows it, and of its last noun if it has one."""

    first: int
    after: int
    head: int | None


def phrase_at(words: Words, i: int) -> Phrase | None:
    """The noun phrase that begins with this word."""
    first = i
    if i < len(words) and (words[i].lower in DETERMINERS or words[i].tag == "DET"):
        i += 1
    head = None
    while i < len(words) and (i == first or words[i].joined):
        word = words[i]
        if word.tag in NOUNS:
            head = i
            if is_genitive(word):
                head = None  # the thing is still to come
        elif head is not None or not _before_noun(words, i, i > first):
            break
        i += 1
    return Phrase(first, i, head) if i > first else None


def _before_noun(words: Words, i: int, inside: bool) -> bool:
    """Whether the word can stand before the noun of its phrase."""
    word = words[i]
    if word.tag in ("NUM", "ADJ") or word.lower in ("own", "other", "same"):
        return True
    following = words[i + 1] if i + 1 < len(words) and words[i + 1].joined else None
    if following is None:
        return False
    if word.tag == "ADV":
        return following.tag == "ADJ"
    # "boiling water", "a used cloth"
    return (
        inside
        and word.tag == "VERB"
        and word.lower.endswith(("ed", "ing", "en"))
        and (following.tag in NOUNS)
    )


def phrases(words: Words) -> Iterator[Phrase]:
    """The noun phrases with a noun, from left to right."""
    i = 0
    while i < len(words):
        found = phrase_at(words, i)
        if found and found.head is not None:
            yield found
            i = found.after
        else:
            i += 1


def is_genitive(word: Word) -> bool:
    return word.tag in NOUNS and word.lower.endswith("'s") and word.lower not in _CONTRACTED


def looks_adjective(word: Word) -> bool:
    """Tagged so, or a word that is hardly ever a noun, or a superlative."""
    if word.tag == "ADJ":
        return True
    return word.tag in NOUNS and (word.lower in _adjectives() or _superlative(word.lower))


def _superlative(word: str) -> bool:
    return word.endswith("est") and word.removesuffix("est") in _adjectives()


@cache
def _adjectives() -> frozenset[str]:
    return frozenset(lexicon()["adjectives"])
