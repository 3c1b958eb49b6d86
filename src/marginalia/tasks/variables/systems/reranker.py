"""Which variables does a sentence mention? A linear re-ranker over what the evidence says of each candidate.

The score of a candidate is the probability that it is among the variables of the sentence, given that the
sentence mentions any. Whether it is claimed is another question: ``claims.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.core.errors import MissingError
from marginalia.nlp.onnx import start
from marginalia.nlp.weights import open_weights, write_weights
from marginalia.tasks.variables.official.data import (
    NO_CANDIDATES,
    Mention,
    Paper,
    Ranking,
    Statement,
)
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable
from marginalia.tasks.variables.systems import weights_folder
from marginalia.tasks.variables.systems.evidence import Evidence, evidence
from marginalia.tasks.variables.systems.features import candidate_features
from marginalia.tasks.variables.systems.retrieval import best_first

Floats = NDArray[np.float64]

HEAD = "linking.onnx"
MAX_CACHED_PAPERS = 48


class Reranker:
    """Without ``fit`` the shipped head."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or weights_folder()
        self.model: bytes | None = None
        self._session: Any = None
        self._read: dict[tuple[Paper, Catalogue], Floats] = {}

    def fit(self, split: Split, wider: Split | None = None) -> Self:
        """Retrain the head, also on ``wider`` candidates; needs ``marginalia[train]``."""
        from marginalia.tasks.variables.systems.train.recipe import train_linking

        self.model = train_linking(split, wider)
        self._session, self._read = None, {}
        return self

    def save(self, folder: Path) -> None:
        if self.model is None:
            raise MissingError("there is nothing to save: the re-ranker was not fitted")
        write_weights(folder, {HEAD: self.model})

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        return {id: Mention(ranking=ranking) for id, ranking in self.rankings(items).items()}

    def rankings(self, items: Mapping[str, Statement]) -> dict[str, Ranking]:
        if not all(item.catalogue for item in items.values()):
            raise MissingError(NO_CANDIDATES)
        return {
            id: self.rank(item.sentence, item.catalogue, item.paper) for id, item in items.items()
        }

    def rank(self, sentence: str, catalogue: Catalogue, paper: Paper | None = None) -> Ranking:
        """The candidates with their probabilities, best first."""
        paper = (paper or Paper()).having(sentence)
        row = self.chances(paper, catalogue)[paper.place(sentence)]
        return best_first(catalogue.ids, row)

    def chances(self, paper: Paper, catalogue: Catalogue) -> Floats:
        """One row per sentence of the paper, one column per variable."""
        key = paper, catalogue
        if key not in self._read:
            if len(self._read) >= MAX_CACHED_PAPERS:
                self._read = {}
            self._read[key] = 1 / (1 + np.exp(-self.scores(evidence(paper, catalogue))))
        return self._read[key]

    def scores(self, found: Evidence) -> Floats:
        """What the head says; it is run sentence by sentence, each with all its candidates."""
        if self._session is None:
            if self.model is None:
                open_weights(self.folder)
            self._session = start(self.folder / HEAD if self.model is None else self.model)
        rows = candidate_features(found).astype(np.float32)
        scored = [self._session.run(["score"], {"features": row})[0][:, 0] for row in rows]
        return np.array(scored, dtype=np.float64).reshape(found.shape)


@cache
def linker() -> Reranker:
    """The shipped re-ranker, loaded once in a process."""
    return Reranker()


def rerank(
    sentence: str, candidates: Sequence[Variable], paper: Paper | None = None
) -> list[tuple[Variable, float]]:
    """These candidates, the first stage's choice of a large catalogue, in the order of the re-ranker."""
    catalogue = Catalogue(candidates)
    if not catalogue:
        return []
    ranking = linker().rank(sentence, catalogue, paper)
    return [(catalogue[id], score) for id, score in ranking]
