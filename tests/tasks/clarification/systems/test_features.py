"""Features say what is there to be seen, and ordinal regression learns from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia import ContractError, get_benchmark
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.systems.features import (
    NAMES,
    features,
    is_plural,
    stem_of,
    table,
)
from marginalia.tasks.clarification.systems.ordinal import Ordinal, fit_odds
from tests.tasks.clarification.invented import invented

ITEM = Item(
    "ADDED COMPOUND",
    "How to Keep Goldfish",
    "Tanks",
    "Clean the water tanks.",
    "Fill a ______ tank.",
    "The filter comes last.",
    "goldfish",
    ("soup", "filters"),
)


def named(item: Item) -> dict[str, float]:
    return dict(zip(NAMES, features(item), strict=True))


def test_mentions() -> None:
    found = named(ITEM)
    assert found["said in the title"]
    assert found["said as a whole"]
    assert not found["said before"]
    assert not found["said after"]
    assert named(replace(ITEM, filler="filters"))["said after"]
    pair = named(replace(ITEM, filler="water", previous="The water tank is full."))
    assert pair["pair said"]
    assert named(replace(ITEM, filler="tanks"))["said next to the gap"]


def test_agreement() -> None:
    fused = replace(ITEM, pattern="FUSED HEAD", sentence="Change these ______.", filler="plan")
    assert named(fused)["number disagrees"]
    assert not named(replace(fused, filler="plans"))["number disagrees"]
    assert named(replace(fused, sentence="Use a ______.", filler="plans"))["number disagrees"]
    assert named(replace(fused, sentence="Use a ______.", filler="idea"))["article disagrees"]
    assert not named(replace(fused, sentence="Use an ______.", filler="idea"))["article disagrees"]
    assert named(replace(fused, sentence="Use the ______.", filler="the idea"))["determiner twice"]


@pytest.mark.parametrize(
    ("word", "plural"), [("plans", True), ("glass", False), ("people", True), ("bus", False)]
)
def test_plural(word: str, plural: bool) -> None:
    assert is_plural(word) is plural


def test_forms_of_a_word_share_a_stem() -> None:
    for forms in (("stretch", "stretches"), ("boil", "boiling", "boiled"), ("berry", "berrys")):
        assert len({stem_of(form) for form in forms}) == 1


def test_related_words_are_nearer() -> None:
    item = replace(ITEM, sentence="Pour the ______ into the cup.", title="", header="")
    near, far = (named(replace(item, filler=word)) for word in ("tea", "lawyer"))
    assert near["related to the neighbours"] > far["related to the neighbours"]


texts = st.text(max_size=30)


@settings(max_examples=40, deadline=None)
@given(texts, texts, texts, st.lists(texts, max_size=4))
def test_any_item_has_finite_features(previous, sentence, filler, others) -> None:
    item = Item("OTHER", "", "", previous, sentence, "", filler, tuple(others))
    rows = table([item])
    assert rows.shape == (1, len(NAMES))
    assert np.isfinite(rows).all()
    assert table([]).shape == (0, len(NAMES))


def test_ordinal_regression_finds_direction_and_bounds() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(4000, 3))
    scale = x @ [2.0, -1.0, 0.0] + random.logistic(size=4000)
    labels = np.digitize(scale, [-1.0, 1.5])
    weights, bounds = fit_odds(x, labels, 0.1)
    np.testing.assert_allclose(weights, [2, -1, 0], atol=0.2)
    np.testing.assert_allclose(bounds, [-1, 1.5], atol=0.2)


def test_ordinal_learns_what_it_has_seen(tmp_path: Path) -> None:
    split = invented(tmp_path)
    with pytest.raises(ContractError, match="fitted"):
        Ordinal().predict(split.items)
    pred = Ordinal(strength=0.1).fit(split).predict(split.items)
    scores = get_benchmark("clarification").score(split, pred).scores
    assert scores["spearman"] > 0.8
    assert all(1 <= rating.score <= 5 for rating in pred.values())
