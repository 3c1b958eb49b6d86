"""Training on a tiny encoder: the loss falls, and the graph says what the network says."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from marginalia.nlp.encoder import english
from marginalia.tasks.clarification.systems.passes import HEADS, Passes, bare, pack
from marginalia.tasks.clarification.systems.train.learning import contexts, make_example
from tests.tasks.clarification.invented import invented
from tests.tasks.tiny import tiny_encoder

torch = pytest.importorskip("torch")


@pytest.fixture
def network() -> Any:
    encoder = tiny_encoder(384)
    from marginalia.tasks.clarification.systems.train.network import Network

    return Network(encoder)


def test_the_loss_falls(network: Any, tmp_path: Path) -> None:
    from marginalia.tasks.clarification.systems.train.learning import loss, train_network

    known = contexts(invented(tmp_path), {})
    examples = [make_example(c, english().tokenizer, Random(0)) for c in known]
    before = loss(network.eval(), examples).item()
    trained = train_network(known, network, 15, tmp_path / "kept.pt")
    assert loss(trained, examples).item() < before
    assert (tmp_path / "kept.pt").is_file()


def test_a_filler_is_rated_as_if_it_were_alone(network: Any, tmp_path: Path) -> None:
    from marginalia.tasks.clarification.systems.train.learning import Example, tensors

    network.eval()
    context = bare(invented(tmp_path).items["7_1"])

    def heads(*fillers: str) -> Any:
        packed = pack(context, fillers, english().tokenizer)
        with torch.no_grad():
            return network(**tensors([Example(packed, np.zeros(0, dtype=np.float32))]))[0].numpy()

    together = heads(*context.others)
    for place, filler in enumerate(context.others):
        np.testing.assert_allclose(heads(filler)[0], together[place], atol=1e-5)


def test_the_graph_says_what_the_network_says(network: Any, tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    from marginalia.tasks.clarification.systems.train.graphs import to_onnx
    from marginalia.tasks.clarification.systems.train.learning import Example, tensors

    context = bare(invented(tmp_path).items["7_1"])
    packed = pack(context, context.others, english().tokenizer)
    with torch.no_grad():
        inputs = tensors([Example(packed, np.zeros(0, dtype=np.float32))])
        wanted = network.eval()(**inputs)[0].numpy()
    assert wanted.shape == (5, len(HEADS))
    for int8, near in ((False, 1e-4), (True, 0.1)):
        found = Passes(given=to_onnx(network, int8=int8)).heads([context])[context]
        np.testing.assert_allclose(found, wanted, atol=near)
