"""Sentences of a document that cannot both be true: one says what the other denies, of the same thing in the same words.

Nothing is concluded from two sentences that differ in a number or a name: those speak of two things far more often than they
contradict each other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from marginalia.core.long_work import pause
from marginalia.lang import compile_all, words_of_all
from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.prose import NO_SPANS, SpanSet
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import lower_words, words
from marginalia.tasks.similarity.search.passages import Passage
from marginalia.tasks.similarity.systems.differences import Difference

MIN_CONTENT_WORDS = 3
"""That say something, which both sentences must have."""
MIN_SHARED_WORDS = 0.6
"""Share of all words, small ones too, that both must have."""
MIN_SENTENCES_APART = 2
"""Neighbours contrast two things rather than contradict."""
MAX_SERIES = 3
"""More sentences than this that say the same are a series: rows of a list, versions, years."""

_TALK = re.compile(r"[?!…\"“”„«»]|\.\.\.|\bI\b|[,;]\s?(?:but|sondern|aber)\b")
_NUMBER = re.compile(r"\d[\d.,]*")
Key = frozenset[str]


def contradictions(
    found: Sequence[Passage], items: SpanSet = NO_SPANS
) -> Iterator[tuple[int, int, Difference]]:
    """The places of two passages and what they disagree about, at any distance; ``items`` are the spans of list items."""
    groups: dict[Key, list[int]] = defaultdict(list)
    for place, passage in enumerate(found):
        groups[key_of(passage.text)].append(place)
        pause()
    for key, members in groups.items():
        if len(key) < MIN_CONTENT_WORDS - 1 or not 2 <= len(members) <= MAX_SERIES:
            continue
        for one, other in combinations(members, 2):
            if _apart(found[one], found[other], items):
                difference = contradiction(found[one].text, found[other].text)
                if difference is not None:
                    yield one, other, difference


def key_of(text: str) -> Key:
    """The stems of what a sentence speaks of: all that says something but for negations and words that have an opposite."""
    return frozenset(_content(text)) - _opposite_stems()


def contradiction(left: str, right: str) -> Difference | None:
    """The one thing in which they disagree, a negation or a word and its opposite, where all else is the same; else None."""
    if not (_states(left) and _states(right)) or _shared(left, right) < MIN_SHARED_WORDS:
        return None
    said = [_content(text) for text in (left, right)]
    if min(map(len, said)) < MIN_CONTENT_WORDS:
        return None
    lonely = [[one for one in mine if one not in other] for mine, other in (said, said[::-1])]
    denied = [find_negations(text) for text in (left, right)]
    if not any(lonely) and sorted(map(len, denied)) == [0, 1]:
        return Difference("negation", *(spans[0] if spans else None for spans in denied))
    if any(denied) or [len(one) for one in lonely] != [1, 1]:
        return None
    one, other = (spans[words_[0]] for spans, words_ in zip(said, lonely, strict=True))
    if frozenset(word for words_ in lonely for word in words_) not in _opposites():
        return None
    is_said = _is_said(left, one) and _is_said(right, other)
    return Difference("opposite", one, other) if is_said else None


@cache
def _opposites() -> frozenset[frozenset[str]]:
    pairs = words_of_all("opposites", "pairs") | words_of_all("opposites", "states")
    return frozenset(frozenset(stem(word) for word in pair.split("/")) for pair in pairs)


@cache
def _opposite_stems() -> frozenset[str]:
    return frozenset(word for pair in _opposites() for word in pair)


def find_negations(text: str) -> list[tuple[int, int]]:
    denial = compile_all(r"\b(?:<ALL>)\b", "opposites", "negations", re.IGNORECASE)
    return [match.span() for match in denial.finditer(text)]


def _content(text: str) -> dict[str, tuple[int, int]]:
    """The stems of the words that say something, and the numbers, with their places; negations are none."""
    denied = SpanSet.merge(find_negations(text))
    found = {
        stem(match.group().lower()): match.span()
        for match in words(text)
        if match.group().lower() not in FUNCTION_WORDS and not denied.touch(*match.span())
    }
    return found | {match.group(): match.span() for match in _NUMBER.finditer(text)}


def _states(text: str) -> bool:
    """Whether a sentence states something of something that it names: no question, no talk, no condition, no pronoun for its subject."""
    pronoun = compile_all(r"\W*(?:<ALL>)\b", "opposites", "unnamed", re.IGNORECASE)
    condition = compile_all(r"\b(?:<ALL>)\b", "opposites", "conditions", re.IGNORECASE)
    return not (_TALK.search(text) or pronoun.match(text) or condition.search(text))


def _shared(left: str, right: str) -> float:
    a, b = (set(lower_words(text)) for text in (left, right))
    return len(a & b) / max(1, min(len(a), len(b)))


def _is_said(text: str, span: tuple[int, int] | None) -> bool:
    """Whether the word is said of the subject, and not which subject it is: ``is closed``, not ``the closed valve is``."""
    if span is None:
        return False
    after = next(words(text[span[1] :]), None)
    between = text[span[1] : span[1] + after.start()] if after else ""
    names = after is not None and between.isspace() and after.group().lower() not in FUNCTION_WORDS
    return not names and next(words(text[: span[0]]), None) is not None


def _apart(one: Passage, other: Passage, items: SpanSet) -> bool:
    """Whether they are neither neighbours nor two rows of one list."""
    if abs(other.number - one.number) < MIN_SENTENCES_APART:
        return False
    rows = items.hold(one.start) and items.hold(other.start)
    return not (rows and one.section == other.section)
