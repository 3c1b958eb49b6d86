"""The question of SV-Ident: which of these variables does the sentence use?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.building import Built
from marginalia.core.errors import FormatError
from marginalia.core.files import parse_json, read_lines
from marginalia.core.rating import Question
from marginalia.core.table import format_table
from marginalia.tasks.variables.official.agreement import COLUMNS
from marginalia.tasks.variables.official.data import UNKNOWN

OTHER = "another variable, not in this list"
FIELDS = ("uuid", "sentence", "doc_id", "lang")


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
