"""The official metrics of STS, and how far each pair's similarity is off.

CORE: Pearson per set, weighted by the confidence of the system, and the mean of the sets weighted by
their number of pairs. TYPED: Pearson per type and their plain mean. The programs that print them,
with their roundings and accidents, are in ``programs``; here is what they mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core import stats
from marginalia.core.benchmark import Split, Statistic
from marginalia.core.errors import FormatError
from marginalia.core.report import Facets, Outcomes, Report, measured
from marginalia.tasks.similarity.official.data import Score
from marginalia.tasks.similarity.official.layouts import short_names
from marginalia.tasks.similarity.official.programs import mean
from marginalia.tasks.similarity.official.typed import TYPES


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of one set or type: gold, prediction, weight, and the group each belongs to."""

    g: stats.Floats
    p: stats.Floats
    w: stats.Floats
    group: NDArray[np.intp]

    def pearson(self, times: NDArray[np.intp] | None = None, *, weighted: bool = True) -> float:
        """r = cov_w / (sd_w sd_w); ``times`` says how often each group was drawn."""
        w = self.w if weighted else np.ones(len(self.g))
        return stats.weighted_pearson(self.g, self.p, w if times is None else w * times[self.group])

    def size(self, times: NDArray[np.intp]) -> int:
        return int(times[self.group].sum())


def is_typed(split: Split) -> bool:
    """Whether the split is one of record pairs, with eight scores each."""
    return any(isinstance(value, tuple) for value in split.require_gold().values())


def parts_of(split: Split, pred: Mapping[str, Any]) -> dict[str, Part]:
    """The sets of a CORE split, or the types of a TYPED one."""
    gold = split.require_gold()
    missing = [id for id in gold if id not in pred]
    if missing:
        raise FormatError(
            f"{len(missing)} of {len(gold)} ids have no prediction, the first is {missing[0]!r}"
        )
    place = {name: index for index, name in enumerate(sorted(set(split.group.values())))}
    if is_typed(split):
        group = np.array([place[split.group[id]] for id in gold])
        g, p = (np.array([side[id] for id in gold], dtype=float) for side in (gold, pred))
        if p.shape != g.shape:
            raise FormatError(f"a prediction must have {len(TYPES)} scores")
        _require_finite(gold, p)
        ones = np.ones(len(gold))
        return {name: Part(g[:, i], p[:, i], ones, group) for i, name in enumerate(TYPES)}
    rows: dict[str, list[str]] = {}
    for id in gold:
        rows.setdefault(split.items[id].dataset, []).append(id)
    parts = {}
    for dataset, name in short_names(list(rows)).items():
        ids = rows[dataset]
        scores = np.array([(pred[id].score, pred[id].confidence) for id in ids], dtype=float)
        _require_finite(ids, scores)
        parts[name] = Part(
            np.array([gold[id] for id in ids], dtype=float),
            scores[:, 0],
            scores[:, 1],
            np.array([place[split.group[id]] for id in ids]),
        )
    return parts


def _require_finite(ids: Iterable[str], values: stats.Floats) -> None:
    for id, row in zip(ids, np.isfinite(values), strict=True):
        if not row.all():
            raise FormatError(f"the prediction for {id!r} is not finite")


def score(split: Split, pred: Mapping[str, Any]) -> Report:
    """CORE: ``sets`` and their ``mean``; TYPED: ``typed`` with eight correlations and their mean."""
    parts = parts_of(split, pred)
    values = {name: part.pearson() for name, part in parts.items()}
    warnings = tuple(
        f"{name}: the correlation is undefined and counts 0 in the mean"
        for name, value in values.items()
        if math.isnan(value)
    )
    if is_typed(split):
        sizes = dict.fromkeys(values, 1)
        whole = {**values, "mean": mean(values, sizes), "n": len(split)}
        return Report(scores={"typed": whole}, warnings=warnings)
    plain = {name: part.pearson(weighted=False) for name, part in parts.items()}
    sizes = {name: len(part.g) for name, part in parts.items()}
    sets = {
        name: {"pearson": values[name], "pearson_unweighted": plain[name], "n": sizes[name]}
        for name in parts
    }
    scores = {"sets": sets, "mean": mean(values, sizes), "mean_unweighted": mean(plain, sizes)}
    return Report(scores=scores, warnings=warnings)


def statistics(split: Split, pred: Mapping[str, Any]) -> dict[str, Statistic]:
    """The mean with and without confidence, and the correlation of each set or type, on resampled pairs.

    A pair drawn twice counts as a pair of twice the weight, which is the same and much faster.
    """
    parts = parts_of(split, pred)
    n_groups = len(set(split.group.values()))

    def times(drawn: Any) -> NDArray[np.intp]:
        return np.bincount(np.asarray(drawn), minlength=n_groups)

    typed = is_typed(split)

    def whole(drawn: Any, *, weighted: bool = True) -> float:
        counts = times(drawn)
        values = {name: part.pearson(counts, weighted=weighted) for name, part in parts.items()}
        return mean(values, {name: 1 if typed else p.size(counts) for name, p in parts.items()})

    by_path: dict[str, Statistic] = {"typed.mean" if typed else "mean": whole}
    if not typed:
        by_path["mean_unweighted"] = partial(whole, weighted=False)
    for name, part in parts.items():

        def one(drawn: Any, part: Part = part) -> float:
            return part.pearson(times(drawn))

        by_path[f"typed.{name}" if typed else f"sets.{name}.pearson"] = one
    return by_path


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
