"""The contracts that an annotator, a benchmark and a system keep. Outsiders run them on their own classes.

Each check raises ContractError with the first promise that was not kept.
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import fields, is_dataclass
from typing import Any

from marginalia.core.annotator import Annotator
from marginalia.core.benchmark import Benchmark, Split, System, SystemCard
from marginalia.core.document import Document
from marginalia.core.errors import ContractError

SEVERITIES = ("", "off", "note", "warning", "error")
LABEL_NAMES = frozenset(
    {"gold", "label", "labels", "complexity", "is_variable", "rating", "variable"}
)
"""What a label may be called; an item with such a field would show the answer to a system."""


def check_system(
    card: SystemCard, split: Split, *, train: Split | None = None, tolerance: float = 1e-9
) -> None:
    """Run the system of a card on a split, and its promises with it.

    It answers each id and no other; one text is a batch of one; the same question gives the same
    answer; the order of items is irrelevant; items are left as they were. Numbers are the same if they are
    no further apart than ``tolerance``, relative to their size: a sum in another order is no other answer.
    """
    system = card.make()
    _require(isinstance(system, System), card.name, "has no predict method")
    if card.trains:
        if train is None:
            raise ContractError(f"{card.name} needs a train split to be checked")
        system = system.fit(train)  # type: ignore[attr-defined]
        _require(isinstance(system, System), card.name, "fit must return the fitted system")
    before = deepcopy(dict(split.items))
    pred = system.predict(split.items)
    _require(dict(split.items) == before, card.name, "predict changed its items")
    _require(isinstance(pred, Mapping), card.name, "predict must return a mapping by id")
    extra, missing = pred.keys() - split.items.keys(), split.items.keys() - pred.keys()
    _require(not missing, card.name, f"gave no prediction for {sorted(missing)[:3]}")
    _require(not extra, card.name, f"gave predictions for the unknown ids {sorted(extra)[:3]}")
    again = system.predict(split.items)
    _require(alike(again, pred, tolerance), card.name, "gives another answer when asked again")
    turned = system.predict(dict(reversed(list(split.items.items()))))
    _require(alike(turned, pred, tolerance), card.name, "depends on the order of its items")
    alone = {id: system.predict({id: item})[id] for id, item in split.items.items()}
    _require(
        alike(alone, pred, tolerance),
        card.name,
        "gives another answer for one item than for a batch",
    )
    _require(system.predict({}) == {}, card.name, "must answer nothing when asked nothing")


def alike(one: Any, other: Any, tolerance: float = 1e-9) -> bool:
    """Whether two predictions are the same but for rounding."""
    if isinstance(one, float) or isinstance(other, float):
        try:
            return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance) or (
                one != one and other != other
            )
        except TypeError:
            return False
    if is_dataclass(one) and type(one) is type(other):
        return all(
            alike(getattr(one, each.name), getattr(other, each.name), tolerance)
            for each in fields(one)
        )
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(
            alike(one[key], other[key], tolerance) for key in one
        )
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(
            alike(a, b, tolerance) for a, b in zip(one, other, strict=True)
        )
    return bool(one == other)


def check_split(task: Benchmark, split: Split) -> None:
    """Gold and groups fit the items, and no item carries its label."""
    name = f"{task.name}/{split.name}"
    _require(len(split) > 0, name, "has no items")
    _require(split.group.keys() == split.items.keys(), name, "must give every item a group")
    if split.gold is not None:
        _require(
            split.gold.keys() == split.items.keys(), name, "must have gold for every item or none"
        )
    for item in split.items.values():
        _require(
            is_dataclass(item), name, f"has items of type {type(item).__name__}, not dataclasses"
        )
        leaks = {field.name for field in fields(item)} & LABEL_NAMES
        _require(not leaks, name, f"shows systems the field {sorted(leaks)}")


def check_benchmark(task: Benchmark, split: Split | None = None) -> None:
    """A card whose names, systems, functions and boards fit together; with a labelled split, its scores too."""
    plain_word = re.fullmatch(r"[a-z]+", task.name) is not None
    _require(plain_word, task.name, "must be named by one plain lower-case word")
    _require(
        {"train", "dev", "test"} <= task.splits.keys(), task.name, "must have train, dev and test"
    )
    names = [card.name for card in task.systems]
    _require(len(set(names)) == len(names), task.name, "names a system twice")
    _require("bench" in task.preferred, task.name, "prefers no system for the bench")
    for use, preferred in task.preferred.items():
        _require(bool(preferred), task.name, f"prefers no system for {use}")
        for name in preferred:
            _require(
                name in names, task.name, f"has no system '{name}', which it prefers for {use}"
            )
    for function in (*_functions(task), *(card.make for card in task.systems)):
        _check_target(task.name, function)
    boards = {board["board"] for board in task.published()["boards"]}
    for metric in task.metrics:
        known = not metric.board or metric.board in boards
        _require(
            known, task.name, f"puts {metric} on the board '{metric.board}', which is not published"
        )
    if split is not None:
        check_split(task, split)
        _check_scores(task, split)


def check_annotator(annotator: Annotator, doc: Document) -> None:
    """Notes that stand where they say, are of its kinds and its own, and are the same when asked again."""
    plain_word = re.fullmatch(r"[a-z]+", annotator.name) is not None
    _require(plain_word, annotator.name, "must be named by one plain lower-case word")
    for function in _functions(annotator):
        _check_target(annotator.name, function)
    for label, severity in annotator.kinds.items():
        _require(
            severity in SEVERITIES,
            annotator.name,
            f"gives '{label}' the severity {severity!r}, which is none of {', '.join(SEVERITIES)}",
        )
    notes = list(annotator.notes_on(doc))
    for note in notes:
        _require(note.task == annotator.name, annotator.name, f"signs a note as '{note.task}'")
        quoted = doc.text[note.start : note.end] == note.quote
        _require(quoted, annotator.name, f"quotes {note.quote!r:.60}, which does not stand there")
        known = not annotator.kinds or note.label in annotator.kinds
        _require(
            known, annotator.name, f"has notes of the kind '{note.label}', which it does not list"
        )
    ids = [note.id for note in notes]
    _require(len(set(ids)) == len(ids), annotator.name, "gives two notes one id")
    _require(
        list(annotator.notes_on(doc)) == notes,
        annotator.name,
        "writes other notes when asked again",
    )


def _check_scores(task: Benchmark, split: Split) -> None:
    cards = [card for card in task.systems if split.name in (card.splits or task.splits)]
    _require(bool(cards), task.name, f"has no system for the split '{split.name}'")
    card = min(cards, key=lambda card: (bool(card.needs or task.missing(card.name)), card.trains))
    system = card.make()
    if card.trains:
        system = system.fit(split)  # type: ignore[attr-defined]
    pred = system.predict(split.items)
    for id, value in pred.items():
        again = task.decode(task.encode(value))
        _require(again == value, task.name, f"does not decode what it encoded for {id}")
    scores = task.score(split, pred).scores
    statistics = task.statistics(split, pred)
    for metric in task.metrics:
        value = metric.of(scores)
        if value is None:
            continue
        _require(metric.path in statistics, task.name, f"has no statistic for {metric}")
        whole = statistics[metric.path](_all_groups(split))
        same = value == whole or abs(value - whole) < 1e-9 or (value != value and whole != whole)
        _require(same, task.name, f"scores {metric} as {value} but its statistic says {whole}")


def _all_groups(split: Split) -> Any:
    import numpy as np

    return np.arange(len(set(split.group.values())))


def _functions(card: Benchmark | Annotator) -> list[Any]:
    values = (getattr(card, field.name) for field in fields(card))
    return [value for value in values if callable(value)]


def _check_target(name: str, function: Any) -> None:
    """A ``lazy`` function must name something that exists."""
    module, attribute = getattr(function, "target", ("", ""))
    if not module:
        return
    try:
        getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ContractError(f"{name}: {module}.{attribute} cannot be imported ({error})") from error


def _require(kept: bool, name: str, broken: str) -> None:
    if not kept:
        raise ContractError(f"{name}: {broken}")
