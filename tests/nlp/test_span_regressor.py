"""Tuned layers: what they see of a span, what they give, and that they learn."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

from marginalia.core.errors import ContractError, MissingError
from marginalia.nlp.encoder import english
from marginalia.nlp.span_regressor import CONTEXT_TOKENS, MAX_SPAN_TOKENS, Spot, Tuned

LAYERS = range(9, 10)
TEXT = "The river was deep and the serendipity of it was great."
RIVER = Spot(TEXT, TEXT.index("river"), TEXT.index("river") + 5)


def tuned() -> Tuned:
    return Tuned(english, LAYERS, epochs=2)


def counting() -> bytes:
    """A graph whose score is the number of tokens in the span plus a thousand times that of all tokens."""

    def floats(name: str, *shape: str | int) -> object:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    nodes = [
        helper.make_node("ReduceSum", ["inside"], ["count"], keepdims=0),
        helper.make_node("Shape", ["vectors"], ["shape"]),
        helper.make_node("Gather", ["shape", "one"], ["size"]),
        helper.make_node("Cast", ["size"], ["all"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["all", "thousand"], ["much"]),
        helper.make_node("Add", ["count", "much"], ["score"]),
    ]
    constants = [
        helper.make_tensor("one", TensorProto.INT64, [], [1]),
        helper.make_tensor("thousand", TensorProto.FLOAT, [], [1000.0]),
    ]
    inputs = [floats("vectors", 1, "tokens", 384), floats("inside", 1, "tokens")]
    graph = helper.make_graph(nodes, "counting", inputs, [floats("score")], constants)
    opset = [helper.make_opsetid("", 17)]
    return bytes(helper.make_model(graph, opset_imports=opset, ir_version=8).SerializeToString())


def test_a_score_is_of_the_tokens_of_the_spot_and_those_around_it() -> None:
    system = tuned()
    system.model = counting()
    [tokens] = english().tokens([TEXT], (8,))
    size = 1000 * len(tokens.offsets)
    rare = Spot(TEXT, TEXT.index("seren"), TEXT.index(" of"))
    pieces = sum(rare.start <= start < rare.end for start, _ in tokens.offsets.tolist())
    assert pieces > 1
    assert system.scores([RIVER, rare, Spot(TEXT, 0, len(TEXT))]) == [
        size + 1,
        size + pieces,
        size + len(tokens.offsets) - 2,
    ]
    assert system.scores([Spot(TEXT, 3, 3), Spot("", 0, 0)]) == [size, 2000]


@settings(max_examples=25)
@given(st.integers(0, 300), st.integers(1, 400), st.integers(0, 300))
def test_of_a_long_text_only_what_is_near_is_read(before: int, inside: int, after: int) -> None:
    text = "a " * (before + inside + after)
    [seen] = tuned().look([Spot(text, 2 * before, 2 * (before + inside) - 1)])
    wanted = min(before + 1, CONTEXT_TOKENS) + min(inside, MAX_SPAN_TOKENS)
    wanted += min(CONTEXT_TOKENS, max(0, inside - MAX_SPAN_TOKENS) + after + 1)
    assert len(seen.vectors) == len(seen.inside) == wanted
    shown = min(inside, MAX_SPAN_TOKENS + CONTEXT_TOKENS)
    assert seen.inside.sum() == shown
    assert seen.inside[min(before + 1, CONTEXT_TOKENS)] == 1


def test_the_same_text_is_read_once_for_all_its_spots() -> None:
    other = Spot(TEXT, 0, 3)
    first, second = tuned().look([RIVER, other])
    [alone] = tuned().look([other])
    assert np.array_equal(second.vectors, alone.vectors)
    assert first.vectors.base is second.vectors.base


def test_layers_that_have_not_learned_say_so() -> None:
    with pytest.raises(ContractError, match="must be fitted"):
        tuned().scores([RIVER])


def test_without_its_packages_learning_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingError, match=r"needs the package torch: pip install 'marginalia\[t"):
        tuned().learn([RIVER], [0.0], [1.0])


@pytest.mark.parametrize("chance", [False, True])
def test_layers_learn_which_words_are_wanted(chance: bool) -> None:
    pytest.importorskip("torch")
    system = Tuned(english, LAYERS, epochs=60, chance=chance)
    words = {"dog": 0, "house": 0, "water": 0, "zygote": 1, "epistasis": 1, "lemma": 1}
    spots = [
        Spot(f"{begin} {word} was seen.", len(begin) + 1, len(begin) + 1 + len(word))
        for word in words
        for begin in ("The", "A big", "Another")
    ]
    system.learn(spots, [words[spot.text[spot.start : spot.end]] for spot in spots], [1.0] * 18)
    scores = np.array(system.scores(spots)).reshape(6, 3)
    assert scores[:3].max() < 0.3 < 0.7 < scores[3:].min()
    assert system.scores(spots[7:8]) == [scores[2, 1]], "the same alone"
    if chance:
        assert ((scores > 0) & (scores < 1)).all()
    again = Tuned(english, LAYERS, epochs=60, chance=chance)
    again.learn(spots, [words[spot.text[spot.start : spot.end]] for spot in spots], [1.0] * 18)
    assert again.model == system.model, "training is seeded"


def test_the_graph_says_what_the_network_says() -> None:
    torch = pytest.importorskip("torch")
    from marginalia.nlp.training.network import Network
    from marginalia.nlp.training.spans import layers_graph, padded

    torch.manual_seed(1)
    network = Network(english(), LAYERS).eval()
    system = tuned()
    system.model = layers_graph(network, chance=False)
    spots = [RIVER, Spot("Rain.", 0, 4)]
    with torch.no_grad():
        together = network(*padded(list(system.look(spots))))
    assert system.scores(spots) == pytest.approx(together.tolist(), abs=1e-5), "padding is not seen"
