"""The contracts find each broken promise."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from marginalia import (
    ContractError,
    Metric,
    Split,
    SystemCard,
    check_benchmark,
    check_system,
    get_benchmark,
    lazy,
)
from marginalia.core.registry import BENCHMARKS
from tests.sixth import DATA, sixth_task

TASK = sixth_task()
DEV, TRAIN = TASK.load("dev", DATA), TASK.load("train", DATA)


@pytest.mark.parametrize("name", BENCHMARKS.names())
def test_our_cards_keep_the_contract(name: str) -> None:
    check_benchmark(get_benchmark(name))


def test_the_sixth_task_keeps_the_contract() -> None:
    check_benchmark(TASK, DEV)
    for card in TASK.systems:
        check_system(card, DEV, train=TRAIN)


class Leaves:
    def predict(self, items):
        return dict.fromkeys(list(items)[1:], True)


class Adds:
    def predict(self, items):
        return {**dict.fromkeys(items, True), "more": True}


class Counts:
    """Another answer in a batch than alone."""

    def predict(self, items):
        return dict.fromkeys(items, len(items) > 1)


class Changes:
    def __init__(self):
        self.calls = 0

    def predict(self, items):
        self.calls += 1
        return dict.fromkeys(items, self.calls)


class First:
    """Says yes to the first item only, so the order matters."""

    def predict(self, items):
        return {id: number == 0 for number, id in enumerate(items)}


class Eats:
    def predict(self, items):
        pred = dict.fromkeys(items, True)
        items.popitem()
        return pred


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (object, "no predict method"),
        (Leaves, "no prediction for"),
        (Adds, "unknown ids"),
        (Counts, "for one item than for a batch"),
        (Changes, "asked again"),
        (First, "order of its items"),
        (Eats, "changed its items"),
    ],
)
def test_a_broken_system_is_found(make, message: str) -> None:
    card = SystemCard(name="broken", make=make, summary="")
    split = replace(DEV, items=dict(DEV.items))
    with pytest.raises(ContractError, match=message):
        check_system(card, split)


@dataclass
class Words:
    words: list[str]


class Sorts:
    """Leaves the items where they are, but not as they are."""

    def predict(self, items):
        for item in items.values():
            item.words.sort()
        return dict.fromkeys(items, True)


def test_a_system_that_changes_inside_its_items_is_found() -> None:
    items = {"1": Words(["b", "a"])}
    split = Split(name="dev", items=items, gold=None, group={"1": "1"})
    with pytest.raises(ContractError, match="changed its items"):
        check_system(SystemCard(name="sorts", make=Sorts, summary=""), split)


def test_a_task_whose_systems_all_train_can_be_checked() -> None:
    trained = tuple(card for card in TASK.systems if card.trains)
    assert trained
    check_benchmark(replace(TASK, systems=trained, preferred={"bench": (trained[0].name,)}), DEV)


@dataclass(frozen=True)
class Leaking:
    text: str
    label: int


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Two words"}, "one plain lower-case word"),
        ({"splits": {"train": ""}}, "must have train, dev and test"),
        ({"preferred": {"bench": ("nothing",)}}, "no system 'nothing'"),
        ({"preferred": {}}, "prefers no system for the bench"),
        ({"systems": TASK.systems * 2}, "names a system twice"),
        ({"load": lazy("marginalia_acronyms", "data.nothing")}, "cannot be imported"),
        ({"metrics": (Metric("accuracy", "no-board"),)}, "not published"),
    ],
)
def test_a_broken_card_is_found(changes: dict, message: str) -> None:
    with pytest.raises(ContractError, match=message):
        check_benchmark(replace(TASK, **changes))


def test_an_item_with_its_label_is_found() -> None:
    split = Split(name="dev", items={"1": Leaking("x", 1)}, gold={"1": True}, group={"1": "1"})
    with pytest.raises(ContractError, match=r"shows systems the field \['label'\]"):
        check_benchmark(TASK, split)


def test_a_score_that_its_statistic_contradicts_is_found() -> None:
    wrong = replace(TASK, statistics=lambda split, pred: {"accuracy": lambda drawn: 0.123})
    with pytest.raises(ContractError, match=r"its statistic says 0\.123"):
        check_benchmark(wrong, DEV)
