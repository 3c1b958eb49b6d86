"""The model in plain NumPy, as the definition says: slow, exact, and what the ONNX graph is measured against.

The conversion takes two things from it: the keys and values of the token that begins every text, and how large the
numbers become that enter each product.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from marginalia.nlp.lm.gguf_file import (
    DOWN,
    GATE,
    KEY,
    OUTPUT,
    QUERY,
    UP,
    VALUE,
    Floats,
    GgufFile,
    Layer,
    Sizes,
)


@dataclass(frozen=True, slots=True)
class LayerTrace:
    """What went through a layer: its result, the keys and values, and the inputs of its four products."""

    after: Floats
    keys: Floats
    values: Floats
    normed: Floats
    mixed: Floats
    inner_normed: Floats
    gated: Floats


def run_layer(layer: Layer, sizes: Sizes, x: Floats, places: Floats, mask: Floats) -> LayerTrace:
    """``mask`` is added where one token looks at another: 0, or a large negative number."""
    weights = layer.matrices
    count, group = len(x), sizes.heads // sizes.key_heads
    normed = norm(x, layer.attention_norm, sizes.epsilon)
    q = turned((normed @ weights[QUERY].T).reshape(count, sizes.heads, -1), places, sizes.turn)
    k = turned((normed @ weights[KEY].T).reshape(count, sizes.key_heads, -1), places, sizes.turn)
    v = (normed @ weights[VALUE].T).reshape(count, sizes.key_heads, -1)
    looks = np.einsum("qhd,khd->hqk", q, np.repeat(k, group, axis=1)) / np.float32(
        np.sqrt(sizes.head)
    )
    shares = softmax(looks + mask)
    mixed = np.einsum("hqk,khd->qhd", shares, np.repeat(v, group, axis=1)).reshape(count, -1)
    x = x + mixed @ weights[OUTPUT].T
    inner = norm(x, layer.inner_norm, sizes.epsilon)
    gate = inner @ weights[GATE].T
    gated = gate / (1 + np.exp(-gate)) * (inner @ weights[UP].T)
    return LayerTrace(x + gated @ weights[DOWN].T, k, v, normed, mixed, inner, gated)


def log_chances(
    model: GgufFile, tokens: Iterable[int], layers: Iterable[Layer] | None = None
) -> Floats:
    """The log probabilities of every token after each of these."""
    ids, sizes = list(tokens), model.sizes
    x, mask = model.words[ids], causal(len(ids))
    places = np.arange(len(ids), dtype=np.float32)
    for layer in layers or (model.layer(number) for number in range(sizes.layers)):
        x = run_layer(layer, sizes, x, places, mask).after
    scores = norm(x, model.last_norm, sizes.epsilon) @ model.words.T
    top = scores.max(axis=1, keepdims=True)
    found: Floats = scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True))
    return found


def causal(count: int) -> Floats:
    """No token sees what comes after it."""
    return np.triu(np.full((count, count), -1e9, dtype=np.float32), 1)


def norm(x: Floats, weight: Floats, epsilon: float) -> Floats:
    scaled: Floats = x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + epsilon) * weight
    return scaled


def turned(x: Floats, places: Floats, base: float) -> Floats:
    """Pairs of neighbouring numbers, turned by their place."""
    size = x.shape[-1]
    angle = places[:, None, None] * base ** (-np.arange(0, size, 2) / size)
    cos, sin = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    found = np.empty_like(x)
    found[..., ::2] = x[..., ::2] * cos - x[..., 1::2] * sin
    found[..., 1::2] = x[..., ::2] * sin + x[..., 1::2] * cos
    return found


def softmax(x: Floats) -> Floats:
    each = np.exp(x - x.max(axis=-1, keepdims=True))
    shares: Floats = each / each.sum(axis=-1, keepdims=True)
    return shares
