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
    "learner": Level(4.0, 0.09),
    "general": Level(3.4, 0.18),
    "expert": Level(2.7, 0.30),
}
"""``learner``: knows the 7,000 commonest words of the language, and one rater in eleven is enough; ``general``: an adult who
reads newspapers, 17,000 words, one in five or six; ``expert``: reads much, 40,000 words, one in three."""


def level_of(name: str) -> Level:
    if name not in LEVELS:
        raise UnknownNameError("reader level", name, LEVELS)
    return LEVELS[name]
