"""How near two sentences are in meaning, by the token vectors of a frozen encoder.

Four measures: the cosine of the mean vectors; the cosine of the means in which each token counts as
much as it was learned to; and how well each token is matched by one of the other sentence, on
average and on the side where that is worse, after Zhang et al. (2020), "BERTScore". What is learned
is one direction in each of two layers, so that it holds for texts of other kinds too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.encoder import Tokens

Floats = NDArray[np.float32]

NAMES = ("cosine", "weighted cosine", "matched", "matched, less")
MAX_TOKENS = 512
"""Tokens of a text that are matched one by one; more would take quadratic time and memory."""


@dataclass(frozen=True, slots=True)
class Weighting:
    """How much a token counts: softplus(low . l + high . h + bias), l and h its vectors in two layers."""

    layers: tuple[int, int]
    low: Floats
    high: Floats
    bias: float
    centre: Floats
    """The mean of the higher layer over all tokens."""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Weighting:
        vectors = {name: np.array(data[name], np.float32) for name in ("low", "high", "centre")}
        return cls(layers=tuple(data["layers"]), bias=float(data["bias"]), **vectors)

    def to_json(self) -> dict[str, Any]:
        vectors = {"low": self.low, "high": self.high, "centre": self.centre}
        return {
            "layers": list(self.layers),
            "bias": round(self.bias, 6),
            **{name: [round(float(x), 6) for x in vector] for name, vector in vectors.items()},
        }

    def of(self, tokens: Tokens) -> Floats:
        below, above = (tokens.layers[layer] for layer in self.layers)
        weights: Floats = np.logaddexp(0, below @ self.low + above @ self.high + self.bias)
        return weights


@dataclass(frozen=True, slots=True)
class Meaning:
    """What is compared of a sentence."""

    mean: Floats
    weighted: Floats
    tokens: Floats
    """Unit vectors of the tokens, less the centre"""
    weights: Floats

    @classmethod
    def of(cls, tokens: Tokens, weighting: Weighting) -> Meaning:
        vectors, weights = tokens.layers[weighting.layers[1]], weighting.of(tokens)
        some = slice(0, MAX_TOKENS)
        moved = vectors[some] - weighting.centre
        return cls(
            mean=unit(vectors.mean(axis=0)),
            weighted=unit((vectors * weights[:, None]).sum(axis=0)),
            tokens=moved / np.maximum(np.linalg.norm(moved, axis=1, keepdims=True), 1e-9),
            weights=weights[some],
        )


def unit(vector: Floats) -> Floats:
    made: Floats = vector / np.maximum(np.linalg.norm(vector), 1e-9)
    return made


def compare(a: Meaning, b: Meaning) -> dict[str, float]:
    """The measures by name, of two sentences in the one order in which the pair is always taken."""
    near = a.tokens @ b.tokens.T
    left = float((near.max(axis=1) * a.weights).sum() / a.weights.sum())
    right = float((near.max(axis=0) * b.weights).sum() / b.weights.sum())
    values = (
        float((a.mean * b.mean).sum()),
        float((a.weighted * b.weighted).sum()),
        (left + right) / 2,
        min(left, right),
    )
    return dict(zip(NAMES, values, strict=True))
