"""Does a sentence mention a survey variable? A linear head, then the sentence's company in its paper.

The head sees the stems of the sentence, its vector, and its features in the paper. Then each sentence
takes over some of the score of similar sentences, since a paper comes back to its variables in much the
same words, and the threshold is the one that promises the paper the best macro F1: papers differ widely
in how much of them is about variables.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.core.errors import MissingError
from marginalia.core.files import read_json
from marginalia.nlp.onnx import start
from marginalia.nlp.weights import open_weights, write_weights
from marginalia.tasks.variables.index.terms import stems
from marginalia.tasks.variables.official.data import Mention, Paper, Statement
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems import weights_folder
from marginalia.tasks.variables.systems.evidence import Evidence, evidence
from marginalia.tasks.variables.systems.features import neighbour_shares, sentence_features

Floats = NDArray[np.float64]

HEAD, WORDS = "detection.onnx", "words.json"
NEIGHBOUR_WEIGHT = 0.7
"""How much of the mean score of similar sentences is added to a sentence's own."""
MAX_NEIGHBOURS = 20
MIN_SENTENCES_FOR_THRESHOLD = 8
"""With fewer sentences than this a paper has no threshold of its own."""
MAX_CACHED_PAPERS = 48


class Detector:
    """Without ``fit`` the shipped head."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or weights_folder()
        self.model: bytes | None = None
        self.words: dict[str, float] | None = None
        self._session: Any = None
        self._read: dict[tuple[Paper, Catalogue], tuple[Floats, float]] = {}

    def fit(self, split: Split) -> Self:
        """Retrain the head; needs ``marginalia[train]``."""
        from marginalia.tasks.variables.systems.train.recipe import train_detection

        self.model, self.words = train_detection(split)
        self._session, self._read = None, {}
        return self

    def save(self, folder: Path) -> None:
        if self.model is None:
            raise MissingError("there is nothing to save: the detector was not fitted")
        write_weights(folder, {HEAD: self.model, WORDS: json.dumps(self.words).encode()})

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        found = {}
        for id, item in items.items():
            chance, threshold = self.chance(item)
            found[id] = Mention(int(chance >= threshold))
        return found

    def chance(self, item: Statement) -> tuple[float, float]:
        """How probable it is that the sentence mentions a variable, and from where on its paper says so."""
        paper = item.paper.having(item.sentence)
        chances, threshold = self.chances(paper, item.catalogue)
        return float(chances[paper.place(item.sentence)]), threshold

    def chances(self, paper: Paper, catalogue: Catalogue) -> tuple[Floats, float]:
        """The same for all sentences of a paper."""
        key = paper, catalogue
        if key not in self._read:
            if len(self._read) >= MAX_CACHED_PAPERS:
                self._read = {}
            found = evidence(paper, catalogue)
            own = self.scores(found)
            chances = 1 / (
                1
                + np.exp(-own - NEIGHBOUR_WEIGHT * (neighbour_shares(found, MAX_NEIGHBOURS) @ own))
            )
            self._read[key] = chances, best_threshold(chances)
        return self._read[key]

    def scores(self, found: Evidence) -> Floats:
        """What the head says of each sentence of a paper.

        It is run row by row: matrix products of other sizes differ in the last digits.
        """
        session, known = self._load()
        rows = {
            "words": words_rows(found.paper.sentences, known),
            "features": sentence_features(found).astype(np.float32),
            "vectors": found.vectors.astype(np.float32),
        }
        names = [entry.name for entry in session.get_inputs()]
        each = (
            session.run(["score"], {name: rows[name][[place]] for name in names})[0].item()
            for place in range(len(found.paper))
        )
        return np.array(list(each))

    def _load(self) -> tuple[Any, dict[str, float]]:
        if self._session is None:
            if self.model is None:
                open_weights(self.folder)
                self.words = read_json(self.folder / WORDS)
            self._session = start(self.folder / HEAD if self.model is None else self.model)
        return self._session, self.words or {}


def words_rows(sentences: Iterable[str], known: Mapping[str, float]) -> NDArray[np.float32]:
    """TF-IDF rows over the known stems, of length 1."""
    places = {stem: place for place, stem in enumerate(known)}
    weights = np.array(list(known.values()))
    rows = []
    for sentence in sentences:
        row = np.zeros(len(known))
        for stem, count in Counter(stem for stem in stems(sentence) if stem in places).items():
            row[places[stem]] = (1 + math.log(count)) * weights[places[stem]]
        rows.append(row / max(float(np.linalg.norm(row)), 1e-9))
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(known))


def best_threshold(chances: Floats) -> float:
    """The threshold with the best macro F1 to be expected if the probabilities are right."""
    size, total = len(chances), float(chances.sum())
    if size < MIN_SENTENCES_FOR_THRESHOLD:
        return 0.5
    ordered = np.sort(chances)[::-1]
    hits = np.concatenate([[0.0], np.cumsum(ordered)])
    chosen = np.arange(size + 1)
    misses = total - hits
    positive = 2 * hits / (chosen + total)
    negative = 2 * (size - chosen - misses) / (2 * size - chosen - total)
    best = int(np.argmax(positive + negative))
    if best == 0:
        return float(np.nextafter(ordered[0], 2))
    below = ordered[best] if best < size else ordered[best - 1]
    return float((ordered[best - 1] + below) / 2)
