"""The figures of the official program of SV-Ident 2022, and what it does not say.

Detection: macro F1 over the two classes. Disambiguation: MAP@10 and its kin. Both are computed for the
sentences of a document in one language, averaged over the documents of a language, then over languages.
The paper's formula of MAP@K divides by K, the program by the number of relevant variables: so do we.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from marginalia.core import stats
from marginalia.core.errors import FormatError
from marginalia.core.report import Report

LANGUAGES = ("en", "de")
CUTOFFS = (1, 5, 10, 20, 30)

Group = tuple[str, str]
"""A language and a document."""
Figures = dict[str, float]


def detection(
    gold: Mapping[str, Any],
    pred: Mapping[str, Any],
    langs: Mapping[str, str],
    docs: Mapping[str, str],
) -> Report:
    """``f1``, ``p`` and ``r``: means over the classes that occur in gold or prediction of a document.

    Each document must have the same sentences on both sides; documents without gold are ignored.
    """
    truth, answers = group_ids(gold, langs, docs), group_ids(pred, langs, docs)
    by_group: dict[Group, Figures] = {}
    for group, ids in truth.items():
        _same_ids(group, ids, answers.get(group, []))
        by_group[group] = macro([gold[id] for id in ids], [pred[id] for id in ids])
    other = sum(langs[id] not in LANGUAGES for id in gold)
    known = set(gold.values())
    also = {
        "rows_in_other_languages": other,
        "rows_of_documents_without_gold": sum(
            len(answers[g]) for g in answers.keys() - truth.keys()
        ),
        "labels_not_in_gold": sorted({str(p) for p in pred.values() if p not in known}),
    }
    return Report(scores=average(by_group), also=also, warnings=_warnings(also))


def macro(gold: Sequence[Any], pred: Sequence[Any]) -> Figures:
    """Macro F1, precision and recall of one group of labels."""
    if any(isinstance(label, float) and not label.is_integer() for label in (*gold, *pred)):
        raise FormatError("some labels are fractions; expected classes such as 0 and 1")
    if len({isinstance(label, str) for label in (*gold, *pred)}) > 1:
        raise FormatError("some labels are strings, others numbers; both sides must be alike")
    each = stats.macro_f1(gold, pred)
    return {"f1": each.f1, "p": each.p, "r": each.r}


def disambiguation(
    qrels: Mapping[str, Mapping[str, float]],
    run: Mapping[str, Sequence[str]],
    langs: Mapping[str, str],
    docs: Mapping[str, str],
) -> Report:
    """``map@k`` and ``r-precision`` of a run, given as variables per sentence, best first.

    The official program compares the i-th sentence of the run with the i-th of the qrels, document by
    document, whatever their ids, and leaves out documents the run lacks. Its figures are ``scores``;
    ``also`` holds those paired by id, and those with 0 for documents that were left out. Sentences that
    the qrels lack are ignored, since the task scores the gold positives.
    """
    truth, asked = group_ids(qrels, langs, docs), group_ids(run, langs, docs)
    official: dict[Group, Figures] = {}
    by_id: dict[Group, Figures] = {}
    for group, ids in truth.items():
        theirs = [id for id in asked.get(group, []) if id in qrels]
        if not theirs:
            continue
        _same_ids(group, ids, theirs)
        official[group] = mean(
            [figures(run[t], qrels[id]) for id, t in zip(ids, theirs, strict=True)]
        )
        same = ids == theirs
        by_id[group] = (
            official[group] if same else mean([figures(run[id], qrels[id]) for id in ids])
        )
    if not official:
        raise FormatError(f"none of the {len(qrels)} sentences in the gold has a ranking")
    left_out = sorted(truth.keys() - official.keys())
    other_order = sum(official[group] is not by_id[group] for group in official)
    also: dict[str, Any] = {
        "documents_not_scored": [list(group) for group in left_out],
        "documents_in_another_order": other_order,
        "rows_in_other_languages": sum(langs[id] not in LANGUAGES for id in qrels),
        "rankings_without_gold": sum(id not in qrels for id in run),
        "empty_rankings": sum(id in qrels and not run[id] for id in run),
    }
    warnings = _warnings(also)
    if other_order:
        also["paired_by_query_id"] = average(by_id)
    if left_out:
        nought = dict.fromkeys(next(iter(by_id.values())), 0.0)
        also["missing_documents_count_zero"] = average(official | dict.fromkeys(left_out, nought))
    return Report(scores=average(official), also=also, warnings=warnings)


def figures(ranking: Sequence[str], relevance: Mapping[str, float]) -> Figures:
    """AP@k and R-precision of one sentence; 0 where nothing is relevant or nothing was ranked."""
    n = sum(value != 0 for value in relevance.values())
    flags = [relevance.get(variable, 0) != 0 for variable in ranking]
    return {
        **{f"map@{k}": stats.average_precision(flags, n, k) for k in CUTOFFS},
        "r-precision": stats.r_precision(flags, n),
    }


def rank(scores: Mapping[str, float]) -> list[str]:
    """Variables by descending score; among equal scores the later entry comes first.

    The original does so up to 15 entries. Beyond, its order among ties is an accident of an unstable
    sort, and ours is still this one.
    """
    return sorted(scores, key=scores.__getitem__)[::-1]


def group_ids(
    ids: Iterable[str], langs: Mapping[str, str], docs: Mapping[str, str]
) -> dict[Group, list[str]]:
    """The ids by language and document in their order, without those in other languages."""
    groups: dict[Group, list[str]] = {}
    for id in ids:
        for name, table in (("language", langs), ("document", docs)):
            if id not in table:
                raise FormatError(f"the gold names no {name} for the id {id!r}")
        if langs[id] in LANGUAGES:
            groups.setdefault((langs[id], docs[id]), []).append(id)
    return groups


def average(found: Mapping[Group, Figures]) -> dict[str, Any]:
    """The official object: figures per document, their mean per language, and the mean of those."""
    if not found:
        raise FormatError(f"there is no sentence in {' or '.join(LANGUAGES)} to score")
    documents: dict[str, dict[str, Figures]] = {lang: {} for lang in LANGUAGES}
    for (lang, doc), row in found.items():
        documents[lang][doc] = row
    languages = {lang: mean(list(rows.values())) for lang, rows in documents.items()}
    return {
        "macro_scores": mean([row for row in languages.values() if row]),
        "macro_language_scores": languages,
        "document_scores": documents,
    }


def mean(rows: Sequence[Figures]) -> Figures:
    return {key: float(np.mean([row[key] for row in rows])) for key in rows[0]} if rows else {}


def _same_ids(group: Group, gold: Sequence[str], pred: Sequence[str]) -> None:
    missing, extra = set(gold) - set(pred), set(pred) - set(gold)
    if missing or extra:
        what = "no prediction" if missing else "no gold"
        raise FormatError(
            f"{len(missing or extra)} sentences of the document {group[1]} ({group[0]}) have {what}, "
            f"the first is {min(missing or extra)!r}"
        )


def _warnings(also: Mapping[str, Any]) -> tuple[str, ...]:
    warnings = {
        "rows_in_other_languages": "{} gold sentences in a language other than en and de are not scored",
        "rows_of_documents_without_gold": "{} predictions for documents without gold are ignored",
        "labels_not_in_gold": "labels that gold does not have count as classes of their own: {}",
        "documents_not_scored": "documents without any ranking are left out of the official mean: {}",
        "documents_in_another_order": "in {} documents the run has its sentences in another order than "
        "the gold; the official program compares them by position, see paired_by_query_id",
        "empty_rankings": "{} sentences have an empty ranking and score 0; the official program stops",
    }
    shown = {
        key: ", ".join("/".join(v) if isinstance(v, list) else v for v in value)
        if isinstance(value, list)
        else value
        for key, value in also.items()
    }
    return tuple(text.format(shown[key]) for key, text in warnings.items() if also.get(key))
