"""The official metrics of LCP: Pearson (the ranking one), Spearman, MAE, MSE and R2; and how far each prediction is off.

Sub-task 1 is scored on single words. The overview paper says that sub-task 2 pools words and
multi-words, but its figures fit the multi-words alone; so the board shows those, and the pooled
figures stand beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from marginalia.core import stats
from marginalia.core.benchmark import Split, Statistic
from marginalia.core.errors import FormatError
from marginalia.core.report import Facets, Outcomes, Report, measured
from marginalia.tasks.complexity.official.data import KINDS

METRICS: dict[str, Callable[[Any, Any], float]] = {
    "pearson": stats.pearson,
    "spearman": stats.spearman,
    "mae": stats.mae,
    "mse": stats.mse,
    "r2": stats.r2,
}


def official(gold: Mapping[str, float], pred: Mapping[str, float]) -> dict[str, float]:
    """The five figures over the ids of gold, as the official program gives them.

    Ids that gold lacks are ignored; a gold id without a prediction, or fewer than two rows, is refused.
    """
    missing = [id for id in gold if id not in pred]
    if missing:
        raise FormatError(
            f"{len(missing)} of {len(gold)} ids have no prediction, the first is {missing[0]!r}"
        )
    if len(gold) < 2:
        raise FormatError("a score needs at least two rows")
    g = np.array(list(gold.values()))
    p = np.array([pred[id] for id in gold])
    if not np.isfinite(p).all():
        raise FormatError(
            f"the prediction for {list(gold)[int(np.argmin(np.isfinite(p)))]!r} is not finite"
        )
    return {name: metric(g, p) for name, metric in METRICS.items()}


def score_parts(
    items: Mapping[str, Any], gold: Mapping[str, float], pred: Mapping[str, float]
) -> dict[str, Any]:
    """``words``, ``multi``, ``pooled`` and ``genres``; a part without any prediction is left out."""
    parts: dict[str, list[str]] = {}
    for id in gold:
        parts.setdefault(items[id].kind, []).append(id)
    done = {kind: ids for kind, ids in parts.items() if any(id in pred for id in ids)}
    if not done:
        raise FormatError(f"none of the {len(gold)} ids has a prediction")
    scores: dict[str, Any] = {kind: _part(ids, gold, pred) for kind, ids in done.items()}
    ids = [id for kind in done for id in done[kind]]
    if len(done) > 1:
        scores["pooled"] = _part(ids, gold, pred)
    genres: dict[str, dict[str, list[str]]] = {}
    for id in ids:
        genres.setdefault(items[id].corpus, {}).setdefault(items[id].kind, []).append(id)
    scores["genres"] = {
        genre: {kind: _part(ids, gold, pred) for kind, ids in kinds.items() if len(ids) > 1}
        for genre, kinds in sorted(genres.items())
    }
    return scores


def _part(
    ids: Iterable[str], gold: Mapping[str, float], pred: Mapping[str, float]
) -> dict[str, float]:
    part = {id: gold[id] for id in ids}
    return {**official(part, pred), "n": len(part)}


def score(split: Split, pred: Mapping[str, float]) -> Report:
    return Report(scores=score_parts(split.items, split.require_gold(), pred))


def statistics(split: Split, pred: Mapping[str, float]) -> dict[str, Statistic]:
    """Pearson of words and of multi-words on resampled tokens."""
    gold = split.require_gold()
    found: dict[str, Statistic] = {}
    for kind in ("words", "multi"):
        ids = [id for id in gold if split.items[id].kind == kind]
        g, p = np.array([gold[id] for id in ids]), np.array([pred[id] for id in ids])
        rows = stats.rows_by_group(ids, split.group)

        def statistic(drawn: Any, g: Any = g, p: Any = p, rows: Any = rows) -> float:
            chosen = stats.drawn_rows(rows, drawn)
            return stats.pearson(g[chosen], p[chosen])

        found[f"{kind}.pearson"] = statistic
    return found


def outcomes(split: Split, pred: Mapping[str, float]) -> Outcomes:
    """Words and multi-words apart, as their figures are."""
    gold = split.require_gold()
    found = {
        kind: {id: measured(gold[id], pred[id]) for id in gold if split.items[id].kind == kind}
        for kind in KINDS
    }
    return {f"{kind}.{metric}": found[kind] for metric in METRICS for kind in KINDS}


def facets(split: Split) -> Facets:
    """The genre, and how long the target is."""
    items = split.items.items()
    return {
        "genre": {id: item.corpus for id, item in items},
        "letters": {id: _length(len(item.token)) for id, item in items},
    }


def _length(letters: int) -> str:
    return "up to 5" if letters <= 5 else "6 to 9" if letters <= 9 else "10 and more"
