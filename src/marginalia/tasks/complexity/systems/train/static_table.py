"""The table of static word vectors, from GloVe.

    python -m marginalia.tasks.complexity.systems.train.static_table --glove glove.6B.100d.txt

A line of the file is a word and its numbers, the commonest words first. The first plain words are kept,
reduced to their principal components and stored as int8 with one scale per word. Needs ``onnx``.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from marginalia.core.files import read_lines
from marginalia.nlp.weights import write_weights
from marginalia.tasks.complexity.systems import WEIGHTS
from marginalia.tasks.complexity.systems.inputs import MODEL, WORDS

PLAIN = re.compile(r"[a-z][a-z'-]+")
SIZE, WIDTH = 60_000, 50


def read_glove(path: Path) -> Iterator[tuple[str, list[float]]]:
    for _, line in read_lines(path):
        word, *numbers = line.split(" ")
        if PLAIN.fullmatch(word):
            yield word, [float(number) for number in numbers]


def build(path: Path, out: Path, *, size: int = SIZE, width: int = WIDTH) -> None:
    from sklearn.decomposition import PCA

    words, rows = [], []
    for word, vector in read_glove(path):
        words.append(word)
        rows.append(vector)
        if len(words) == size:
            break
    reduced = PCA(width, random_state=0).fit_transform(np.array(rows, dtype=np.float32))
    scale = np.abs(reduced).max(axis=1, keepdims=True) / 127
    scale[scale == 0] = 1
    small = np.round(reduced / scale).astype(np.int8)
    text = gzip.compress("\n".join(words).encode(), mtime=0)
    model = table_graph(small, scale.astype(np.float16))
    write_weights(out, {MODEL: model, WORDS: text})


def table_graph(small: NDArray[np.int8], scale: NDArray[np.float16]) -> bytes:
    """rows -> vectors: int8 numbers times the scale of their row."""
    from onnx import TensorProto, checker, helper, numpy_helper

    nodes = [
        helper.make_node("Gather", ["small", "rows"], ["picked"]),
        helper.make_node("Cast", ["picked"], ["number"], to=TensorProto.FLOAT),
        helper.make_node("Gather", ["scale", "rows"], ["half"]),
        helper.make_node("Cast", ["half"], ["factor"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["number", "factor"], ["vectors"]),
    ]
    constants = [numpy_helper.from_array(small, "small"), numpy_helper.from_array(scale, "scale")]
    rows = helper.make_tensor_value_info("rows", TensorProto.INT64, ["n"])
    vectors = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["n", small.shape[1]])
    graph = helper.make_graph(nodes, "static", [rows], [vectors], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    return bytes(model.SerializeToString())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--glove", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    build(arguments.glove, arguments.out)


if __name__ == "__main__":
    main()
