"""The scores of a system on a split: both sub-tasks, by document, language and kind of mention; and sentence by sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from marginalia.core.benchmark import Split, Statistic
from marginalia.core.errors import FormatError
from marginalia.core.report import Facets, Outcome, Outcomes, Report, labelled
from marginalia.tasks.variables.official.data import KINDS, Label, Mention
from marginalia.tasks.variables.official.metrics import (
    LANGUAGES,
    Figures,
    detection,
    disambiguation,
    figures,
    macro,
    mean,
)

HEADLINES = {"detection": "f1", "disambiguation": "map@10"}
_NAMES = {0: "no variable", 1: "variable"}


def score(split: Split, pred: Mapping[str, Mention]) -> Report:
    """``detection`` and ``disambiguation``, whichever the system answers.

    Each is the official object with its macro scores at the top. Beside it stands how many gold
    links are among the candidates at all, and the figures when only those count as gold.
    """
    gold: Mapping[str, Label] = split.require_gold()
    missing = [id for id in gold if id not in pred]
    if missing:
        raise FormatError(
            f"{len(missing)} of {len(gold)} ids have no prediction, the first is {missing[0]!r}"
        )
    langs = {id: item.lang for id, item in split.items.items()}
    docs = {id: item.doc_id for id, item in split.items.items()}
    parts: dict[str, Report] = {}
    scores: dict[str, Any] = {}
    if any(pred[id].is_variable is not None for id in gold):
        truth = {id: label.is_variable for id, label in gold.items()}
        answers = {id: pred[id].is_variable for id in gold}
        if None in answers.values():
            raise FormatError("some predictions have no answer to the detection task, others have")
        parts["detection"] = detection(truth, answers, langs, docs)
        scores["detection"] = part(parts["detection"].scores)
        if types := detection_by_kind(gold, answers):
            scores["detection"]["mention_types"] = types
    qrels = {
        id: dict.fromkeys(label.variables, 1.0) for id, label in gold.items() if label.variables
    }
    if qrels and any(pred[id].ranking is not None for id in gold):
        run = {id: [variable for variable, _ in pred[id].ranking or ()] for id in qrels}
        found = disambiguation(qrels, run, langs, docs)
        reach = _reach(split, qrels, run, langs, docs)
        parts["disambiguation"] = Report(
            scores=found.scores, also={**found.also, **reach}, warnings=found.warnings
        )
        scores["disambiguation"] = part(found.scores)
        if types := disambiguation_by_kind(gold, qrels, run):
            scores["disambiguation"]["mention_types"] = types
    if not scores:
        raise FormatError("the predictions answer neither detection nor disambiguation")
    return Report(
        scores=scores,
        also={name: report.also for name, report in parts.items()},
        warnings=tuple(text for report in parts.values() for text in report.warnings),
    )


def part(official: Mapping[str, Any]) -> dict[str, Any]:
    """The official object of one sub-task with its macro scores at the top."""
    rest = {name: value for name, value in official.items() if name != "macro_scores"}
    return {**official["macro_scores"], **rest}


def _reach(
    split: Split,
    qrels: Mapping[str, Mapping[str, float]],
    run: Mapping[str, Sequence[str]],
    langs: Mapping[str, str],
    docs: Mapping[str, str],
) -> dict[str, Any]:
    known = {
        id: {v: r for v, r in relevance.items() if v in split.items[id].catalogue}
        for id, relevance in qrels.items()
    }
    known = {id: relevance for id, relevance in known.items() if relevance}
    reach: dict[str, Any] = {
        "gold_links": sum(map(len, qrels.values())),
        "gold_links_among_candidates": sum(map(len, known.values())),
    }
    if known:
        limited = disambiguation(known, {id: run[id] for id in known}, langs, docs).scores
        reach["only_gold_among_candidates"] = {**limited, "n": len(known)}
    return reach


def detection_by_kind(gold: Mapping[str, Label], pred: Mapping[str, Any]) -> dict[str, Any]:
    """Detection of explicit, implicit and mixed mentions, all documents together.

    As in the paper's tables 9 to 11, as far as their figures tell: a sentence counts as positive only if
    it is of the kind in question.
    """
    return {
        kind: {
            **macro(
                [int(label.kind == kind) for label in gold.values()], [pred[id] for id in gold]
            ),
            "n": sum(label.kind == kind for label in gold.values()),
        }
        for kind in KINDS
        if any(label.kind == kind for label in gold.values())
    }


def disambiguation_by_kind(
    gold: Mapping[str, Label],
    qrels: Mapping[str, Mapping[str, float]],
    run: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """The mean over all sentences of a kind, as in the paper's tables 13 to 15."""
    rows = {kind: [id for id in qrels if gold[id].kind == kind and id in run] for kind in KINDS}
    return {
        kind: {**mean([figures(run[id], qrels[id]) for id in ids]), "n": len(ids)}
        for kind, ids in rows.items()
        if ids
    }


def statistics(split: Split, pred: Mapping[str, Mention]) -> dict[str, Statistic]:
    """The headline figures on resampled documents: mean per language, then over the languages drawn."""
    gold = split.require_gold()
    members: dict[str, list[str]] = {}
    for id in gold:
        members.setdefault(split.group[id], []).append(id)
    order = sorted(members)
    langs = np.array([split.items[members[name][0]].lang for name in order])
    ranks = any(pred[id].ranking is not None for id in gold)
    rows = [_group_figures(split, members[name], pred, ranks=ranks) for name in order]
    by_path: dict[str, Statistic] = {}
    for name, key in HEADLINES.items():
        values = np.array([row.get(name, np.nan) for row in rows])
        if np.isnan(values).all():
            continue

        def statistic(drawn: Any, values: Any = values) -> float:
            scored = np.asarray(drawn)[~np.isnan(values[drawn])]
            means = [values[scored[langs[scored] == lang]] for lang in LANGUAGES]
            return float(np.mean([m.mean() for m in means if len(m)])) if len(scored) else np.nan

        by_path[f"{name}.{key}"] = statistic
    return by_path


def _group_figures(
    split: Split, ids: Sequence[str], pred: Mapping[str, Mention], *, ranks: bool
) -> Figures:
    """The headline figures of one document; links only of a system that ranks at all."""
    gold: Mapping[str, Label] = split.require_gold()
    found: Figures = {}
    if all(pred[id].is_variable is not None for id in ids):
        truth, answers = ([each[id].is_variable for id in ids] for each in (gold, pred))
        found["detection"] = macro(truth, answers)[HEADLINES["detection"]]
    linked = [id for id in ids if gold[id].variables]
    if linked and ranks:
        each = [
            figures([v for v, _ in pred[id].ranking or ()], dict.fromkeys(gold[id].variables, 1.0))
            for id in linked
        ]
        found["disambiguation"] = mean(each)[HEADLINES["disambiguation"]]
    return found


def outcomes(split: Split, pred: Mapping[str, Mention]) -> Outcomes:
    """All sentences for detection, those with variables for their ranking; whichever the system answers."""
    gold: Mapping[str, Label] = split.require_gold()
    by_path: dict[str, dict[str, Outcome]] = {}
    if all(pred[id].is_variable is not None for id in gold):
        by_path["detection.f1"] = {
            id: labelled(_NAMES[gold[id].is_variable], _NAMES[pred[id].is_variable or 0])
            for id in gold
        }
    if any(pred[id].ranking is not None for id in gold):
        linked = [id for id in gold if gold[id].variables]
        by_path["disambiguation.map@10"] = {id: _ranked(gold[id], pred[id]) for id in linked}
    return by_path


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
