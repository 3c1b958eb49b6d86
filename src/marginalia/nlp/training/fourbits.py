"""Weights in four bits: blocks of 32 numbers with a scale each, the layout of ``Q4_0`` in GGUF files.

Weights that were published in that form lose nothing. The table of pieces is unpacked row by row when a
text needs it, by operators that every onnxruntime has, so it stays small in memory too. In some layers
the second product multiplies numbers of which a few are very large; int8 has one scale for all of them
and spoils the rest, here each block has its own.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 32


def levels(rows: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """For each row its blocks as levels 0 to 15, and their scales: value = (level - 8) · scale."""
    blocks = rows.reshape(len(rows), -1, BLOCK)
    largest = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=2, keepdims=True), axis=2)
    scales = (largest / -8).astype(np.float16)
    divisors = scales.astype(np.float32)
    divisors[divisors == 0] = 1
    found: NDArray[np.uint8] = np.clip(np.round(blocks / divisors) + 8, 0, 15).astype(np.uint8)
    return found, scales[:, :, 0]


def pack(table: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """A table with two levels in a byte, and the scales of its blocks.

    A low half byte holds a number of the left half of a row, the high one its fellow in the right half.
    """
    found, scales = levels(table)
    left, right = np.split(found.reshape(table.shape), 2, axis=1)
    packed = left | np.left_shift(right, 4, dtype=np.uint8)
    return packed, scales


def pack_products(model: Any, layers: Collection[int]) -> None:
    """Pack the weights of the product that makes fewer numbers of more, which each layer has one of."""
    from onnx import helper, numpy_helper

    values = {tensor.name: tensor for tensor in model.graph.initializer}
    layer = 0
    for node in model.graph.node:
        if node.op_type != "MatMul" or node.input[1] not in values:
            continue
        weights = numpy_helper.to_array(values[node.input[1]])
        many, few = weights.shape
        layer += many > few
        if many <= few or layer not in layers:
            continue
        found, scales = levels(np.ascontiguousarray(weights.T))
        name = f"{node.input[1]}_levels"
        packed = found[:, :, ::2] | (found[:, :, 1::2] << 4)
        model.graph.initializer.extend(
            [
                numpy_helper.from_array(packed, name),
                numpy_helper.from_array(scales.astype(np.float32).ravel(), f"{name}_scales"),
            ]
        )
        # Accuracy level 4: the other factor is int8, with a scale for each block of its own.
        product = helper.make_node(
            "MatMulNBits",
            [node.input[0], name, f"{name}_scales"],
            list(node.output),
            name=node.name,
            domain="com.microsoft",
            K=many,
            N=few,
            bits=4,
            block_size=BLOCK,
            accuracy_level=4,
        )
        node.CopyFrom(product)


def pack_table(model: Any) -> None:
    """Let a graph make ``layer_0`` and ``lengths`` from a packed table instead of its fused embedding node."""
    from onnx import TensorProto, helper, numpy_helper

    graph = model.graph
    [embed] = [node for node in graph.node if node.op_type == "EmbedLayerNormalization"]
    _, _, words, positions, types, gamma, beta, _ = embed.input
    values = {tensor.name: tensor for tensor in graph.initializer}
    table = numpy_helper.to_array(values[words])
    width = table.shape[1]
    packed, scales = pack(table)
    # All tokens are of the first type: its vector can stand in the positions once and for all.
    places = numpy_helper.to_array(values[positions]) + numpy_helper.to_array(values[types])[0]
    constants = {
        "table": packed,
        "table_scales": scales,
        "table_places": places.astype(np.float16),
        "four": np.array(4, dtype=np.uint8),
        "eight": np.array(8, dtype=np.float32),
        "zero": np.array(0, dtype=np.int64),
        "one": np.array(1, dtype=np.int64),
        "token_axis": np.array([1], dtype=np.int64),
        "last_axis": np.array([-1], dtype=np.int64),
        "as_blocks": np.array([0, 0, width // BLOCK, BLOCK], dtype=np.int64),
        "as_rows": np.array([0, 0, width], dtype=np.int64),
    }
    node = helper.make_node
    steps = [
        node("Gather", ["table", "input_ids"], ["pairs"]),
        node("BitShift", ["pairs", "four"], ["shifted"], direction="LEFT"),
        node("BitShift", ["shifted", "four"], ["left_half"], direction="RIGHT"),
        node("BitShift", ["pairs", "four"], ["right_half"], direction="RIGHT"),
        node("Concat", ["left_half", "right_half"], ["levels"], axis=-1),
        node("Cast", ["levels"], ["level_numbers"], to=TensorProto.FLOAT),
        node("Sub", ["level_numbers", "eight"], ["centred"]),
        node("Reshape", ["centred", "as_blocks"], ["blocks"]),
        node("Gather", ["table_scales", "input_ids"], ["half_scales"]),
        node("Cast", ["half_scales"], ["scales"], to=TensorProto.FLOAT),
        node("Unsqueeze", ["scales", "last_axis"], ["block_scales"]),
        node("Mul", ["blocks", "block_scales"], ["scaled"]),
        node("Reshape", ["scaled", "as_rows"], ["pieces"]),
        node("Shape", ["input_ids"], ["token_count"], start=1, end=2),
        node("Squeeze", ["token_count"], ["tokens"]),
        node("Range", ["zero", "tokens", "one"], ["indices"]),
        node("Gather", ["table_places", "indices"], ["half_places"]),
        node("Cast", ["half_places"], ["places"], to=TensorProto.FLOAT),
        node("Add", ["pieces", "places"], ["summed"]),
        node(
            "LayerNormalization",
            ["summed", gamma, beta],
            ["layer_0"],
            axis=-1,
            epsilon=next(a.f for a in embed.attribute if a.name == "epsilon"),
        ),
        node("ReduceSum", ["attention_mask", "token_axis"], ["long_lengths"], keepdims=0),
        node("Cast", ["long_lengths"], ["lengths"], to=TensorProto.INT32),
    ]
    made = {"layer_0", "lengths"}
    rest = [other for other in graph.node if not made & set(other.output)]
    for other in rest:
        other.input[:] = ["layer_0" if name == embed.output[0] else name for name in other.input]
    del graph.node[:]
    graph.node.extend([*steps, *rest])
    new = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph.initializer.extend(new)
