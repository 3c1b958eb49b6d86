"""Sheets for raters, raters who fail, and what the others agree on."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.bench.building import Rules, assess, assign
from marginalia.core.errors import FormatError


@given(
    items=st.integers(1, 60),
    gold=st.integers(0, 8),
    ratings=st.integers(1, 4),
    per_rater=st.integers(1, 20),
    every=st.integers(2, 6),
    seed=st.integers(0, 5),
)
def test_every_item_is_rated_as_often_as_asked(
    items: int, gold: int, ratings: int, per_rater: int, every: int, seed: int
) -> None:
    ids, known = [f"i{n}" for n in range(items)], [f"g{n}" for n in range(gold)]
    sheets = assign(ids, known, ratings=ratings, per_rater=per_rater, gold_every=every, seed=seed)
    counts = Counter(id for sheet in sheets for id in sheet.ids if id in set(ids))
    assert counts == dict.fromkeys(ids, ratings)
    for sheet in sheets:
        assert len(set(sheet.ids)) == len(sheet.ids), "nobody sees a question twice"
        own = [id for id in sheet.ids if id not in sheet.gold]
        assert len(own) <= per_rater
        assert len(sheet.gold) == min(math.ceil(len(own) / (every - 1)), gold)


def test_an_item_that_is_also_gold_is_refused() -> None:
    with pytest.raises(FormatError, match="'a' is an item and a gold question"):
        assign(["a", "b"], ["a"])


GOLD = {f"g{n}": float(n) for n in range(5)}


def rated() -> dict[str, dict[str, float | None]]:
    """Ann and Bob answer alike; Cid clicks anything; Dan knows half of the gold questions; Eve saw two of them."""
    found: dict[str, dict[str, float | None]] = {}
    for n in range(5):
        found[f"g{n}"] = {"ann": n, "bob": min(n + 1, 4), "cid": 4 - n if n != 2 else 4}
        found[f"g{n}"]["dan"] = n if n < 4 else 0
    found["g0"]["eve"] = found["g1"]["eve"] = 0
    for n in range(10):
        value = n % 5
        found[f"i{n}"] = {"ann": value, "bob": value, "cid": 4 - value, "dan": value, "eve": value}
    found["i3"]["ann"] = None
    return found


def test_raters_qualify_by_gold_questions() -> None:
    quality = assess(rated(), GOLD, Rules(tolerance=1.0))
    reasons = {rater.name: rater.reason for rater in quality.raters}
    assert reasons["ann"] == reasons["bob"] == reasons["dan"] == ""
    assert reasons["cid"].endswith("4 qualify")
    assert reasons["eve"] == "2 gold questions right, 4 qualify", "too few to know"
    assert set(quality.kept) == {f"i{n}" for n in range(10)}, "gold is no item"
    assert quality.figures["one_against_rest"] == pytest.approx(1)
    assert quality.figures["alpha"] == pytest.approx(1)
    assert quality.figures["not_applicable"] == 1
    assert "ann" not in quality.kept["i3"]


def test_accuracy_below_the_limit_discards_all_answers() -> None:
    quality = assess(rated(), GOLD, Rules(qualify=0, min_accuracy=0.9))
    reasons = {rater.name: rater.reason for rater in quality.raters}
    assert reasons["dan"] == "4 of 5 gold questions right"
    assert reasons["eve"] == ""


def test_without_gold_a_rater_is_known_by_the_others() -> None:
    items = {id: each for id, each in rated().items() if id not in GOLD}
    quality = assess(items, rules=Rules(min_correlation=0.0))
    assert [rater.name for rater in quality.raters if rater.reason] == ["cid"]
