"""The official metrics of MeasEval: exact match and overlap, means over the rows of nine components.

Matching gives rows of three kinds: match, submission only, gold only. The last two have the value 0.
``exact_match`` and ``f1_overlap`` are the means over all rows, so a paragraph weighs by its number of
rows. precision = matches / (matches + submission only), recall = matches / (matches + gold only) and
f_measure, their harmonic mean, do not look at how good a match is. The leaderboard shows
``overall.f1_overlap``. Source: the official program as its recorded outputs show it; Harper et al.
(2021), section 5.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from marginalia.core import stats
from marginalia.core.benchmark import Split, Statistic
from marginalia.core.errors import FormatError
from marginalia.core.report import Report
from marginalia.tasks.measurement.official.data import SUBJECTS, UNKNOWN, article_of
from marginalia.tasks.measurement.official.duplicates import without_overlaps, without_repeats
from marginalia.tasks.measurement.official.match import (
    CLASSES,
    Matched,
    Tally,
    match,
    total,
)
from marginalia.tasks.measurement.official.spans import TYPES, Span, check_spans

Documents = Mapping[str, Sequence[Span]]
"""docId -> its spans in the order of the file."""


def score(split: Split, pred: Mapping[str, Sequence[Span]]) -> Report:
    """All official modes on a split. A paragraph without a prediction counts as one without spans."""
    gold = split.require_gold()
    for id, spans in pred.items():
        try:
            check_spans(spans)
        except FormatError as error:
            raise FormatError(f"the prediction for {id}: {error.message}") from None
    subjects = {item.article: item.subject for item in split.items.values()}
    texts = {id: item.text for id, item in split.items.items()}
    return score_documents(gold, pred, subjects, texts=texts, files=(len(gold), len(pred)))


def score_documents(
    gold: Documents,
    pred: Documents,
    subjects: Mapping[str, str],
    *,
    texts: Mapping[str, str] | None = None,
    files: tuple[int, int],
) -> Report:
    """The official figures, and beside them what the official program passes over in silence."""
    matched = match_all(gold, pred)
    counts = {
        "gold": _count_types(gold),
        "gold_files": files[0],
        "submission": _count_types(pred),
        "submission_files": files[1],
    }
    scores = {"counts": counts, **modes(matched, subjects)}
    also, warnings = _doubts(gold, pred, matched)
    if texts is not None:
        differing = count_differing(pred, texts)
        also["rows_whose_text_differs_from_the_paragraph"] = differing
        if differing:
            warnings.append(f"{differing} rows quote another text than their paragraph has there")
        unread = sum(doc not in texts for doc in pred)
        if unread:
            warnings.append(f"{unread} submitted paragraphs have no text to check them against")
    strangers = {article_of(doc) for doc in matched if article_of(doc) not in subjects}
    if strangers:
        warnings.append(
            f"{len(strangers)} articles are of unknown subject, {min(strangers)} is one"
        )
    return Report(scores=scores, also=also, warnings=tuple(warnings))


def match_all(gold: Documents, pred: Documents) -> dict[str, Matched]:
    """What was found in each paragraph that has a span on either side."""
    docs = dict.fromkeys((*gold, *pred))
    both = {doc: (gold.get(doc, ()), pred.get(doc, ())) for doc in docs}
    return {doc: match(g, p) for doc, (g, p) in both.items() if g or p}


def modes(matched: Mapping[str, Matched], subjects: Mapping[str, str]) -> dict[str, Any]:
    """The five modes of the official program: overall, class, doc, classdoc, subject."""
    areas: dict[str, list[Tally]] = {name: [] for name in SUBJECTS}
    for doc, found in matched.items():
        subject = subjects.get(article_of(doc), UNKNOWN)
        areas.setdefault(subject, []).extend(found.classes.values())
    return {
        **overall_and_class(matched.values()),
        "doc": {doc: _means(total(found.classes.values())) for doc, found in matched.items()},
        "classdoc": {
            doc: {name: _means(tally) for name, tally in found.classes.items()}
            for doc, found in matched.items()
        },
        "subject": {name: _figures(total(tallies)) for name, tallies in areas.items()},
    }


def overall_and_class(matched: Iterable[Matched]) -> dict[str, Any]:
    each = list(matched)
    classes = {name: total(found.classes[name] for found in each) for name in CLASSES}
    whole = total(classes.values())
    return {
        "overall": {**_counts(whole), **_figures(whole)},
        "class": {name: _figures(tally) for name, tally in classes.items()},
    }


def _figures(tally: Tally) -> dict[str, Any]:
    """Without a match the official program prints a note in place of counts and rates."""
    if not tally.matches:
        return {"note": "no matches" if tally.submission_only else "no data", **_means(tally)}
    p = tally.matches / (tally.matches + tally.submission_only)
    r = tally.matches / (tally.matches + tally.gold_only)
    rates = {"precision": p, "recall": r, "f_measure": stats.f1(p, r)}
    return {**_counts(tally), **rates, **_means(tally)}


def _counts(tally: Tally) -> dict[str, int]:
    return {
        "true_positives": tally.matches,
        "false_positives": tally.submission_only,
        "false_negatives": tally.gold_only,
    }


def _means(tally: Tally) -> dict[str, float]:
    return {
        "exact_match": _mean(tally.exact, tally.rows),
        "f1_overlap": _mean(tally.overlap, tally.rows),
    }


def _mean(value: float, rows: float) -> float:
    return value / rows if rows else math.nan


def _count_types(docs: Documents) -> dict[str, int]:
    types = [span.type for spans in docs.values() for span in spans]
    return {name: types.count(name) for name in TYPES}


def _doubts(
    gold: Documents, pred: Documents, matched: Mapping[str, Matched]
) -> tuple[dict[str, Any], list[str]]:
    """What makes the official figure too high or doubtful.

    A set repeated under another number counts as further matches, and so does one that overlaps: the
    figures without either are those of the overview paper's ablation.
    """
    whole = total(tally for found in matched.values() for tally in found.classes.values())
    also: dict[str, Any] = {
        "gold_quantities_matched_more_than_once": sum(
            found.golds_matched_more_than_once for found in matched.values()
        ),
        "submission_quantities_matching_several_gold": sum(
            found.quantities_matching_several for found in matched.values()
        ),
        "quantity_matches_without_a_common_character": sum(
            found.matches_without_common_character for found in matched.values()
        ),
        "f1_overlap_without_sharing": _mean(whole.unshared, whole.rows),
        "paragraphs_without_submission": sum(bool(gold[doc]) and doc not in pred for doc in gold),
        "paragraphs_without_gold": sum(doc not in gold for doc in pred),
    }
    warnings = []
    for kind, thin in (("repeated", without_repeats), ("overlapping", without_overlaps)):
        removed, figures = _after_removal(gold, pred, matched, thin)
        also[f"{kind}_sets_removed"] = removed
        also[f"official_after_removal_of_{kind}_sets"] = figures
        if removed:
            value = figures["overall"]["f1_overlap"]
            warnings.append(f"{removed} {kind} sets; without them f1_overlap is {value:.4f}")
    return also, warnings


def _after_removal(
    gold: Documents,
    pred: Documents,
    matched: Mapping[str, Matched],
    thin: Callable[[Sequence[Span]], tuple[list[Span], int]],
) -> tuple[int, dict[str, Any]]:
    """The number of sets removed, and the figures without them; only changed paragraphs are matched again."""
    again = dict(matched)
    removed = 0
    for doc, spans in pred.items():
        kept, dropped = thin(spans)
        removed += dropped
        if dropped:
            again[doc] = match(gold.get(doc, ()), kept)
    return removed, overall_and_class(again.values())


def count_differing(pred: Documents, texts: Mapping[str, str]) -> int:
    """Rows whose text is not what their paragraph has between their offsets."""
    return sum(
        texts[doc][span.start : span.end] != span.text
        for doc, spans in pred.items()
        if doc in texts
        for span in spans
    )


def statistics(split: Split, pred: Mapping[str, Sequence[Span]]) -> dict[str, Statistic]:
    """``overall.f1_overlap`` on resampled articles: their summed values over their summed rows."""
    matched = match_all(split.require_gold(), {id: pred[id] for id in pred if id in split.group})
    groups = {name: i for i, name in enumerate(sorted(set(split.group.values())))}
    values, rows = np.zeros(len(groups)), np.zeros(len(groups))
    for doc, found in matched.items():
        tally = total(found.classes.values())
        place = groups[split.group[doc]]
        values[place] += tally.overlap
        rows[place] += tally.rows

    def statistic(drawn: Any) -> float:
        return _mean(float(values[drawn].sum()), float(rows[drawn].sum()))

    return {"overall.f1_overlap": statistic}
