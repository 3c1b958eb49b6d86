"""All pairs of unit vectors above a cosine, block by block: the whole matrix is never there."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.long_work import pause
from marginalia.nlp.encoder import Encoder
from marginalia.tasks.similarity.search.candidates import Progress, top_of_rows

ROWS_PER_BLOCK, COLUMNS_PER_BLOCK = 1024, 8192
"""A block of cosines has 32 MB."""
MAX_PARTNERS = 30
"""Pairs a sentence may have with later ones in a block."""
TEXTS_PER_BATCH = 32
MAX_VECTORS_IN_MEMORY = 250_000
"""Vectors that are kept in memory (200 MB of half precision); more go to a file that is deleted at the end."""


class Pairs:
    """The best pairs so far. When there are too many the floor rises to the worst of those kept."""

    def __init__(self, floor: float, most: int) -> None:
        self.floor, self.most = floor, most
        self.full = False
        self._parts: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
        self._count = 0

    def add(self, first: NDArray[Any], second: NDArray[Any], cosines: NDArray[Any]) -> None:
        self._parts.append((first, second, cosines))
        self._count += len(first)
        if self._count > 4 * self.most:
            self._cut()

    def best(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """First, second and cosine of the pairs, the nearest first."""
        self._cut()
        return self._parts[0]

    def _cut(self) -> None:
        none = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))
        first, second, cosines = (
            np.concatenate(each) for each in zip(none, *self._parts, strict=True)
        )
        order = np.lexsort((second, first, -cosines))[: self.most]
        if len(order) < len(first):
            self.full = True
            self.floor = float(cosines[order[-1]])
        self._parts = [(first[order], second[order], cosines[order])]
        self._count = len(order)


def near_pairs(
    vectors: NDArray[Any],
    floor: float,
    *,
    most: int,
    owners: NDArray[np.int64] | None = None,
    progress: Progress | None = None,
) -> Pairs:
    """The ``most`` nearest pairs ``i < j`` from this cosine on; none within one owner, where owners are given.

    An owner below zero is none: such a vector pairs with all.
    """
    pairs = Pairs(floor, most)
    total = len(vectors)
    for start in range(0, total, ROWS_PER_BLOCK):
        if progress:
            progress("comparing", start, total)
        left = vectors[start : start + ROWS_PER_BLOCK].astype(np.float32)
        for other in range(start, total, COLUMNS_PER_BLOCK):
            cosines = left @ vectors[other : other + COLUMNS_PER_BLOCK].astype(np.float32).T
            rows, columns = np.nonzero(cosines >= pairs.floor)
            values = cosines[rows, columns]
            first, second = rows + start, columns + other
            kept = first < second
            if owners is not None:
                kept &= (owners[first] != owners[second]) | (owners[first] < 0)
            first, second, values = first[kept], second[kept], values[kept]
            chosen = top_of_rows(first, values, MAX_PARTNERS)
            pairs.add(first[chosen], second[chosen], values[chosen])
    if progress:
        progress("comparing", total, total)
    return pairs


def nearest(
    left: NDArray[Any], right: NDArray[Any], k: int = 1
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """For each vector on the left the ``k`` nearest on the right, and their cosines, nearest first."""
    k = min(k, len(right))
    places = np.zeros((len(left), k), dtype=np.int64)
    values = np.full((len(left), k), -2.0, dtype=np.float32)
    for start in range(0, len(left), ROWS_PER_BLOCK):
        rows = slice(start, start + ROWS_PER_BLOCK)
        mine = left[rows].astype(np.float32)
        for other in range(0, len(right), COLUMNS_PER_BLOCK):
            cosines = mine @ right[other : other + COLUMNS_PER_BLOCK].astype(np.float32).T
            numbers = np.broadcast_to(np.arange(cosines.shape[1]) + other, cosines.shape)
            found = np.concatenate([values[rows], cosines], axis=1)
            which = np.concatenate([places[rows], numbers], axis=1)
            some = np.argpartition(-found, k - 1, axis=1)[:, :k]
            found, which = (np.take_along_axis(each, some, axis=1) for each in (found, which))
            order = np.lexsort((which, -found), axis=1)
            values[rows] = np.take_along_axis(found, order, axis=1)
            places[rows] = np.take_along_axis(which, order, axis=1)
    return places, values


def encode(
    encoder: Encoder, texts: Sequence[str], progress: Progress | None = None
) -> NDArray[np.float16]:
    """Sentence vectors in half precision, which is enough to find what is near."""
    vectors = _room(len(texts), encoder.width)
    for start in range(0, len(texts), TEXTS_PER_BATCH):
        if progress:
            progress("encoding sentences", start, len(texts))
        part = texts[start : start + TEXTS_PER_BATCH]
        vectors[start : start + len(part)] = encoder.vectors(part)
        pause()
    if progress:
        progress("encoding sentences", len(texts), len(texts))
    return vectors


def _room(count: int, width: int) -> NDArray[np.float16]:
    if count <= MAX_VECTORS_IN_MEMORY:
        return np.zeros((count, width), dtype=np.float16)
    file = tempfile.TemporaryFile(prefix="marginalia-vectors-")  # noqa: SIM115 - the array holds it open
    return np.memmap(file, dtype=np.float16, mode="w+", shape=(count, width))
