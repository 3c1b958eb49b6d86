"""Vectors of the shared multilingual encoder, one per group, in one file that grows batch by batch.

What is there of an interrupted build is not encoded again: the size of the file says how far it came.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.tasks.variables.catalogue.parts import spoken
from marginalia.tasks.variables.official.vocabulary import Variable

GROUPS_PER_BATCH = 256
ROWS_PER_BLOCK = 8192
MAX_ENCODED_CHARACTERS = 200
"""Characters of a variable that are encoded: label and question, which say what it is about."""

Floats = NDArray[np.float32]


def encode(texts: Sequence[str]) -> NDArray[Any]:
    from marginalia.nlp.encoder import multilingual

    return multilingual().vectors(texts)


def encoded_text(variable: Variable) -> str:
    """Label, question and sub-question as said, or the text where there are no fields."""
    parts = [spoken(variable.fields.get(name, "")) for name in ("label", "question", "subquestion")]
    return (": ".join(part for part in parts if part) or variable.text)[:MAX_ENCODED_CHARACTERS]


def row_type(width: int) -> np.dtype[Any]:
    """A row: the vector in eight bits, and what a product with it is divided by to be a cosine."""
    return np.dtype([("code", np.int8, (width,)), ("length", "<f4")])


def pack(vectors: NDArray[Any]) -> NDArray[Any]:
    vectors = np.asarray(vectors, dtype=np.float32)
    peak = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
    rows = np.zeros(len(vectors), dtype=row_type(vectors.shape[1]))
    rows["code"] = np.rint(vectors * (127 / np.maximum(peak, 1e-12))).astype(np.int8)
    lengths = np.linalg.norm(rows["code"].astype(np.float32), axis=1)
    rows["length"] = np.maximum(lengths, 1.0)
    return rows


def cosines(rows: NDArray[Any], query: NDArray[Any]) -> Floats:
    """Of every packed row with the query, block by block: numpy has no fast product of small numbers."""
    products = np.zeros(len(rows), dtype=np.float32)
    norm = float(np.linalg.norm(query))
    if norm == 0 or not len(rows):
        return products
    query = (np.asarray(query) / norm).astype(np.float32)
    for start in range(0, len(rows), ROWS_PER_BLOCK):
        block = rows["code"][start : start + ROWS_PER_BLOCK].astype(np.float32)
        np.matmul(block, query, out=products[start : start + ROWS_PER_BLOCK])
    products /= rows["length"]
    return products


def write_vectors(path: Path, texts: Sequence[str], width: int) -> Iterator[int]:
    """Append what is missing and say after each batch how many are done. Plain writing: a full disk is an error."""
    size = row_type(width).itemsize
    done = path.stat().st_size // size if path.exists() else 0
    with path.open("ab") as file:
        file.truncate(done * size)  # half a row of a run that was killed
        while done < len(texts):
            batch = texts[done : done + GROUPS_PER_BATCH]
            file.write(pack(encode(batch)).tobytes())
            file.flush()
            done += len(batch)
            yield done
