"""Review files: CSV or XLSX that a curator fills in and gives back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from marginalia.annotators.variables.review import (
    COLUMNS,
    REQUIRED,
    Candidate,
    parse_review,
    review_rows,
)
from marginalia.core.errors import FormatError
from marginalia.core.table import as_written, read_table

SUFFIXES = (".csv", ".xlsx")


def require_suffix(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        raise FormatError("a review file is .csv or .xlsx", path=path)


def read_review(path: Path) -> list[Candidate]:
    """What a curator filled in."""
    require_suffix(path)
    if path.suffix.lower() == ".csv":
        rows = [
            (line, {name: as_written(cell) for name, cell in row.items()})
            for line, row in read_table(path, REQUIRED, quoted=True, delimiter=_delimiter(path))
        ]
        return parse_review(rows, path)
    from marginalia.tasks.variables.catalogue.spreadsheets import sheet_rows

    sheet = sheet_rows(path)
    _, names = next(sheet, (1, []))
    blank = [""] * len(names)
    rows = [(line, dict(zip(names, [*cells, *blank], strict=False))) for line, cells in sheet]
    if missing := [name for name in REQUIRED if name not in names]:
        raise FormatError(f"the table lacks the column {missing[0]!r}", path=path, line=1)
    return parse_review(rows, path)


def write_review(candidates: Sequence[Candidate], path: Path) -> str | bytes:
    """The content of a review file."""
    from marginalia.reader.formats.registry import get_format

    rows = review_rows(candidates)
    format = get_format(path.suffix[1:].lower(), "write_rows")
    return format.write_rows(dict.fromkeys(COLUMNS), rows)


def _delimiter(path: Path) -> str:
    """Spreadsheets of some countries write semicolons."""
    with path.open("rb") as file:
        head = file.readline(10_000)
    return ";" if head.count(b";") > head.count(b",") else ","
