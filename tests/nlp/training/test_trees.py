"""Compact tree ensembles say exactly what those of the converters say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from marginalia.nlp.onnx import start

pytest.importorskip("onnx")

from onnx import NodeProto, TensorProto, helper

from marginalia.nlp.training.trees import ML_DOMAIN, ML_OPSET, compact

COLUMNS, TREES = 6, 40


def grown(random: np.random.Generator) -> NodeProto:
    """Random trees, some of a single leaf, as converters write them."""
    given: dict[str, list[Any]] = {
        name: []
        for name in (
            *(f"nodes_{each}" for each in ("treeids", "nodeids", "featureids", "values", "modes")),
            *("nodes_truenodeids", "nodes_falsenodeids", "nodes_hitrates"),
            *("target_treeids", "target_nodeids", "target_ids", "target_weights"),
        )
    }

    def add(tree: int, number: int, depth: int) -> int:
        """The number of the next node."""
        leaf = depth == 0 or random.random() < 0.2
        row = {"treeids": tree, "nodeids": number, "hitrates": 1.0}
        row |= {
            "featureids": 0,
            "values": 0.0,
            "modes": "LEAF",
            "truenodeids": 0,
            "falsenodeids": 0,
        }
        place = len(given["nodes_modes"])
        for name, value in row.items():
            given[f"nodes_{name}"].append(value)
        if leaf:
            target = {"treeids": tree, "nodeids": number, "ids": 0, "weights": random.normal()}
            for name, value in target.items():
                given[f"target_{name}"].append(value)
            return number + 1
        second = add(tree, number + 1, depth - 1)
        end = add(tree, second, depth - 1)
        row = {"featureids": int(random.integers(COLUMNS)), "values": round(random.normal(), 1)}
        row |= {"modes": "BRANCH_LEQ", "truenodeids": number + 1, "falsenodeids": second}
        for name, value in row.items():
            given[f"nodes_{name}"][place] = value
        return end

    for tree in range(TREES):
        add(tree, 0, tree % 5)
    return helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["y"], domain=ML_DOMAIN, n_targets=1, **given
    )


def session(node: NodeProto, version: int) -> tuple[Any, int]:
    """With the size of the model."""
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", COLUMNS])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["rows", 1])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(ML_DOMAIN, version)]
    graph = helper.make_graph([node], "trees", [x], [y])
    data = helper.make_model(graph, opset_imports=opsets, ir_version=9).SerializeToString()
    return start(data), len(data)


@pytest.mark.parametrize("seed", range(3))
def test_the_same_numbers_to_the_last_bit(seed: int) -> None:
    random = np.random.default_rng(seed)
    node = grown(random)
    (wide, size), (narrow, less) = session(node, 3), session(compact(node), ML_OPSET)
    # Rounded as the splits are, so that some numbers lie exactly on one.
    rows = random.normal(size=(300, COLUMNS)).round(1).astype(np.float32)
    for each in (rows, rows[:1]):
        assert np.array_equal(wide.run(None, {"x": each})[0], narrow.run(None, {"x": each})[0])
    assert less < size / 2


def test_what_it_cannot_say_is_refused() -> None:
    node = grown(np.random.default_rng(0))
    node.attribute.append(helper.make_attribute("base_values", [0.5]))
    with pytest.raises(ValueError, match="only sums of trees"):
        compact(node)
