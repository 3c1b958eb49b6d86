"""The sentences of a document that contradict each other, at any distance.

Sentences with the same key (``reading.py``) are put together, so the work grows with the number of sentences
and not with that of their pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from marginalia.annotators.consistency.claims.compare import compare
from marginalia.annotators.consistency.claims.reading import read_claim
from marginalia.core.long_work import pause
from marginalia.nlp.prose import SpanSet
from marginalia.tasks.similarity.search.passages import Passage
from marginalia.tasks.similarity.systems.differences import Difference

MIN_SENTENCES_APART = 2
"""Neighbours contrast two things rather than contradict."""
MAX_SERIES = 3
"""More sentences than this that differ in one place are a series: rows of a list, versions, years."""


def contradictions(
    found: Sequence[Passage], items: SpanSet
) -> Iterator[tuple[int, int, Difference]]:
    """The places of two passages and what they disagree about; ``items`` are the spans of list items."""
    claims = []
    for passage in found:
        claims.append(read_claim(passage.text))
        pause()
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, claim in enumerate(claims):
        groups[claim.key].append(place)
        if claim.name is not None:
            groups[claim.named_key].append(place)
    told: set[tuple[int, int]] = set()
    for members in groups.values():
        if not 2 <= len(members) <= MAX_SERIES or not claims[members[0]].key:
            continue
        for one, other in combinations(members, 2):
            if (one, other) in told or not _apart(found[one], found[other], items):
                continue
            difference = compare(claims[one], claims[other])
            if difference is not None:
                told.add((one, other))
                yield one, other, difference


def _apart(one: Passage, other: Passage, items: SpanSet) -> bool:
    """Whether they are neither neighbours nor two rows of one list."""
    if abs(other.number - one.number) < MIN_SENTENCES_APART:
        return False
    rows = items.hold(one.start) and items.hold(other.start)
    return not (rows and one.section == other.section)
