"""Small vectors from the catalogue itself: latent semantic analysis of its words.

Learned on a sample, so that a million variables cost little more than a hundred thousand. Where the
catalogue has its questions in two languages, words of one come to lie near words of the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

VECTOR_WIDTH = 96
SAMPLE_VARIABLES = 40_000
FEW = 1500
PASSES = 3
ROWS_PER_BLOCK = 8192


def weigh(matrix: Any, idf: NDArray[Any]) -> Any:
    """Counts (CSR) to TF-IDF with logarithmic counts, rows of length 1; changes the matrix."""
    matrix.data = (np.log1p(matrix.data) * idf[matrix.indices]).astype(np.float32)
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    matrix.data /= np.repeat(np.maximum(lengths, 1e-9), np.diff(matrix.indptr)).astype(np.float32)
    return matrix


def learn(sample: Any, width: int = VECTOR_WIDTH) -> tuple[NDArray[Any], NDArray[Any]]:
    """From weighed rows (CSR) the terms that occur at least twice in them, and a vector for each."""
    counts = np.bincount(sample.indices, minlength=sample.shape[1])
    terms = np.flatnonzero(counts >= 2)
    width = min(width, sample.shape[0] - 1, len(terms) - 1)
    if width < 2:
        return np.zeros(0, dtype=np.int64), np.zeros((0, 0), dtype=np.float32)
    part = sample[:, terms].astype(np.float64)
    return terms, np.ascontiguousarray(_directions(part, width), dtype=np.float32)


def _directions(rows: Any, width: int) -> NDArray[Any]:
    """The first right singular vectors, as columns.

    Few rows have them exactly; of many, a random sketch and some passes over the rows find them well
    enough (Halko, Martinsson and Tropp 2011).
    """
    if rows.shape[0] <= FEW:
        values, left = np.linalg.eigh((rows @ rows.T).toarray())
        left, values = left[:, ::-1][:, :width], values[::-1][:width]
        found: NDArray[Any] = (rows.T @ left) / np.sqrt(np.maximum(values, 1e-9))
        return found
    sketch = np.random.default_rng(0).normal(size=(rows.shape[1], width + 16))
    for _ in range(PASSES):
        basis, _ = np.linalg.qr(rows @ sketch)
        sketch, _ = np.linalg.qr(rows.T @ basis)
    left, _, right = np.linalg.svd(rows @ sketch, full_matrices=False)
    return np.asarray(sketch @ right[:width].T)


def pack(vectors: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rows in eight bits, and what a product with such a row is divided by to be a cosine."""
    vectors = np.asarray(vectors, dtype=np.float32)
    peak = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    codes = np.rint(vectors * (127 / np.maximum(peak, 1e-12))).astype(np.int8)
    lengths = np.linalg.norm(codes.astype(np.float32), axis=1)
    return codes, np.maximum(lengths, 1.0).astype(np.float32)


def cosines(
    codes: NDArray[np.int8], lengths: NDArray[np.float32], query: NDArray[Any]
) -> NDArray[np.float32]:
    """Of every packed row with the query, block by block: numpy has no fast product of small numbers."""
    found = np.zeros(len(codes), dtype=np.float32)
    norm = float(np.linalg.norm(query))
    if norm == 0 or not len(codes):
        return found
    query = (np.asarray(query) / norm).astype(np.float32)
    for start in range(0, len(codes), ROWS_PER_BLOCK):
        block = codes[start : start + ROWS_PER_BLOCK].astype(np.float32)
        np.matmul(block, query, out=found[start : start + ROWS_PER_BLOCK])
    found /= lengths
    return found
