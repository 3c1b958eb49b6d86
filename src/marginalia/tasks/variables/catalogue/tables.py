"""Variables in a table: comma, semicolon or tab between the columns, which are known by their names."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from marginalia.core.errors import FormatError
from marginalia.core.files import MAX_LINE, require_file
from marginalia.core.table import as_written
from marginalia.tasks.variables.catalogue.columns import gather, plain_variable, roles
from marginalia.tasks.variables.official.vocabulary import (
    NO_ID,
    NO_TEXT,
    Notes,
    Variable,
    make_variable,
)

MAX_BYTES = 8 * 2**30
NOT_UTF8 = "lines are not UTF-8 and were read as Windows-1252"
RAGGED = "rows have more or fewer cells than the header"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_variables(
    path: Path, notes: Notes, columns: Mapping[str, str] | None = None
) -> Iterator[Variable]:
    """One variable per row. A table of one survey needs no column for it: the file's name stands for it."""
    lines = _lines(path, notes)
    header = next(lines, "")
    delimiter = _delimiter(path, header)
    csv.field_size_limit(MAX_LINE)
    try:
        names = next(csv.reader([header], delimiter=delimiter), [])
    except csv.Error as error:
        raise FormatError(f"broken header: {error}", path=path, line=1) from error
    reader = csv.reader(lines, delimiter=delimiter)
    if len(set(names)) < len(names):
        raise FormatError("the header names a column twice", path=path, line=1)
    found = roles(names, columns or {}, path, 1)
    number = 0
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            number += 1
            if len(cells) != len(names):
                notes[RAGGED] += 1
                # What is too much stays with the last column: it is mostly text with a separator in it.
                last = delimiter.join(cells[len(names) - 1 :])
                cells = [*cells[: len(names) - 1], last]
            row = dict(zip(names, map(as_written, cells), strict=False))
            yield row_variable(row, found, path, number, notes)
    except csv.Error as error:
        raise FormatError(
            f"broken quoting: {error}", path=path, line=reader.line_num + 1
        ) from error


def row_variable(
    row: Mapping[str, str], found: Mapping[str, str], path: Path, number: int, notes: Notes
) -> Variable:
    """The variable of one row, whose columns hold what ``found`` says."""
    cells = gather(row, found)
    id = cells.get("id") or cells.get("name") or ""
    if not id:
        notes[NO_ID] += 1
        id = f"variable-{number}"
    if not any(cells.get(name) for name in ("label", "question", "text")):
        notes[NO_TEXT] += 1
    survey = cells.get("survey") or path.name.split(".")[0]
    return plain_variable(id, survey, cells) or make_variable(id, survey, cells)


def _delimiter(path: Path, header: str) -> str:
    if path.suffix.lower() in (".tsv", ".tab"):
        return "\t"
    return max(",;\t|", key=header.count)


def _lines(path: Path, notes: Notes) -> Iterator[str]:
    """The lines with their ends. Old tables are in Windows-1252, and some in both."""
    require_file(path, max_bytes=MAX_BYTES)
    with path.open("rb") as file:
        start = file.read(4)
        encoding = next((name for mark, name in _MARKS if start.startswith(mark)), "")
    if encoding == "utf-16":
        try:
            with path.open(encoding="utf-16", newline="") as wide:
                yield from wide
        except UnicodeError as error:
            raise FormatError(f"not UTF-16 text: {error}", path=path) from error
        return
    # As Latin-1, which gives every byte back, because text files know all three line ends and binary ones only LF.
    with path.open(encoding="latin-1", newline="") as text:
        text.seek(len(codecs.BOM_UTF8) if encoding else 0)
        number = 0
        while line := text.readline(MAX_LINE + 1):
            data = line.encode("latin-1")
            number += 1
            if len(data) > MAX_LINE:
                raise FormatError(
                    f"the line is longer than {MAX_LINE:,} bytes", path=path, line=number
                )
            if b"\0" in data:
                raise FormatError("this is not a text file", path=path, line=number)
            try:
                yield data.decode("utf-8")
            except UnicodeDecodeError:
                notes[NOT_UTF8] += 1
                # Five bytes mean nothing in Windows-1252; they become the sign for that.
                yield data.decode("cp1252", errors="replace")
