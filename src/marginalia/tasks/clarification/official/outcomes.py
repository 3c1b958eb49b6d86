"""Item by item: the class and score of each filler beside the gold, and what breakdowns there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from marginalia.core.benchmark import Split
from marginalia.core.report import Facets, Outcomes, labelled, measured
from marginalia.tasks.clarification.official.ratings import Rating, has_scores


def outcomes(split: Split, pred: Mapping[str, Rating]) -> Outcomes:
    """The fillers of both figures, of Spearman where there are scores; for ``multiple_plausible`` each sentence, under the id of its first filler."""
    gold: Mapping[str, Rating] = split.require_gold()
    sentences: dict[str, list[str]] = {}
    for id in gold:
        sentences.setdefault(split.group[id], []).append(id)
    found = {
        "accuracy": {id: labelled(gold[id].label, pred[id].label) for id in gold},
        "multiple_plausible.accuracy": {
            ids[0]: replace(labelled(_several(gold, ids), _several(pred, ids)), items=tuple(ids))
            for ids in sentences.values()
        },
    }
    if has_scores(pred):
        found["spearman"] = {id: measured(gold[id].score, pred[id].score) for id in gold}
    return found


def _several(ratings: Mapping[str, Rating], ids: list[str]) -> str:
    plausible = sum(ratings[id].label == "PLAUSIBLE" for id in ids)
    return "several plausible" if plausible >= 2 else "at most one plausible"


def facets(split: Split) -> Facets:
    """What was left unsaid, and how many words fill the gap."""
    items = split.items.items()
    return {
        "phenomenon": {id: item.phenomenon for id, item in items},
        "words of the filler": {id: _words(item.filler) for id, item in items},
    }


def _words(filler: str) -> str:
    words = len(filler.split())
    return "1" if words <= 1 else "2" if words == 2 else "3 and more"
