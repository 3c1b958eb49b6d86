"""Training: what is right of each token, and that a network learns it and gives the same as a graph."""

from __future__ import annotations

import numpy as np
import pytest

from marginalia.annotators.unclear.kinds import KINDS, questions
from marginalia.annotators.unclear.tagger import LAYERS, joined_states
from marginalia.annotators.unclear.train import recipe
from marginalia.annotators.unclear.train.corpus import Marked, Place
from marginalia.annotators.unclear.train.recipe import make_example
from marginalia.nlp.encoder import english
from marginalia.nlp.onnx import start

TEXT = "Stir the soup for some time and serve it."
SOME = TEXT.index("some time")
PASSAGE = Marked("1", "a", TEXT, (Place(SOME, SOME + 9, "amount", 2, "For how long?"),))


def test_an_example_marks_the_tokens_of_a_place() -> None:
    example = make_example(PASSAGE, english())
    inside = np.flatnonzero(example.places[:, 0])
    assert len(inside) == 2 and example.places[inside, 1].tolist() == [1, 0]
    assert set(example.kinds[inside]) == {list(KINDS).index("amount")}
    assert set(example.questions[inside]) == {questions().index("long")}
    assert (np.delete(example.kinds, inside) == -1).all()
    assert example.states.shape[1] == len(LAYERS) * english().width


def test_a_network_learns_and_the_graph_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from marginalia.annotators.unclear.train.network import Network, Probabilities, to_onnx

    monkeypatch.setattr(recipe, "EPOCHS", 12)
    recipe.set_up()
    examples = [make_example(PASSAGE, english())] * 16
    network = recipe.train_network(examples, Network(english().width))
    states = joined_states(next(english().tokens([TEXT], LAYERS)))[None]
    with torch.no_grad():
        expected = Probabilities(network).eval()(torch.from_numpy(states))[0].numpy()
    found = start(to_onnx(network)).run(None, {"states": states})[0]
    assert np.abs(found - expected).max() < 0.05
    inside = make_example(PASSAGE, english()).places[:, 0] > 0
    assert found[0, inside, 0].min() > found[0, ~inside, 0].max()
