"""Our systems for CORE, on the frozen encoders that the other tasks read with too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np

from marginalia.core.benchmark import Split
from marginalia.core.errors import training
from marginalia.core.own_weights import own_folder
from marginalia.nlp.encoder import encoder_in, english, for_language
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.systems.inputs import Measures, rescaled, shipped_scales
from marginalia.tasks.similarity.systems.languages import MIXED, encoder_language, kind_of
from marginalia.tasks.similarity.systems.meaning import Weighting
from marginalia.tasks.similarity.systems.regression import MIN_CONFIDENCE, Regression, distance
from marginalia.tasks.similarity.systems.word_vectors import weights

UNRELATED = {"en": 0.75, "de": 0.83, MIXED: 0.79}
"""The mean cosine of two sentences that have nothing to do with each other, by the languages of the pair: 300 pairs
each of CompLex (English) and of SV-Ident (German, and one of each)."""
MIDDLE = 2.5
PAIRS_PER_BATCH = 128
"""Pairs that are held in memory at once."""


class EncoderCosine:
    """Cosine of sentence vectors of the frozen encoders. Nothing is learned: no rating is used.

    Sentences that have nothing in common are 0 on its scale, the same sentence twice is 5. It is surest at both ends.
    """

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        kinds = {id: kind_of(item.s1, item.s2) for id, item in items.items()}
        both_english = {id: item for id, item in items.items() if kinds[id] == "en"}
        others = {id: item for id, item in items.items() if kinds[id] != "en"}
        cosines = _cosines(both_english, "en") | _cosines(others, "de")
        return {
            id: surest_at_ends(5.0 if item.s1 == item.s2 else scaled(cosines[id], kinds[id]))
            for id, item in items.items()
        }


def _cosines(items: Mapping[str, Pair], lang: str) -> dict[str, float]:
    """Of the sentence vectors, by the encoder of a language."""
    if not items:
        return {}
    encoder = for_language(lang)
    first = encoder.vectors([pair.s1 for pair in items.values()])
    second = encoder.vectors([pair.s2 for pair in items.values()])
    # Pair by pair: a sum over a matrix may be taken in another order than one over a row.
    return {id: float((a * b).sum()) for id, a, b in zip(items, first, second, strict=True)}


def scaled(cosine: float, kind: str = "en") -> float:
    """From 0 where the texts are as far apart as any two, to 5 where the encoder sees no difference."""
    return 5 * min(1.0, max(0.0, (cosine - UNRELATED[kind]) / (1 - UNRELATED[kind])))


def surest_at_ends(score: float) -> Score:
    """With a confidence that needs no rating: where nothing in between is left to choose, there is least doubt."""
    return Score(score, max(MIN_CONFIDENCE, 100 * distance(score, MIDDLE)))


class Learned:
    """Measures of meaning and of the surface, weighted as learned; English, German and one of each.

    The English encoder reads pairs of English sentences, the multilingual one all others, whose measures
    are put on the scale of English ones (``scales.py``). Without ``fit`` the weights are the shipped ones.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.fitted: dict[str, tuple[Measures, Regression]] = {}

    def fit(self, split: Split) -> Self:
        """Retrain the English part; needs ``marginalia[train]``."""
        from marginalia.tasks.similarity.systems.train import recipe as train

        with training():
            learned = train.learn(split, english())
        measures = Measures(english(), learned.weighting, learned.centre)
        self.fitted["en"] = measures, learned.regression
        return self

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        scores: dict[str, Score] = {}
        open_pairs: dict[str, list[str]] = {}
        for id, item in items.items():
            known = obvious(item.s1, item.s2)
            if known is None:
                open_pairs.setdefault(encoder_language(item.s1, item.s2), []).append(id)
            else:
                scores[id] = known
        for lang, ids in open_pairs.items():
            scores |= self.read({id: items[id] for id in ids}, lang)
        return {id: scores[id] for id in items}

    def read(self, items: Mapping[str, Pair], lang: str) -> dict[str, Score]:
        """The scores by the encoder of a language."""
        own = own_folder("similarity", "learned") if lang == "en" else None
        measures, regression = self.fitted.get(lang) or shipped(lang, self.folder or own)
        scales = {} if lang == "en" else shipped_scales(measures.encoder.folder.name, self.folder)
        ids = list(items)
        scores = {}
        for begin in range(0, len(ids), PAIRS_PER_BATCH):
            some = ids[begin : begin + PAIRS_PER_BATCH]
            pairs = [(items[id].s1, items[id].s2) for id in some]
            for id, pair, measured in zip(some, pairs, measures.of(pairs), strict=True):
                scores[id] = regression.score(rescaled(measured, kind_of(*pair), scales))
        return scores


def obvious(a: str, b: str) -> Score | None:
    """The same text says the same; nothing says nothing of what something says."""
    a, b = " ".join(a.split()), " ".join(b.split())
    if a == b:
        return Score(5.0)
    return None if a and b else Score(0.0)


@cache
def shipped(lang: str, folder: Path | None = None) -> tuple[Measures, Regression]:
    """What was learned for the encoder of a language, by default with the installed weights."""
    encoder = for_language(lang)
    learned = weights(encoder.folder.name, folder)
    if (
        folder is not None and lang == "en"
    ):  # weights of the user, perhaps on an encoder of their own
        encoder = encoder_in(folder) or encoder
    weighting = Weighting.read(learned["weighting"])
    measures = Measures(encoder, weighting, np.array(learned["near"], dtype=np.float32))
    return measures, Regression.read(learned["regression"])
