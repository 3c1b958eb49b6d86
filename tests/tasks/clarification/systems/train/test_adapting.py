"""Adapters on a tiny language model: the loss falls, and the graph says what was trained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from marginalia.nlp.lm.convert import convert
from marginalia.nlp.lm.gguf_file import GgufFile
from marginalia.nlp.lm.model import CausalModel
from marginalia.nlp.onnx import start
from marginalia.tasks.clarification.systems.adapters import (
    ADAPTED,
    Adapters,
    seen_likelihoods,
)
from marginalia.tasks.clarification.systems.language_model import LanguageModel
from marginalia.tasks.clarification.systems.train.learning import contexts
from tests.nlp.lm.tiny import LAYERS, write_tiny
from tests.tasks.clarification.invented import invented

torch = pytest.importorskip("torch")


@pytest.fixture
def adapting(monkeypatch: pytest.MonkeyPatch) -> Any:
    from marginalia.tasks.clarification.systems.train import adapting

    monkeypatch.setattr(adapting, "FIRST", LAYERS - 1)
    return adapting


def test_what_was_trained_is_what_the_graph_says(adapting: Any, tmp_path: Path) -> None:
    file = GgufFile(write_tiny(tmp_path / "tiny.gguf"))
    known = contexts(invented(tmp_path), {})
    gaps = list(adapting.prepare(file, known, LAYERS - 1))
    data = adapting.train_adapters(file, gaps, 20)
    adapters = Adapters.from_bytes(data)
    assert adapters.changes.keys() == {LAYERS - 1}
    model = LanguageModel(adapters=lambda: adapters)
    changes = {ADAPTED: adapters.changes}
    model.model = CausalModel(file.path, changes)
    model.model.session = start(convert(file, changes, int8=False))
    off: dict[str, list[float]] = {"untrained": [], "trained": []}
    for context, gap in zip(known, gaps, strict=True):
        found, rows = model.ratings(context.item, context.fillers)
        beside = seen_likelihoods(found, context.item.phenomenon)
        np.testing.assert_allclose(gap.beside.numpy(), beside, atol=0.2)
        wanted = (np.array(context.ratings) - adapting.CENTRE) / adapting.SPREAD
        off["trained"].append(np.abs(rows[:, 0] - wanted).mean())
        off["untrained"].append(np.abs(wanted).mean())
    assert np.mean(off["trained"]) < 0.7 * np.mean(off["untrained"])


def test_a_change_begins_at_nothing(adapting: Any, tmp_path: Path) -> None:
    from marginalia.tasks.clarification.systems.train.adapted_network import Adapted

    file = GgufFile(write_tiny(tmp_path / "tiny.gguf"))
    first, _ = contexts(invented(tmp_path), {})
    [gap] = adapting.prepare(file, [first], LAYERS - 1)
    thin, none = (Adapted(file, LAYERS - 1, rank).eval() for rank in (4, 0))
    for network in (thin, none):
        torch.nn.init.ones_(network.heads.weight)
    with torch.no_grad():
        np.testing.assert_array_equal(*(adapting.heads(n, [gap]).numpy() for n in (thin, none)))
        assert adapting.loss(thin, [gap]).item() > 0
