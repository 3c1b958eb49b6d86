"""Trained heads as ONNX graphs. Used by ``train``; needs the package ``onnx``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]

OPSET = 20
"""The first with a GELU operator."""


class Graph:
    """Nodes and constants of a graph with the inputs ``features`` and ``vectors`` and the output ``score``."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, value: Any, *, half: bool = False) -> str:
        """A constant; a large matrix is kept in half precision, which costs nothing measurable."""
        from onnx import TensorProto, numpy_helper

        array = np.asarray(value, dtype=np.float32)
        if not half:
            self.constants.append(numpy_helper.from_array(array, name))
            return name
        self.constants.append(numpy_helper.from_array(array.astype(np.float16), f"{name}_half"))
        return self.node("Cast", [f"{name}_half"], name, to=TensorProto.FLOAT)

    def node(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def model(self, columns: dict[str, int]) -> Any:
        """The whole model; an input without columns is left out."""
        from onnx import TensorProto, checker, helper

        inputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", count])
            for name, count in columns.items()
            if count
        ]
        score = helper.make_tensor_value_info("score", TensorProto.FLOAT, ["rows", 1])
        graph = helper.make_graph(self.nodes, "complexity", inputs, [score], self.constants)
        domains = [helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", 3)]
        model = helper.make_model(graph, opset_imports=domains, ir_version=9)
        checker.check_model(model)
        return model


def network_graph(
    n_features: int,
    n_vectors: int,
    shift: Floats,
    factor: Floats,
    clip: float,
    first: Floats,
    first_bias: Floats,
    second: Floats,
    second_bias: Floats,
) -> bytes:
    """Standardise, clip the features, one hidden layer with GELU."""
    g = Graph()
    parts = []
    for name, begin, end in (
        ("features", 0, n_features),
        ("vectors", n_features, n_features + n_vectors),
    ):
        if begin == end:
            continue
        g.node("Sub", [name, g.constant(f"{name}_shift", shift[begin:end])], f"{name}_0")
        g.node("Mul", [f"{name}_0", g.constant(f"{name}_factor", factor[begin:end])], f"{name}_1")
        parts.append(f"{name}_1")
        if name == "features":
            edges = [g.constant("low", -clip), g.constant("high", clip)]
            parts[-1] = g.node("Clip", [f"{name}_1", *edges], f"{name}_2")
    whole = parts[0] if len(parts) == 1 else g.node("Concat", parts, "whole", axis=1)
    matrix, bias = g.constant("first", first, half=True), g.constant("first_bias", first_bias)
    g.node("Gelu", [g.node("Gemm", [whole, matrix, bias], "hidden")], "bent")
    g.node(
        "Gemm",
        ["bent", g.constant("second", second), g.constant("second_bias", second_bias)],
        "score",
    )
    return bytes(g.model({"features": n_features, "vectors": n_vectors}).SerializeToString())


def boosted_graph(model: Any, n_features: int, projection: tuple[Floats, Floats] | None) -> bytes:
    """The trees of LightGBM, behind the projection of the vectors."""
    from onnxmltools import convert_lightgbm
    from onnxmltools.convert.common.data_types import FloatTensorType

    converted = convert_lightgbm(
        model.booster_,
        initial_types=[("x", FloatTensorType([None, model.n_features_in_]))],
        target_opset=15,
        zipmap=False,
    )
    g = Graph()
    n_vectors = 0
    joined = "features"
    if projection is not None:
        matrix, bias = projection
        n_vectors = len(matrix)
        constants = [g.constant("matrix", matrix, half=True), g.constant("bias", bias)]
        g.node("Gemm", ["vectors", *constants], "projected")
        joined = g.node("Concat", ["features", "projected"], "joined", axis=1)
    output = converted.graph.output[0].name
    for node in converted.graph.node:
        node.input[:] = [joined if name == "x" else name for name in node.input]
        node.output[:] = ["score" if name == output else name for name in node.output]
        g.nodes.append(node)
    g.constants.extend(converted.graph.initializer)
    return bytes(g.model({"features": n_features, "vectors": n_vectors}).SerializeToString())
