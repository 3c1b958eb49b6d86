"""How the last step was chosen: nested cross-validation by article on what no network has seen of train.

``python benchmarks/clarification.py choices`` shows all options, with what each does in the worst fold.

An option is one scale for all phenomena or one for each, and where the classes begin: where they become the likeliest,
or where they get their shares, with NEUTRAL narrowed or not. Accuracies of the phenomena count by how well their ratings
can be foretold (squared): a careless rating is no reason to choose anything. Of the options within one standard error of
the best the simplest is taken, which has the least to be chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.tasks.clarification.official.ratings import label_of
from marginalia.tasks.clarification.systems.filler_rows import Evidence, places
from marginalia.tasks.clarification.systems.stacking import (
    ANY,
    Floats,
    Stack,
    fit,
    reliability,
)

OUTER, INNER, REPEATS = 5, 5, 4
LEAST_ARTICLES = 20
"""With fewer nothing can be chosen, and the simplest option is taken."""
NARROWINGS = (None, 0.0, 0.2, 0.4)


@dataclass(frozen=True, slots=True)
class Option:
    each: bool
    """A scale for each phenomenon."""
    narrowed: float | None = None
    """The part of NEUTRAL's share that is given to the class on either side; None for the likeliest class."""

    def __str__(self) -> str:
        scales = "a scale for each phenomenon" if self.each else "one scale"
        if self.narrowed is None:
            return f"{scales}, the likeliest class"
        return f"{scales}, shares, NEUTRAL less {self.narrowed:.1f} on either side"


OPTIONS = tuple(Option(each, narrowed) for each in (False, True) for narrowed in NARROWINGS)
"""Of each kind the simplest first."""


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

    def stack(self, narrowed: float | None = None) -> Stack:
        given = self.scores.tolist(), self.articles.tolist(), self.phenomena.tolist()
        return fit(self.parts, self.rows, *given, narrowed=narrowed)

    def folds(self, count: int, seed: int) -> list[tuple[Rows, Rows]]:
        """What to learn from and what to judge by, articles kept together."""
        names, place = np.unique(self.articles, return_inverse=True)
        fold = np.random.default_rng(seed).permutation(len(names)) % count
        return [
            (self.take(fold[place] != number), self.take(fold[place] == number))
            for number in range(count)
        ]


@dataclass(frozen=True, slots=True)
class Outcome:
    accuracy: float
    """Of the phenomena, by their reliability."""
    plain: float
    spearman: float


def judge(option: Option, learn: Rows, left: Rows) -> Outcome:
    from scipy.stats import spearmanr

    stack = learn.stack(option.narrowed)
    given = zip(left.rows, left.phenomena.tolist(), strict=True)
    ratings = [stack.rating(row, kind if option.each else ANY) for row, kind in given]
    found = [rating.score for rating in ratings]
    right = np.array(
        [r.label == label_of(gold) for r, gold in zip(ratings, left.scores.tolist(), strict=True)]
    )
    held = np.array([stack.score(row) for row in learn.rows])
    reliable = reliability(held, learn.scores, learn.phenomena)
    weight = np.array([reliable.get(kind, 0.0) ** 2 for kind in left.phenomena.tolist()]) + 1e-9
    return Outcome(
        float((right * weight).sum() / weight.sum()),
        float(right.mean()),
        float(spearmanr(found, left.scores)[0]),
    )


def best(rows: Rows, *, seed: int = 0, repeats: int = REPEATS) -> Option:
    """Where the classes begin, each phenomenon with its scale: by the rule of one standard error.

    The error is that of the differences to the best option in the folds; repeated divisions make the folds' means
    steadier, and do not count as further folds.
    """
    options = [option for option in OPTIONS if option.each]
    if len(set(rows.articles.tolist())) < LEAST_ARTICLES:
        return options[0]
    given = [rows.folds(INNER, seed + number) for number in range(repeats)]
    table = np.array(
        [[[judge(o, *fold).accuracy for fold in folds] for folds in given] for o in options]
    )
    top = int(table.mean(axis=(1, 2)).argmax())
    behind = table[top] - table
    error = behind.std(axis=2, ddof=1).mean(axis=1) / np.sqrt(INNER)
    return next(
        option
        for option, less, unsure in zip(options, behind.mean(axis=(1, 2)), error, strict=True)
        if less <= unsure
    )


def compare(rows: Rows, repeats: int = REPEATS) -> dict[str, list[Outcome]]:
    """Every option, and the nested choice among those with a scale for each phenomenon, in each outer fold."""
    found: dict[str, list[Outcome]] = {str(option): [] for option in OPTIONS}
    found["chosen anew in each fold"] = []
    for seed in range(repeats):
        for learn, left in rows.folds(OUTER, seed):
            for option in OPTIONS:
                found[str(option)].append(judge(option, learn, left))
            chosen = best(learn, seed=seed, repeats=1)
            found["chosen anew in each fold"].append(judge(chosen, learn, left))
    return found


def unseen(split: Split, evidence: Evidence, folds: int) -> Rows:
    """The evidence of the part of train that no network has seen."""
    _, left = next(split.folds(folds))
    gold, rows = left.require_gold(), evidence.rows(left.items)
    return Rows(
        evidence.parts,
        np.stack([rows[id] for id in left.items]),
        np.array([gold[id].score for id in left.items]),
        np.array([left.kept_together[id] for id in left.items]),
        np.array([item.phenomenon for item in left.items.values()]),
    )


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Mean, interval and worst fold of each measure."""
    found = {}
    for name in ("accuracy", "plain", "spearman"):
        each = np.array([getattr(outcome, name) for outcome in outcomes])
        half = 1.96 * each.std(ddof=1) / np.sqrt(min(len(each), OUTER))
        mean = float(each.mean())
        found[name] = {"value": mean, "low": mean - half, "high": mean + half, "worst": each.min()}
    return found
