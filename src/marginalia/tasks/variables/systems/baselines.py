"""The organisers' and participants' simple systems, and two floors.

A detector answers ``is_variable`` only, a linker ``ranking`` only; ``Baseline`` puts one of each together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from marginalia.core.benchmark import Split, uniform
from marginalia.core.errors import ContractError, MissingError
from marginalia.tasks.variables.catalogue.parts import clean, parts_of
from marginalia.tasks.variables.index.terms import STOP_WORDS
from marginalia.tasks.variables.official.data import NO_CANDIDATES, Mention, Ranking, Statement
from marginalia.tasks.variables.official.metrics import detection
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.evidence import VECTORS
from marginalia.tasks.variables.systems.retrieval import INDEXES, Index, best_first


class Words:
    """Word counts and a classifier that knows nothing of the catalogue."""

    def __init__(self) -> None:
        self.model: Any = None

    def classifier(self) -> Any:
        raise NotImplementedError

    def fit(self, split: Split) -> Self:
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.pipeline import make_pipeline

        gold = split.require_gold()
        self.model = make_pipeline(CountVectorizer(), self.classifier())
        self.model.fit(
            [split.items[id].sentence for id in gold], [gold[id].is_variable for id in gold]
        )
        return self

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        if self.model is None:
            raise ContractError(f"{type(self).__name__} must be fitted before it predicts")
        if not items:
            return {}
        labels = self.model.predict([item.sentence for item in items.values()])
        return {id: Mention(int(label)) for id, label in zip(items, labels, strict=True)}


class BagOfWords(Words):
    """Logistic regression, the two classes weighing the same."""

    def classifier(self) -> Any:
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(C=0.1, class_weight="balanced", max_iter=1000)


class NaiveBayes(Words):
    """Multinomial naive Bayes."""

    def classifier(self) -> Any:
        from sklearn.naive_bayes import MultinomialNB

        return MultinomialNB()


class Frozen:
    """Logistic regression on the sentence vector of the shared encoder, which stays as it is."""

    def __init__(self) -> None:
        self.weights: Any = None
        self.bias = 0.0

    def fit(self, split: Split) -> Self:
        from sklearn.linear_model import LogisticRegression
        from sklearn.preprocessing import StandardScaler

        gold = split.require_gold()
        rows = VECTORS([split.items[id].sentence for id in gold])
        scaler = StandardScaler().fit(rows)
        model = LogisticRegression(C=0.003, class_weight="balanced", max_iter=1000)
        model.fit(scaler.transform(rows), [gold[id].is_variable for id in gold])
        self.weights = model.coef_[0] / scaler.scale_
        self.bias = float(model.intercept_[0] - self.weights @ scaler.mean_)
        return self

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        if self.weights is None:
            raise ContractError("Frozen must be fitted before it predicts")
        rows = VECTORS([item.sentence for item in items.values()])
        return {
            id: Mention(int(float(row @ self.weights) + self.bias >= 0))
            for id, row in zip(items, rows, strict=True)
        }


class Linker:
    """Ranks the candidates of each sentence by one of the INDEXES, built once per catalogue."""

    def __init__(self, index: str) -> None:
        self.index = index
        self.built: dict[Catalogue, Index] = {}

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        return {id: Mention(ranking=ranking) for id, ranking in self.rankings(items).items()}

    def rankings(self, items: Mapping[str, Statement]) -> dict[str, Ranking]:
        return {
            id: best_first(items[id].catalogue.ids, row) for id, row in self.scores(items).items()
        }

    def scores(self, items: Mapping[str, Statement]) -> dict[str, Any]:
        """One array per sentence with the score of each of its candidates."""
        together: dict[Catalogue, list[str]] = {}
        for id, item in items.items():
            together.setdefault(item.catalogue, []).append(id)
        by_id: dict[str, Any] = {}
        for catalogue, ids in together.items():
            if not catalogue:
                raise MissingError(NO_CANDIDATES)
            if catalogue not in self.built:
                self.built[catalogue] = INDEXES[self.index](catalogue)
            rows = self.built[catalogue].scores([items[id].sentence for id in ids])
            by_id.update(zip(ids, rows, strict=True))
        return {id: by_id[id] for id in items}


class Similarity:
    """Positive when some candidate is similar enough: the participant's recipe with TF-IDF for Sentence-T5."""

    def __init__(self) -> None:
        self.linker = Linker("tfidf")
        self.threshold: float | None = None

    def fit(self, split: Split) -> Self:
        """Take the threshold with the best official F1 on the split."""
        gold = {id: label.is_variable for id, label in split.require_gold().items()}
        langs = {id: split.items[id].lang for id in gold}
        docs = {id: split.items[id].doc_id for id in gold}
        best = self._best(split.items)

        def f1(threshold: float) -> float:
            pred = {id: int(best[id] >= threshold) for id in gold}
            return float(detection(gold, pred, langs, docs).scores["macro_scores"]["f1"])

        tried = np.quantile(list(best.values()), np.linspace(0.05, 0.95, 37))
        self.threshold = float(max(tried, key=f1))
        return self

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        if self.threshold is None:
            raise ContractError("Similarity must be fitted before it predicts")
        return {id: Mention(int(best >= self.threshold)) for id, best in self._best(items).items()}

    def _best(self, items: Mapping[str, Statement]) -> dict[str, float]:
        return {id: float(row.max()) for id, row in self.linker.scores(items).items()}


class Recipe:
    """The Sentence-T5 participant's recipe with our encoder.

    Function words are taken out of sentence and variable, of which label and question are used; the
    training data are undersampled until both classes have as many sentences; each language has the
    threshold that is right most often. The participant also lemmatised, which no dependency of ours does.
    """

    def __init__(self) -> None:
        self.thresholds: dict[str, float] = {}

    def fit(self, split: Split) -> Self:
        gold = split.require_gold()
        best = self._best(split.items)
        for lang in sorted({item.lang for item in split.items.values()}):
            classes = [
                sorted(
                    (
                        id
                        for id in gold
                        if split.items[id].lang == lang and gold[id].is_variable == c
                    ),
                    key=uniform,
                )
                for c in (0, 1)
            ]
            size = min(map(len, classes))
            rows = [[best[id] for id in ids[:size]] for ids in classes]
            tried = sorted({*rows[0], *rows[1]})

            def right(edge: float, rows: list[list[float]] = rows) -> int:
                return sum(v < edge for v in rows[0]) + sum(v >= edge for v in rows[1])

            self.thresholds[lang] = max(tried, key=right) if tried else 0.0
        return self

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        if not self.thresholds:
            raise ContractError("Recipe must be fitted before it predicts")
        usual = float(np.mean(list(self.thresholds.values())))
        return {
            id: Mention(int(best >= self.thresholds.get(items[id].lang, usual)))
            for id, best in self._best(items).items()
        }

    def _best(self, items: Mapping[str, Statement]) -> dict[str, float]:
        """The cosine of each sentence with the candidate nearest to it."""
        candidates: dict[Catalogue, Any] = {}
        for catalogue in {item.catalogue: None for item in items.values()}:
            if not catalogue:
                raise MissingError(NO_CANDIDATES)
            fields = parts_of(catalogue).values()
            texts = (f"{f.get('label', '')} {f.get('question', '')}" for f in fields)
            candidates[catalogue] = VECTORS([content(clean(text)) for text in texts])
        rows = VECTORS([content(item.sentence) for item in items.values()])
        return {
            id: float((candidates[item.catalogue] @ row).max())
            for (id, item), row in zip(items.items(), rows, strict=True)
        }


def content(text: str) -> str:
    """The text without its function words."""
    return " ".join(word for word in text.split() if word.lower().strip(".,;:?!") not in STOP_WORDS)


class Baseline:
    """Bag of words to detect, letter-group TF-IDF to link."""

    def __init__(self) -> None:
        self.detector = BagOfWords()
        self.linker = Linker("tfidf")

    def fit(self, split: Split) -> Self:
        self.detector.fit(split)
        return self

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        pred = self.detector.predict(items)
        linked = self.linker.rankings({id: item for id, item in items.items() if item.catalogue})
        return {id: Mention(pred[id].is_variable, linked.get(id)) for id in items}


class Majority:
    """The more frequent class of the training data for every sentence."""

    def __init__(self) -> None:
        self.label: int | None = None

    def fit(self, split: Split) -> Self:
        labels = [label.is_variable for label in split.require_gold().values()]
        self.label = int(2 * sum(labels) >= len(labels))
        return self

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        if self.label is None:
            raise ContractError("Majority must be fitted before it predicts")
        return {id: Mention(self.label) for id in items}


class Random:
    """A coin and a shuffled catalogue that depend on the id and the seed only."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        return {id: self._mention(id, item.catalogue.ids) for id, item in items.items()}

    def _mention(self, id: str, variables: tuple[str, ...]) -> Mention:
        coin = int(uniform(f"{self.seed}:{id}") >= 0.5)
        drawn = np.array([uniform(f"{self.seed}:{id}:{variable}") for variable in variables])
        return Mention(coin, best_first(variables, drawn) if variables else None)
