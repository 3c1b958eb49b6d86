"""Item by item: how far each target's prediction is off, and what breakdowns there are."""

from __future__ import annotations

from collections.abc import Mapping

from marginalia.core.benchmark import Split
from marginalia.core.report import Facets, Outcomes, measured
from marginalia.tasks.complexity.official.data import KINDS


def outcomes(split: Split, pred: Mapping[str, float]) -> Outcomes:
    """Words and multi-words apart, as their figures are."""
    gold = split.require_gold()
    return {
        f"{kind}.pearson": {
            id: measured(gold[id], pred[id]) for id in gold if split.items[id].kind == kind
        }
        for kind in KINDS
    }


def facets(split: Split) -> Facets:
    """The genre, and how long the target is."""
    items = split.items.items()
    return {
        "genre": {id: item.corpus for id, item in items},
        "letters": {id: _length(len(item.token)) for id, item in items},
    }


def _length(letters: int) -> str:
    return "up to 5" if letters <= 5 else "6 to 9" if letters <= 9 else "10 and more"
