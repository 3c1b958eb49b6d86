"""Accuracy: right answers / all answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from marginalia import Outcome, Report, Split


def accuracy(gold: Mapping[str, bool], pred: Mapping[str, bool]) -> float:
    return sum(pred[id] == value for id, value in gold.items()) / len(gold)


def score(split: Split, pred: Mapping[str, bool]) -> Report:
    return Report(scores={"accuracy": accuracy(split.require_gold(), pred)})


def statistics(split: Split, pred: Mapping[str, bool]) -> dict[str, Callable[[Any], float]]:
    gold = split.require_gold()
    right = {split.group[id]: pred[id] == value for id, value in gold.items()}
    hits = [right[name] for name in sorted(right)]
    return {"accuracy": lambda drawn: sum(hits[i] for i in drawn) / len(drawn)}


def outcomes(split: Split, pred: Mapping[str, bool]) -> dict[str, dict[str, Outcome]]:
    """The items behind the figure, for error analysis and McNemar's test."""
    gold = split.require_gold()
    words = {True: "explained", False: "unexplained"}
    return {
        "accuracy": {
            id: Outcome(words[value], words[pred[id]], float(pred[id] != value))
            for id, value in gold.items()
        }
    }
