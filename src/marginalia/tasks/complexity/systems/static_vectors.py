"""Static word vectors: what a word means wherever it stands.

A small table made from GloVe (Pennington et al. 2014, public domain) by ``build_static``. Its words are
in the order of their frequency in Wikipedia and newswire, so the rank is told too. A word that the table
lacks has the zero vector and the rank of the last.
"""

from __future__ import annotations

import gzip
import math
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.onnx import start
from marginalia.nlp.weights import open_weights
from marginalia.tasks.complexity.systems.shipped import WEIGHTS

Floats = NDArray[np.float32]

MODEL, WORDS = "static.onnx", "static_words.txt.gz"


class Static:
    """Rows of ``static.onnx`` by the words of ``static_words.txt.gz``."""

    def __init__(self, folder: Path) -> None:
        text = gzip.decompress((folder / WORDS).read_bytes()).decode("utf-8")
        self.rows = {word: row for row, word in enumerate(text.split("\n"))}
        session = start((folder / MODEL).read_bytes())
        # The whole table, once: a few megabytes, and no call per word.
        [self.table] = session.run(["vectors"], {"rows": np.arange(len(self.rows))})

    @property
    def width(self) -> int:
        return int(self.table.shape[1]) + 1

    def vector(self, token: str) -> Floats:
        """Mean over the words of a token: vector and logarithm of the rank, side by side."""
        parts = token.lower().split() or [token]
        found = np.zeros(self.width, dtype=np.float32)
        for part in parts:
            row = self.rows.get(part)
            if row is not None:
                found[:-1] += self.table[row]
            found[-1] += math.log1p(len(self.rows) if row is None else row)
        return found / np.float32(len(parts))


@cache
def shipped_static() -> Static:
    open_weights(WEIGHTS)
    return Static(WEIGHTS)
