"""Which word of one text answers to which of the other.

Each word gets at most one partner, the likeliest pairs first: the same word, another form of it, the
same number written otherwise, and, where the encoder has made their vectors, words near in meaning.
Among equal candidates the pair whose neighbours agree wins, then the one at the like place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.compounds import split_compound
from marginalia.nlp.language import FUNCTION_WORDS, english_or_german
from marginalia.nlp.stems import stem
from marginalia.nlp.tagger import capitals_are_mute
from marginalia.nlp.tokens import words
from marginalia.tasks.similarity.systems.languages import sentence_language
from marginalia.tasks.similarity.systems.numerals import numerals, same

Span = tuple[int, int]
Near = NDArray[np.float32]
"""A row for each word of the left text, a column for each of the right one."""

MIN_NEAR_COSINE = 0.45
"""So near in meaning two words must be, where unrelated ones have about 0, to be linked."""
MIN_NEAR_NAMES_COSINE = 0.8
MAX_WORDS = 400
"""Words of each text that are aligned; comparing more would take quadratic time."""
LEMMA_SCORE, NUMBER_SCORE, PART_SCORE = 0.95, 0.95, 0.7


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its offsets."""

    start: int
    end: int
    text: str
    content: bool
    """False for words such as ``the``, which hold a sentence together"""


@dataclass(frozen=True, slots=True)
class Link:
    """A word of the left text and its partner in the right one, by their places in the list of words."""

    left: int
    right: int
    kind: str
    """``same``, ``lemma``, ``number`` or ``near``"""
    score: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """The words of both texts, and the links between them in the order of the left text."""

    left: tuple[Word, ...]
    right: tuple[Word, ...]
    links: tuple[Link, ...]

    @property
    def only_left(self) -> tuple[Word, ...]:
        """What has no partner in the right text."""
        linked = {link.left for link in self.links}
        return tuple(word for place, word in enumerate(self.left) if place not in linked)

    @property
    def only_right(self) -> tuple[Word, ...]:
        linked = {link.right for link in self.links}
        return tuple(word for place, word in enumerate(self.right) if place not in linked)

    def turned(self) -> Alignment:
        """The same with left and right exchanged."""
        links = [Link(link.right, link.left, link.kind, link.score) for link in self.links]
        return Alignment(self.right, self.left, tuple(sorted(links, key=lambda link: link.left)))


def align(a: str, b: str, *, near: Near | None = None) -> Alignment:
    """The alignment of two texts; ``near`` says how near their words are in meaning (``word_vectors.word_units``).

    Without it only what is written alike or is the same number is linked.
    """
    # One order for both, so that exchanging the texts exchanges the sides and nothing else.
    if b < a:
        return align(b, a, near=None if near is None else near.T).turned()
    left, right = side(a), side(b)
    candidates = []
    for i, j in sorted(_worth(left, right, near)):
        found = _compare(left, i, right, j, 0.0 if near is None else float(near[i, j]))
        if found:
            candidates.append((*found, i, j))
    kinds = {(i, j): kind for kind, _, i, j in candidates}
    n, m = max(1, len(left.words)), max(1, len(right.words))

    def rank(candidate: tuple[str, float, int, int]) -> tuple[float, ...]:
        _, score, i, j = candidate
        around = ((i - 1, j - 1) in kinds) + ((i + 1, j + 1) in kinds)
        return (-score, -around, abs(i * m - j * n), i, j)

    links: dict[int, Link] = {}
    taken: set[int] = set()
    for kind, score, i, j in sorted(candidates, key=rank):
        if i not in links and j not in taken:
            links[i] = Link(i, j, kind, score)
            taken.add(j)
    return Alignment(left.words, right.words, tuple(links[i] for i in sorted(links)))


class Side:
    """One text: its language, its words, their stems, and the number that each is."""

    def __init__(self, text: str) -> None:
        self.lang = "de" if english_or_german(text) == "de" else sentence_language(text)
        self.words = tuple(words_of(text, self.lang))
        self.lower = [word.text.lower().replace("’", "'") for word in self.words]
        self.stems = [stem(word, self.lang) for word in self.lower]
        mute = self.lang == "de" or capitals_are_mute([word.text for word in self.words])
        self.names = [
            not mute and word.text[0].isupper() and not opens_sentence(text, word.start)
            for word in self.words
        ]
        spans = {(one.start, one.end): one for one in numerals(text, self.lang)}
        self.numbers = [spans.get((word.start, word.end)) for word in self.words]

    @cached_property
    def heads(self) -> list[str]:
        """The last part of each German compound, which says what kind of thing it is; else the stem."""
        return [stem(split_compound(word)[-1], "de") if word else "" for word in self.lower]


@lru_cache(maxsize=512)
def side(text: str) -> Side:
    """A text taken apart; a sentence is often compared with many."""
    return Side(text)


def _worth(left: Side, right: Side, near: Near | None) -> Iterator[tuple[int, int]]:
    """The pairs that could be linked at all: all others need not be looked at."""
    keys = [(left.lower, right.lower), (left.stems, right.stems)]
    if left.lang == right.lang == "de":
        keys.append((left.heads, right.heads))
    pairs: set[tuple[int, int]] = set()
    for one, other in keys:
        places: dict[str, list[int]] = {}
        for j, key in enumerate(other):
            places.setdefault(key, []).append(j)
        pairs |= {(i, j) for i, key in enumerate(one) for j in places.get(key, ())}
    numbers = [[i for i, one in enumerate(text.numbers) if one] for text in (left, right)]
    pairs |= {(i, j) for i in numbers[0] for j in numbers[1]}
    if near is not None:
        pairs |= {(i, j) for i, j in np.argwhere(near >= MIN_NEAR_COSINE).tolist()}
    yield from pairs


def opens_sentence(text: str, start: int) -> bool:
    """Whether a capital at this place says nothing."""
    before = text[:start].rstrip(" \"'“‘(")
    return not before or before[-1] in ".!?:"


def words_of(text: str, lang: str | None = None) -> list[Word]:
    """The words of a text; a number with its unit and a date are one word each: ``2 million``, ``May 3``."""
    listed: list[Word] = []
    numbers = [(one.start, one.end) for one in numerals(text, lang or english_or_german(text))]
    spans = [match.span() for match in words(text)]
    for start, end in sorted({*numbers, *_outside(spans, numbers)})[:MAX_WORDS]:
        word = text[start:end]
        listed.append(Word(start, end, word, word.lower() not in FUNCTION_WORDS))
    return listed


def _outside(spans: Sequence[Span], numbers: Sequence[Span]) -> Iterator[Span]:
    """The spans that overlap no number; both lists are in order."""
    place = 0
    for start, end in spans:
        while place < len(numbers) and numbers[place][1] <= start:
            place += 1
        if place == len(numbers) or numbers[place][0] >= end:
            yield start, end


def _compare(left: Side, i: int, right: Side, j: int, near: float) -> tuple[str, float] | None:
    """The kind and strength of the link that two words could have."""
    a, b = left.lower[i], right.lower[j]
    if a == b:
        return "same", 1.0
    one, other = left.numbers[i], right.numbers[j]
    if one or other:
        return ("number", NUMBER_SCORE) if one and other and same(one, other) else None
    if left.stems[i] == right.stems[j] and len(left.stems[i]) > 2:
        return "lemma", LEMMA_SCORE
    if left.words[i].content and right.words[j].content:
        if left.lang == right.lang == "de" and left.heads[i] == right.heads[j]:
            return "lemma", PART_SCORE
        # Any two names of people are near, and yet not the same; Spain and Spanish are nearer.
        if near >= (MIN_NEAR_NAMES_COSINE if left.names[i] and right.names[j] else MIN_NEAR_COSINE):
            return "near", round(min(near, 0.94), 6)
    return None
