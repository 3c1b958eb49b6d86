"""The baselines keep the contract and find what they should find."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import ContractError, check_benchmark, check_system, get_benchmark
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import Rating, label_of
from marginalia.tasks.clarification.systems.baselines import (
    BagOfWords,
    Cut,
    Frequency,
    Majority,
    Random,
    word_features,
)
from tests.asked import askable
from tests.tasks.clarification.invented import invented

TASK = get_benchmark("clarification")


def test_the_card_keeps_its_contract(tmp_path: Path) -> None:
    check_benchmark(TASK, invented(tmp_path))


@pytest.mark.parametrize(
    "card", [card for card in TASK.systems if card.needs in ("", "llm")], ids=lambda card: card.name
)
def test_each_system_keeps_the_contract(card, tmp_path: Path) -> None:
    check_system(askable(card), invented(tmp_path), train=invented(tmp_path))


@pytest.mark.parametrize("make", [Majority, Frequency, BagOfWords])
def test_an_unfitted_baseline_says_so(make, tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="fitted"):
        make().predict(invented(tmp_path).items)


def test_majority_gives_the_mean_score_of_the_class(tmp_path: Path) -> None:
    split = invented(tmp_path)
    pred = Majority().fit(split).predict(split.items)
    assert set(pred.values()) == {Rating("PLAUSIBLE", (4.5 + 4 + 5 + 4.25) / 4)}
    assert math.isnan(TASK.score(split, pred).scores["spearman"])


@given(st.lists(st.floats(1, 5), min_size=3, max_size=60, unique=True))
def test_the_cut_keeps_the_shares_of_the_classes(scores: list[float]) -> None:
    gold = [Rating(label_of(score), score) for score in scores]
    cut = Cut(scores, gold)
    wanted, found = (
        Counter(rating.label for rating in side)
        for side in (gold, [cut.rating(score) for score in scores])
    )
    for label in ("IMPLAUSIBLE", "PLAUSIBLE"):
        assert abs(wanted[label] - found[label]) <= 1
    assert cut.rating(99).score == 5
    assert cut.rating(-99) == Rating("IMPLAUSIBLE", 1.0)


def test_bag_of_words_learns_what_it_has_seen(tmp_path: Path) -> None:
    split = invented(tmp_path)
    pred = BagOfWords(alpha=0.01).fit(split).predict(split.items)
    assert TASK.score(split, pred).scores["spearman"] > 0.9


def test_features_tell_where_the_filler_was_mentioned() -> None:
    item = Item(
        "METONYMIC REFERENCE", "How to Paint", "Walls", "", "Wash the ______ of it.", "", "wall", ()
    )
    found = set(word_features(item))
    assert {"filler=wall", "before=the", "after=of", "pair=the _ wall", "pair=wall _ of"} <= found
    assert {"title=True", "context=False", "pattern=metonymy title=True"} <= found
    assert set(word_features(Item("FUSED HEAD", "", "", "", "No gap.", "", "", ())))


def test_random_depends_on_the_id_and_the_seed_only(tmp_path: Path) -> None:
    items = invented(tmp_path).items
    pred = Random().predict(items)
    assert pred == Random().predict(dict(reversed(items.items())))
    assert pred != Random(seed=1).predict(items)
    assert all(1 <= r.score <= 5 and r.label == label_of(r.score) for r in pred.values())


def test_baselines_on_dev(data: Path) -> None:
    """bow is the best of them; the published BERT baseline has .457 on test."""
    train, dev = TASK.load("train", data), TASK.load("dev", data)
    found = {}
    for card in TASK.systems:
        if card.kind in ("system", "prompted"):
            continue
        system = card.make()
        system = system.fit(train) if card.trains else system
        found[card.name] = TASK.score(dev, system.predict(dev.items)).scores
    assert found["majority"]["accuracy"] == 916 / 2500
    assert abs(found["random"]["spearman"]) < 0.05
    assert 0 < found["frequency"]["spearman"] < 0.15
    assert found["bow"]["accuracy"] > 0.42
    assert found["bow"]["spearman"] > 0.3
    pred = TASK.system("random").predict(dev.items)
    statistics = TASK.statistics(dev, pred)
    scores = TASK.score(dev, pred).scores
    for metric in TASK.metrics:
        assert statistics[metric.path](np.arange(500)) == pytest.approx(metric.of(scores), abs=1e-9)
