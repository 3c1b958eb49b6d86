"""Layers of a shared encoder as numbers, out of its weights, so that they can be tuned; needs ``onnx``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import FormatError

Floats = NDArray[np.float32]

HEADS, EPSILON = 12, 1e-12
"""Attention heads, and what is added below the root in a norm; the same in both shared encoders."""
PRODUCTS = ("attention.output.dense", "intermediate.dense", "output.dense")
"""The plain products of a layer in the order in which it computes them."""
_LAYER = "model.encoder.layer."


def read_layers(folder: Path, cut: int, wanted: Sequence[int]) -> list[dict[str, Floats]]:
    """The weights of some layers, counted from 1, by the names that BERT gives them.

    The graphs are those that ``nlp.export`` writes: layers up to the cut in one, the others in another.
    """
    by_number: dict[int, dict[str, Floats]] = {}
    if min(wanted) <= cut:
        by_number |= _read_graph(folder / "lower.onnx")
    if max(wanted) > cut:
        by_number |= _read_graph(folder / "upper.onnx")
    for number in wanted:
        if number not in by_number or f"{PRODUCTS[-1]}.weight" not in by_number[number]:
            raise FormatError(f"layer {number} is not there in int8", path=folder)
    return [by_number[number] for number in wanted]


def _read_graph(path: Path) -> dict[int, dict[str, Floats]]:
    import onnx
    from onnx import numpy_helper

    model = onnx.load(str(path))
    values = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    number = min(int(name.split(".")[3]) for name in values if name.startswith(_LAYER))
    layers: dict[int, dict[str, Floats]] = {}
    for node in model.graph.node:
        if node.op_type == "QAttention":
            prefix = f"{_LAYER}{number}."
            number += 1  # the graph counts from 0
            layers[number] = _attention(node, values) | {
                name.removeprefix(prefix): value
                for name, value in values.items()
                if name.startswith(prefix)
            }
            products = iter(PRODUCTS)
        elif node.op_type == "MatMulInteger":
            layers[number][f"{next(products)}.weight"] = _wide(values, node.input[1]).T
    return layers


def _attention(node: Any, values: dict[str, Any]) -> dict[str, Floats]:
    """Query, key and value, which the fused operator has side by side."""
    weights = np.split(_wide(values, node.input[1]), 3, axis=1)
    biases = np.split(values[node.input[2]], 3)
    found = {}
    for name, weight, bias in zip(("query", "key", "value"), weights, biases, strict=True):
        found[f"attention.self.{name}.weight"] = weight.T
        found[f"attention.self.{name}.bias"] = bias
    return found


def _wide(values: dict[str, Any], name: str) -> Floats:
    """A table of int8 as the numbers it stands for: a scale for each column, and no shift."""
    whole: Floats = values[name] * values[name.replace("_quantized", "_scale")]
    return whole
