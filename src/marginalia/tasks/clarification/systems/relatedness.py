"""What can be said of fillers without anybody's ratings: whether the guide speaks of them.

A filler that stands elsewhere in the text, or is near in meaning to what does, is likelier than the others of its
gap. That is little, and it says so: most fillers get a rating in the middle of the scale.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import Rating, label_of
from marginalia.tasks.clarification.systems.features import NAMES, features
from marginalia.tasks.clarification.systems.inputs import bare

MENTIONS = ("said before", "said after", "said in the title")
NEARNESS = (
    "related to the sentence",
    "related to the context",
    "related to the title",
    "related to the neighbours",
)
SPREAD = 0.4
"""How far above the others of its gap a filler must be to be rated 3.9 in place of 3."""


class Related:
    """The share of MENTIONS plus the mean of NEARNESS, less the mean over all fillers of the gap, from 1 to 5."""

    def predict(self, items: Mapping[str, Item]) -> dict[str, Rating]:
        read = lru_cache(maxsize=16)(_strengths)  # the fillers of a gap mostly come together
        found = {}
        for id, item in items.items():
            context = bare(item)
            strengths = read(context)
            own = strengths[context.others.index(item.filler)] - math.fsum(strengths) / len(
                strengths
            )
            score = 1 + 4 / (1 + math.exp(-own / SPREAD))
            found[id] = Rating(label_of(score), score)
        return found


def _strengths(context: Item) -> list[float]:
    """For each filler of a context made by ``bare``, in the order of its ``others``."""
    fillers = context.others
    found = []
    for place, filler in enumerate(fillers):
        others = fillers[:place] + fillers[place + 1 :]
        row = dict(
            zip(NAMES, features(replace(context, filler=filler, others=others)), strict=True)
        )
        found.append(
            math.fsum(row[name] for name in MENTIONS) / len(MENTIONS)
            + math.fsum(row[name] for name in NEARNESS) / len(NEARNESS)
        )
    return found
