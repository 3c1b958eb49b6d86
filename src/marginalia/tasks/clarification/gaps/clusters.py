"""Phrases that differ in meaning: k-means on the encoder's vectors, as the organisers chose their fillers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

ROUNDS = 20


def distinct(rows: Floats, n: int) -> list[int]:
    """One row of each of ``n`` clusters, the nearest to its centre; the rows keep their order.

    k-means on unit vectors. Its first centres are the first row, and then always the row farthest from those taken,
    so that the same rows give the same clusters.
    """
    if len(rows) <= n:
        return list(range(len(rows)))
    taken = [0]
    while len(taken) < n:
        taken.append(int(np.argmin((rows @ rows[taken].T).max(axis=1))))
    centres = rows[taken]
    for _ in range(ROUNDS):
        own = (rows @ centres.T).argmax(axis=1)
        sums = np.stack([rows[own == k].sum(axis=0) for k in range(n)])
        sizes = np.linalg.norm(sums, axis=1, keepdims=True)
        # A cluster that lost all its rows keeps its centre.
        moved = np.where(sizes > 0, sums / np.maximum(sizes, 1e-9), centres)
        if np.allclose(moved, centres):
            break
        centres = moved
    close = rows @ centres.T
    own = close.argmax(axis=1)
    return sorted(int(np.where(own == k, close[:, k], -2).argmax()) for k in np.unique(own))


def vectors(texts: Sequence[str]) -> Floats:
    return np.stack([vector(text) for text in texts])


@lru_cache(maxsize=5_000)
def vector(text: str) -> Any:
    from marginalia.nlp.encoder import english

    return english().vectors([text])[0]
