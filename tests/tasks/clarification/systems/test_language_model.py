"""Branches on one prefix have the likelihoods that whole sentences would have."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

from marginalia import MissingError
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.systems.baselines import Likelier
from marginalia.tasks.clarification.systems.evidence import likelihoods
from marginalia.tasks.clarification.systems.inputs import clean
from marginalia.tasks.clarification.systems.language_model import (
    MODEL_VARIABLE,
    LanguageModel,
    Likelihood,
    teach,
)

ITEM = Item(
    "IMPLICIT REFERENCE",
    "How to Rest",
    "Steps",
    "Lie down.",
    "Hold ______ for a while.",
    "",
    "the pose",
    ("your leg", "", "it"),
)


class Letters:
    """A tokenizer of single letters."""

    bos_token_id, eos_token_id = 1, 2

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return [3 + ord(sign) % 60 for sign in text]


@pytest.fixture
def tiny() -> Any:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=64,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=512,
    )
    model = LanguageModel("tiny")
    model.loaded = Letters(), transformers.LlamaForCausalLM(config).eval()
    return model


def test_a_branch_is_as_likely_as_the_sentence_alone(tiny: LanguageModel) -> None:
    import torch

    tokenizer, network = tiny.loaded
    fillers = ("the pose", "your leg")
    found = tiny.likelihoods(ITEM, fillers)
    for filler, own in zip(fillers, found, strict=True):
        before = "How to Rest\nSteps\nLie down.\nHold"
        ids = [1, *tokenizer.encode(f"{before} {filler} for a while.")]
        with torch.no_grad():
            chances = network(torch.tensor([ids])).logits[0].log_softmax(-1)
        each = [chances[n - 1, ids[n]].item() for n in range(1, len(ids))]
        start = len(before)
        middle = start + 1 + len(filler)
        assert own.filler == pytest.approx(sum(each[start:middle]), abs=1e-4)
        assert own.after == pytest.approx(sum(each[middle : middle + 8]), abs=1e-4)
        assert own.tokens == 1 + len(filler)


def test_odd_items_have_likelihoods(tiny: LanguageModel) -> None:
    for sentence in ("", "______", "No gap.", "Two ______ and ______.", "<p>A ______</p>"):
        item = replace(ITEM, sentence=sentence, title="", header="", previous="")
        for own in tiny.likelihoods(item, ("", "x" * 300, "a cloud")):
            assert own.filler <= 0
            assert own.after <= 0


def test_likelier_depends_on_the_gap_and_nothing_else(tiny: LanguageModel) -> None:
    items = {str(n): replace(ITEM, filler=f, others=("x", "y")) for n, f in enumerate("abc")}
    system = Likelier(tiny)
    pred = system.predict(items)
    assert system.predict({}) == {}
    assert all(system.predict({id: item})[id] == pred[id] for id, item in items.items())
    assert all(1 <= rating.score <= 5 for rating in pred.values())


def test_teach_scores_fillers_and_further_words(tiny: LanguageModel) -> None:
    items = {"4_1": replace(ITEM, filler="", others=("it",)), "4_2": ITEM, "5_1": ITEM}
    found = teach(items, tiny)
    assert found.keys() == {"4", "5"}
    assert set(found["4"]["fillers"]) == {"", "it"}
    assert set(found["5"]["words"]) <= {"", "it", clean(ITEM.filler)}


def test_rows_are_sums_and_means() -> None:
    table = likelihoods([Likelihood(-6.0, -4.0, 3), Likelihood(0.0, -1.0, 0)])
    assert table.tolist() == [[-6, -2, -4, -10], [0, 0, -1, -1]]


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingError, match=r"marginalia\[lm\]"):
        _ = LanguageModel().loaded


def test_a_model_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("transformers")
    monkeypatch.setenv(MODEL_VARIABLE, "/nowhere/model")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(
        MissingError, match=f"/nowhere/model cannot be loaded; set {MODEL_VARIABLE}"
    ):
        _ = LanguageModel().loaded
