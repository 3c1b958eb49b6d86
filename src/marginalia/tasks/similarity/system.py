"""Our systems for CORE: the shared encoder, so far by its cosine alone."""

from __future__ import annotations

from collections.abc import Mapping

from marginalia.nlp.encoder import Encoder, english
from marginalia.tasks.similarity.data import Pair, Score

SLOPE, INTERCEPT = 18.4, -13.5
"""Least squares from cosine to the scores of STS 2012 (train and test); Pearson does not depend on them."""


class EncoderCosine:
    """Cosine of sentence vectors of the frozen English encoder, on the scale from 0 to 5."""

    def __init__(self, encoder: Encoder | None = None) -> None:
        self.encoder = encoder or english()

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        pairs = list(items.values())
        first = self.encoder.vectors([pair.s1 for pair in pairs])
        second = self.encoder.vectors([pair.s2 for pair in pairs])
        # Pair by pair: a sum over a matrix may be taken in another order than one over a row.
        return {
            id: Score(5.0 if pair.s1 == pair.s2 else scaled(float((a * b).sum())))
            for id, pair, a, b in zip(items, pairs, first, second, strict=True)
        }


def scaled(cosine: float) -> float:
    return min(5.0, max(0.0, SLOPE * cosine + INTERCEPT))
