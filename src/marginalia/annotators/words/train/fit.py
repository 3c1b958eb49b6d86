"""Fit the model of who stops where: trees on words alone, heads on vectors, trees on all of it; nothing sees its own labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.annotators.words.candidates import Sentence
from marginalia.annotators.words.features import features_of, relative_features, sense_shares
from marginalia.annotators.words.senses import fields_of
from marginalia.annotators.words.stopping import read_sentences
from marginalia.lexicon.dictionary import Dictionary

Floats = NDArray[np.float32]
LAYERS = (4, 12)
"""Of the shared encoder: a low one, which tells words apart, and the last."""
FOLDS = 5
RIDGE = 300.0
FIRST = {"n_estimators": 300, "learning_rate": 0.04}
SECOND = {"n_estimators": 500, "learning_rate": 0.03}
TREES = {
    "num_leaves": 15,
    "min_child_samples": 40,
    "reg_lambda": 5.0,
    "subsample": 0.8,
    "subsample_freq": 1,
    "colsample_bytree": 0.5,
    "verbose": -1,
}


@dataclass(frozen=True, slots=True)
class Text:
    """Sentences that belong together, with what readers marked: for each candidate the shares of natives and of learners
    who stopped, NaN where nobody was asked."""

    group: str
    """What folds keep together, such as an article."""
    source: str
    sentences: tuple[Sentence, ...]
    marks: Floats


@dataclass(frozen=True, slots=True)
class Table:
    """The texts as numbers: one row for each candidate."""

    texts: Sequence[Text]
    features: Floats
    vectors: Floats
    shares: Floats
    marks: Floats
    group: NDArray[np.str_]
    weight: Floats

    @property
    def is_marked(self) -> NDArray[np.bool_]:
        return ~np.isnan(self.marks[:, 0])


def make_table(
    dictionary: Dictionary, texts: Sequence[Text], weights: dict[str, float] | None = None
) -> Table:
    """What the model sees of the texts; ``weights`` say how much a source counts."""
    features, vectors, shares = [], [], []
    for text in texts:
        features.append(features_of(text.sentences))
        every = range(len(text.sentences))
        fields = fields_of(text.sentences)
        read = read_sentences(dictionary, text.sentences, every, LAYERS, fields)
        vectors.append(read.vectors)
        shares.append(sense_shares(read.choices))
    sizes = [len(text.marks) for text in texts]
    return Table(
        texts=texts,
        features=np.concatenate([one for one in features if len(one)]),
        vectors=np.concatenate(vectors),
        shares=np.concatenate(shares),
        marks=np.concatenate([text.marks for text in texts]).astype(np.float32),
        group=np.repeat([text.group for text in texts], sizes),
        weight=np.repeat([(weights or {}).get(t.source, 1.0) for t in texts], sizes).astype(
            np.float32
        ),
    )


@dataclass(frozen=True, slots=True)
class Fitted:
    first: Any
    heads: tuple[Floats, Floats]
    second: tuple[Any, Any]

    def predict(self, table: Table, texts: Sequence[Text], rows: NDArray[np.int64]) -> Floats:
        """The probabilities for these texts, whose rows of the table are given."""
        first = self.first.predict(table.features[rows])
        seen = table.vectors[rows] @ self.heads[0] + self.heads[1]
        joined = _joined(table.features[rows], first, texts, seen, table.shares[rows])
        return np.stack([trees.predict(joined) for trees in self.second], axis=1)


def fit(table: Table, rows: NDArray[np.int64]) -> Fitted:
    """Learn from these rows, which hold whole texts."""
    from sklearn.model_selection import GroupKFold

    marked = rows[table.is_marked[rows]]
    mean = table.marks.mean(axis=1)
    first = np.zeros(len(table.features), dtype=np.float32)
    seen = np.zeros((len(table.features), 2), dtype=np.float32)
    for learn, leave in GroupKFold(FOLDS).split(rows, None, table.group[rows]):
        known, out = rows[learn][table.is_marked[rows[learn]]], rows[leave]
        first[out] = _trees(FIRST, table, known, mean).predict(table.features[out])
        weights, biases = _heads(table, known)
        seen[out] = table.vectors[out] @ weights + biases
    chosen = set(table.group[rows])
    texts = [text for text in table.texts if text.group in chosen]
    joined = _joined(table.features[rows], first[rows], texts, seen[rows], table.shares[rows])
    joined = joined[table.is_marked[rows]]
    second = [
        _model(SECOND, number).fit(
            joined, table.marks[marked, number], sample_weight=table.weight[marked]
        )
        for number in (0, 1)
    ]
    return Fitted(_trees(FIRST, table, marked, mean), _heads(table, marked), (second[0], second[1]))


def _joined(
    features: Floats, first: Floats, texts: Sequence[Text], seen: Floats, shares: Floats
) -> Floats:
    parts, row = [], 0
    for text in texts:
        size = len(text.marks)
        parts.append(relative_features(text.sentences, first[row : row + size]))
        row += size
    return np.hstack([features, first[:, None], np.concatenate(parts), seen, shares]).astype(
        np.float32
    )


def _model(size: dict[str, Any], seed: int) -> Any:
    from lightgbm import LGBMRegressor

    return LGBMRegressor(**TREES, **size, random_state=seed, n_jobs=1)


def _trees(size: dict[str, Any], table: Table, rows: NDArray[np.int64], mean: Floats) -> Any:
    return _model(size, 0).fit(table.features[rows], mean[rows], sample_weight=table.weight[rows])


def _heads(table: Table, rows: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Ridge regressions of both shares on the vectors, as one matrix."""
    from sklearn.linear_model import Ridge

    vectors = table.vectors[rows]
    mean, spread = vectors.mean(axis=0), vectors.std(axis=0) + 1e-6
    found = Ridge(RIDGE).fit(
        (vectors - mean) / spread, table.marks[rows], sample_weight=table.weight[rows]
    )
    weights = (found.coef_ / spread).T
    return weights.astype(np.float32), (found.intercept_ - mean @ weights).astype(np.float32)


def out_of_fold(table: Table, folds: int) -> Floats:
    """Each text judged by a model that has seen none of its group."""
    from sklearn.model_selection import GroupKFold

    every = np.arange(len(table.features))
    found = np.zeros((len(every), 2), dtype=np.float32)
    for learn, leave in GroupKFold(folds).split(every, None, table.group):
        out = set(table.group[leave])
        texts = [text for text in table.texts if text.group in out]
        found[leave] = fit(table, learn).predict(table, texts, leave)
    return found
