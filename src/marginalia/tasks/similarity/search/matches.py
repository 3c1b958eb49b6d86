"""Passages that say the same: what a search gives, as clusters, as rows of a table, as JSON."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from marginalia.core.extraction import Tabular
from marginalia.tasks.similarity.search.passages import Passage

PLACE = ("document", "page", "section", "start", "end", "text")
"""Where a passage stands, and what it says."""
PAIR = ("score", "differs", *(f"{name}_{side}" for side in "ab" for name in PLACE))
"""The columns of two passages side by side."""
MATCHES = ("cluster", "score", "kind", *PAIR[1:])

# Signs that a number or a word may lose without meaning anything else; -5 is not 5, and < is not >.
_NOISE = re.compile(r"[^\w%<>=≤≥±+−°$€£/-]+")


@dataclass(frozen=True, slots=True)
class Match:
    """Two passages, by their places in ``Repeated.passages``, that say the same."""

    left: int
    right: int
    score: float
    kind: str
    """``identical`` (the same words) or ``alike``"""
    differs: tuple[str, ...] = ()
    """Numbers, dates, negations and names that disagree, in words"""


@dataclass(frozen=True, slots=True)
class Repeated(Tabular):
    """The passages of some documents that say the same, the most similar first."""

    columns: ClassVar[Collection[str]] = MATCHES
    passages: tuple[Passage, ...]
    matches: tuple[Match, ...]
    clusters: tuple[tuple[int, ...], ...]
    """Places of passages that matches join, directly or through others; the largest first"""
    by: str
    counts: dict[str, int]
    """``documents``, ``sentences``, ``distinct`` ones, ``encoded`` ones, ``scored`` pairs"""
    complete: bool
    """False if there were more pairs than the limit allows to look at"""
    system: str

    def rows(self) -> list[dict[str, Any]]:
        """A row for each match, with the way back to both places."""
        return list(rows(self))

    def to_dict(self) -> dict[str, Any]:
        """Clusters, matches and counts as plain data."""
        return {
            "by": self.by,
            "system": self.system,
            "complete": self.complete,
            **self.counts,
            "clusters": [
                {"passages": [self.passages[place].to_dict() for place in members]}
                for members in self.clusters
            ],
            "matches": self.rows(),
        }


def rows(repeated: Repeated) -> Iterator[dict[str, Any]]:
    """A row for each match, with the way back to both places."""
    cluster = {place: n for n, members in enumerate(repeated.clusters, 1) for place in members}
    for match in repeated.matches:
        row: dict[str, Any] = {
            "cluster": cluster[match.left],
            "score": round(match.score, 4),
            "kind": match.kind,
            "differs": list(match.differs),
        }
        for side, place in (("a", match.left), ("b", match.right)):
            passage = repeated.passages[place].to_dict()
            row |= {f"{name}_{side}": value for name, value in passage.items()}
        yield row


def distinct(found: Sequence[Passage]) -> list[list[int]]:
    """The places of passages with the same words, put together; case and punctuation do not count."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, passage in enumerate(found):
        groups.setdefault(tuple(_NOISE.sub(" ", passage.text.casefold()).split()), []).append(place)
    return list(groups.values())


def owners_of(found: Sequence[Passage], groups: Sequence[Sequence[int]]) -> np.ndarray[Any, Any]:
    """The one document a group is in, as a number; -1 where it is in several."""
    numbers: dict[str, int] = {}
    owners = np.full(len(groups), -1, dtype=np.int64)
    for place, members in enumerate(groups):
        names = {found[member].document for member in members}
        if len(names) == 1:
            owners[place] = numbers.setdefault(names.pop(), len(numbers))
    return owners


def identical(
    found: Sequence[Passage], groups: Iterable[Sequence[int]], across: bool = False
) -> list[Match]:
    """Each repetition of the same words, joined to their first place."""
    return [
        Match(members[0], other, 5.0, "identical")
        for members in groups
        for other in members[1:]
        if not across or found[members[0]].document != found[other].document
    ]


def clusters(matches: Iterable[Match]) -> tuple[tuple[int, ...], ...]:
    """What the matches join, the largest first."""
    above: dict[int, int] = {}

    def top(place: int) -> int:
        while above.setdefault(place, place) != place:
            above[place] = above[above[place]]
            place = above[place]
        return place

    for match in matches:
        one, other = sorted((top(match.left), top(match.right)))
        above[other] = one
    joined: dict[int, list[int]] = {}
    for place in sorted(above):
        joined.setdefault(top(place), []).append(place)
    return tuple(tuple(m) for m in sorted(joined.values(), key=lambda m: (-len(m), m)))
