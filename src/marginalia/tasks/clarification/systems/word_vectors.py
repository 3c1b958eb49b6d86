"""The word vectors of the shared English encoder, read out of its graph.

The network keeps them as they are, so they need not be shipped a second time. An ONNX file is a protocol
buffer; the few fields that hold a tensor are read here, without a package for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import FormatError
from marginalia.nlp.encoder import english

Floats = NDArray[np.float32]

TABLE = "model.embeddings.word_embeddings.weight"
GRAPH, INITIALIZER = 7, 5
DIMS, KIND, NAME, RAW = 1, 2, 8, 9
FLOAT_DATA, INT_DATA = 4, 5
TYPES: dict[int, Any] = {1: np.dtype("<f4"), 2: np.dtype("u1"), 3: np.dtype("i1")}


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
    names = {f"{TABLE}_{part}": part for part in ("quantized", "scale", "zero_point")}
    try:
        found = dict(_tensors(memoryview(path.read_bytes()), frozenset(names)))
        table, scale, zero = (found[name] for name in names)
    except (KeyError, IndexError, ValueError):
        raise FormatError(
            "the graph has no table of word vectors in eight bits", path=path
        ) from None
    return WordVectors(table, float(scale.ravel()[0]), int(zero.ravel()[0]))


def _tensors(data: memoryview, names: frozenset[str]) -> Iterator[tuple[str, NDArray[Any]]]:
    """The constants of these names in a model."""
    for field, graph in _fields(data):
        if field != GRAPH:
            continue
        for inner, tensor in _fields(graph):
            if inner != INITIALIZER:
                continue
            parts = list(_fields(tensor))
            name = next((bytes(part).decode() for key, part in parts if key == NAME), "")
            if name in names:
                yield name, _tensor(parts)


def _tensor(parts: list[tuple[int, memoryview]]) -> NDArray[Any]:
    shape = [size for key, part in parts if key == DIMS for size in _varints(part)]
    kind = next(number for key, part in parts if key == KIND for number in _varints(part))
    raw = next((part for key, part in parts if key == RAW), None)
    if raw is not None:
        return np.asarray(np.frombuffer(raw, dtype=TYPES[kind]).reshape(shape))
    if kind == 1:
        floats = b"".join(bytes(part) for key, part in parts if key == FLOAT_DATA)
        return np.frombuffer(floats, dtype="<f4").reshape(shape)
    ints = [number for key, part in parts if key == INT_DATA for number in _varints(part)]
    return np.asarray(np.array(ints, dtype=TYPES[kind]).reshape(shape))


def _fields(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Field numbers and contents of a message, in order."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        match key & 7:
            case 0:
                start = at
                _, at = _varint(data, at)
            case 1:
                start, at = at, at + 8
            case 2:
                size, start = _varint(data, at)
                at = start + size
            case 5:
                start, at = at, at + 4
            case other:
                raise ValueError(f"wire type {other}")
        yield key >> 3, data[start:at]


def _varints(data: memoryview) -> Iterator[int]:
    at = 0
    while at < len(data):
        number, at = _varint(data, at)
        yield number


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7
