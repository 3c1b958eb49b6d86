"""The official submission, ``detection.json`` and ``disambiguation.json``, and how it is scored."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Split
from marginalia.core.errors import FormatError
from marginalia.core.report import Report
from marginalia.core.table import complete, require_new_id
from marginalia.tasks.variables.official.data import Label, Mention, Ranking
from marginalia.tasks.variables.official.metrics import detection, disambiguation, group_ids, rank
from marginalia.tasks.variables.official.reference import (
    Reference,
    read_gold,
    read_labels,
    read_object,
    read_run,
)
from marginalia.tasks.variables.official.score import (
    detection_by_kind,
    disambiguation_by_kind,
    part,
)

SUBMISSION = {
    "detection": ("pred.json", "detection.json"),
    "disambiguation": ("run.json", "disambiguation.json"),
}
MAX_ORDERED_TIES = 15
"""Up to this many entries the official program orders tied scores by a rule."""

TIE_STEP = 1e-9
"""How far a tied score is moved below the one before it, relative to its size."""


def write_submission(split: Split, pred: Mapping[str, Mention]) -> dict[str, str]:
    """The file of each sub-task that was answered, every sentence in input order.

    ``detection.json`` is ``{uuid: 0 or 1}``. ``disambiguation.json`` is ``{uuid: {variable: score}}`` for
    every sentence, detected or not, since the task scores the gold positives, and its program wants just
    those: leave the others out once they are known. No two scores of a sentence are equal, because the
    official program orders ties by accident.
    """
    files = {}
    rows = {id: pred[id] for id in split.items}
    if any(row.is_variable is not None for row in rows.values()):
        files["detection.json"] = _format((id, _label(id, row)) for id, row in rows.items())
    if any(row.ranking is not None for row in rows.values()):
        files["disambiguation.json"] = _format(
            (id, untied(row.ranking or ())) for id, row in rows.items()
        )
    if not files:
        raise FormatError("the predictions answer neither detection nor disambiguation")
    return files


def untied(ranking: Ranking) -> dict[str, float]:
    """The scores in the order of the ranking, each below the one before it."""
    scores: dict[str, float] = {}
    ceiling = float("inf")
    for variable, score in ranking:
        scores[variable] = value = min(float(score), ceiling)
        ceiling = value - TIE_STEP * max(1.0, abs(value))
    return scores


def _label(id: str, row: Mention) -> int:
    if row.is_variable is None:
        raise FormatError(f"the prediction for {id} has no answer to the detection task")
    return int(row.is_variable)


def _format(rows: Iterable[tuple[str, Any]]) -> str:
    """JSON with one sentence per line."""
    lines = (f"{json.dumps(id)}: {json.dumps(row, allow_nan=False)}" for id, row in rows)
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_submission(split: Split, path: Path) -> dict[str, Mention]:
    """The predictions of an official submission, with the answers to one sub-task or both."""
    files = _submitted(path, list(SUBMISSION))
    if not files:
        names = (file for names in SUBMISSION.values() for file in names)
        raise FormatError(f"there is no {' or '.join(names)}", path=path)
    labels, runs = None, None
    for name, file in files.items():
        found = read_labels(file) if name == "detection" else read_run(file)
        for id in found:
            require_new_id(id, split.items, (), file)
        if name == "detection":
            labels = complete(found, split.items, file)
            for id, label in labels.items():
                if label not in (0, 1):
                    raise FormatError(
                        f"the label of {id!r} is {label!r:.40}, not 0 or 1", path=file
                    )
        else:
            runs = found
    return {
        id: Mention(
            is_variable=None if labels is None else int(labels[id]),
            ranking=None if runs is None else _ranking(runs.get(id, {})),
        )
        for id in split.items
    }


def _ranking(scores: Mapping[str, float]) -> Ranking:
    return tuple((variable, float(scores[variable])) for variable in rank(scores))


def score_files(gold: Path, pred: Path, text: Path | None = None) -> Report:
    """Score a submission (a folder or one file) against gold.

    Gold is a folder with ``true.json`` or ``qrels.json`` or both, beside ``uuid_langs.json`` and
    ``uuid_docs.json``, or a TSV file of the data. With one of the two JSON files alone the report is the
    official object; otherwise it has ``detection`` and ``disambiguation``, whichever was submitted.
    """
    reference = read_gold(gold)
    known = {"detection": reference.labels, "disambiguation": reference.qrels}
    wanted = [name for name, value in known.items() if value is not None]
    files = _submitted(pred, wanted)
    if not files:
        names = (file for name in wanted for file in SUBMISSION[name])
        raise FormatError(f"there is no {' or '.join(names)} to score", path=pred)
    score: dict[str, Callable[[Reference, Path], Report]]
    score = {"detection": _detection, "disambiguation": _disambiguation}
    reports = {}
    for name, path in files.items():
        try:
            reports[name] = score[name](reference, path)
        except FormatError as error:
            raise error.at(path) from None
    if len(wanted) == 1:
        return reports[wanted[0]]
    return Report(
        scores={name: part(report.scores) for name, report in reports.items()},
        also={name: report.also for name, report in reports.items()},
        warnings=tuple(text for report in reports.values() for text in report.warnings),
    )


def _detection(reference: Reference, path: Path) -> Report:
    labels, pred = reference.labels or {}, read_labels(path)
    if reference.table:
        present = {reference.docs[id] for id in pred if id in reference.docs}
        labels = {id: label for id, label in labels.items() if reference.docs[id] in present}
    report = detection(labels, pred, reference.langs, reference.docs)
    also, warnings = dict(report.also), report.warnings
    if left_out := sorted(
        {reference.docs[id] for id in reference.labels or {}}
        - {reference.docs[id] for id in labels}
    ):
        also["documents_not_scored"] = left_out
        warnings += (f"documents without any prediction are left out: {', '.join(left_out)}",)
    kinds = detection_by_kind(_kinds(reference, labels), pred)
    scores = {**report.scores, **({"mention_types": kinds} if kinds else {})}
    return Report(scores=scores, also=also, warnings=warnings)


def _disambiguation(reference: Reference, path: Path) -> Report:
    qrels, scores = reference.qrels or {}, read_run(path)
    run = {id: rank(ranking) for id, ranking in scores.items()}
    if not reference.table:
        _refuse_surplus(reference, qrels, run)
    report = disambiguation(qrels, run, reference.langs, reference.docs)
    also, warnings = dict(report.also), report.warnings
    tied = [id for id in run if id in qrels and len(set(scores[id].values())) < len(run[id])]
    also["rankings_with_ties"] = len(tied)
    if tied:
        also["rank_order_used"] = {id: run[id] for id in tied}
        long = sum(len(run[id]) > MAX_ORDERED_TIES for id in tied)
        warnings += (
            f"{len(tied)} rankings have tied scores: among equals the later entry comes first; for {long} "
            f"of them, with more than {MAX_ORDERED_TIES} entries, the official order is an accident",
        )
    kinds = disambiguation_by_kind(_kinds(reference, qrels), qrels, run)
    found = {**report.scores, **({"mention_types": kinds} if kinds else {})}
    return Report(scores=found, also=also, warnings=warnings)


def _refuse_surplus(reference: Reference, qrels: Mapping[str, Any], run: Mapping[str, Any]) -> None:
    """As the official program, refuse a query that the qrels lack in a document and language that they have."""
    scored = group_ids(qrels, reference.langs, reference.docs)
    asked = group_ids(run, reference.langs, reference.docs)
    surplus = [id for group in asked if group in scored for id in asked[group] if id not in qrels]
    if surplus:
        raise FormatError(
            f"{len(surplus):,} queries are not in the qrels of their document, the first is {surplus[0]!r}; the official "
            "program refuses them: leave them out, or score with a TSV file of the data, which ignores them"
        )


def _kinds(reference: Reference, ids: Mapping[str, Any]) -> dict[str, Label]:
    return {id: Label(1, (), reference.kinds.get(id, "")) for id in ids}


def _submitted(pred: Path, wanted: list[str]) -> dict[str, Path]:
    """The file of each sub-task that has gold."""
    if pred.is_dir():
        files = {}
        for name in wanted:
            found = [pred / file for file in SUBMISSION[name] if (pred / file).exists()]
            if len(found) > 1:
                raise FormatError(f"{' and '.join(SUBMISSION[name])}: keep one of them", path=pred)
            files.update({name: found[0]} if found else {})
        return files
    if len(wanted) == 1:
        return {wanted[0]: pred}
    ranked = any(isinstance(value, Mapping) for value in read_object(pred).values())
    return {"disambiguation" if ranked else "detection": pred}
