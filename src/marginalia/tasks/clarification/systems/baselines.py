"""Floors, a bag-of-words regression, and what can be said of fillers without ratings: whether the guide speaks of them.

The organisers' own baseline is a fine-tuned BERT; it is on the published board.

A filler that stands elsewhere in the text, or is near in meaning to what does, is likelier than the others of its
gap. That is little, and it says so: most fillers get a rating in the middle of the scale.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Self

import numpy as np

from marginalia.core.benchmark import Split, uniform
from marginalia.core.errors import ContractError
from marginalia.nlp.frequency import mean_zipf
from marginalia.nlp.tokens import lower_words
from marginalia.tasks.clarification.official.data import GAP, Item
from marginalia.tasks.clarification.official.ratings import Rating, label_of
from marginalia.tasks.clarification.systems.features import NAMES, features
from marginalia.tasks.clarification.systems.language_model import LanguageModel
from marginalia.tasks.clarification.systems.passes import bare

MENTIONS = ("said before", "said after", "said in the title")
NEARNESS = (
    "related to the sentence",
    "related to the context",
    "related to the title",
    "related to the neighbours",
)
SPREAD = 0.4
"""How far above the others of its gap a filler must be to be rated 3.9 in place of 3."""


class Majority:
    """The most frequent class of train for every filler, with the mean score of that class.

    Its score is constant, so its Spearman is undefined.
    """

    def __init__(self) -> None:
        self.rating: Rating | None = None

    def fit(self, split: Split) -> Self:
        gold = split.require_gold().values()
        label = Counter(rating.label for rating in gold).most_common(1)[0][0]
        mean = np.mean([rating.score for rating in gold if rating.label == label])
        self.rating = Rating(label, float(mean))
        return self

    def predict(self, items: Mapping[str, Item]) -> dict[str, Rating]:
        if self.rating is None:
            raise ContractError("Majority must be fitted before it predicts")
        return dict.fromkeys(items, self.rating)


class Cut:
    """From scores to classes: thresholds that give the classes the shares they have in train.

    The official thresholds 2.5 and 4 are of no use to a regression that knows little, because all of
    its scores lie near the mean and would be NEUTRAL.
    """

    def __init__(self, scores: Sequence[float], gold: Iterable[Rating]) -> None:
        count = Counter(rating.label for rating in gold)
        below, above = (count[label] / len(scores) for label in ("IMPLAUSIBLE", "PLAUSIBLE"))
        self.low, self.high = (float(q) for q in np.quantile(scores, [below, 1 - above]))

    def rating(self, score: float) -> Rating:
        """The rating of a score, which is brought into the range 1 to 5."""
        label = "PLAUSIBLE" if score >= self.high else "NEUTRAL"
        return Rating(
            "IMPLAUSIBLE" if score <= self.low else label, min(5.0, max(1.0, float(score)))
        )


class Frequency:
    """Linear regression on the Zipf frequency of the filler and nothing else."""

    def __init__(self) -> None:
        self.line: tuple[float, float] | None = None
        self.cut: Cut | None = None

    def fit(self, split: Split) -> Self:
        gold = split.require_gold()
        x = np.array([mean_zipf(split.items[id].filler) for id in gold])
        slope, intercept = np.polyfit(x, [rating.score for rating in gold.values()], 1)
        self.line = float(slope), float(intercept)
        self.cut = Cut((slope * x + intercept).tolist(), gold.values())
        return self

    def predict(self, items: Mapping[str, Item]) -> dict[str, Rating]:
        if self.line is None or self.cut is None:
            raise ContractError("Frequency must be fitted before it predicts")
        slope, intercept = self.line
        return {
            id: self.cut.rating(slope * mean_zipf(item.filler) + intercept)
            for id, item in items.items()
        }


class BagOfWords:
    """Ridge regression on TF-IDF of the filler, its neighbours, their pairs, and where it was mentioned."""

    def __init__(self, alpha: float = 3.0) -> None:
        self.alpha = alpha
        self.vectors: Any = None
        self.model: Any = None
        self.cut: Cut | None = None

    def fit(self, split: Split) -> Self:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import Ridge

        gold = split.require_gold()
        self.vectors = TfidfVectorizer(analyzer=word_features, binary=True)
        x = self.vectors.fit_transform(split.items[id] for id in gold)
        self.model = Ridge(alpha=self.alpha, solver="sparse_cg", tol=1e-4)
        self.model.fit(x, [rating.score for rating in gold.values()])
        self.cut = Cut(self.model.predict(x).tolist(), gold.values())
        return self

    def predict(self, items: Mapping[str, Item]) -> dict[str, Rating]:
        if self.cut is None:
            raise ContractError("BagOfWords must be fitted before it predicts")
        if not items:
            return {}
        scores = self.model.predict(self.vectors.transform(items.values())).tolist()
        return {id: self.cut.rating(score) for id, score in zip(items, scores, strict=True)}


def word_features(item: Item) -> Iterator[str]:
    """The words in and around the gap, and whether the filler's last word was said elsewhere."""
    left, _, right = item.sentence.partition(GAP)
    before, after, filler = (_words(text) for text in (left, right, item.filler))
    pattern, head = item.phenomenon, filler[-1] if filler else ""
    yield from (f"filler={word}" for word in filler)
    yield from (f"before={word}" for word in before[-3:])
    yield from (f"after={word}" for word in after[:3])
    yield f"pattern={pattern}"
    yield f"pattern={pattern} head={head}"
    yield f"pair={' '.join([*before[-1:], '_', *filler[:1]])}"
    yield f"pair={' '.join([head, '_', *after[:1]])}"
    yield f"length={len(filler)}"
    places = {
        "context": f"{item.previous} {item.followup}",
        "title": f"{item.title} {item.header}",
        "sentence": f"{left} {right}",
    }
    for place, text in places.items():
        said = head.removesuffix("s") in {word.removesuffix("s") for word in _words(text)}
        yield f"{place}={said}"
        yield f"pattern={pattern} {place}={said}"


@lru_cache(maxsize=1024)  # five fillers share a context
def _words(text: str) -> tuple[str, ...]:
    return tuple(lower_words(text))


class Likelier:
    """Unsupervised: how likely a language model finds the filled sentence, compared with the other fillers.

    The log likelihood of the filler and of what follows it, less the mean over all fillers of the gap, on a
    scale from 1 to 5; the classes are the official ones.
    """

    def __init__(self, model: LanguageModel | None = None, spread: float = 3.0) -> None:
        self.model, self.spread = model or LanguageModel(), spread

    def predict(self, items: Mapping[str, Item]) -> dict[str, Rating]:
        read = lru_cache(maxsize=16)(self._read)  # the fillers of a gap mostly come together
        ratings = {}
        for id, item in items.items():
            context = bare(item)
            scores = read(context)
            own = scores[context.others.index(item.filler)] - sum(scores) / len(scores)
            score = 1 + 4 / (1 + float(np.exp(-own / self.spread)))
            ratings[id] = Rating(label_of(score), score)
        return ratings

    def _read(self, context: Item) -> list[float]:
        return [s.filler + s.after for s in self.model.likelihoods(context, context.others)]


class Random:
    """A score from 1 to 5 that depends on the id and the seed only, and the class it has officially."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def predict(self, items: Mapping[str, Item]) -> dict[str, Rating]:
        scores = {id: 1 + 4 * uniform(f"{self.seed}:{id}") for id in items}
        return {id: Rating(label_of(score), score) for id, score in scores.items()}


class Related:
    """The share of MENTIONS plus the mean of NEARNESS, less the mean over all fillers of the gap, from 1 to 5."""

    def predict(self, items: Mapping[str, Item]) -> dict[str, Rating]:
        read = lru_cache(maxsize=16)(_strengths)  # the fillers of a gap mostly come together
        ratings = {}
        for id, item in items.items():
            context = bare(item)
            strengths = read(context)
            own = strengths[context.others.index(item.filler)] - math.fsum(strengths) / len(
                strengths
            )
            score = 1 + 4 / (1 + math.exp(-own / SPREAD))
            ratings[id] = Rating(label_of(score), score)
        return ratings


def _strengths(context: Item) -> list[float]:
    """For each filler of a context made by ``bare``, in the order of its ``others``."""
    fillers = context.others
    strengths = []
    for place, filler in enumerate(fillers):
        others = fillers[:place] + fillers[place + 1 :]
        row = dict(
            zip(NAMES, features(replace(context, filler=filler, others=others)), strict=True)
        )
        strengths.append(
            math.fsum(row[name] for name in MENTIONS) / len(MENTIONS)
            + math.fsum(row[name] for name in NEARNESS) / len(NEARNESS)
        )
    return strengths
