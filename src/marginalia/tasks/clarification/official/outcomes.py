"""Item by item: the class and score of each filler beside the gold, and what breakdowns there are."""

from __future__ import annotations

from collections.abc import Mapping

from marginalia.core.benchmark import Split
from marginalia.core.outcome import Facets, Outcomes, labelled, measured
from marginalia.tasks.clarification.official.ratings import Rating


def outcomes(split: Split, pred: Mapping[str, Rating]) -> Outcomes:
    """The fillers of both figures, and for ``multiple_plausible`` the first filler of each sentence."""
    gold: Mapping[str, Rating] = split.require_gold()
    sentences: dict[str, list[str]] = {}
    for id in gold:
        sentences.setdefault(split.group[id], []).append(id)
    return {
        "accuracy": {id: labelled(gold[id].label, pred[id].label) for id in gold},
        "spearman": {id: measured(gold[id].score, pred[id].score) for id in gold},
        "multiple_plausible.accuracy": {
            ids[0]: labelled(_several(gold, ids), _several(pred, ids)) for ids in sentences.values()
        },
    }


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
