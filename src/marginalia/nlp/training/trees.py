"""Tree ensembles in ONNX that take a third of the room, and say exactly the same.

Converters write the operator ``TreeEnsembleRegressor``, which has a name, a hit rate and several unused numbers for every
node and every leaf. Its successor ``TreeEnsemble`` (ai.onnx.ml, version 5) keeps nodes and leaves apart, in tensors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

REGRESSOR, LEAF, BRANCH = "TreeEnsembleRegressor", b"LEAF", b"BRANCH_LEQ"
ML_DOMAIN, ML_OPSET = "ai.onnx.ml", 5
SUM, PLAIN, LESS_OR_EQUAL = 1, 0, 0
"""How the operator numbers what it does with the trees, with their sum, and at a node."""


def compact(regressor: Any) -> Any:
    """The node of a TreeEnsembleRegressor with one target as one of a TreeEnsemble.

    Where a number is missing goes unsaid: no input of ours has such.
    """
    from onnx import helper, numpy_helper

    given = {each.name: helper.get_attribute_value(each) for each in regressor.attribute}
    modes = given["nodes_modes"]
    if set(modes) - {LEAF, BRANCH} or given.get("base_values") or given["n_targets"] != 1:
        raise ValueError("only sums of trees for one number, with plain comparisons, are written")
    names = list(zip(given["nodes_treeids"], given["nodes_nodeids"], strict=True))
    inner = [place for place, mode in enumerate(modes) if mode == BRANCH]
    node_of = {names[place]: number for number, place in enumerate(inner)}
    leaves = list(zip(given["target_treeids"], given["target_nodeids"], strict=True))
    leaf_of = {name: number for number, name in enumerate(leaves)}
    weights = list(given["target_weights"])

    columns: dict[str, Any] = {
        f"nodes_{side}{what}": [] for side in ("true", "false") for what in ("nodeids", "leafs")
    }
    features, splits = [], []

    def add(feature: int, split: float, **children: tuple[int, int]) -> None:
        features.append(feature)
        splits.append(split)
        for side, child in children.items():
            columns[f"nodes_{side}leafs"].append(int(child in leaf_of))
            columns[f"nodes_{side}nodeids"].append(
                leaf_of[child] if child in leaf_of else node_of[child]
            )

    for place in inner:
        tree = names[place][0]
        add(
            given["nodes_featureids"][place],
            given["nodes_values"][place],
            true=(tree, given["nodes_truenodeids"][place]),
            false=(tree, given["nodes_falsenodeids"][place]),
        )
    roots = []
    for tree in dict.fromkeys(given["nodes_treeids"]):
        root = (tree, 0)
        if (
            root in leaf_of
        ):  # a tree of one leaf: onnxruntime 1.21 wants two, so both ways lead to the same weight
            again = (tree, -1)
            leaf_of[again] = len(weights)
            weights.append(weights[leaf_of[root]])
            node_of[root] = len(features)
            add(0, 0.0, true=root, false=again)
        roots.append(node_of[root])

    def tensor(name: str, values: Any, kind: Any) -> Any:
        return numpy_helper.from_array(np.array(values, dtype=kind), name)

    return helper.make_node(
        "TreeEnsemble",
        list(regressor.input),
        list(regressor.output),
        domain=ML_DOMAIN,
        aggregate_function=SUM,
        post_transform=PLAIN,
        n_targets=1,
        tree_roots=roots,
        nodes_featureids=features,
        nodes_splits=tensor("splits", splits, np.float32),
        nodes_modes=tensor("modes", [LESS_OR_EQUAL] * len(features), np.uint8),
        leaf_targetids=[0] * len(weights),
        leaf_weights=tensor("weights", weights, np.float32),
        **columns,
    )


def convert_trees(model: Any, given: str, score: str) -> tuple[list[Any], list[Any]]:
    """A fitted LightGBM regressor as nodes from ``given`` to ``score``, and their constants."""
    from onnxmltools import convert_lightgbm
    from onnxmltools.convert.common.data_types import FloatTensorType

    graph = convert_lightgbm(
        model.booster_,
        initial_types=[("x", FloatTensorType([None, model.n_features_in_]))],
        target_opset=15,
        zipmap=False,
    ).graph
    renamed = {"x": given, graph.output[0].name: score}
    nodes = []
    for node in graph.node:
        node.input[:] = [renamed.get(name, name) for name in node.input]
        node.output[:] = [renamed.get(name, name) for name in node.output]
        nodes.append(compact(node) if node.op_type == REGRESSOR else node)
    return nodes, list(graph.initializer)


def trees_graph(model: Any) -> bytes:
    """A fitted LightGBM regressor as an ONNX graph from ``x`` to ``score``."""
    from onnx import TensorProto, helper

    nodes, constants = convert_trees(model, "x", "score")
    ends = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", width])
        for name, width in (("x", model.n_features_in_), ("score", 1))
    ]
    graph = helper.make_graph(nodes, "trees", ends[:1], ends[1:], constants)
    opsets = [helper.make_opsetid("", 15), helper.make_opsetid(ML_DOMAIN, ML_OPSET)]
    made = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    return bytes(made.SerializeToString())
