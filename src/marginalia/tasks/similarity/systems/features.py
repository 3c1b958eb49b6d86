"""What two sentences have in common on the surface: words, letters, numbers, length.

The measures of the best systems of 2012, DKPro and TakeLab: overlap of word and letter groups, longest
common sequences, coverage by aligned words weighted by how rare they are, disagreeing numbers and
names. Every measure is the same for the sentences exchanged.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cached_property

from marginalia.nlp.frequency import zipf
from marginalia.tasks.similarity.systems.alignment import Alignment, side
from marginalia.tasks.similarity.systems.differences import KINDS, differences
from marginalia.tasks.similarity.systems.numerals import numerals

LETTERS = (2, 3, 4, 5)
WORDS = (1, 2, 3)
MAX_LETTERS = 2000
"""Letters of a text that string measures look at; they take quadratic time."""
LEXICAL = frozenset({"same", "lemma", "number"})
USUAL_ZIPF = 8.0
"""A word of this Zipf frequency or more has the least weight."""


class Text:
    """A sentence taken apart, each part when it is first asked for."""

    def __init__(self, text: str) -> None:
        taken = side(text)
        self.text, self.lang = text, taken.lang
        self.spans, self.words, self.stems = taken.words, taken.lower, taken.stems

    @cached_property
    def content(self) -> list[str]:
        """The stems of the words that say something."""
        return [one for one, word in zip(self.stems, self.spans, strict=True) if word.content]

    @cached_property
    def weights(self) -> list[float]:
        """How rare each word is: from 0.06 for ``the`` to 1.6."""
        return [max(0.3, USUAL_ZIPF - zipf(word, self.lang)) / 5 for word in self.words]

    @cached_property
    def letters(self) -> str:
        return " ".join(self.text.lower().split())[:MAX_LETTERS]

    @cached_property
    def numbers(self) -> set[tuple[float | None, ...]]:
        return {one.value for one in numerals(self.text, self.lang) if one.kind == "number"}


def features(a: Text, b: Text, alignment: Alignment) -> dict[str, float]:
    """The measures by name."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import LCSseq

    measures = {}
    for n in WORDS:
        measures[f"words {n}"] = dice(groups(a.words, n), groups(b.words, n))
        measures[f"stems {n}"] = dice(groups(a.stems, n), groups(b.stems, n))
    measures["content stems"] = dice(a.content, b.content)
    for n in LETTERS:
        measures[f"letters {n}"] = dice(groups(a.letters, n), groups(b.letters, n))
    measures["edits"] = fuzz.ratio(a.letters, b.letters) / 100
    measures["edits, words sorted"] = fuzz.token_sort_ratio(a.letters, b.letters) / 100
    measures["edits, shared words"] = fuzz.token_set_ratio(a.letters, b.letters) / 100
    measures["longest sequence"] = float(LCSseq.normalized_similarity(a.words, b.words))
    for name, kinds in (("written alike", LEXICAL), ("aligned", LEXICAL | {"near"})):
        both = coverage(a, b, alignment, kinds)
        measures[name], measures[f"{name}, less"] = sum(both) / 2, min(both)
    measures["order"] = order(alignment)
    unmatched = alone(a, b, alignment)
    measures["alone, more"], measures["alone, less"] = max(unmatched), min(unmatched)
    measures["numbers"] = overlap(a.numbers, b.numbers)
    counts = Counter(one.kind for one in differences(a.text, b.text, alignment=alignment))
    for kind in KINDS:
        measures[f"other {kind}"] = float(min(counts[kind], 2))
    n, m = len(a.words), len(b.words)
    measures["length"] = math.log1p(n) + math.log1p(m)
    measures["lengths alike"] = min(n, m) / max(n, m, 1)
    return measures


def groups(sequence: Sequence[Hashable], n: int) -> list[Hashable]:
    """All runs of n."""
    if n == 1:
        return list(sequence)
    if isinstance(sequence, str):
        return [sequence[place : place + n] for place in range(len(sequence) - n + 1)]
    return [tuple(sequence[place : place + n]) for place in range(len(sequence) - n + 1)]


def dice(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """2 |A and B| / (|A| + |B|), each counted as often as it occurs; 0 where there is nothing."""
    shared = sum((Counter(a) & Counter(b)).values())
    return 2 * shared / (len(a) + len(b)) if a or b else 0.0


def overlap(a: Collection[Hashable], b: Collection[Hashable]) -> float:
    """|A and B| / |A or B| of two sets; 1 where both are empty."""
    return len(set(a) & set(b)) / len({*a, *b}) if a or b else 1.0


def coverage(a: Text, b: Text, alignment: Alignment, kinds: Collection[str]) -> tuple[float, float]:
    """How much of each text has a partner in the other, by the weight of its words and the strength of the links."""
    links = [link for link in alignment.links if link.kind in kinds]
    left = {link.left: link.score for link in links}
    right = {link.right: link.score for link in links}
    return _covered(a.weights, left), _covered(b.weights, right)


def _covered(weights: Sequence[float], scores: Mapping[int, float]) -> float:
    total = math.fsum(weights)
    found = math.fsum(weights[place] * score for place, score in scores.items())
    return found / total if total else 0.0


def order(alignment: Alignment) -> float:
    """The share of pairs of links that cross."""
    places = [link.right for link in alignment.links]
    pairs = [(x, y) for i, x in enumerate(places) for y in places[i + 1 :]]
    return sum(x > y for x, y in pairs) / len(pairs) if pairs else 0.0


def alone(a: Text, b: Text, alignment: Alignment) -> tuple[float, float]:
    """The weight of what only one side says, in content words."""
    linked = {link.left for link in alignment.links}, {link.right for link in alignment.links}
    shares = [
        math.fsum(
            weight
            for place, (word, weight) in enumerate(zip(text.spans, text.weights, strict=True))
            if word.content and place not in places
        )
        for text, places in zip((a, b), linked, strict=True)
    ]
    return shares[0], shares[1]
