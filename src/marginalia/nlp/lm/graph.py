"""The ONNX graphs: one text with branches, the log probabilities of chosen tokens, and states of other top layers;
or the states of a text in some layers, without those above.

The token that begins every text is not an input: its keys and values are constants. It would also be the one that
spoils int8, as its numbers are hundreds of times larger than those of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.lm.gguf_file import DOWN, GATE, KEY, OUTPUT, QUERY, UP, VALUE, Floats, Sizes
from marginalia.nlp.lm.smoothing import Ready, quantised

MAX_PLACES = 1024
"""Places that the rotary tables know; longer texts are refused before."""
OPSET = 17
MICROSOFT = "com.microsoft"
Shape = list[str | int]


class Graph:
    """Collects the nodes and constants of a model."""

    def __init__(self, sizes: Sizes, *, int8: bool = True) -> None:
        self.sizes, self.int8 = sizes, int8
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._made = 0
        angle = np.arange(MAX_PLACES)[:, None] * sizes.turn ** (
            -np.arange(0, sizes.head, 2) / sizes.head
        )
        self.cos = self.constant(np.cos(angle).astype(np.float32))
        self.sin = self.constant(np.sin(angle).astype(np.float32))

    def node(
        self, kind: str, *inputs: str, domain: str = "", outputs: int = 1, **facts: Any
    ) -> Any:
        """The name of a new node's result, or a list of them."""
        from onnx import helper

        self._made += 1
        names = [f"n{self._made}_{place}" for place in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, domain=domain, **facts))
        return names[0] if outputs == 1 else names

    def constant(self, value: NDArray[Any]) -> str:
        from onnx import numpy_helper

        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def shaped(self, x: str, *shape: int) -> str:
        return str(self.node("Reshape", x, self.constant(np.array(shape, dtype=np.int64))))

    def product(self, x: str, weights: Floats) -> str:
        """``weights`` has a row for each number that is made."""
        if not self.int8:
            return str(self.node("MatMul", x, self.constant(weights.T)))
        # One scale serves all rows of a product, so each row is first divided by its largest number.
        top = self.node("ReduceMax", self.node("Abs", x), axes=[1], keepdims=1)
        top = self.node("Max", top, self.constant(np.array([1e-6], dtype=np.float32)))
        whole, scales = quantised(weights)
        made = self.constant(whole.T), self.constant(scales)
        found = self.node(
            "DynamicQuantizeMatMul", self.node("Div", x, top), *made, domain=MICROSOFT
        )
        return str(self.node("Mul", found, top))

    def normed(self, x: str, added: str, weight: Floats) -> tuple[str, str]:
        """The norm of a sum, and the sum."""
        found = self.node(
            "SkipSimplifiedLayerNormalization",
            x,
            added,
            self.constant(weight),
            domain=MICROSOFT,
            outputs=4,
            epsilon=self.sizes.epsilon,
        )
        self.nodes[-1].output[1] = self.nodes[-1].output[2] = ""
        return found[0], found[3]

    def layer(self, ready: Ready, x: str, added: str, places: str, mask: str) -> tuple[str, str]:
        """What a layer hands on: the stream, and what is still to be added to it."""
        sizes, weights = self.sizes, ready.layer.matrices
        width, keys = sizes.hidden, sizes.key_heads * sizes.head
        normed, x = self.normed(x, added, ready.layer.attention_norm)
        rows = np.concatenate(
            [weights[QUERY] / np.float32(np.sqrt(sizes.head)), weights[KEY], weights[VALUE]]
        )
        split = self.constant(np.array([width + keys, keys], dtype=np.int64))
        both, value = self.node("Split", self.product(normed, rows), split, outputs=2, axis=1)
        both = self.node(
            "RotaryEmbedding",
            self.node("Unsqueeze", both, self.constant(np.array([0]))),
            places,
            self.cos,
            self.sin,
            domain=MICROSOFT,
            interleaved=1,
            num_heads=sizes.heads + sizes.key_heads,
        )
        split = self.constant(np.array([width, keys], dtype=np.int64))
        query, key = self.node(
            "Split", self.shaped(both, -1, width + keys), split, outputs=2, axis=1
        )
        key = self.node("Concat", self.constant(ready.keys.reshape(1, -1)), key, axis=0)
        value = self.node("Concat", self.constant(ready.values.reshape(1, -1)), value, axis=0)
        query = self.node(
            "Transpose", self.shaped(query, -1, sizes.heads, sizes.head), perm=[1, 0, 2]
        )
        query = self.shaped(
            query, sizes.key_heads, -1, sizes.head
        )  # the heads of a key, one after another
        key = self.node(
            "Transpose", self.shaped(key, -1, sizes.key_heads, sizes.head), perm=[1, 2, 0]
        )
        value = self.node(
            "Transpose", self.shaped(value, -1, sizes.key_heads, sizes.head), perm=[1, 0, 2]
        )
        shares = self.node(
            "Softmax", self.node("Add", self.node("MatMul", query, key), mask), axis=-1
        )
        mixed = self.shaped(self.node("MatMul", shares, value), sizes.heads, -1, sizes.head)
        mixed = self.shaped(self.node("Transpose", mixed, perm=[1, 0, 2]), -1, width)
        normed, x = self.normed(x, self.product(mixed, weights[OUTPUT]), ready.layer.inner_norm)
        gate, up = self.node(
            "Split",
            self.product(normed, np.concatenate([weights[GATE], weights[UP]])),
            self.constant(np.array([sizes.inner, sizes.inner], dtype=np.int64)),
            outputs=2,
            axis=1,
        )
        gate = self.node("QuickGelu", gate, domain=MICROSOFT, alpha=1.0)
        return x, self.product(self.node("Mul", gate, up), weights[DOWN])

    def streams(self, words: Floats, layers: Sequence[Ready]) -> list[tuple[str, str]]:
        """What enters the first layer, and what each layer hands on."""
        from onnx import TensorProto

        whole, scales = quantised(words, 127)
        taken = self.node("Gather", self.constant(whole), "ids", axis=0)
        scale = self.node("Gather", self.constant(scales[:, None]), "ids", axis=0)
        x = self.node("Mul", self.node("Cast", taken, to=TensorProto.FLOAT), scale)
        streams = [(x, self.node("Mul", x, self.constant(np.zeros(1, dtype=np.float32))))]
        for ready in layers:
            streams.append(self.layer(ready, *streams[-1], *self.around))
        return streams

    @cached_property
    def around(self) -> tuple[str, str]:
        """The places and the mask, as layers want them."""
        sizes = self.sizes
        mask = self.node("Concat", *["mask"] * (sizes.heads // sizes.key_heads), axis=0)
        return self.node("Unsqueeze", "places", self.constant(np.array([0]))), mask

    def model(self, inputs: Mapping[str, Shape], results: Mapping[str, tuple[str, Shape]]) -> Any:
        """The whole model: inputs with their shapes, and for each output the node's result that it is."""
        from onnx import TensorProto, helper

        self.nodes += [
            helper.make_node("Identity", [found], [name]) for name, (found, _) in results.items()
        ]
        kinds = {"mask": TensorProto.FLOAT}
        declared = [
            helper.make_tensor_value_info(name, kinds.get(name, TensorProto.INT64), shape)
            for name, shape in inputs.items()
        ]
        outputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, (_, shape) in results.items()
        ]
        made = helper.make_graph(self.nodes, "language model", declared, outputs, self.constants)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(
            made, opset_imports=opsets, ir_version=8, producer_name="marginalia"
        )


TEXT: dict[str, Shape] = {"ids": ["tokens"], "places": ["tokens"], "mask": ["tokens", "seen"]}


def build_states(
    sizes: Sizes,
    words: Floats,
    layers: Sequence[Ready],
    wanted: Sequence[int],
    *,
    int8: bool = True,
) -> Any:
    """The lower layers alone. Outputs: ``layer_N``, the states after N layers, for each that is wanted."""
    graph = Graph(sizes, int8=int8)
    streams = graph.streams(words, layers)
    results: dict[str, tuple[str, Shape]] = {
        f"layer_{number}": (graph.node("Add", *streams[number]), ["tokens", sizes.hidden])
        for number in wanted
    }
    return graph.model(TEXT, results)


def build(
    sizes: Sizes,
    words: Floats,
    last_norm: Floats,
    layers: Sequence[Ready],
    others: Mapping[str, Sequence[Ready]],
    *,
    int8: bool = True,
) -> Any:
    """The whole model. ``others`` are top layers in place of the last ones, with the name of their states.

    Inputs: ``ids`` of the tokens, their ``places``, the ``mask`` of who sees whom (the column of the first token
    before the others), ``rows`` and the tokens that are ``wanted`` after them. Outputs: the log probability of
    each of these, ``chances`` of all tokens after the first of the rows, and the states of the others.
    """
    graph = Graph(sizes, int8=int8)
    streams = graph.streams(words, layers)
    ends = {"": streams[-1]}
    for name, tops in others.items():
        stream = streams[len(layers) - len(tops)]
        for ready in tops:
            stream = graph.layer(ready, *stream, *graph.around)
        ends[name] = stream
    states = {name: graph.normed(*stream, last_norm)[0] for name, stream in ends.items()}
    scores = graph.product(graph.node("Gather", states.pop(""), "rows", axis=0), words)
    chances = graph.node("LogSoftmax", scores, axis=-1)
    column = graph.node("Unsqueeze", "wanted", graph.constant(np.array([1])))
    each = graph.shaped(graph.node("GatherElements", chances, column, axis=1), -1)
    first = graph.shaped(graph.node("Gather", chances, graph.constant(np.array([0])), axis=0), -1)
    results: dict[str, tuple[str, Shape]]
    results = {"each": (each, ["rows"]), "chances": (first, [sizes.words])}
    results |= {name: (state, ["tokens", sizes.hidden]) for name, state in states.items()}
    return graph.model({**TEXT, "rows": ["rows"], "wanted": ["rows"]}, results)
