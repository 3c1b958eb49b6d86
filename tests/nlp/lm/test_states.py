"""States of a text: what the definition says, token by token, however long the text is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from marginalia import FormatError, MissingError
from marginalia.nlp.lm import states as module
from marginalia.nlp.lm.convert import GRAPH_FILE, convert_states
from marginalia.nlp.lm.gguf_file import GgufFile
from marginalia.nlp.lm.model import MODEL_VARIABLE, find_model
from marginalia.nlp.lm.reference import causal, run_layer
from marginalia.nlp.lm.states import StateReader
from marginalia.nlp.onnx import start
from tests.nlp.lm.tiny import HIDDEN, write_tiny

TEXTS = ("the salt of Peter", "Naïve 😀 the", "", "x")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


def exact(path: Path) -> StateReader:
    """Without int8."""
    reader = StateReader(lambda: path, (1, 2))
    reader.session = start(convert_states(reader.file, (1, 2), int8=False))
    return reader


def defined(file: GgufFile, text: str, layer: int) -> np.ndarray:
    """The states by the plain NumPy of the definition."""
    ids = [file.sizes.begin, *file.tokenizer.encode("\n " + text, add_special_tokens=False).ids]
    x = file.words[ids]
    for number in range(layer):
        order = np.arange(len(ids), dtype=np.float32)
        x = run_layer(file.layer(number), file.sizes, x, order, causal(len(ids))).after
    return x[2:]


@pytest.mark.parametrize("layer", [1, 2])
def test_states_are_those_of_the_definition(path: Path, layer: int) -> None:
    reader = exact(path)
    for text, tokens in zip(TEXTS, reader.tokens(TEXTS, (layer,)), strict=True):
        wanted = defined(reader.file, text, layer)
        assert tokens.layers.keys() == {layer}
        np.testing.assert_allclose(tokens.layers[layer], wanted, atol=2e-4)
        assert len(tokens.offsets) == len(wanted)


def test_offsets_are_those_of_the_text(path: Path) -> None:
    [tokens] = exact(path).tokens(["the salt, the é"], (1,))
    pieces = ["the salt, the é"[start:end] for start, end in tokens.offsets]
    assert pieces[0] == "" and "the" in pieces and "salt" in "".join(pieces)
    assert pieces[-2:] == ["é", "é"], "two bytes of one letter"


def test_a_text_has_the_same_states_alone_and_in_company(path: Path, tmp_path: Path) -> None:
    reader = StateReader(lambda: path, (2,), cache=tmp_path)
    together = list(reader.tokens(TEXTS, (2,)))
    for text, tokens in zip(TEXTS, together, strict=True):
        [alone] = reader.tokens([text], (2,))
        assert np.array_equal(alone.layers[2], tokens.layers[2])
    assert len(list(tmp_path.rglob(GRAPH_FILE))) == 1
    near, wanted = together[0].layers[2], defined(reader.file, TEXTS[0], 2)
    assert 0.99 < np.corrcoef(near.ravel(), wanted.ravel())[0, 1] < 1, "int8 stays near"


def test_a_long_text_is_read_in_steps(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, text = exact(path), "the salt of Peter 12 " * 3
    [whole] = reader.tokens([text], (1,))
    monkeypatch.setattr(module, "STEP", 20)
    [parts] = reader.tokens([text], (1,))
    assert parts.layers[1].shape == whole.layers[1].shape == (len(whole.offsets), HIDDEN)
    assert len(whole.offsets) > 40
    # The first steps see all that stands before them.
    np.testing.assert_allclose(parts.layers[1][:40], whole.layers[1][:40], atol=1e-4)


def test_layers_that_the_model_has_not_are_refused(path: Path) -> None:
    with pytest.raises(FormatError, match="the model has 3 layers"):
        convert_states(GgufFile(path), (1, 4))


def test_nothing_is_looked_for_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    monkeypatch.setattr("marginalia.nlp.lm.model.find_spec", lambda name: None)
    reader = StateReader(find_model, (1,))
    assert list(reader.tokens([], (1,))) == []
    with pytest.raises(MissingError, match=r"marginalia\[lm\]"):
        list(reader.tokens(["x"], (1,)))
