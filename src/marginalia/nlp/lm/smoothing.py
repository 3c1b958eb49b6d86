"""Weights and numbers made ready for int8 without changing what a layer says.

Int8 products scale all numbers of a text by its largest one. A few channels of a language model are far larger than
the rest, and would leave them no digits; so each channel is divided by a factor and the weights that meet it are
multiplied by the same one (SmoothQuant, Xiao et al. 2023). The division costs nothing: it goes into the weights
before, those of a norm, of the values, or of the upper half of the gate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.lm.gguf_file import (
    DOWN,
    GATE,
    KEY,
    OUTPUT,
    QUERY,
    UP,
    VALUE,
    Floats,
    Layer,
    Sizes,
)
from marginalia.nlp.lm.reference import LayerTrace

EVEN = 0.5
"""How the difficulty is shared between numbers (0) and weights (1)."""
MOST = 63
"""Weights take seven bits: without VNNI, two products of eight bits can overflow sixteen."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A layer with smooth inputs, and the keys and values of the first token, which all texts share."""

    layer: Layer
    keys: Floats
    values: Floats


def smooth(layer: Layer, sizes: Sizes, seen: LayerTrace) -> Ready:
    """``seen`` is what a text, with the first token, showed in this layer."""
    weights = dict(layer.matrices)
    text = {name: getattr(seen, name)[1:] for name in ("normed", "mixed", "inner_normed", "gated")}
    first = factors(text["normed"], weights[QUERY], weights[KEY], weights[VALUE])
    inner = factors(text["inner_normed"], weights[GATE], weights[UP])
    for name in (QUERY, KEY, VALUE):
        weights[name] = weights[name] * first
    for name in (GATE, UP):
        weights[name] = weights[name] * inner
    # Several heads share a value, so they share its factor.
    shared = (len(text["mixed"]), sizes.key_heads, -1, sizes.head)
    mixed = np.abs(text["mixed"]).reshape(shared).max(axis=2).reshape(len(text["mixed"]), -1)
    columns = np.abs(weights[OUTPUT]).reshape(sizes.hidden, *shared[1:]).max(axis=2)
    values = factors(mixed, columns.reshape(sizes.hidden, -1))
    weights[VALUE] = weights[VALUE] / values[:, None]
    spread = np.repeat(values.reshape(sizes.key_heads, 1, -1), sizes.heads // sizes.key_heads, 1)
    weights[OUTPUT] = weights[OUTPUT] * spread.reshape(-1)
    gated = factors(text["gated"], weights[DOWN])
    weights[UP] = weights[UP] / gated[:, None]
    weights[DOWN] = weights[DOWN] * gated
    return Ready(
        replace(
            layer,
            attention_norm=layer.attention_norm / first,
            inner_norm=layer.inner_norm / inner,
            matrices=weights,
        ),
        seen.keys[0],
        seen.values[0] / values.reshape(sizes.key_heads, -1),
    )


def factors(numbers: Floats, *weights: Floats) -> Floats:
    """One for each channel: the larger its numbers are, compared with its weights, the larger."""
    largest = np.maximum(np.abs(numbers).max(axis=0), 1e-5)
    heaviest = np.maximum(np.max([np.abs(each).max(axis=0) for each in weights], axis=0), 1e-5)
    found: Floats = (largest**EVEN / heaviest ** (1 - EVEN)).astype(np.float32)
    return found


def quantised(weights: Floats, most: int = MOST) -> tuple[NDArray[np.int8], Floats]:
    """Whole numbers up to ``most``, and a scale for each row."""
    scales = np.maximum(np.abs(weights).max(axis=1), 1e-12) / most
    return np.round(weights / scales[:, None]).astype(np.int8), scales.astype(np.float32)
