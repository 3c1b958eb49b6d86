"""Indexes over a catalogue: each gives a sentence one score per variable.

An index knows its catalogue only, never the sentences that will be asked, so the answer to one sentence
does not depend on the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.tokens import words
from marginalia.tasks.variables.catalogue import Catalogue
from marginalia.tasks.variables.mention import Ranking

DEPTH = 50
"""How many candidates a ranking keeps; the official program looks at the first 30."""


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
    """BM25 over lower-cased words (k1 = 1.5, b = 0.75, as in Lucene)."""

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


def _tokens(text: str) -> list[str]:
    return [part for match in words(text.lower()) for part in match.group().split("-")]


def best_first(ids: Sequence[str], scores: NDArray[Any]) -> Ranking:
    """The best candidates with their scores; equal ones in the order of the catalogue."""
    order = np.argsort(-scores, kind="stable")[:DEPTH]
    return tuple((ids[place], float(scores[place])) for place in order)
