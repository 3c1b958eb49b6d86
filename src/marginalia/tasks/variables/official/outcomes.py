"""Sentence by sentence: whether a mention was detected and how well its variables were ranked; and breakdowns."""

from __future__ import annotations

from collections.abc import Mapping

from marginalia.core.benchmark import Split
from marginalia.core.report import Facets, Outcome, Outcomes, labelled
from marginalia.tasks.variables.official.data import Label
from marginalia.tasks.variables.official.metrics import figures
from marginalia.tasks.variables.official.prediction import Mention

_NAMES = {0: "no variable", 1: "variable"}


def outcomes(split: Split, pred: Mapping[str, Mention]) -> Outcomes:
    """All sentences for detection, those with variables for their ranking; whichever the system answers."""
    gold: Mapping[str, Label] = split.require_gold()
    found: dict[str, dict[str, Outcome]] = {}
    if all(pred[id].is_variable is not None for id in gold):
        found["detection.f1"] = {
            id: labelled(_NAMES[gold[id].is_variable], _NAMES[pred[id].is_variable or 0])
            for id in gold
        }
    if any(pred[id].ranking is not None for id in gold):
        linked = [id for id in gold if gold[id].variables]
        found["disambiguation.map@10"] = {id: _ranked(gold[id], pred[id]) for id in linked}
    return found


def _ranked(gold: Label, pred: Mention) -> Outcome:
    ranking = [variable for variable, _ in pred.ranking or ()]
    precision = figures(ranking, dict.fromkeys(gold.variables, 1.0))["map@10"]
    first = ranking[0] if ranking else "nothing"
    return Outcome(", ".join(sorted(gold.variables)), first, 1 - precision)


def facets(split: Split) -> Facets:
    """The language and the document; with gold, how the variable is mentioned."""
    items = split.items.items()
    found = {
        "language": {id: item.lang for id, item in items},
        "document": {id: item.doc_id for id, item in items},
    }
    if split.gold is not None:
        found["mention"] = {id: label.kind or "none" for id, label in split.gold.items()}
    return found
