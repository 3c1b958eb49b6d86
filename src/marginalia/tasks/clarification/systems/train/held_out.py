"""What the last step learns from: the evidence of the articles of train that no network has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.tasks.clarification.systems.filler_rows import Evidence, places
from marginalia.tasks.clarification.systems.stacking import Floats, Stack, fit


@dataclass(frozen=True, slots=True)
class Rows:
    """Evidence with ratings, by article."""

    parts: tuple[str, ...]
    rows: Floats
    scores: Floats
    articles: NDArray[np.str_]
    phenomena: NDArray[np.str_]

    def take(self, chosen: NDArray[np.bool_]) -> Rows:
        return Rows(
            self.parts,
            self.rows[chosen],
            self.scores[chosen],
            self.articles[chosen],
            self.phenomena[chosen],
        )

    def of(self, chosen: Sequence[str]) -> Rows:
        """The columns of some ingredients."""
        return replace(self, parts=tuple(chosen), rows=self.rows[:, places(self.parts, chosen)])

    def stack(self) -> Stack:
        given = self.scores.tolist(), self.articles.tolist(), self.phenomena.tolist()
        return fit(self.parts, self.rows, *given)

    def folds(self, count: int, seed: int) -> list[tuple[Rows, Rows]]:
        """What to learn from and what to judge by, articles kept together."""
        names, place = np.unique(self.articles, return_inverse=True)
        fold = np.random.default_rng(seed).permutation(len(names)) % count
        return [
            (self.take(fold[place] != number), self.take(fold[place] == number))
            for number in range(count)
        ]


def unseen(split: Split, evidence: Evidence, folds: int) -> Rows:
    """The evidence of the first fold, which is left out when networks and trees are trained."""
    _, left = next(split.folds(folds))
    gold, rows = left.require_gold(), evidence.rows(left.items)
    return Rows(
        evidence.parts,
        np.stack([rows[id] for id in left.items]),
        np.array([gold[id].score for id in left.items]),
        np.array([left.kept_together[id] for id in left.items]),
        np.array([item.phenomenon for item in left.items.values()]),
    )
