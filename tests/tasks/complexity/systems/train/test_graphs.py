"""What training writes: graphs that compute what they should, and the table of static vectors."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from marginalia.nlp.onnx import start
from marginalia.nlp.weights import open_weights
from marginalia.tasks.complexity.systems.inputs import Static, shipped_static
from marginalia.tasks.complexity.systems.train.graphs import (
    Block,
    boosted_graph,
    network_graph,
    stored_as,
)
from marginalia.tasks.complexity.systems.train.static_table import build

RNG = np.random.default_rng(0)


def gelu(x: np.ndarray) -> np.ndarray:
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


@pytest.mark.parametrize("stored", ["float16", "int8"])
@pytest.mark.parametrize(
    "columns", [{"features": 3, "vectors": 4}, {"vectors": 4}, {"features": 3}]
)
def test_a_network_graph_is_its_formula(columns: dict[str, int], stored: str) -> None:
    size, n_features = sum(columns.values()), columns.get("features", 0)
    shift, factor = RNG.normal(size=size), RNG.uniform(0.5, 2, size=size)
    first = stored_as(RNG.normal(size=(size, 5)).astype(np.float32), stored)
    bias, second, last = RNG.normal(size=5), RNG.normal(size=(5, 1)), np.array([0.3])
    model = network_graph(columns, shift, factor, 1.5, first, bias, second, last, stored=stored)
    session = start(model)
    assert {entry.name for entry in session.get_inputs()} == set(columns)
    x = RNG.normal(size=(2, size)).astype(np.float32)
    z = (x - shift) * factor
    z[:, :n_features] = z[:, :n_features].clip(-1.5, 1.5)
    expected = gelu(z @ first + bias) @ second + last
    feed = {"features": x[:, :n_features], "vectors": x[:, n_features:]}
    feed = {name: value for name, value in feed.items() if name in columns}
    assert session.run(["score"], feed)[0] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("stored", ["float16", "int8"])
def test_boosted_trees_are_the_same_in_onnx(stored: str) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    pytest.importorskip("onnxmltools")
    x = RNG.normal(size=(200, 3)).astype(np.float32)
    v = RNG.normal(size=(200, 4)).astype(np.float32)
    matrix, bias = stored_as(RNG.normal(size=(3, 2)), stored), RNG.normal(size=2)
    joined = np.hstack([x, v[:, :3] @ matrix + bias, v[:, 3:]]).astype(np.float32)
    model = lightgbm.LGBMRegressor(n_estimators=5, verbose=-1).fit(joined, x[:, 0] + v[:, 1])
    blocks = [Block("features", 3), Block("vectors", 3, (matrix, bias)), Block("vectors", 1)]
    session = start(boosted_graph(model, blocks, stored=stored))
    scores = session.run(["score"], {"features": x, "vectors": v})[0].ravel()
    assert scores == pytest.approx(model.predict(joined), abs=1e-5)


def test_static_vectors_survive_their_table(tmp_path: Path) -> None:
    lines = [f"{word} {' '.join(f'{n:.5f}' for n in RNG.normal(size=6))}" for word in WORDS]
    path = tmp_path / "glove.txt"
    path.write_text("\n".join([*lines, "12 1 1 1 1 1 1"]) + "\n", encoding="utf-8")
    out = tmp_path / "out"
    build(path, out, width=3)
    assert set(open_weights(out)["files"]) == {"static.onnx", "static_words.txt.gz"}
    static = Static(out)
    assert static.width == 4, "three components and the rank"
    vectors = np.stack([static.vector(word) for word in WORDS])
    assert np.abs(vectors[:, :3].mean(axis=0)).max() < 0.1, "components are centred"
    assert vectors[:, 3] == pytest.approx(np.log1p(np.arange(len(WORDS))))
    assert static.vector("THE of") == pytest.approx((vectors[0] + vectors[1]) / 2)
    for absent in ("unknown", ""):
        assert static.vector(absent) == pytest.approx([0, 0, 0, math.log1p(len(WORDS))])


WORDS = "the of and river house bed".split()


def test_the_shipped_table_knows_common_words() -> None:
    static = shipped_static()
    river, stream, tax = (static.vector(word)[:-1] for word in ("river", "stream", "tax"))
    assert river @ stream > river @ tax
