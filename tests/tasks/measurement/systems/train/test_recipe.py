"""Training on a tiny encoder: the loss falls, and the graphs say what the network says."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from marginalia.nlp.encoder import english
from marginalia.nlp.onnx import start
from marginalia.tasks.measurement.systems.inputs import MAX_WINDOW_PIECES
from tests.tasks.measurement.invented import invented
from tests.tasks.tiny import tiny_encoder

torch = pytest.importorskip("torch")


@pytest.fixture
def network() -> Any:
    encoder = tiny_encoder(48)
    from marginalia.tasks.measurement.systems.train.network import Network

    return Network(encoder)


def test_the_loss_falls(network: Any) -> None:
    from marginalia.tasks.measurement.systems.train.losses import loss
    from marginalia.tasks.measurement.systems.train.recipe import batches, train_network

    tokenizer = english().tokenizer
    [part] = batches(invented(), Random(0), tokenizer, MAX_WINDOW_PIECES)
    before = loss(network.eval(), part).item()
    assert loss(train_network(invented(), network, 10, tokenizer), part).item() < before


def test_the_graphs_say_what_the_network_says(network: Any) -> None:
    from marginalia.tasks.measurement.systems.inputs import ASKED, ask
    from marginalia.tasks.measurement.systems.train.graphs import to_onnx
    from marginalia.tasks.measurement.systems.train.losses import padded
    from marginalia.tasks.measurement.systems.train.recipe import batches

    graphs = to_onnx(network)
    tokenizer = english().tokenizer
    [[example, *_], *_] = batches(invented(), Random(0), tokenizer, MAX_WINDOW_PIECES)
    pieces, shapes = padded([example.window.pieces]), padded([example.window.shapes])
    [vectors, quantity] = start(graphs["encoder.onnx"]).run(
        ["vectors", "quantity"], {"pieces": pieces.numpy(), "shapes": shapes.numpy()}
    )
    with torch.no_grad():
        wanted = network.encode(pieces, shapes, torch.ones_like(pieces))
    assert quantity.shape == (1, len(example.window.pieces), 3)
    assert abs(vectors - wanted.numpy()).mean() < 0.05, "int8"
    places = [asking.quantity for asking in example.askings]
    asked = ask(example.window, places, places)
    feed = {name: getattr(asked, name) for name in ASKED} | {"vectors": vectors}
    [ends] = start(graphs["reading.onnx"]).run(["ends"], feed)
    with torch.no_grad():
        _, scores, _ = network.read(
            torch.from_numpy(vectors),
            torch.ones(vectors.shape[:2]),
            torch.zeros(len(places), dtype=torch.long),
            {name: torch.from_numpy(getattr(asked, name)) for name in ASKED},
        )
    assert ends == pytest.approx(scores.softmax(1).numpy(), abs=1e-4)
