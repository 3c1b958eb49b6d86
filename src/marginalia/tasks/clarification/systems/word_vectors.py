"""The word vectors of the shared English encoder, read out of its graph.

The network keeps them as they are, so they need not be shipped a second time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import FormatError
from marginalia.nlp.encoder import english
from marginalia.nlp.onnx import read_tensors

Floats = NDArray[np.float32]

TABLE = "model.embeddings.word_embeddings.weight"


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Vectors in eight bits, with one scale for all."""

    table: NDArray[Any]
    scale: float
    zero: int

    def __call__(self, pieces: NDArray[np.int64]) -> Floats:
        rows = self.table[pieces].astype(np.float32)
        return (rows - np.float32(self.zero)) * np.float32(self.scale)


@cache
def word_vectors() -> WordVectors:
    """Those of the shipped encoder."""
    encoder = english()
    _ = encoder.manifest  # the files are whole
    return read_vectors(encoder.folder / "lower.onnx")


def read_vectors(path: Path) -> WordVectors:
    wanted = [f"{TABLE}_{part}" for part in ("quantized", "scale", "zero_point")]
    try:
        tensors = read_tensors(path.read_bytes(), wanted)
        table, scale, zero = (tensors[name] for name in wanted)
        return WordVectors(table, float(scale.ravel()[0]), int(zero.ravel()[0]))
    except (KeyError, IndexError, ValueError):
        raise FormatError(
            "the graph has no table of word vectors in eight bits", path=path
        ) from None
