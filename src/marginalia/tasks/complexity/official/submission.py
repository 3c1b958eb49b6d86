"""The official submission: ``id,value`` files without a header, and how they are scored."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from marginalia.core.benchmark import Split
from marginalia.core.errors import FormatError
from marginalia.core.files import MAX_LINE, list_files, read_lines
from marginalia.core.report import Report
from marginalia.core.table import complete, format_table, parse_float, require_new_id
from marginalia.tasks.complexity.official.data import KINDS, OFFICIAL, Target, read_targets
from marginalia.tasks.complexity.official.score import official, score_parts


def write_submission(split: Split, pred: Mapping[str, float]) -> dict[str, str]:
    """``lcp_single_test.csv`` and ``lcp_multi_test.csv``: ``id,value`` without a header."""
    return {
        f"lcp_{part}_{OFFICIAL[split.name]}.csv": format_table(
            ((id, repr(float(pred[id]))) for id, item in split.items.items() if item.kind == kind),
            quoted=True,
            delimiter=",",
        )
        for kind, part in KINDS.items()
    }


def read_values(path: Path) -> tuple[dict[str, float], int]:
    """The values of an ``id,value`` file and how many ids were repeated (the last one counts)."""
    values: dict[str, float] = {}
    repeated = 0
    for line, cells in _csv_rows(path):
        if len(cells) < 2:
            raise FormatError("expected id,value (comma-separated)", path=path, line=line)
        repeated += cells[0] in values
        values[cells[0]] = parse_float(cells[1], "value", path, line)
    if not values:
        raise FormatError("the file is empty; expected rows of id,value", path=path)
    return values, repeated


def _csv_rows(path: Path) -> Iterable[tuple[int, list[str]]]:
    csv.field_size_limit(MAX_LINE)  # as in core.table: one limit for the process
    for line, text in read_lines(path):
        if line == 1 and text.startswith("\ufeff"):
            raise FormatError("the file starts with a byte order mark", path=path, line=1)
        try:
            yield line, next(csv.reader([text]), [])
        except csv.Error as error:  # a line end of old Macs
            raise FormatError(
                f"expected id,value (comma-separated): {error}", path=path, line=line
            ) from error


def read_submission(split: Split, path: Path) -> dict[str, float]:
    """The predictions of an official submission, one for each target of the split."""
    values: dict[str, float] = {}
    for file in list_files(path, ".csv"):
        for line, cells in _csv_rows(file):
            if len(cells) < 2:
                raise FormatError("expected id,value (comma-separated)", path=file, line=line)
            require_new_id(cells[0], split.items, values, file, line)
            values[cells[0]] = parse_float(cells[1], "value", file, line)
    return complete(values, split.items, path)


def score_files(gold: Path, pred: Path, text: Path | None = None) -> Report:
    """Score ``id,value`` files against a reference of the same form or against CompLex files.

    With ``reference.csv`` the official figures stand at the top of the report; with CompLex TSV
    files (one, or a folder) there are words, multi-words, both pooled, and each genre.
    """
    values: dict[str, float] = {}
    repeated = 0
    for path in list_files(pred, ".csv"):
        more, again = read_values(path)
        repeated += again + len(values.keys() & more.keys())
        values |= more
    tables = [path for path in list_files(gold, ".tsv", ".csv") if path.suffix == ".tsv"]
    items: dict[str, Target] = {}
    truth: dict[str, float] = {}
    if tables:
        for path in tables:
            kind = "multi" if "multi" in path.name else "words"
            for id, item, complexity in read_targets(path, kind):
                if complexity is None:
                    raise FormatError("the header lacks the column 'complexity'", path=path, line=1)
                items[id], truth[id] = item, complexity
    else:
        [first, *more_files] = list_files(gold, ".csv")
        if more_files:
            raise FormatError(
                f"the folder has {1 + len(more_files)} .csv files, where one reference was expected: name it",
                path=gold,
            )
        truth, _ = read_values(first)
    also = {"repeated_ids": repeated, "unknown_ids": len(values.keys() - truth.keys())}
    warnings = tuple(
        f"{count} {name.replace('_', ' ')} in the submission"
        for name, count in also.items()
        if count
    )
    try:
        scores = score_parts(items, truth, values) if tables else official(truth, values)
    except FormatError as error:
        raise error.at(pred) from None
    return Report(scores=scores, also=also, warnings=warnings)
