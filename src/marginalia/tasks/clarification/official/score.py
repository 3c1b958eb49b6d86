"""The official metrics of CLAIRE, the further ones of the overview paper, and each filler beside its gold.

Official: accuracy of the classes (sub-task 1) and Spearman of the scores (sub-task 2), both over all
fillers at once. From section 6.2: micro F1 without NEUTRAL, and whether a sentence has two or more
plausible fillers.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core import stats
from marginalia.core.benchmark import Split, Statistic
from marginalia.core.errors import FormatError
from marginalia.core.report import Facets, Outcomes, Report, labelled, measured
from marginalia.tasks.clarification.official.ratings import (
    Rating,
    has_scores,
    label_of,
    mean_ratings,
)

Columns = Mapping[str, Mapping[str, Any]]
"""``labels`` and ``scores``, or one of the two, by id."""


def accuracy(gold: Sequence[Hashable], pred: Sequence[Hashable]) -> float:
    """Share of equal values; NaN without any."""
    hits = sum(g == p for g, p in zip(gold, pred, strict=True))
    return hits / len(gold) if gold else math.nan


def columns(ratings: Mapping[str, Rating]) -> Columns:
    labels = {id: rating.label for id, rating in ratings.items()}
    if not has_scores(ratings):
        return {"labels": labels}
    return {"labels": labels, "scores": {id: rating.score for id, rating in ratings.items()}}


def figures(
    ids: Iterable[str], gold: Columns, pred: Columns, sentence: Mapping[str, str]
) -> dict[str, Any]:
    """``accuracy``, ``spearman``, ``without_neutral`` (p, r, f1), ``multiple_plausible`` and ``n``.

    Without NEUTRAL (Table 7): precision = hits / predictions that are not NEUTRAL, recall = hits /
    gold labels that are not NEUTRAL, hits being the PLAUSIBLE and IMPLAUSIBLE ones that agree.
    Multiple plausible (Table 8): the share of sentences for which prediction and gold agree whether
    two or more of the fillers are PLAUSIBLE. What there are no labels or no scores for is left out.
    """
    ids = list(ids)
    kinds = gold.keys() & pred.keys()
    g, p = ({kind: [side[kind][id] for id in ids] for kind in kinds} for side in (gold, pred))
    found: dict[str, Any] = {}
    if "labels" in kinds:
        found["accuracy"] = accuracy(g["labels"], p["labels"])
    if "scores" in kinds:
        found["spearman"] = stats.spearman(g["scores"], p["scores"])
    if "labels" in kinds:
        micro = stats.micro_f1(g["labels"], p["labels"], without="NEUTRAL")
        found["without_neutral"] = {"p": micro.p, "r": micro.r, "f1": micro.f1}
        several, claimed = (_several(ids, side["labels"], sentence) for side in (g, p))
        agree = accuracy(list(several.values()), list(claimed.values()))
        found["multiple_plausible"] = {"accuracy": agree, "n": len(several)}
    return {**found, "n": len(ids)}


def _several(
    ids: Iterable[str], labels: Iterable[str], sentence: Mapping[str, str]
) -> dict[str, bool]:
    """For each sentence whether two or more of its fillers are PLAUSIBLE."""
    count: dict[str, int] = {}
    for id, label in zip(ids, labels, strict=True):
        count[sentence[id]] = count.get(sentence[id], 0) + (label == "PLAUSIBLE")
    return {name: number >= 2 for name, number in count.items()}


def by_phenomenon(
    items: Mapping[str, Any], gold: Columns, pred: Columns, sentence: Mapping[str, str]
) -> dict[str, Any]:
    """The figures of each phenomenon."""
    parts: dict[str, list[str]] = {}
    for id in sentence:
        parts.setdefault(items[id].phenomenon, []).append(id)
    return {name: figures(ids, gold, pred, sentence) for name, ids in sorted(parts.items())}


def score(split: Split, pred: Mapping[str, Rating]) -> Report:
    """Both sub-tasks, the further figures, and all of them again for each phenomenon.

    Predictions without scores answer the first sub-task only, and have no Spearman.
    """
    gold = split.require_gold()
    missing = [id for id in gold if id not in pred]
    if missing:
        raise FormatError(
            f"{len(missing)} of {len(gold)} ids have no prediction, the first is {missing[0]!r}"
        )
    g, p = columns(gold), columns({id: pred[id] for id in gold})
    sentence = {id: split.group[id] for id in gold}
    scores = figures(gold, g, p, sentence)
    scores["phenomena"] = by_phenomenon(split.items, g, p, sentence)
    if "scores" not in p:
        return Report(scores=scores, warnings=("there are no scores, so there is no Spearman",))
    reason = why_undefined(list(g["scores"].values()), list(p["scores"].values()))
    return Report(scores=scores, warnings=(f"Spearman is undefined: {reason}",) if reason else ())


def why_undefined(gold: Sequence[float], pred: Sequence[float]) -> str:
    """Why there is no Spearman, or nothing where there is one."""
    for name, values in (("gold", gold), ("predicted", pred)):
        if any(math.isnan(value) for value in values):
            return f"a {name} score is missing"
        if len(set(values)) < 2:
            return f"all {name} scores are equal"
    return ""


def human_upper_bound(ratings: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """How well single raters do against their own mean, from ratings by item and rater.

    ``accuracy``: the class of each single rating against the class of its item's mean, over all
    ratings at once (overview paper, section 6: .794 on test). A rating is part of the mean that it is
    compared with; ``accuracy_against_rest`` leaves it out, so only items with two ratings count.
    """
    gold = mean_ratings(ratings)
    given, rest = [], []
    for id, each in ratings.items():
        for rater, rating in each.items():
            given.append(label_of(rating) == gold[id].label)
            others = mean_ratings({id: {r: v for r, v in each.items() if r != rater}})
            if others:
                rest.append(label_of(rating) == others[id].label)
    return {
        "accuracy": sum(given) / len(given) if given else math.nan,
        "accuracy_against_rest": sum(rest) / len(rest) if rest else math.nan,
        "n": len(given),
    }


def statistics(split: Split, pred: Mapping[str, Rating]) -> dict[str, Statistic]:
    """Each headline figure on resampled sentences.

    Drawing a sentence twice is giving its rows the weight 2, so counts are added up once per
    sentence, and no draw needs sorting.
    """
    gold = split.require_gold()
    names = {name: place for place, name in enumerate(sorted(set(split.group.values())))}
    home = np.array([names[split.group[id]] for id in gold])
    g, p = (np.array([each[id].label for id in gold]) for each in (gold, pred))

    def per_sentence(flags: Any) -> Any:
        return np.bincount(home, weights=flags.astype(float), minlength=len(names))

    hits, rows = per_sentence(g == p), per_sentence(np.ones(len(g), dtype=bool))
    firm = per_sentence((g == p) & (g != "NEUTRAL"))
    claimed, wanted = per_sentence(p != "NEUTRAL"), per_sentence(g != "NEUTRAL")
    agree = (per_sentence(g == "PLAUSIBLE") >= 2) == (per_sentence(p == "PLAUSIBLE") >= 2)

    def f1(drawn: Any) -> float:
        both = claimed[drawn].sum() + wanted[drawn].sum()
        return float(2 * firm[drawn].sum() / both) if both else 0.0

    found: dict[str, Statistic] = {
        "accuracy": lambda drawn: float(hits[drawn].sum() / rows[drawn].sum()),
        "without_neutral.f1": f1,
        "multiple_plausible.accuracy": lambda drawn: float(agree[drawn].mean()),
    }
    if has_scores(pred):
        found["spearman"] = _spearman(
            [gold[id].score for id in gold], [pred[id].score for id in gold], home, len(names)
        )
    return found


def _spearman(
    gold: Sequence[float], pred: Sequence[float], home: NDArray[np.intp], n_sentences: int
) -> Statistic:
    codes = [np.unique(values, return_inverse=True)[1] for values in (gold, pred)]
    missing = np.isnan(gold) | np.isnan(pred)

    def statistic(drawn: Any) -> float:
        weights = np.bincount(np.asarray(drawn), minlength=n_sentences)[home].astype(float)
        if weights[missing].any():
            return math.nan
        ranks = []
        for code in codes:
            counts = np.bincount(code, weights=weights)
            ranks.append((np.cumsum(counts) - (counts - 1) / 2)[code])
        return stats.weighted_pearson(ranks[0], ranks[1], weights)

    return statistic


def outcomes(split: Split, pred: Mapping[str, Rating]) -> Outcomes:
    """The fillers of both figures, of Spearman where there are scores; for ``multiple_plausible`` each sentence, under the id of its first filler."""
    gold: Mapping[str, Rating] = split.require_gold()
    sentences: dict[str, list[str]] = {}
    for id in gold:
        sentences.setdefault(split.group[id], []).append(id)
    found = {
        "accuracy": {id: labelled(gold[id].label, pred[id].label) for id in gold},
        "multiple_plausible.accuracy": {
            ids[0]: replace(
                labelled(_plausible_readings(gold, ids), _plausible_readings(pred, ids)),
                items=tuple(ids),
            )
            for ids in sentences.values()
        },
    }
    if has_scores(pred):
        found["spearman"] = {id: measured(gold[id].score, pred[id].score) for id in gold}
    return found


def _plausible_readings(ratings: Mapping[str, Rating], ids: list[str]) -> str:
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
