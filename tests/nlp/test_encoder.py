"""The encoder on a tiny model made here: offsets, windows, cache, damage, and company."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from marginalia import FormatError, MissingError
from marginalia.nlp.cache import Recent, VectorCache
from marginalia.nlp.encoder import Encoder, Tokens
from marginalia.nlp.onnx import start as onnx_start
from marginalia.nlp.threads import threads

WORDS = ["[CLS]", "[SEP]", "[UNK]", "one", "two", "three", "four", "naïve", "😀"]
WIDTH = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Layer 0 is a table of vectors, layer 1 adds the mean of the pass: so context matters."""
    folder = tmp_path_factory.mktemp("model")
    table = np.random.default_rng(0).normal(size=(len(WORDS), WIDTH)).astype(np.float32)
    ids, mask = (
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    )
    zero, one = (
        helper.make_tensor_value_info(f"layer_{i}", TensorProto.FLOAT, ["batch", "tokens", WIDTH])
        for i in (0, 1)
    )
    lower = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["layer_0"])],
        "lower",
        [ids, mask],
        [zero],
        [numpy_helper.from_array(table, "table")],
    )
    upper = helper.make_graph(
        [
            helper.make_node("ReduceMean", ["layer_0"], ["mean"], axes=[1], keepdims=1),
            helper.make_node("Add", ["layer_0", "mean"], ["layer_1"]),
        ],
        "upper",
        [zero, helper.make_tensor_value_info("lengths", TensorProto.INT32, ["batch"])],
        [one],
    )
    for graph in (lower, upper):
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        onnx.save(model, folder / f"{graph.name}.onnx")

    tokenizer = Tokenizer(
        models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]")  # noqa: S106
    )
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 1), ("[CLS]", 0))
    tokenizer.save(str(folder / "tokenizer.json"))
    files = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in ("lower.onnx", "upper.onnx", "tokenizer.json")
    }
    manifest = {"layers": 1, "cut": 0, "width": WIDTH, "max_tokens": 300, "files": files}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def test_offsets_are_code_points_of_the_text(folder: Path) -> None:
    text = "two 😀 naïve"
    [tokens] = Encoder(folder).tokens([text], [0])
    pieces = [text[start:end] for start, end in tokens.offsets]
    assert pieces == ["", "two", "😀", "naïve", ""]


def test_a_span_is_the_mean_of_the_tokens_it_touches(folder: Path) -> None:
    [tokens] = Encoder(folder).tokens(["one two three"], [0, 1])
    assert np.allclose(tokens.span(4, 13, 0), tokens.layers[0][2:4].mean(axis=0))
    assert np.allclose(tokens.span(5, 6, 1), tokens.layers[1][2])
    assert not tokens.span(3, 4, 0).any(), "a blank has no token"


def test_a_text_has_the_same_vector_in_any_company(folder: Path) -> None:
    encoder = Encoder(folder)
    texts = ["one", "two three four one", "", "one"]
    together = encoder.vectors(texts)
    alone = np.concatenate([encoder.vectors([text]) for text in texts])
    assert (together == alone).all()
    assert np.allclose(np.linalg.norm(together, axis=1), 1)
    assert encoder.vectors([]).shape == (0, WIDTH)


def test_the_upper_graph_runs_only_where_its_layers_are_wanted(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(Encoder, "upper", None)
    encoder = Encoder(folder)
    [tokens] = encoder.tokens(["one two"], [0])
    assert tokens.layers[0].shape == (4, WIDTH)
    with pytest.raises(AttributeError):
        list(encoder.tokens(["one two"], [0, 1]))


def test_the_last_passes_are_shared(folder: Path) -> None:
    encoder, plain = Encoder(folder, recent=10_000), Encoder(folder)
    text = "one two three four " * 4
    ran: list[str] = []

    class Counted:
        def __init__(self, name: str, session: Any) -> None:
            self.name, self.session = name, session

        def run(self, *given: Any) -> Any:
            ran.append(self.name)
            return self.session.run(*given)

    encoder.lower, encoder.upper = Counted("lower", plain.lower), Counted("upper", plain.upper)
    for layers in ([0], [0], [1], [0, 1], [1]):
        [tokens], [wanted] = encoder.tokens([text], layers), plain.tokens([text], layers)
        assert tokens.layers.keys() == set(layers)
        for layer in layers:
            assert (tokens.layers[layer] == wanted.layers[layer]).all()
    assert ran == ["lower", "upper"]
    assert (encoder.vectors([text]) == plain.vectors([text])).all()


def test_passes_are_kept_within_their_room_and_short_ones_not_at_all() -> None:
    def tokens(count: int) -> Tokens:
        return Tokens(
            np.zeros((count, 2), dtype=np.int64), {0: np.zeros((count, 4), dtype=np.float32)}
        )

    recent = Recent(tokens(20).size * 3)
    for name in "abcd":
        recent.put(name, tokens(20))
    recent.put("short", tokens(3))
    recent.put("long", tokens(100))
    assert list(recent.kept) == ["b", "c", "d"]
    recent.put("b", Tokens(tokens(20).offsets, {1: np.ones((20, 4), dtype=np.float32)}))
    assert recent.get("b").layers.keys() == {0, 1}
    assert recent.size == sum(kept.size for kept in recent.kept.values()) <= recent.room


def test_a_long_text_is_cut_into_windows_and_loses_no_token(folder: Path) -> None:
    words = [WORDS[3 + i % 4] for i in range(1000)]
    [tokens] = Encoder(folder).tokens([" ".join(words)], [0])
    assert len(tokens.offsets) == len(tokens.layers[0]) == 1002
    [one] = Encoder(folder).tokens(["one two three four"], [0])
    assert (tokens.layers[0][1:-1] == np.tile(one.layers[0][1:-1], (250, 1))).all()


@pytest.mark.parametrize("length", [297, 298, 299, 427, 470, 599])
def test_windows_fit_together_at_every_edge(folder: Path, length: int) -> None:
    [tokens] = Encoder(folder).tokens([" ".join(["one"] * length)], [0])
    assert len(tokens.layers[0]) == len(tokens.offsets) == length + 2


def test_vectors_are_kept_on_disk_and_read_again(folder: Path, tmp_path: Path, monkeypatch) -> None:
    cache = tmp_path / "deep" / "vectors.sqlite"
    first = Encoder(folder, cache=cache).vectors(["one", "two three"])
    again = Encoder(folder, cache=cache)
    monkeypatch.setattr(Encoder, "tokens", lambda *_: pytest.fail("encoded again"))
    monkeypatch.setattr(Encoder, "_sentence_vectors", lambda self, texts: iter(()))
    assert (again.vectors(["two three", "one"]) == first[::-1]).all()


def test_another_model_has_other_vectors_in_the_same_cache(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    with VectorCache(path, "model a", 2) as cache:
        cache.put({"text": np.array([1, 2], dtype=np.float32)})
        assert cache.get(["text", "other"])["text"].tolist() == [1, 2]
    with VectorCache(path, "model b", 2) as cache:
        assert cache.get(["text"]) == {}
    with VectorCache(path, "model a", 3) as cache:
        assert cache.get(["text"]) == {}


def test_a_file_that_is_no_cache_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    path.write_bytes(b"something else entirely" * 100)
    with pytest.raises(FormatError, match="not a vector cache"), VectorCache(path, "m", 2):
        pass


def test_damaged_and_missing_weights_are_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="not there"):
        Encoder(tmp_path).vectors(["one"])
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with (tmp_path / "upper.onnx").open("ab") as file:
        file.write(b"!")
    with pytest.raises(FormatError, match=r"upper\.onnx: the file is damaged"):
        Encoder(tmp_path).vectors(["one"])
    (tmp_path / "upper.onnx").unlink()
    with pytest.raises(MissingError, match=r"upper\.onnx is missing"):
        Encoder(tmp_path).vectors(["one"])


def test_threads_are_set_once_for_all(monkeypatch) -> None:
    monkeypatch.setenv("MARGINALIA_THREADS", "3")
    assert threads() == 3
    monkeypatch.setenv("MARGINALIA_THREADS", "many")
    with pytest.raises(FormatError, match="MARGINALIA_THREADS is 'many'"):
        threads()
    monkeypatch.delenv("MARGINALIA_THREADS")
    assert threads() >= 1


def test_the_model_is_loaded_once_and_not_for_nothing(folder: Path, monkeypatch) -> None:
    """Since Python 3.12 a cached property has no lock: each thread of the pool would load its own."""
    monkeypatch.setenv("MARGINALIA_THREADS", "8")
    started: list[tuple[str, str]] = []

    def start(path: Path, **how: bool) -> object:
        started.append((path.name, threading.current_thread().name))
        return onnx_start(path, **how)

    monkeypatch.setattr("marginalia.nlp.encoder.start", start)
    encoder = Encoder(folder)
    assert list(encoder.tokens([], [0])) == []
    assert started == []
    here = threading.current_thread().name
    list(encoder.tokens(["one two"] * 20, [0, 1]))
    assert started == [("lower.onnx", here), ("upper.onnx", here)]
