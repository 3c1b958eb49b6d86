"""Item by item: how far each pair's similarity is off, and what breakdowns there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marginalia.core.benchmark import Split
from marginalia.core.report import Facets, Outcomes, measured
from marginalia.tasks.similarity.official.data import Score
from marginalia.tasks.similarity.official.score import is_typed
from marginalia.tasks.similarity.official.sets import short_names
from marginalia.tasks.similarity.official.typed import TYPES


def outcomes(split: Split, pred: Mapping[str, Any]) -> Outcomes:
    """All pairs for the means, those of a set or type for its own figure."""
    gold = split.require_gold()
    if is_typed(split):
        types = {
            f"typed.{name}": {id: measured(gold[id][i], pred[id][i]) for id in gold}
            for i, name in enumerate(TYPES)
        }
        whole = {id: measured(_mean(gold[id]), _mean(pred[id])) for id in gold}
        return {"typed.mean": whole, **types}
    scores: Mapping[str, Score] = pred
    whole = {id: measured(gold[id], scores[id].score) for id in gold}
    names = short_names(list(dict.fromkeys(split.items[id].dataset for id in gold)))
    sets = {
        f"sets.{name}.pearson": {id: whole[id] for id in gold if split.items[id].dataset == dataset}
        for dataset, name in names.items()
    }
    return {"mean": whole, "mean_unweighted": whole, **sets}


def _mean(values: Any) -> float:
    return float(sum(values) / len(values))


def facets(split: Split) -> Facets:
    """The set, and how long the sentences are; records have neither."""
    if is_typed(split):
        return {}
    items = split.items.items()
    return {
        "set": {id: item.dataset for id, item in items},
        "words": {id: _words(item.s1, item.s2) for id, item in items},
    }


def _words(*sentences: str) -> str:
    longest = max(len(sentence.split()) for sentence in sentences)
    return "up to 8" if longest <= 8 else "9 to 16" if longest <= 16 else "17 and more"
