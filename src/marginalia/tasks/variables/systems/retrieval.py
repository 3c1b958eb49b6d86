"""Indexes over a catalogue: each gives a sentence one score per variable.

An index knows its catalogue only, never the sentences that will be asked, so the answer to one sentence
does not depend on the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.tokens import lower_words
from marginalia.tasks.variables.catalogue.parts import core, parts_of
from marginalia.tasks.variables.index.terms import stems, terms_of
from marginalia.tasks.variables.official.data import Ranking
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.evidence import VECTORS, standard

RANKING_DEPTH = 50
"""How many candidates a ranking keeps; the official program looks at the first 30."""
MIN_KIN_COSINE = 0.3
"""From this cosine on two stems, over the variables that have them, are akin."""
MAX_KIN = 5
KIN_WEIGHT = 0.5


class Index(Protocol):
    def scores(self, sentences: Sequence[str]) -> NDArray[Any]:
        """One row per sentence, one column per variable of the catalogue."""


class TfidfIndex:
    """Cosine of TF-IDF vectors of letter groups of four within words.

    Letter groups meet the parts of German compounds, which whole words miss.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        self.vectorizer = TfidfVectorizer(
            analyzer="char_wb", ngram_range=(4, 4), sublinear_tf=True, dtype=np.float64
        )
        self.matrix = self.vectorizer.fit_transform([v.text for v in catalogue]).T.tocsr()

    def scores(self, sentences: Sequence[str]) -> NDArray[Any]:
        found: NDArray[Any] = (self.vectorizer.transform(sentences) @ self.matrix).toarray()
        return found


class Bm25Index:
    """BM25 over lower-cased words and the parts of German compounds (k1 = 1.5, b = 0.75, as in Lucene)."""

    def __init__(self, catalogue: Catalogue) -> None:
        from bm25s import BM25

        self.size = len(catalogue)
        self.index = BM25(k1=1.5, b=0.75, method="lucene", backend="numpy")
        self.index.index([_tokens(v.text) for v in catalogue], show_progress=False)

    def scores(self, sentences: Sequence[str]) -> NDArray[Any]:
        found = np.zeros((len(sentences), self.size))
        for row, sentence in zip(found, sentences, strict=True):
            known = [token for token in _tokens(sentence) if token in self.index.vocab_dict]
            if known:
                row[:] = self.index.get_scores(known)
        return found


class SparseIndex:
    """TF-IDF over stems, each stem of the sentence bringing along those that the catalogue uses with it.

    Two stems are akin if the same variables have them: ``vote`` brings ``party`` and ``election``.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        from scipy import sparse
        from sklearn.feature_extraction.text import TfidfVectorizer

        # A text of stop words only would be an empty row, and a catalogue of such texts no vocabulary.
        texts = [f"{text} {variable.id}" for text, variable in _cores(catalogue)]
        self.vectorizer = TfidfVectorizer(analyzer=stems, sublinear_tf=True).fit(texts)
        rows = self.vectorizer.transform(texts)
        size = np.sqrt(np.asarray(rows.power(2).sum(axis=0)).ravel())
        columns = rows @ sparse.diags_array(1 / np.maximum(size, 1e-9))
        kin = (columns.T @ columns).tolil()
        kin.setdiag(0)
        akin = _strongest(kin.tocsr())
        self.expand = sparse.eye_array(akin.shape[0]) + KIN_WEIGHT * akin
        self.matrix = rows.T.tocsr()

    def scores(self, sentences: Sequence[str]) -> NDArray[Any]:
        wide = self.vectorizer.transform(sentences) @ self.expand
        found: NDArray[Any] = (wide @ self.matrix).toarray()
        return found


def _strongest(kin: Any) -> Any:
    """The strongest kin of each stem, adding up to 1."""
    from scipy import sparse

    rows, columns, values = [], [], []
    for row in range(kin.shape[0]):
        span = slice(kin.indptr[row], kin.indptr[row + 1])
        near, others = kin.data[span], kin.indices[span]
        order = np.lexsort((others, -near))[:MAX_KIN]
        order = order[near[order] >= MIN_KIN_COSINE]
        rows += [row] * len(order)
        columns += others[order].tolist()
        values += (near[order] / max(near[order].sum(), 1e-9)).tolist()
    return sparse.csr_array((values, (rows, columns)), shape=kin.shape)


class DenseIndex:
    """Cosine of the vectors of the shared multilingual encoder."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.matrix = VECTORS([text for text, _ in _cores(catalogue)])

    def scores(self, sentences: Sequence[str]) -> NDArray[Any]:
        # One product per sentence: those of other sizes differ in the last digits.
        rows = [self.matrix @ vector for vector in VECTORS(sentences)]
        return np.array(rows).reshape(len(rows), len(self.matrix))


class FusedIndex:
    """The mean of expanded words and vectors, each standardised over the candidates; letter groups add nothing."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.parts: list[Index] = [SparseIndex(catalogue), DenseIndex(catalogue)]

    def scores(self, sentences: Sequence[str]) -> NDArray[Any]:
        each = [[standard(row) for row in part.scores(sentences)] for part in self.parts]
        found: NDArray[Any] = np.mean(each, axis=0)
        return found


INDEXES: dict[str, Callable[[Catalogue], Index]] = {
    "bm25": Bm25Index,
    "tfidf": TfidfIndex,
    "sparse": SparseIndex,
    "dense": DenseIndex,
    "fused": FusedIndex,
}
"""By the names of the systems that link by one alone."""


def _cores(catalogue: Catalogue) -> list[tuple[str, Any]]:
    parts = parts_of(catalogue)
    return [(core(parts[variable.id]) or variable.text, variable) for variable in catalogue]


def _tokens(text: str) -> list[str]:
    return [term for word in lower_words(text) for term, _ in terms_of(word)]


def best_first(ids: Sequence[str], scores: NDArray[Any]) -> Ranking:
    """The best candidates with their scores; equal ones in the order of the catalogue."""
    order = np.argsort(-scores, kind="stable")[:RANKING_DEPTH]
    return tuple((ids[place], float(scores[place])) for place in order)
