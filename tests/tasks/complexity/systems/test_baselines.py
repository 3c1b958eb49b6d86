"""The baselines keep the contract and find what they should find."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from marginalia import ContractError, Split, check_benchmark, check_system, get_benchmark
from marginalia.core.resolution import EXTRAS
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems.baselines import Frequency
from tests.asked import askable

TASK = get_benchmark("complexity")


def invented() -> Split:
    rows = [
        ("house", "words", 0.05),
        ("serendipity", "words", 0.7),
        ("measure", "words", 0.2),
        ("own work", "multi", 0.1),
        ("allelic imbalance", "multi", 0.8),
    ]
    return Split(
        name="dev",
        items={
            f"id{i}": Target("bible", f"It is {t}.", t, kind) for i, (t, kind, _) in enumerate(rows)
        },
        gold={f"id{i}": value for i, (_, _, value) in enumerate(rows)},
        group={f"id{i}": t for i, (t, _, _) in enumerate(rows)},
    )


def test_the_card_keeps_its_contract() -> None:
    check_benchmark(TASK, invented())


@pytest.mark.parametrize("card", TASK.systems, ids=lambda card: card.name)
def test_each_system_keeps_the_contract(card) -> None:
    if card.needs and not find_spec(EXTRAS[card.needs]):
        pytest.skip(f"needs marginalia[{card.needs}]")
    check_system(askable(card), invented(), train=invented())


def test_rare_words_are_harder() -> None:
    pred = Frequency().fit(invented()).predict(invented().items)
    assert pred["id0"] < pred["id2"] < pred["id1"]
    assert all(0 <= value <= 1 for value in pred.values())


def test_an_unfitted_baseline_says_so() -> None:
    with pytest.raises(ContractError, match="fitted"):
        Frequency().predict(invented().items)


def test_frequency_on_dev_beats_the_published_baseline(data: Path) -> None:
    """The overview paper's frequency baseline, which seems to be scored on trial, has .5287."""
    pred = Frequency().fit(TASK.load("train", data)).predict(TASK.load("dev", data).items)
    scores = TASK.score(TASK.load("dev", data), pred).scores
    assert scores["words"]["pearson"] > 0.53
    assert scores["multi"]["pearson"] > 0.6
