"""Systems in the spirit of the best of 2012 and 2013: regression on features, and alignment of words.

They see words, letters and how near single words are in meaning, but no vector of a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np

from marginalia.core.benchmark import Split
from marginalia.core.files import read_json
from marginalia.nlp.encoder import english
from marginalia.nlp.weights import open_weights
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.systems import regression, weights_folder
from marginalia.tasks.similarity.systems.differences import KINDS
from marginalia.tasks.similarity.systems.inputs import Measures
from marginalia.tasks.similarity.systems.regression import Regression
from marginalia.tasks.similarity.systems.word_vectors import centre

ALL_SETS = "all"
TRAINING_SETS = {
    # As TakeLab-best in the overview paper
    "headlines": "MSRpar",
    "OnWN": ALL_SETS,
    "FNWN": "surprise.OnWN",
    "SMT": "SMTeuroparl",
    # The sets of 2014 after the one of 2012 they are most like
    "deft-news": "MSRpar",
    "tweet-news": "MSRpar",
    "images": "MSRvid",
}
"""Set -> the set of 2012 whose pairs alone it is trained on; others on all of them."""
ALPHA = 0.1
PAIRS_PER_BATCH = 128


class Surface:
    """Ridge regression on the measures of ``features``, as DKPro and TakeLab in spirit.

    With ``per_set`` the training data are chosen for each set, as in TakeLab-best.
    """

    def __init__(self, folder: Path | None = None, *, per_set: bool = False) -> None:
        self.folder, self.per_set = folder, per_set
        self.fitted: dict[str, Regression] = {}

    def fit(self, split: Split) -> Self:
        self.fitted = learn(split, self.folder)
        return self

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        models = self.fitted or shipped(self.folder)
        scores = {}
        for id, measured in measured_pairs(items, self.folder).items():
            name = items[id].dataset.rpartition("/")[2]
            chosen = TRAINING_SETS.get(name, ALL_SETS) if self.per_set else ALL_SETS
            scores[id] = models.get(chosen, models[ALL_SETS]).score(measured)
        return scores


class Aligned:
    """The share of both sentences that has a partner, less what contradicts, as UMBC's best run in spirit.

    Words count by how rare they are, links by how near the words are. Nothing is learned.
    """

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        return {id: Score(5 * share(m)) for id, m in measured_pairs(items).items()}


PENALTY = 0.1
"""What each disagreement takes off the share of what is aligned."""


def share(measured: Mapping[str, float]) -> float:
    against = PENALTY * sum(measured[f"other {kind}"] for kind in KINDS)
    return min(1.0, max(0.0, measured["aligned"] - against))


def measured_pairs(
    items: Mapping[str, Pair], folder: Path | None = None
) -> dict[str, dict[str, float]]:
    """The measures of the surface for each pair."""
    measures = Measures(english(), None, centre(english(), folder))
    ids = list(items)
    found: dict[str, dict[str, float]] = {}
    for begin in range(0, len(ids), PAIRS_PER_BATCH):
        some = ids[begin : begin + PAIRS_PER_BATCH]
        pairs = [(items[id].s1, items[id].s2) for id in some]
        found |= dict(zip(some, measures.of(pairs), strict=True))
    return found


def learn(split: Split, folder: Path | None = None) -> dict[str, Regression]:
    """A regression on all sets, and one on each set that TRAINING_SETS names."""
    gold = split.require_gold()
    measured = measured_pairs({id: split.items[id] for id in gold}, folder)
    names = list(next(iter(measured.values())))
    x = np.array([[measured[id][name] for name in names] for id in gold])
    y = np.array(list(gold.values()))
    sets = np.array([split.items[id].dataset for id in gold])
    kinds = np.array([name.rpartition("/")[2] for name in sets])
    found = {}
    for chosen in (ALL_SETS, *sorted(set(TRAINING_SETS.values()) & set(kinds))):
        rows = np.ones(len(y), dtype=bool) if chosen == ALL_SETS else kinds == chosen
        found[chosen] = regression.fit(names, x[rows], y[rows], list(sets[rows]), alpha=ALPHA)
    return found


@cache
def shipped(folder: Path | None = None) -> dict[str, Regression]:
    folder = folder or weights_folder()
    open_weights(folder)
    data = read_json(folder / "surface.json")
    return {name: Regression.read(each) for name, each in data.items()}
