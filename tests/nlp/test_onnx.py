"""Graphs as they are loaded: the same numbers, sooner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from marginalia.nlp import onnx as module
from marginalia.nlp.onnx import (
    faster,
    open_session,
    product_graph,
    signed_products_are_exact,
    start,
)

WIDTH = 48
RANDOM = np.random.default_rng(7)
WEIGHTS = RANDOM.integers(0, 256, (WIDTH, WIDTH), dtype=np.uint8)
ZERO_POINTS = RANDOM.integers(0, 256, WIDTH, dtype=np.uint8)
WEIGHTS[:2] = [[0], [255]]
"""Whole rows of the smallest and of the largest number."""

NETWORK = (
    Path(__file__).parents[2]
    / "noncommercial/src/marginalia_noncommercial/clarification/network.onnx"
)


def model(*, also: str = "", listed: bool = True, zero_points: bool = True) -> bytes:
    """A product with unsigned weights, the norm of a sum with it, and perhaps something else that looks at the weights."""
    given = ["zero_points"] if zero_points else []
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["whole", "scale", "zero"]),
        helper.make_node("MatMulInteger", ["whole", "weights", "zero", *given], ["product"]),
        helper.make_node("Cast", ["product"], ["float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["float", "scale"], ["scaled"]),
        helper.make_node(
            "SkipLayerNormalization",
            ["scaled", "x", "gamma", "beta", "bias"],
            ["normed"],
            domain="com.microsoft",
            epsilon=1e-12,
        ),
    ]
    outputs = [helper.make_tensor_value_info("normed", TensorProto.FLOAT, [1, "rows", WIDTH])]
    if also:
        nodes.append(helper.make_node("Cast", [also], ["seen"], to=TensorProto.FLOAT))
        outputs.append(helper.make_tensor_value_info("seen", TensorProto.FLOAT, None))
    points = (
        helper.make_tensor("zero_points", TensorProto.UINT8, [WIDTH], ZERO_POINTS.tolist())
        if listed
        else numpy_helper.from_array(ZERO_POINTS, "zero_points")
    )
    tensors = [numpy_helper.from_array(WEIGHTS, "weights"), points]
    tensors += [
        numpy_helper.from_array(RANDOM.normal(1, 0.1, WIDTH).astype(np.float32), name)
        for name in ("gamma", "beta", "bias")
    ]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, "rows", WIDTH])]
    graph = helper.make_graph(nodes, "graph", inputs, outputs, tensors)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    made = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    return bytes(made.SerializeToString())


MODEL = model()


@pytest.fixture
def signed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the processor could do it, whatever it is."""
    monkeypatch.setattr(module, "signed_products_are_exact", lambda: True)


@pytest.fixture
def unsigned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "signed_products_are_exact", lambda: False)


def tensors(data: bytes | None) -> dict[str, Any]:
    assert data is not None
    graph = onnx.load_from_string(data).graph
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}


def kept_type(data: bytes) -> Any:
    """Of the weights, after all changes that there are."""
    return tensors(faster(data) or data)["weights"].dtype


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.usefixtures("signed")
def test_weights_and_zero_points_are_128_less(listed: bool) -> None:
    found = tensors(faster(model(listed=listed)))
    for name, before in (("weights", WEIGHTS), ("zero_points", ZERO_POINTS)):
        assert found[name].dtype == np.int8
        assert (found[name].astype(int) == before.astype(int) - 128).all()
    assert found["gamma"].dtype == np.float32


@pytest.mark.parametrize("also", ["weights", "zero_points"])
@pytest.mark.usefixtures("signed")
def test_weights_that_something_else_uses_stay(also: str) -> None:
    assert kept_type(model(also=also)) == np.uint8


@pytest.mark.usefixtures("signed")
def test_weights_without_zero_points_stay() -> None:
    assert kept_type(model(zero_points=False)) == np.uint8


@pytest.mark.usefixtures("unsigned")
def test_weights_stay_where_signed_products_overflow() -> None:
    assert kept_type(MODEL) == np.uint8


def test_the_graph_of_the_trial_is_a_product() -> None:
    weights = RANDOM.integers(-128, 128, (64, 48), dtype=np.int8)
    x = RANDOM.integers(0, 2, (8, 64), dtype=np.uint8)  # small, so that no processor overflows
    found = open_session(product_graph(weights)).run(None, {"x": x})[0]
    assert (found == x.astype(int) @ weights.astype(int)).all()


def test_a_sum_and_its_norm_are_taken_apart_where_that_is_asked_for() -> None:
    made = faster(MODEL, norms_apart=True)
    assert made is not None
    kinds = [node.op_type for node in onnx.load_from_string(made).graph.node]
    assert kinds[-3:] == ["Add", "Add", "LayerNormalization"]
    assert "SkipLayerNormalization" not in kinds
    x = RANDOM.normal(size=(1, 9, WIDTH)).astype(np.float32)
    before, after = (
        start(MODEL, norms_apart=apart).run(None, {"x": x})[0] for apart in (False, True)
    )
    np.testing.assert_allclose(after, before, atol=2e-6)


@pytest.mark.skipif(not signed_products_are_exact(), reason="this processor cannot do it")
def test_the_shipped_network_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    with_signed = start(NETWORK)
    monkeypatch.setattr(module, "signed_products_are_exact", lambda: False)
    without = start(NETWORK)
    pieces, fillers = 30, 4
    feed = {
        "words": RANDOM.normal(0, 0.05, (pieces, 384)).astype(np.float32),
        "places": np.arange(pieces),
        "kinds": np.zeros(pieces, dtype=np.int64),
        "mask": np.zeros((pieces, pieces), dtype=np.float32),
        "gap": np.array(3),
        "spans": np.full((fillers, pieces), 1 / pieces, dtype=np.float32),
    }
    [one], [other] = (session.run(None, feed) for session in (with_signed, without))
    assert one.tobytes() == other.tobytes()


def test_a_graph_in_a_file_and_one_in_memory_are_changed_alike(tmp_path: Path) -> None:
    path = tmp_path / "graph.onnx"
    path.write_bytes(MODEL)
    made = faster(MODEL, norms_apart=True)
    assert made is not None
    assert faster(path, norms_apart=True) == made
    assert faster(made, norms_apart=True) is None


@pytest.mark.parametrize("data", [b"", b"\xff" * 40, b"PK\x03\x04 no graph", MODEL[:-7]])
def test_what_is_no_graph_is_left_to_onnxruntime(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "graph.onnx"
    path.write_bytes(data)
    assert faster(data) is None
    assert faster(path) is None


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_damaged_bytes_never_raise(data: st.DataObject) -> None:
    damaged = bytearray(MODEL)
    for place in data.draw(st.lists(st.integers(0, len(damaged) - 1), max_size=6)):
        damaged[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(damaged)))
    for each in (bytes(damaged), bytes(damaged[:cut])):
        assert isinstance(faster(each, norms_apart=True), bytes | None)


def test_a_session_does_not_keep_the_bytes_it_was_made_from() -> None:
    assert start(MODEL)._model_bytes is None
