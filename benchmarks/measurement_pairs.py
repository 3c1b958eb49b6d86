"""What a linker sees of two spans of a paragraph: where they stand, and what stands between them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from marginalia.nlp.sentences import sentences
from marginalia.tasks.measurement.official.spans import TYPES
from marginalia.tasks.measurement.official.tokens import tokens
from marginalia.tasks.measurement.systems.linking import gap, positions
from marginalia.tasks.measurement.systems.tagger import TaggedSpan

MARKS = (",", ";", ":", "(", ")", " and ", " or ", " with ", " of ", " for ", " to ", " in ")
"""Between two spans, each may part them or join them."""
MAX_LITERAL_WORDS = 3
"""Words between two spans count as themselves if there are no more than this."""
_STEPS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55)


class Page:
    """A paragraph with its spans before they are linked, in reading order and each but once."""

    def __init__(self, text: str, spans: Sequence[TaggedSpan]) -> None:
        self.text = text
        self.spans = sorted(set(spans), key=lambda span: (span.start, span.end, span.type))
        self._starts = [start for start, _ in sentences(text, "en")]
        self._tokens = [start for start, _ in tokens(text)]
        self._depth = [0]
        for letter in text:
            self._depth.append(self._depth[-1] + (letter == "(") - (letter == ")"))

    def of(self, type: str) -> list[int]:
        """The positions of the spans of a type."""
        return positions(self.spans, type)

    def gap(self, i: int, j: int) -> int:
        """Characters between two spans."""
        return gap(self.spans[i], self.spans[j])

    def quote(self, i: int) -> str:
        return self.text[self.spans[i].start : self.spans[i].end]

    def sentence(self, i: int) -> int:
        return bisect_right(self._starts, self.spans[i].start)

    def words_between(self, i: int, j: int) -> int:
        a, b = sorted((self.spans[i], self.spans[j]), key=lambda span: span.start)
        return max(0, bisect_left(self._tokens, b.start) - bisect_left(self._tokens, a.end))

    def between(self, i: int, j: int) -> str:
        """The text between two spans; nothing where they overlap."""
        a, b = sorted((self.spans[i], self.spans[j]), key=lambda span: span.start)
        return self.text[a.end : b.start]

    def in_brackets(self, i: int) -> bool:
        return self._depth[self.spans[i].start] > 0

    @cached_property
    def _ranks(self) -> dict[tuple[int, int], int]:
        """How many spans of j's type are nearer to i than j is."""
        ranks: dict[tuple[int, int], int] = {}
        for i in range(len(self.spans)):
            for type in {span.type for span in self.spans}:
                near = sorted(self.of(type), key=lambda j: (self.gap(i, j), j))
                ranks |= {(i, j): rank for rank, j in enumerate(near)}
        return ranks

    @cached_property
    def _places(self) -> dict[int, tuple[int, int]]:
        """The place of each span among those of its type and sentence, and how many these are."""
        rows: dict[tuple[str, int], list[int]] = {}
        for i, span in enumerate(self.spans):
            rows.setdefault((span.type, self.sentence(i)), []).append(i)
        return {i: (place, len(row)) for row in rows.values() for place, i in enumerate(row)}

    @cached_property
    def _lists(self) -> set[int]:
        """The sentences that say "respectively"."""
        return {
            bisect_right(self._starts, match.start())
            for match in re.finditer(r"\brespectively\b", self.text)
        }

    def pair(self, i: int, j: int) -> Iterator[str]:
        """The features of the pair: i is the quantity or whatever else j may belong to."""
        a, b = self.spans[i], self.spans[j]
        side = "in" if self.gap(i, j) == 0 else "after" if b.start >= a.end else "before"
        apart = self.sentence(j) - self.sentence(i)
        yield f"side={side}"
        yield f"sentences={max(-3, min(3, apart))}"
        yield f"words={side}{bucket(self.words_between(i, j))}"
        yield f"characters={bucket(self.gap(i, j) // 4)}"
        ranks = min(3, self._ranks[i, j]), min(3, self._ranks[j, i])
        yield f"rank={ranks[0]}"
        yield f"back={ranks[1]}"
        yield f"ranks={ranks[0]}/{ranks[1]}/{side}"
        low, high = sorted((i, j))
        amid = [span.type for span in self.spans[low + 1 : high]]
        for type in TYPES:
            count = min(3, amid.count(type))
            yield f"{type} between={count}/{side}"
        yield from self._marked(i, j, side)
        yield from self._listed(i, j, apart)

    def _marked(self, i: int, j: int, side: str) -> Iterator[str]:
        text = self.between(i, j)
        for mark in MARKS:
            if mark in text:
                yield f"mark={mark}{side}"
        if len(text) < 60 and len(text.split()) <= MAX_LITERAL_WORDS:
            yield f"text={side}{' '.join(text.lower().split())}"
        yield f"brackets={self.in_brackets(i):d}{self.in_brackets(j):d}{side}"

    def _listed(self, i: int, j: int, apart: int) -> Iterator[str]:
        """In a list the first belongs to the first, the second to the second."""
        (a, all_a), (b, all_b) = self._places[i], self._places[j]
        if apart == 0:
            same = "same" if a == b else "other"
            even = "even" if all_a == all_b else "one" if all_b == 1 else "uneven"
            said = "respectively" if self.sentence(i) in self._lists else ""
            yield f"list={same}/{even}/{said}"
            yield f"only={all_a == 1:d}{all_b == 1:d}"


def bucket(distance: int) -> int:
    """The largest of a few steps that is not above the distance."""
    return _STEPS[bisect_right(_STEPS, distance) - 1]
