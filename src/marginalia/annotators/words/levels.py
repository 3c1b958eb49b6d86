"""Readers by name: from when on a word may stop them."""

from __future__ import annotations

from dataclasses import dataclass

from marginalia.core.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class Level:
    """A word may stop such a reader if it is rarer than ``zipf`` and this share of raters, or more, would call it difficult."""

    zipf: float
    share: float


LEVELS = {
    "learner": Level(3.8, 0.10),
    "reader": Level(2.85, 0.28),
    "specialist": Level(2.3, 0.30),
}
"""``learner``: knows the 9,000 commonest forms of English, and one rater in ten is enough; ``reader``: an adult who reads
newspapers, 35,000 forms, two in seven; ``specialist``: reads much, 65,000 forms, one in three. Rounds of judged notes moved
``reader`` there from 3.4 and one in six: readers found nearly all words between the two easy."""


def level_of(name: str) -> Level:
    if name not in LEVELS:
        raise UnknownNameError("audience", name, LEVELS)
    return LEVELS[name]
