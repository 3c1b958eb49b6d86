"""The official submission, ``labels.tsv`` and ``scores.tsv``, and how files are scored."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from marginalia.core import stats
from marginalia.core.benchmark import Split
from marginalia.core.errors import FormatError
from marginalia.core.files import list_files
from marginalia.core.report import Report
from marginalia.core.table import complete, require_new_id
from marginalia.tasks.clarification.official.data import read_items, sentence_of
from marginalia.tasks.clarification.official.ratings import (
    Rating,
    Row,
    format_labels,
    format_scores,
    has_scores,
    label_of,
    read_values,
)
from marginalia.tasks.clarification.official.score import (
    accuracy,
    by_phenomenon,
    figures,
    why_undefined,
)


class Table(NamedTuple):
    """The rows of one file."""

    path: Path
    rows: list[Row]

    def column(self) -> dict[str, Any]:
        """The values by id."""
        return {row.id: row.value for row in self.rows}


Tables = dict[str, Table]
"""The files under ``labels`` and ``scores``, or one of the two."""
OVER_GOLD = "accuracy_over_gold_ids_first_prediction_missing_is_wrong"


def write_submission(split: Split, pred: Mapping[str, Rating]) -> dict[str, str]:
    """``labels.tsv`` and ``scores.tsv``: ``<sentence>_<filler>`` and class or rating, no header; one file without scores."""
    ordered = {id: pred[id] for id in split.items}
    scores = {"scores.tsv": format_scores(ordered)} if has_scores(ordered) else {}
    return {"labels.tsv": format_labels(ordered), **scores}


def compare_ids(gold: Iterable[Row], pred: Iterable[Row]) -> dict[str, list[str]]:
    """What the official program leaves unsaid, because it compares only the number of rows."""
    given, wanted = (Counter(row.id for row in rows) for rows in (pred, gold))
    return {
        "gold_ids_without_prediction": sorted(wanted.keys() - given.keys()),
        "ids_predicted_more_than_once": sorted(id for id, n in given.items() if n > 1),
        "ids_more_than_once_in_gold": sorted(id for id, n in wanted.items() if n > 1),
        "predicted_ids_not_in_gold": sorted(given.keys() - wanted.keys()),
    }


def pair(gold: Table, pred: Table, *, strict: bool = False) -> tuple[list[Any], list[Any]]:
    """Gold and prediction side by side, one pair for each row of the submission, by id.

    As in the official program the number of rows must agree and every id of the submission must be in
    gold just once; so an id may be repeated in place of another, unless ``strict``.
    """
    odd = compare_ids(gold.rows, pred.rows)
    detail = ", ".join(_say(name, ids) for name, ids in odd.items() if ids)
    unusable = {*odd["predicted_ids_not_in_gold"], *odd["ids_more_than_once_in_gold"]}
    line = next((row.line for row in pred.rows if row.id in unusable), None)
    if len(gold.rows) != len(pred.rows):
        message = f"{len(pred.rows)} rows where gold has {len(gold.rows)}: {detail}"
        raise FormatError(message, path=pred.path, line=line)
    if line is not None:
        raise FormatError(f"the ids do not fit gold: {detail}", path=pred.path, line=line)
    if strict and detail:
        raise FormatError(f"every id must be predicted once, but {detail}", path=pred.path)
    truth = gold.column()
    return [truth[row.id] for row in pred.rows], [row.value for row in pred.rows]


def _say(name: str, ids: Sequence[str]) -> str:
    return f"{len(ids)} {name.replace('_', ' ')} (the first is {ids[0]})"


def read_submission(split: Split, path: Path) -> dict[str, Rating]:
    """The predictions of an official submission. Classes follow from ratings; without ratings there are none."""
    tables = _read(_files(path))
    columns: dict[str, dict[str, Any]] = {}
    for kind, (file, rows) in tables.items():
        found: dict[str, Any] = {}
        for row in rows:
            require_new_id(row.id, split.items, found, file, row.line)
            found[row.id] = row.value
        columns[kind] = complete(found, split.items, file)
    labels, scores = columns.get("labels"), columns.get("scores")
    return {
        id: Rating(
            label=labels[id] if labels else label_of(scores[id]),  # type: ignore[index]
            score=scores[id] if scores else math.nan,
        )
        for id in split.items
    }


def score_files(
    gold: Path, pred: Path, text: Path | None = None, *, strict: bool = False
) -> Report:
    """Score files of classes, of ratings, or folders with one or both.

    ``gold`` is a reference, labels or scores file, or a folder of them; with ratings alone the
    classes follow from them. ``text`` names the data file, for the figures of each phenomenon. The
    figures beyond the official two need one prediction for each id.
    """
    given = _read(_files(pred))
    truth, warnings = _gold(gold, given)
    warnings += [
        f"the {kind} were not scored: gold has none" for kind in given if kind not in truth
    ]
    kinds = [kind for kind in given if kind in truth]
    if not kinds:
        raise FormatError(f"has no {' or '.join(given)} to score the submission with", path=gold)
    scores: dict[str, Any] = {}
    also: dict[str, Any] = {}
    for kind in kinds:
        g, p = pair(truth[kind], given[kind], strict=strict)
        odd = compare_ids(truth[kind].rows, given[kind].rows)
        also |= {name: sorted({*also.get(name, ()), *ids}) for name, ids in odd.items()}
        if kind == "labels":
            scores["accuracy"] = accuracy(g, p)
            if any(odd.values()) and not odd["ids_more_than_once_in_gold"]:
                also[OVER_GOLD] = _over_gold(truth[kind], given[kind])
            continue
        if len(p) < 2:
            raise FormatError("a rank correlation needs at least two rows", path=given[kind].path)
        scores["spearman"] = stats.spearman(g, p)
        if reason := why_undefined(g, p):
            also["spearman_undefined_because"] = reason
            warnings.append(f"Spearman is undefined: {reason}")
    odd_ids = {name: ids for name, ids in also.items() if ids and isinstance(ids, list)}
    warnings += [_say(name, ids) for name, ids in odd_ids.items()]
    if not odd_ids:
        scores |= _further(text, truth, given, kinds)
    return Report(scores=scores, also=also, warnings=tuple(warnings))


def _over_gold(gold: Table, pred: Table) -> float:
    """Accuracy over the ids of gold: the first prediction counts, a missing one is wrong."""
    first = {row.id: row.value for row in reversed(pred.rows)}
    return accuracy([row.value for row in gold.rows], [first.get(row.id) for row in gold.rows])


def _further(text: Path | None, gold: Tables, pred: Tables, kinds: Sequence[str]) -> dict[str, Any]:
    """The figures of the overview paper's section 6.2, and those of each phenomenon."""
    g, p = ({kind: side[kind].column() for kind in kinds} for side in (gold, pred))
    sentence = {id: sentence_of(id) for id in g[kinds[0]]}
    if g[kinds[0]].keys() != g[kinds[-1]].keys():
        raise FormatError("gold has ratings for other ids than classes", path=gold[kinds[-1]].path)
    scores = figures(sentence, g, p, sentence)
    if text is not None:
        items = read_items(_data_file(text))
        if lost := [id for id in sentence if id not in items]:
            raise FormatError(f"{len(lost)} ids are not in it, the first is {lost[0]}", path=text)
        scores["phenomena"] = by_phenomenon(items, g, p, sentence)
    return scores


def _data_file(path: Path) -> Path:
    if not path.is_dir():
        return path
    found = list(path.glob("*_data.tsv"))
    if len(found) != 1:
        raise FormatError("the folder should have one file *_data.tsv", path=path)
    return found[0]


def _files(path: Path) -> list[Path]:
    """Files of labels or scores; those of a data folder lie beside the items."""
    found = [file for file in list_files(path, ".tsv") if not file.name.endswith("_data.tsv")]
    if not found:
        raise FormatError("the folder has no .tsv file of labels or scores", path=path)
    return found


def _read(files: Iterable[Path]) -> Tables:
    """The rows of the files under ``labels`` and ``scores``, distinguished by what they hold."""
    found: Tables = {}
    for path in files:
        rows = read_values(path)
        kind = "labels" if isinstance(rows[0].value, str) else "scores"
        if kind in found:
            raise FormatError(f"this is a second file of {kind}; one was expected", path=path)
        found[kind] = Table(path, rows)
    return found


def _gold(path: Path, pred: Tables) -> tuple[Tables, list[str]]:
    """The gold rows and what to say about them.

    In a folder with several splits, such as the data folder, the split that has the ids of the
    submission is meant, if there is just one.
    """
    splits: dict[str, list[Path]] = {}
    for file in _files(path):
        splits.setdefault(file.stem.rpartition("_")[0], []).append(file)
    tables = {name: _read(files) for name, files in splits.items()}
    warnings = []
    if len(tables) > 1:
        ids = {row.id for table in pred.values() for row in table.rows}
        fit = [
            name
            for name, found in tables.items()
            if all(table.column().keys() == ids for table in found.values())
        ]
        if len(fit) != 1:
            raise FormatError(
                f"the folder has the gold of {' and '.join(splits)}: name one file", path=path
            )
        tables = {fit[0]: tables[fit[0]]}
        warnings.append(f"scored as {fit[0]}, the only split with the ids of the submission")
    (truth,) = tables.values()
    if "labels" in pred and "labels" not in truth:
        scores = truth["scores"]
        try:
            rows = [Row(id, label_of(rating), line) for id, rating, line in scores.rows]
        except FormatError as error:
            raise error.at(scores.path) from None
        truth["labels"] = Table(scores.path, rows)
        warnings.append("the gold classes were made from the gold ratings")
    return truth, warnings
