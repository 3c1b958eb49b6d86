"""Token vectors cached in memory for a training, which needs them many times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.encoder import Encoder, Tokens

Half = NDArray[np.float16]


class TokenStore:
    """Stands in for an encoder whose texts were all read before; half precision is enough here."""

    def __init__(self, encoder: Encoder, texts: Sequence[str], layers: Sequence[int]) -> None:
        self.folder, self.last = encoder.folder, encoder.last
        self.read: dict[str, tuple[NDArray[np.int64], dict[int, Half]]] = {}
        for text, made in zip(texts, encoder.tokens(texts, layers), strict=True):
            halves = {layer: made.layers[layer].astype(np.float16) for layer in layers}
            self.read[text] = (made.offsets, halves)

    def tokens(self, texts: Sequence[str], layers: Sequence[int]) -> Iterator[Tokens]:
        for text in texts:
            offsets, halves = self.read[text]
            yield Tokens(offsets, {layer: halves[layer].astype(np.float32) for layer in layers})

    def mean(self, layer: int) -> NDArray[np.float32]:
        """The mean vector of a layer over all tokens."""
        sums = [half[layer].sum(axis=0, dtype=np.float64) for _, half in self.read.values()]
        count = sum(len(offsets) for offsets, _ in self.read.values())
        mean: NDArray[np.float32] = (np.sum(sums, axis=0) / count).astype(np.float32)
        return mean

    def spread(self, layer: int) -> float:
        """The standard deviation of all numbers of a layer about that mean."""
        mean = self.mean(layer)
        squares = [((half[layer] - mean) ** 2).mean(axis=1) for _, half in self.read.values()]
        return float(np.sqrt(np.concatenate(squares).mean()))
