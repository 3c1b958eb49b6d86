"""Trained heads as ONNX graphs. Used by ``train``; needs the package ``onnx``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.training.trees import ML_DOMAIN, ML_OPSET, convert_trees

Floats = NDArray[Any]

OPSET = 20
"""The first with a GELU operator."""


class Graph:
    """Nodes and constants of a graph with inputs such as ``features`` and ``vectors`` and the output ``score``."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, value: Any, *, stored: str = "float32") -> str:
        """A constant; a large matrix is stored in half precision, which costs nothing measurable, or in int8."""
        from onnx import TensorProto, numpy_helper

        def add(name: str, array: Any) -> str:
            self.constants.append(numpy_helper.from_array(array, name))
            return name

        array = np.asarray(value, dtype=np.float32)
        if stored == "float16":
            half = add(f"{name}_half", array.astype(np.float16))
            return self.node("Cast", [half], name, to=TensorProto.FLOAT)
        if stored == "int8":
            whole, scales = small(array)
            cast = self.node(
                "Cast", [add(f"{name}_small", whole)], f"{name}_whole", to=TensorProto.FLOAT
            )
            return self.node("Mul", [cast, add(f"{name}_scales", scales)], name)
        return add(name, array)

    def node(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def split(self, blocks: Sequence[Block]) -> list[str]:
        """The names of the blocks, those of one input taken apart."""
        from onnx import helper, numpy_helper

        names: list[str] = []
        for given, group in groupby(blocks, key=lambda block: block.input):
            widths = [block.width for block in group]
            if len(widths) == 1:
                names.append(given)
                continue
            own = [f"{given}_{number}" for number in range(len(widths))]
            self.constants.append(numpy_helper.from_array(np.array(widths), f"{given}_widths"))
            self.nodes.append(helper.make_node("Split", [given, f"{given}_widths"], own, axis=1))
            names += own
        return names

    def model(self, columns: Mapping[str, int]) -> Any:
        """The whole model, with so many columns of each input."""
        from onnx import TensorProto, checker, helper

        inputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", count])
            for name, count in columns.items()
        ]
        score = helper.make_tensor_value_info("score", TensorProto.FLOAT, ["rows", 1])
        graph = helper.make_graph(self.nodes, "complexity", inputs, [score], self.constants)
        domains = [helper.make_opsetid("", OPSET)]
        if any(node.domain == ML_DOMAIN for node in self.nodes):
            domains.append(helper.make_opsetid(ML_DOMAIN, ML_OPSET))
        model = helper.make_model(graph, opset_imports=domains, ir_version=9)
        checker.check_model(model)
        return model


def small(matrix: Floats) -> tuple[Floats, Floats]:
    """A matrix as whole numbers of eight bits, and the scale of each column."""
    scales = np.maximum(np.abs(matrix).max(axis=0), 1e-12) / 127
    return np.round(matrix / scales).astype(np.int8), scales.astype(np.float32)


def stored_as(matrix: Floats, stored: str) -> Floats:
    """What is left of a matrix when it is stored like this."""
    if stored == "int8":
        whole, scales = small(matrix)
        return whole.astype(np.float32) * scales
    return matrix.astype(stored).astype(np.float32)


def network_graph(
    columns: Mapping[str, int],
    shift: Floats,
    factor: Floats,
    clip: float,
    first: Floats,
    first_bias: Floats,
    second: Floats,
    second_bias: Floats,
    *,
    stored: str = "float16",
) -> bytes:
    """Standardise, clip the features, one hidden layer with GELU. ``columns``: how many each input has."""
    g = Graph()
    parts = []
    end = 0
    for name, count in columns.items():
        begin, end = end, end + count
        g.node("Sub", [name, g.constant(f"{name}_shift", shift[begin:end])], f"{name}_0")
        g.node("Mul", [f"{name}_0", g.constant(f"{name}_factor", factor[begin:end])], f"{name}_1")
        parts.append(f"{name}_1")
        if name == "features":
            edges = [g.constant("low", -clip), g.constant("high", clip)]
            parts[-1] = g.node("Clip", [f"{name}_1", *edges], f"{name}_2")
    whole = parts[0] if len(parts) == 1 else g.node("Concat", parts, "whole", axis=1)
    matrix, bias = g.constant("first", first, stored=stored), g.constant("first_bias", first_bias)
    g.node("Gelu", [g.node("Gemm", [whole, matrix, bias], "hidden")], "bent")
    g.node(
        "Gemm",
        ["bent", g.constant("second", second), g.constant("second_bias", second_bias)],
        "score",
    )
    return bytes(g.model(columns).SerializeToString())


class Block(NamedTuple):
    """Neighbouring columns of an input as trees see them: projected, or as they are."""

    input: str
    width: int
    projection: tuple[Floats, Floats] | None = None
    """Matrix and bias."""


def boosted_graph(model: Any, blocks: Sequence[Block], *, stored: str = "float16") -> bytes:
    """The trees of LightGBM, behind the blocks of their inputs."""
    g = Graph()
    names = g.split(blocks)
    for number, (name, block) in enumerate(zip(names, blocks, strict=True)):
        if block.projection is not None:
            matrix, bias = block.projection
            constants = [
                g.constant(f"matrix_{number}", matrix, stored=stored),
                g.constant(f"bias_{number}", bias),
            ]
            names[number] = g.node("Gemm", [name, *constants], f"projected_{number}")
    joined = names[0] if len(names) == 1 else g.node("Concat", names, "joined", axis=1)
    nodes, constants = convert_trees(model, joined, "score")
    g.nodes += nodes
    g.constants += constants
    columns: dict[str, int] = {}
    for block in blocks:
        columns[block.input] = columns.get(block.input, 0) + block.width
    return bytes(g.model(columns).SerializeToString())
