"""Linear heads as ONNX graphs. Used by ``train``; needs the package ``onnx``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def linear_graph(weights: Mapping[str, Any], bias: float) -> bytes:
    """One input per block of columns, each with its weights; ``score`` is their sum."""
    from onnx import TensorProto, checker, helper, numpy_helper

    nodes, constants, inputs, terms = [], [], [], ["bias"]
    for name, values in weights.items():
        column = np.asarray(values, dtype=np.float32)[:, None]
        constants.append(numpy_helper.from_array(column, f"{name}_weights"))
        inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", len(column)]))
        nodes.append(helper.make_node("MatMul", [name, f"{name}_weights"], [f"{name}_score"]))
        terms.append(f"{name}_score")
    constants.append(numpy_helper.from_array(np.array([[bias]], dtype=np.float32), "bias"))
    nodes.append(helper.make_node("Sum", terms, ["score"]))
    score = helper.make_tensor_value_info("score", TensorProto.FLOAT, ["rows", 1])
    graph = helper.make_graph(nodes, "variables", inputs, [score], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    checker.check_model(model)
    return bytes(model.SerializeToString())
