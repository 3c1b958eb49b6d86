"""Our systems for CORE, on the frozen encoders that the other tasks read with too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Self

from marginalia.core.errors import training
from marginalia.core.task import Split
from marginalia.nlp.encoder import Encoder, english, for_language
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.systems.inputs import Measures
from marginalia.tasks.similarity.systems.languages import kind_of, language
from marginalia.tasks.similarity.systems.meaning import Weighting
from marginalia.tasks.similarity.systems.regression import Regression
from marginalia.tasks.similarity.systems.scales import rescaled, shipped_scales
from marginalia.tasks.similarity.systems.shipped import WEIGHTS
from marginalia.tasks.similarity.systems.word_vectors import centre, weights

SLOPE, INTERCEPT = 18.4, -13.5
"""Least squares from cosine to the scores of STS 2012 (train and test); Pearson does not depend on them."""
TOGETHER = 128
"""Pairs that are held in memory at once."""


class EncoderCosine:
    """Cosine of sentence vectors of the frozen English encoder, on the scale from 0 to 5."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self.encoder = encoder or english()

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        pairs = list(items.values())
        first = self.encoder.vectors([pair.s1 for pair in pairs])
        second = self.encoder.vectors([pair.s2 for pair in pairs])
        # Pair by pair: a sum over a matrix may be taken in another order than one over a row.
        return {
            id: Score(5.0 if pair.s1 == pair.s2 else scaled(float((a * b).sum())))
            for id, pair, a, b in zip(items, pairs, first, second, strict=True)
        }


def scaled(cosine: float) -> float:
    return min(5.0, max(0.0, SLOPE * cosine + INTERCEPT))


class Learned:
    """Measures of meaning and of the surface, weighted as learned; English, German and one of each.

    The English encoder reads pairs of English sentences, the multilingual one all others, whose measures
    are put on the scale of English ones (``scales.py``). Without ``fit`` the weights are the shipped ones.
    """

    def __init__(self, folder: Path = WEIGHTS) -> None:
        self.folder = folder
        self.fitted: dict[str, tuple[Measures, Regression]] = {}

    def fit(self, split: Split) -> Self:
        """Learn the English part anew; needs ``marginalia[train]``."""
        from marginalia.tasks.similarity.systems.train import recipe as train

        with training():
            learned = train.learn(split, english())
        measures = Measures(english(), learned.weighting, learned.centre)
        self.fitted["en"] = measures, learned.regression
        return self

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        found: dict[str, Score] = {}
        open_pairs: dict[str, list[str]] = {}
        for id, item in items.items():
            known = obvious(item.s1, item.s2)
            if known is None:
                open_pairs.setdefault(language(item.s1, item.s2), []).append(id)
            else:
                found[id] = known
        for lang, ids in open_pairs.items():
            found |= self.read({id: items[id] for id in ids}, lang)
        return {id: found[id] for id in items}

    def read(self, items: Mapping[str, Pair], lang: str) -> dict[str, Score]:
        """The scores by the encoder of a language."""
        measures, regression = self.fitted.get(lang) or shipped(lang, self.folder)
        scales = shipped_scales(measures.encoder.folder.name, self.folder)
        ids = list(items)
        found = {}
        for begin in range(0, len(ids), TOGETHER):
            some = ids[begin : begin + TOGETHER]
            pairs = [(items[id].s1, items[id].s2) for id in some]
            for id, pair, measured in zip(some, pairs, measures.of(pairs), strict=True):
                found[id] = regression.score(rescaled(measured, kind_of(*pair), scales))
        return found


class Both(Learned):
    """The mean of what the two encoders make of English pairs: a little better, at less than half the speed."""

    def read(self, items: Mapping[str, Pair], lang: str) -> dict[str, Score]:
        found = super().read(items, lang)
        if lang != "en":
            return found
        other = super().read(items, "de")
        regression = (self.fitted.get(lang) or shipped(lang, self.folder))[1]
        means = {id: (found[id].score + other[id].score) / 2 for id in items}
        return {id: Score(mean, regression.confidence(mean)) for id, mean in means.items()}


def obvious(a: str, b: str) -> Score | None:
    """The same text says the same; nothing says nothing of what something says."""
    a, b = " ".join(a.split()), " ".join(b.split())
    if a == b:
        return Score(5.0)
    return None if a and b else Score(0.0)


@cache
def shipped(lang: str, folder: Path = WEIGHTS) -> tuple[Measures, Regression]:
    """What was learned for the encoder of a language."""
    encoder = for_language(lang)
    learned = weights(encoder.folder.name, folder)
    weighting = Weighting.read(learned["weighting"])
    measures = Measures(encoder, weighting, centre(encoder, folder))
    return measures, Regression.read(learned["regression"])
