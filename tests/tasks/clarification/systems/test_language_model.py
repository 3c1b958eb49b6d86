"""Branches on one prefix: what stands before the gap, the fillers, and what follows, as the model reads them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from marginalia import FormatError, MissingError
from marginalia.nlp.lm.gguf_file import MATRICES
from marginalia.nlp.lm.model import MODEL_VARIABLE, CausalModel
from marginalia.nlp.lm.reference import log_chances
from marginalia.nlp.weights import write_weights
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.systems.adapters import (
    ADAPTED,
    HEADS,
    Adapters,
    likelihood_table,
    pack_adapters,
)
from marginalia.tasks.clarification.systems.baselines import Likelier
from marginalia.tasks.clarification.systems.language_model import (
    AFTER,
    FILLERS_PER_PASS,
    LanguageModel,
    Likelihood,
    gap_of,
    teach,
)
from marginalia.tasks.clarification.systems.passes import clean
from tests.nlp.lm.tiny import HIDDEN, LAYERS, write_tiny

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


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture(scope="module")
def tiny(path: Path) -> LanguageModel:
    model = LanguageModel(str(path))
    model.model = CausalModel(path, cache=path.parent)
    return model


def invented_adapters() -> Adapters:
    random = np.random.default_rng(0)
    few = {name: (random.normal(0, 1, (2, 4)), random.normal(0, 1, (2, 6))) for name in MATRICES}
    heads = random.normal(0, 1, (len(HEADS), 2 * HIDDEN + 12)).astype(np.float32)
    return Adapters.from_bytes(pack_adapters({LAYERS - 1: few}, heads, np.zeros(3, np.float32)))


def test_a_branch_is_nearly_as_likely_as_the_sentence_alone(tiny: LanguageModel) -> None:
    fillers = ("the pose", "your leg")
    found = tiny.likelihoods(ITEM, fillers)
    tokens = tiny.model.tokens
    for filler, own in zip(fillers, found, strict=True):
        before, middle = tokens("How to Rest\nSteps\nLie down.\nHold"), tokens(f" {filler}")
        ids = [1, *before, *middle, *tokens(" for a while.")[:AFTER]]
        chances = log_chances(tiny.model.file, ids)
        each = [chances[n - 1, ids[n]] for n in range(1 + len(before), len(ids))]
        assert own.filler == pytest.approx(sum(each[: len(middle)]), abs=1.0)
        assert own.after == pytest.approx(sum(each[len(middle) :]), abs=1.0)
        assert own.tokens == len(middle)


def test_odd_items_have_likelihoods(tiny: LanguageModel) -> None:
    for sentence in ("", "______", "No gap.", "Two ______ and ______.", "<p>A ______</p>"):
        item = replace(ITEM, sentence=sentence, title="", header="", previous="")
        for own in tiny.likelihoods(item, ("", "x" * 300, "a cloud")):
            assert own.filler < 0
            assert own.after <= 0
            assert own.tokens > 0
    long = replace(ITEM, title="x" * 5000, sentence="y" * 5000 + " ______ " + "z" * 5000)
    assert len(tiny.likelihoods(long, ["it"] * (FILLERS_PER_PASS + 1))) == FILLERS_PER_PASS + 1


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
    table = likelihood_table([Likelihood(-6.0, -4.0, 3), Likelihood(0.0, -1.0, 0)])
    assert table.tolist() == [[-6, -2, -4, -10], [0, 0, -1, -1]]


def test_a_gap_is_a_prefix_and_branches() -> None:
    gap = gap_of(ITEM, ("it", ""), lambda text: [len(word) for word in text.split(" ")])
    assert gap.branches == tuple((*filler, *gap.after) for filler in gap.fillers)
    assert len(gap.fillers) == 2
    assert gap_of(replace(ITEM, sentence="Hold ______."), (), lambda text: [len(text)]).after == (
        1,
    )


def test_adapters_keep_their_numbers_in_int8() -> None:
    random = np.random.default_rng(3)
    narrow, wide = (random.normal(0, 1, (8, n)).astype(np.float32) for n in (40, 30))
    heads = np.ones((3, 76), np.float32)
    found = Adapters.from_bytes(
        pack_adapters({5: {"attn_q": (narrow, wide)}}, heads, np.zeros(3, np.float32))
    )
    wanted = wide.T @ narrow
    assert np.abs(found.changes[5]["attn_q"] - wanted).max() < 0.03 * np.abs(wanted).max()
    rows = found.heads(np.zeros((2, 64), np.float32), [Likelihood(-9, -11, 1)] * 2, "metonymy")
    assert rows.shape == (2, 3)
    assert rows[0] == pytest.approx(rows[1])


def test_weights_without_adapters_say_so(tmp_path: Path) -> None:
    write_weights(tmp_path, {"other.json": b"{}"})
    with pytest.raises(MissingError, match="no adapters of a language model"):
        Adapters.load(tmp_path)


def test_the_shipped_adapters_are_small_and_whole() -> None:
    found = Adapters.load()
    assert sorted(found.changes) == list(range(20, 30))
    assert all(set(each) == set(MATRICES) for each in found.changes.values())
    assert found.weights.shape == (len(HEADS), 2 * 576 + 12)


def test_adapters_fit_one_model_only(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, str(path))
    with pytest.raises(FormatError, match="not the model that the adapters were trained for"):
        LanguageModel(adapters=invented_adapters).ratings(ITEM, ("it",))
    with pytest.raises(MissingError, match="no adapters"):
        LanguageModel().ratings(ITEM, ("it",))


def test_adapted_ratings_come_with_likelihoods(path: Path) -> None:
    changes = {LAYERS - 1: {"attn_output": np.full((HIDDEN, HIDDEN), 0.01, np.float32)}}
    heads = np.random.default_rng(0).normal(0, 1, (3, 2 * HIDDEN + 12)).astype(np.float32)
    adapters = Adapters(changes, heads, np.zeros(3, np.float32))
    model = LanguageModel(adapters=partial(lambda: adapters))
    model.model = CausalModel(path, {ADAPTED: changes}, cache=path.parent)
    found, rows = model.ratings(ITEM, ("the pose", "it"))
    assert rows.shape == (2, len(HEADS))
    assert [own.tokens for own in found] == [len(model.model.tokens(" the pose")), 3]
    assert not np.allclose(rows[0], rows[1])
