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
    from marginalia.tasks.measurement.systems.train.corpus import of_measeval
    from marginalia.tasks.measurement.systems.train.losses import loss
    from marginalia.tasks.measurement.systems.train.recipe import batches, train_network

    tokenizer = english().tokenizer
    paragraphs = of_measeval(invented())
    [part, *_] = batches(paragraphs, Random(0), tokenizer, MAX_WINDOW_PIECES)
    before = loss(network.eval(), part).item()
    assert loss(train_network(paragraphs, network, 10, tokenizer), part).item() < before


def test_the_graphs_say_what_the_network_says(network: Any) -> None:
    from marginalia.tasks.measurement.systems.inputs import ASKED, ask, mark
    from marginalia.tasks.measurement.systems.train.corpus import of_measeval
    from marginalia.tasks.measurement.systems.train.graphs import to_onnx
    from marginalia.tasks.measurement.systems.train.losses import padded
    from marginalia.tasks.measurement.systems.train.recipe import batches

    graphs = to_onnx(network)
    tokenizer = english().tokenizer
    paragraphs = of_measeval(invented())
    [[example, *_], *_] = batches(paragraphs, Random(0), tokenizer, MAX_WINDOW_PIECES)
    window = example.window
    pieces, shapes = padded([window.pieces]), padded([window.shapes])
    marks = padded([mark(window, example.quantities)])
    feed = {"pieces": pieces.numpy(), "shapes": shapes.numpy(), "marks": marks.numpy()}
    [vectors] = start(graphs["encoder.onnx"]).run(["vectors"], feed)
    with torch.no_grad():
        wanted = network.encode(pieces, shapes, marks, torch.ones_like(pieces))
    assert abs(vectors - wanted.numpy()).mean() < 0.05, "int8"
    places = [asking.quantity for asking in example.askings]
    asked = ask(window, places, example.quantities, example.convention)
    feed = {name: getattr(asked, name) for name in ASKED} | {"vectors": vectors}
    [ends] = start(graphs["reading.onnx"]).run(["ends"], feed | {"shapes": shapes.numpy()})
    with torch.no_grad():
        _, scores, _, _ = network.read(
            torch.from_numpy(vectors),
            shapes,
            torch.ones(vectors.shape[:2]),
            torch.zeros(len(places), dtype=torch.long),
            {name: torch.from_numpy(getattr(asked, name)) for name in ASKED},
        )
    assert ends == pytest.approx(scores.softmax(1).numpy(), abs=0.05), "int8"
