"""What annotators are asked (which of these variables does the sentence use?), and one file made of theirs by decisions,
where the organisers took the union (``bench agreement --merge``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from marginalia.core.building import Built
from marginalia.core.errors import FormatError
from marginalia.core.files import parse_json, read_lines
from marginalia.core.rating import Question
from marginalia.core.table import format_table, read_table
from marginalia.tasks.variables.official.agreement import COLUMNS, read_answers, variables
from marginalia.tasks.variables.official.data import UNKNOWN

OTHER = "another variable, not in this list"
FIELDS = ("uuid", "sentence", "doc_id", "lang")
DISPUTED = "disputed.tsv"
DECIDED = ("uuid", "is_variable", "variable")


def questions(path: Path) -> Iterator[Question]:
    """One question for each line ``{"uuid", "sentence", "doc_id", "lang", "candidates": {id: label}}``."""
    for row in _rows(path):
        yield Question(
            id=row["uuid"],
            ask="Which variables does this sentence use? None is an answer too.",
            kind="choice",
            parts=(("Sentence", row["sentence"]),),
            choices={**row["candidates"], UNKNOWN: OTHER},
        )


def export(path: Path, answers: Mapping[str, Mapping[str, Any]]) -> Built:
    """An official file for each rater, as ``bench agreement variables`` compares and merges them."""
    rows = {row["uuid"]: row for row in _rows(path)}
    files = {}
    for rater, given in answers.items():
        table: list[tuple[str, ...]] = [COLUMNS]
        for uuid, chosen in given.items():
            row = rows[uuid]
            named = ";".join(sorted(chosen))
            cells = (row["sentence"], str(int(bool(chosen))), named, row["doc_id"], uuid)
            table.append((*cells, row["lang"], ""))
        files[f"{rater}.tsv"] = format_table(table, quoted=True)
    return Built(files, {"raters": len(files), "sentences": len(rows)})


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line, text in read_lines(path):
        data = parse_json(text, path, line)
        lacks = [
            name
            for name in FIELDS
            if not isinstance(data, dict) or not isinstance(data.get(name), str)
        ]
        candidates = {} if lacks else data.get("candidates")
        if lacks or not isinstance(candidates, dict):
            raise FormatError(
                f"an object with {', '.join(FIELDS)} and candidates was expected",
                path=path,
                line=line,
            )
        labels = {str(key): str(value) for key, value in candidates.items()}
        yield {**data, "candidates": labels}


def adjudicate(paths: Sequence[Path], *, decisions: str) -> Built:
    """Write ``disputed.tsv`` with what each annotator said; with it as ``decisions``, filled in, the official file."""
    answers = read_answers(paths)
    disputed = {
        id: each
        for id, each in answers.items()
        if len({(row["is_variable"], variables(row)) for row in each.values()}) > 1
    }
    figures = {
        "sentences": len(answers),
        "agreed": len(answers) - len(disputed),
        "disputed": len(disputed),
    }
    if not decisions:
        said = tuple(f"said_{number}" for number in range(1, len(paths) + 1))
        rows: list[tuple[object, ...]] = [("uuid", "sentence", *said, "is_variable", "variable")]
        for id, each in disputed.items():
            cells = (_said(each.get(str(path))) for path in paths)
            rows.append((id, next(iter(each.values()))["sentence"], *cells, "", ""))
        return Built({DISPUTED: format_table(rows, quoted=True)}, figures)
    decided = _read(Path(decisions))
    final: list[Sequence[object]] = [COLUMNS]
    for id, each in answers.items():
        row = dict(next(iter(each.values())))
        if id in disputed:
            if id not in decided:
                raise FormatError(f"no decision for the sentence {id}", path=decisions)
            row |= decided[id]
        final.append([row.get(name, "") for name in COLUMNS])
    return Built({"adjudicated.tsv": format_table(final, quoted=True)}, figures)


def _said(row: Mapping[str, str] | None) -> str:
    if row is None:
        return "–"
    return row["variable"] or row["is_variable"]


def _read(path: Path) -> dict[str, dict[str, str]]:
    rows = {}
    for line, row in read_table(path, DECIDED, quoted=True):
        if row["is_variable"] not in ("0", "1"):
            raise FormatError(
                f"is_variable is {row['is_variable'][:20]!r}: 1 or 0 was expected",
                path=path,
                line=line,
            )
        if (row["is_variable"] == "1") != bool(row["variable"]):
            raise FormatError(
                "a variable goes with is_variable 1, and only there", path=path, line=line
            )
        rows[row["uuid"]] = {name: row[name] for name in ("is_variable", "variable")}
    return rows
