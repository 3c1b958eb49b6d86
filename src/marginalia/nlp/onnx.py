"""ONNX models: how a session is started, on the graph in the form that computes fastest here; the file stays as it is.

Two things are changed while a graph is loaded, both of them measured:

- Unsigned weights of eight bits become signed ones, and so do their zero points. The products are the same whole numbers, and
  much faster where the processor has an instruction for them (VNNI). Where it has none, sums of signed products can
  overflow; so one that would is computed first.
- Where it is asked for, a sum and the norm of it in one operator are taken apart: onnxruntime's operator for both goes number
  by number. This rounds differently, so the scores must be checked where it is asked for.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.protobuf import Field, content, fields, key, number, numbers

LEFT_OUT = ["SkipLayerNormFusion"]
"""What onnxruntime must not do where sums and norms were taken apart: it would join them again."""

# Numbers of fields in onnx.proto.
MODEL_VERSION, MODEL_GRAPH, MODEL_OPSET = 1, 7, 8
OPSET_DOMAIN, OPSET_VERSION = 1, 2
GRAPH_NODE, GRAPH_NAME, GRAPH_TENSOR, GRAPH_INPUT, GRAPH_OUTPUT, GRAPH_VALUE = 1, 2, 5, 11, 12, 13
NODE_INPUT, NODE_OUTPUT, NODE_KIND, NODE_ATTRIBUTE = 1, 2, 4, 5
ATTRIBUTE_NAME = 1
TENSOR_SHAPE, TENSOR_TYPE, TENSOR_FLOATS, TENSOR_NUMBERS, TENSOR_NAME, TENSOR_DATA = (
    1,
    2,
    4,
    5,
    8,
    9,
)
VALUE_NAME, VALUE_TYPE, TYPE_TENSOR, TENSOR_ELEMENT = 1, 2, 1, 1
FLOAT, UINT8, INT8, INT32 = 1, 2, 3, 6
STORED: dict[int, Any] = {FLOAT: np.dtype("<f4"), UINT8: np.dtype("u1"), INT8: np.dtype("i1")}
UNDERSTOOD = {TENSOR_SHAPE, TENSOR_TYPE, TENSOR_NUMBERS, TENSOR_NAME, TENSOR_DATA}

WEIGHTS = {"MatMulInteger": (1, 3), "DynamicQuantizeMatMul": (1, 3), "QAttention": (1, 7)}
"""Products of whole numbers: which of their inputs are the weights, and which the zero points of these."""
NESTING = {"If", "Loop", "Scan", "SequenceMap"}
"""Operators that hold graphs of their own, which may use what stands outside."""
SKIP_NORM, EPSILON = "SkipLayerNormalization", "epsilon"
NORM_OPSET = 17
"""The version of the operators from which on there is a norm by itself."""
SIGN = np.uint8(0x80)


def start(model: bytes | Path, *, norms_apart: bool = False) -> Any:
    """A session on a graph in the form that computes fastest here."""
    changed = faster(model, norms_apart=norms_apart)
    return open_session(changed or model, LEFT_OUT if norms_apart else ())


def open_session(model: bytes | Path, left_out: Sequence[str] = ()) -> Any:
    """A session with one thread: passes run side by side, and the heads are small."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = model if isinstance(model, bytes) else str(model)
    session = onnxruntime.InferenceSession(
        source, options, providers=["CPUExecutionProvider"], disabled_optimizers=list(left_out)
    )
    # Kept there in case of another provider, of which there is none: as much memory again as the weights take.
    session._model_bytes = None
    return session


def read_tensors(model: bytes, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """Those of the constants of these names that hold bytes or floats; ValueError where it is no graph."""
    wanted, tensors = set(names), {}
    for graph in fields(memoryview(model)):
        for part in fields(graph.content) if graph.number == MODEL_GRAPH else ():
            if part.number != GRAPH_TENSOR:
                continue
            parts: dict[int, list[Field]] = {}
            for each in fields(part.content):
                parts.setdefault(each.number, []).append(each)
            name = "".join(each.text for each in parts.get(TENSOR_NAME, ()))
            if name in wanted:
                tensors[name] = _values(parts)
    return tensors


def _values(parts: Mapping[int, Sequence[Field]]) -> NDArray[Any]:
    kind = STORED[parts[TENSOR_TYPE][0].value]
    shape = [each.value for each in parts.get(TENSOR_SHAPE, ())]
    if TENSOR_NUMBERS in parts:
        listed = [value for each in parts[TENSOR_NUMBERS] for value in _listed(each)]
        return np.array(listed, dtype=kind).reshape(shape)
    data = parts.get(TENSOR_DATA) or parts.get(TENSOR_FLOATS, ())
    return np.frombuffer(b"".join(each.content for each in data), dtype=kind).reshape(shape)


def _listed(field: Field) -> Iterator[int]:
    """The numbers of a repeated field, which are written together or one by one."""
    return numbers(field.content) if field.content else iter([field.value])


class Node(NamedTuple):
    """An operator, and where it stands."""

    kind: str
    inputs: list[str]
    outputs: list[str]
    attributes: list[memoryview]
    begin: int
    end: int


class Tensor(NamedTuple):
    """Stored unsigned bytes, and where they stand."""

    shape: list[int]
    data: NDArray[np.uint8]
    begin: int
    end: int


class Edit(NamedTuple):
    """What is to stand in place of the bytes from ``begin`` to ``end``."""

    begin: int
    end: int
    new: bytes


def faster(model: bytes | Path, *, norms_apart: bool = False) -> bytes | None:
    """The graph with the changes; None where there is nothing to change, or what is there is no graph."""
    if isinstance(model, bytes):
        return _faster(memoryview(model), norms_apart)
    with model.open("rb") as file:
        if not file.seek(0, 2):
            return None
        view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    return _faster(view, norms_apart)


def _faster(model: memoryview, norms_apart: bool) -> bytes | None:
    try:
        parts = list(fields(model))
        [graph] = [part for part in parts if part.number == MODEL_GRAPH]
        edits = _edits(graph.content, norms_apart and _opset(parts) >= NORM_OPSET)
    except ValueError:  # opening it says what is wrong with it
        return None
    if not edits:
        return None
    size = len(graph.content) + sum(len(edit.new) - (edit.end - edit.begin) for edit in edits)
    chunks: list[bytes | memoryview] = [model[: graph.begin], key(MODEL_GRAPH, size)]
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.begin):
        chunks += [graph.content[at : edit.begin], edit.new]
        at = edit.end
    return b"".join([*chunks, graph.content[at:], model[graph.end :]])


def _opset(parts: Sequence[Field]) -> int:
    """The version of the standard operators."""
    for part in parts:
        if part.number == MODEL_OPSET:
            named = {each.number: each for each in fields(part.content)}
            if OPSET_DOMAIN not in named or not named[OPSET_DOMAIN].content:
                return named[OPSET_VERSION].value if OPSET_VERSION in named else 0
    return 0


def _edits(graph: memoryview, norms_apart: bool) -> list[Edit]:
    nodes, tensors, declared = [], {}, set()
    for part in fields(graph):
        if part.number == GRAPH_NODE:
            nodes.append(_node(part))
        elif part.number == GRAPH_TENSOR:
            tensors.update(_tensor(part))
        elif part.number in (GRAPH_INPUT, GRAPH_OUTPUT, GRAPH_VALUE):
            declared |= {each.text for each in fields(part.content) if each.number == VALUE_NAME}
    norms = list(_norms(nodes)) if norms_apart else []
    return norms + list(_signed(nodes, tensors, declared))


def _node(part: Field) -> Node:
    kind, inputs, outputs, attributes = "", [], [], []
    for each in fields(part.content):
        if each.number == NODE_INPUT:
            inputs.append(each.text)
        elif each.number == NODE_OUTPUT:
            outputs.append(each.text)
        elif each.number == NODE_KIND:
            kind = each.text
        elif each.number == NODE_ATTRIBUTE:
            attributes.append(each.content)
    return Node(kind, inputs, outputs, attributes, part.begin, part.end)


def _tensor(part: Field) -> dict[str, Tensor]:
    """By its name, if it holds unsigned bytes and all that is written about it is understood."""
    named = {each.number: each for each in fields(part.content)}
    if TENSOR_TYPE not in named or named[TENSOR_TYPE].value != UINT8 or named.keys() - UNDERSTOOD:
        return {}
    shape = [each.value for each in fields(part.content) if each.number == TENSOR_SHAPE]
    if TENSOR_DATA in named:
        data = np.frombuffer(named[TENSOR_DATA].content, dtype=np.uint8)
    else:
        packed = named[TENSOR_NUMBERS].content if TENSOR_NUMBERS in named else memoryview(b"")
        data = np.array([each & 0xFF for each in numbers(packed)], dtype=np.uint8)
    if TENSOR_NAME not in named or data.size != prod(shape):
        return {}
    return {named[TENSOR_NAME].text: Tensor(shape, data, part.begin, part.end)}


def _signed(
    nodes: Sequence[Node], tensors: Mapping[str, Tensor], declared: set[str]
) -> Iterator[Edit]:
    """All unsigned weights and zero points as signed ones; none of them, if something else uses one."""
    weights, others = set(), set(declared)
    for node in nodes:
        places = WEIGHTS.get(node.kind, ())
        names = [node.inputs[place] for place in places if place < len(node.inputs)]
        if len(names) == 2 and tensors.keys() >= set(names):
            weights |= set(names)
            others |= {name for at, name in enumerate(node.inputs) if at not in places}
        else:
            others |= set(node.inputs)
    if not weights or weights & others or any(node.kind in NESTING for node in nodes):
        return
    if not signed_products_are_exact():
        return
    for name in weights:
        shape, data, begin, end = tensors[name]
        signed = (data ^ SIGN).view(np.int8)  # less 128
        yield Edit(begin, end, signed_tensor(name, shape, signed))


def _norms(nodes: Sequence[Node]) -> Iterator[Edit]:
    """A sum and its norm as operators of their own. The bias comes first: it is added where the product is made."""
    for node in nodes:
        if node.kind != SKIP_NORM or any(node.outputs[1:3]):
            continue
        epsilon = [bytes(each) for each in node.attributes if _name(each) == EPSILON]
        if not epsilon:
            continue
        [result, *further], [x, skip, scale, *optional] = node.outputs, node.inputs
        shift, bias = [*optional, "", ""][:2]
        total = further[2] if len(further) > 2 and further[2] else f"{result}_sum"
        made = b""
        if bias:
            made += operator("Add", [x, bias], f"{result}_biased")
            x = f"{result}_biased"
        made += operator("Add", [x, skip], total)
        made += operator(
            "LayerNormalization",
            [total, scale, *([shift] if shift else [])],
            result,
            content(NODE_ATTRIBUTE, epsilon[0]),
        )
        yield Edit(node.begin, node.end, made)


def _name(attribute: memoryview) -> str:
    return next((each.text for each in fields(attribute) if each.number == ATTRIBUTE_NAME), "")


def operator(kind: str, inputs: Sequence[str], output: str, attributes: bytes = b"") -> bytes:
    """An operator as a field of a graph."""
    names = b"".join(content(NODE_INPUT, name) for name in inputs) + content(NODE_OUTPUT, output)
    return content(GRAPH_NODE, names + content(NODE_KIND, kind) + attributes)


def signed_tensor(name: str, shape: Sequence[int], data: NDArray[np.int8]) -> bytes:
    """Signed bytes as a field of a graph."""
    sizes = b"".join(number(TENSOR_SHAPE, size) for size in shape)
    about = sizes + number(TENSOR_TYPE, INT8) + content(TENSOR_NAME, name)
    return content(GRAPH_TENSOR, about + content(TENSOR_DATA, data.tobytes()))


@cache
def signed_products_are_exact() -> bool:
    """Whether sums of the largest products of unsigned and signed bytes come out right on this processor."""
    rows, inner, columns = 8, 64, 48
    most = np.full((rows, inner), 255, dtype=np.uint8)
    found = open_session(product_graph(np.full((inner, columns), 127, dtype=np.int8)))
    return bool((found.run(None, {"x": most})[0] == inner * 255 * 127).all())


def product_graph(weights: NDArray[np.int8]) -> bytes:
    """``y``, the product of ``x`` in unsigned bytes and weights in signed ones."""
    graph = operator("MatMulInteger", ["x", "weights"], "y") + content(GRAPH_NAME, "product")
    graph += signed_tensor("weights", weights.shape, weights)
    graph += content(GRAPH_INPUT, _declared("x", UINT8))
    graph += content(GRAPH_OUTPUT, _declared("y", INT32))
    opset = content(OPSET_DOMAIN, "") + number(OPSET_VERSION, NORM_OPSET)
    return number(MODEL_VERSION, 8) + content(MODEL_GRAPH, graph) + content(MODEL_OPSET, opset)


def _declared(name: str, kind: int) -> bytes:
    tensor = content(TYPE_TENSOR, number(TENSOR_ELEMENT, kind))
    return content(VALUE_NAME, name) + content(VALUE_TYPE, tensor)
