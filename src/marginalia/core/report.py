"""What a scorer found: the headline figures, and what each item adds to them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Metric:
    """A headline figure: a path into the scores (``words.pearson``) and the published board it is on."""

    path: str
    board: str = ""

    def __str__(self) -> str:
        return self.path

    def of(self, scores: Mapping[str, Any]) -> float | None:
        """Its value, or None where the scores lack it."""
        value: Any = scores
        for key in self.path.split("."):
            if not isinstance(value, Mapping) or key not in value:
                return None
            value = value[key]
        return float(value) if isinstance(value, (int, float)) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a scorer found.

    ``scores`` holds the official figures under the official names. ``also`` holds what the official
    program does not say where it should, and ``warnings`` say in words what to look at.
    """

    scores: Mapping[str, Any]
    also: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON can hold it; an undefined figure is None."""
        whole = {**self.scores, "also_report": self.also, "warnings": list(self.warnings)}
        return dict(plain(whole))


def plain(value: Any) -> Any:
    """Data as JSON can hold it: an undefined number becomes null."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if hasattr(value, "item"):  # a number of numpy
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
