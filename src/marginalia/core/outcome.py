"""What one system got right or wrong on one item: what error analysis is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer beside its gold, as a person reads them, and what it costs: 0 for a right answer, more for worse ones."""

    gold: float | str
    pred: float | str
    loss: float
    items: tuple[str, ...] = ()
    """Ids of all the items that it is about, where that is more than its own: the fillers of a sentence."""

    @property
    def is_label(self) -> bool:
        """Whether the answer is a class, right or wrong, and not a number nearer or farther."""
        return isinstance(self.gold, str)


Outcomes = Mapping[str, Mapping[str, Outcome]]
"""Metric path -> the items that the figure is made of, by id."""
Facets = Mapping[str, Mapping[str, str]]
"""What a breakdown is by, such as ``genre`` -> the value of each item, by id."""


def labelled(gold: str, pred: str) -> Outcome:
    """The outcome of a class: 0 if right, else 1."""
    return Outcome(gold, pred, float(gold != pred))


def measured(gold: float, pred: float) -> Outcome:
    """The outcome of a number: how far it is off."""
    return Outcome(float(gold), float(pred), abs(float(gold) - float(pred)))
