"""The encoder's cosine: the contract, symmetry, and what it can tell apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import Split, check_system, get_task
from marginalia.tasks.similarity.data import Pair
from marginalia.tasks.similarity.system import EncoderCosine

TASK = get_task("similarity")
PAIRS = [
    Pair("A man is playing a guitar.", "A man plays the guitar.", "toy"),
    Pair("A man is playing a guitar.", "The parliament rejected the budget.", "toy"),
    Pair("A woman is slicing an onion.", "A woman is slicing an onion.", "toy"),
    Pair("", "Nothing on the other side.", "toy"),
    Pair("word " * 1000, "😀 שלום", "toy"),
]


def split_of(pairs: list[Pair]) -> Split:
    ids = [f"p{i}" for i in range(len(pairs))]
    return Split(
        name="dev",
        items=dict(zip(ids, pairs, strict=True)),
        gold=None,
        group=dict(zip(ids, ids, strict=True)),
    )


def test_it_keeps_the_contract() -> None:
    check_system(TASK.card("encoder"), split_of(PAIRS))


def test_what_says_the_same_scores_higher() -> None:
    scores = [score.score for score in EncoderCosine().predict(split_of(PAIRS).items).values()]
    assert scores[0] > 3.5 > 1 > scores[1]
    assert scores[2] == 5.0
    assert all(0 <= score <= 5 for score in scores)


def test_it_is_symmetric() -> None:
    turned = [Pair(pair.s2, pair.s1, pair.dataset) for pair in PAIRS]
    system = EncoderCosine()
    assert system.predict(split_of(PAIRS).items) == system.predict(split_of(turned).items)


def test_it_is_far_above_the_baseline_on_a_set_of_2014(data: Path) -> None:
    dev = TASK.load("2014-test-images", data)
    chosen = dev.take(list(dev.items)[:150])
    found = [
        TASK.score(chosen, TASK.system(name).predict(chosen.items)).scores["mean"]
        for name in ("encoder", "token-cosine")
    ]
    assert found[0] > 0.75 > found[1] + 0.1


@pytest.mark.parametrize("split", ["dev", "test", "2012-train"])
def test_it_is_taken_when_no_system_is_named(split: str) -> None:
    assert TASK.card(split=split).name == "encoder"
    assert TASK.card(split="typed").name == "typed-tfidf"
