"""Where two texts that speak of the same thing disagree: numbers, dates, negation, opposites, names.

Two numbers disagree where they could stand for each other: same unit, and neighbours that answer to
each other. What only one side tells is no disagreement.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from marginalia.lang import compile_all, language
from marginalia.nlp.stems import stem
from marginalia.nlp.tagger import capitals_are_mute
from marginalia.tasks.similarity.systems.alignment import (
    Alignment,
    Word,
    align,
    opens_sentence,
    side,
)
from marginalia.tasks.similarity.systems.numerals import numerals, same

KINDS = ("number", "date", "negation", "opposite", "name")
CONTEXT_WORDS = 3
"""How many words from a number or name its neighbours may be to count as its context."""


@cache
def _opposite_stems(lang: str) -> frozenset[frozenset[str]]:
    pairs = language(lang).words("opposites", "pairs")
    return frozenset(frozenset(stem(word, lang) for word in pair.split("/")) for pair in pairs)


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where the texts disagree; a side that lacks the negation has no span."""

    kind: str
    """One of KINDS"""
    left: tuple[int, int] | None
    right: tuple[int, int] | None

    def turned(self) -> Difference:
        return Difference(self.kind, self.right, self.left)


def differences(a: str, b: str, *, alignment: Alignment | None = None) -> list[Difference]:
    """What the texts disagree about, in the order of the left text."""
    if b < a:  # one order for both, as in the alignment
        turned = differences(b, a, alignment=alignment and alignment.turned())
        return _sorted(one.turned() for one in turned)
    alignment = alignment or align(a, b)
    context = _Context(alignment)
    return _sorted(
        (
            *_numbers(a, b, context),
            *_negations(a, b),
            *_opposites(alignment, side(a).lang, side(b).lang),
            *_names(a, b, context),
        )
    )


def _sorted(found: Iterable[Difference]) -> list[Difference]:
    return sorted(found, key=lambda one: (one.left or (-1, -1), one.right or (-1, -1), one.kind))


class _Context:
    """Which words stand around a place, and which of them are linked."""

    def __init__(self, alignment: Alignment) -> None:
        self.left, self.right = alignment.left, alignment.right
        self.partner = {link.left: link.right for link in alignment.links}

    def shared(self, a: tuple[int, int], b: tuple[int, int]) -> float:
        """How much of what surrounds the two spans is linked: content words count 1, others 0.25."""
        near = _around(self.right, b)
        return sum(
            (1.0 if self.left[place].content else 0.25) / distance
            for place, distance in _around(self.left, a).items()
            if self.partner.get(place) in near
        )


def _around(words: tuple[Word, ...], span: tuple[int, int]) -> dict[int, int]:
    """The words within CONTEXT_WORDS of a span, and how far they are."""
    before = [place for place, word in enumerate(words) if word.end <= span[0]][-CONTEXT_WORDS:]
    after = [place for place, word in enumerate(words) if word.start >= span[1]][:CONTEXT_WORDS]
    found = {place: distance for distance, place in enumerate(reversed(before), 1)}
    return found | {place: distance for distance, place in enumerate(after, 1)}


def _numbers(a: str, b: str, context: _Context) -> Iterator[Difference]:
    left, right = numerals(a, side(a).lang), numerals(b, side(b).lang)
    free_left = [x for x in left if not any(same(x, y) for y in right)]
    free_right = [y for y in right if not any(same(x, y) for x in left)]
    pairs = [
        (x, y, context.shared((x.start, x.end), (y.start, y.end)))
        for x in free_left
        for y in free_right
        if same(x, y) is False
    ]
    # What has no other rival needs less around it that agrees, and so has what has a unit.
    rivals = Counter(id(one) for x, y, _ in pairs for one in (x, y))
    likely = [
        (-shared, (x.start, x.end), (y.start, y.end), x.kind)
        for x, y, shared in pairs
        if shared >= 1 or (shared > 0 and (x.unit or rivals[id(x)] == rivals[id(y)] == 1))
    ]
    yield from _one_each(likely)


def _one_each(
    likely: Iterable[tuple[float, tuple[int, int], tuple[int, int], str]],
) -> Iterator[Difference]:
    """The best pairs first, each span once."""
    left, right = set(), set()
    for _, x, y, kind in sorted(likely):
        if x not in left and y not in right:
            left.add(x)
            right.add(y)
            yield Difference(kind, x, y)


def _negations(a: str, b: str) -> Iterator[Difference]:
    """A text that denies against one that does not; two negations may well say what none says."""
    denial = compile_all(r"\b(?:<ALL>)\b", "opposites", "negations", re.IGNORECASE)
    left, right = ([match.span() for match in denial.finditer(text)] for text in (a, b))
    if bool(left) != bool(right) and len(left) + len(right) == 1:
        yield Difference("negation", *(spans[0] if spans else None for spans in (left, right)))


def _opposites(alignment: Alignment, left: str, right: str) -> Iterator[Difference]:
    """Words without partner, or only near each other, that are opposites: ``rise`` and ``fall``."""
    if left != right:
        return
    opposites = _opposite_stems(left)
    near = {link.left: link.right for link in alignment.links if link.kind == "near"}
    free = {word.start for word in alignment.only_right}
    stems = [stem(word.text, right) for word in alignment.right]
    lonely = {word.start for word in alignment.only_left}
    for i, word in enumerate(alignment.left):
        if i not in near and word.start not in lonely:
            continue
        one = stem(word.text, left)
        for j, other in enumerate(alignment.right):
            open_there = other.start in free or near.get(i) == j
            if open_there and frozenset((one, stems[j])) in opposites and one != stems[j]:
                yield Difference("opposite", (word.start, word.end), (other.start, other.end))
                break


def _names(a: str, b: str, context: _Context) -> Iterator[Difference]:
    """Names at like places that have no word in common, where neither text has the other's name."""
    said = [{word.text.lower() for word in words} for words in (context.left, context.right)]
    free = []
    for text, words, there in ((a, context.left, said[1]), (b, context.right, said[0])):
        names = names_of(text, words)
        free.append([name for name in names if not any(w.text.lower() in there for w in name)])
    likely = []
    for one in free[0]:
        for other in free[1]:
            x, y = (one[0].start, one[-1].end), (other[0].start, other[-1].end)
            shared = context.shared(x, y)
            if shared >= 1 and not _initials(one, other):
                likely.append((-shared, x, y, "name"))
    yield from _one_each(likely)


def _initials(one: list[Word], other: list[Word]) -> bool:
    """Whether one is short for the other: ``UN`` and ``United Nations``."""
    short, long = sorted((one, other), key=lambda name: sum(len(word.text) for word in name))
    initials = "".join(word.text[0] for word in long if word.text[0].isupper())
    return "".join(word.text for word in short).replace(".", "") == initials


def names_of(text: str, words: Iterable[Word]) -> list[list[Word]]:
    """Runs of capitalised words that are names.

    Not where all words have capitals. The first word of a sentence counts only with the next one; in
    German, where every noun has a capital, only runs of two and abbreviations count.
    """
    words = list(words)
    if capitals_are_mute([word.text for word in words]):
        return []
    german = side(text).lang == "de"
    dates = {(one.start, one.end) for one in numerals(text, side(text).lang)}
    runs: list[list[Word]] = []
    before = None
    for word in words:
        capital = word.text[0].isupper() and (word.content or word.text.isupper())
        if capital and (word.start, word.end) not in dates:
            if runs and runs[-1][-1] is before and text[before.end : word.start] == " ":
                runs[-1].append(word)
            else:
                runs.append([word])
        before = word
    return [run for run in runs if _is_name(text, run, german)]


def _is_name(text: str, run: list[Word], german: bool) -> bool:
    first = run[0]
    short = len(run) == 1 and first.text.isupper() and 2 <= len(first.text) <= 5
    if len(run) > 1 or short:
        return True
    return not german and not opens_sentence(text, first.start) and first.text != "I"
