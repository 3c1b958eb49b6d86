"""Rows of tab- or comma-separated files, each with its line number for error messages, and the ids in them."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from marginalia.core.errors import FormatError
from marginalia.core.files import MAX_LINE, read_lines

T = TypeVar("T")
Row = tuple[int, dict[str, str]]


def read_table(
    path: Path,
    columns: Sequence[str],
    *,
    header: bool = True,
    quoted: bool = False,
    delimiter: str = "\t",
    skip_empty: bool = False,
) -> Iterator[Row]:
    """Each row as ``(line, {column: cell})``.

    With a header, the named columns must be there, in any order, and others are kept too; without,
    a row must have just these columns. ``quoted`` says whether a double quote is CSV quoting or an
    ordinary character: the official files differ in this, and the wrong choice loses rows silently.
    An empty file without a header has no rows; with one it is an error.
    """
    names = list(columns)
    rows = _cells(path, quoted, delimiter)
    if header:
        line, names = next(rows, (1, []))
        missing = [name for name in columns if name not in names]
        if missing:
            raise FormatError(
                f"the header lacks the column {missing[0]!r}; expected {', '.join(columns)}",
                path=path,
                line=line,
            )
        if len(set(names)) < len(names):
            raise FormatError("the header names a column twice", path=path, line=line)
    for line, cells in rows:
        if skip_empty and cells in ([], [""]):
            continue
        if len(cells) != len(names):
            raise FormatError(
                f"{len(cells)} columns where {len(names)} were expected ({', '.join(names)})",
                path=path,
                line=line,
            )
        yield line, dict(zip(names, cells, strict=True))


def _cells(path: Path, quoted: bool, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    if not quoted:
        for line, text in read_lines(path):
            yield line, text.split(delimiter)
        return
    csv.field_size_limit(MAX_LINE)
    # With their ends, so that a line end inside a quoted cell stays what it was.
    lines = (text for _, text in read_lines(path, ends=True))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise FormatError(f"broken quoting: {error}", path=path, line=reader.line_num) from error


def parse_float(text: str, what: str, path: Path, line: int) -> float:
    """A finite number, or an error that says where it was not one."""
    try:
        value = float(text)
    except ValueError:
        raise FormatError(
            f"the {what} {text[:40]!r} is not a number", path=path, line=line
        ) from None
    if value != value or value in (float("inf"), float("-inf")):
        raise FormatError(
            f"the {what} is {text.strip()}, not a finite number", path=path, line=line
        )
    return value


FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the start of a formula, which may fetch or run things."""


_AMOUNT = re.compile(r"[+-]?\d[\d.,]*(?:[eE][+-]?\d+)?(?:\s?[^\W\d_°%µ]*[°%µ]?[^\W\d_]*)")
"""A number, also with a unit, that computes nothing."""
RAW_CELLS = "MARGINALIA_RAW_CELLS"
"""The environment variable by which programs get every cell as it is, whatever a spreadsheet would make of it."""
_raw: ContextVar[bool] = ContextVar("raw", default=False)


@contextmanager
def raw_cells(wanted: bool = True) -> Iterator[None]:
    """Within it tables are written with their cells as they are, as ``--raw-cells`` says."""
    before = _raw.set(wanted)
    try:
        yield
    finally:
        _raw.reset(before)


def harmless(cell: object) -> object:
    """A cell that no spreadsheet runs: text that looks like a formula gets an apostrophe in front; numbers stay.

    Text that has such an apostrophe of its own gets another, so that ``as_written`` knows which was there.
    """
    if not isinstance(cell, str) or not cell.lstrip("'").startswith(FORMULA_SIGNS):
        return cell
    if _raw.get() or os.environ.get(RAW_CELLS, "0") not in ("", "0"):
        return cell
    return cell if _AMOUNT.fullmatch(cell) else f"'{cell}"


def as_written(cell: str) -> str:
    """The text that ``harmless`` was given."""
    marked = cell.startswith("'") and cell.lstrip("'").startswith(FORMULA_SIGNS)
    return cell[1:] if marked else cell


def format_table(
    rows: Iterable[Sequence[object]], *, quoted: bool = False, delimiter: str = "\t"
) -> str:
    """The text of a table. Unquoted cells must hold neither the delimiter nor a line end."""
    if quoted:
        out = io.StringIO()
        # A cell with either of the two line ends is quoted only if both belong to the end of a row.
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\r\n")
        lines = []
        for row in rows:
            writer.writerow(row)
            lines.append(out.getvalue().removesuffix("\r\n") + "\n")
            out.seek(0)
            out.truncate()
        return "".join(lines)
    lines = []
    for row in rows:
        cells = [str(cell) for cell in row]
        if any(mark in cell for cell in cells for mark in (delimiter, "\n", "\r")):
            raise FormatError(f"a cell of {cells!r:.80} holds a separator")
        lines.append(delimiter.join(cells) + "\n")
    return "".join(lines)


def require_new_id(
    id: str, known: Container[str], seen: Container[str], path: Path, line: int | None = None
) -> None:
    """Refuse an id that the split lacks, or that was given before."""
    if id not in known:
        raise FormatError(f"the id {id[:40]!r} is not in the split", path=path, line=line)
    if id in seen:
        raise FormatError(f"the id {id[:40]!r} is given twice", path=path, line=line)


def complete(found: Mapping[str, T], wanted: Mapping[str, Any], path: Path) -> dict[str, T]:
    """What was found in the order of the split; an id without it is an error."""
    missing = [id for id in wanted if id not in found]
    if missing:
        raise FormatError(
            f"{len(missing):,} of {len(wanted):,} ids have no prediction, the first is {missing[0]!r}",
            path=path,
        )
    return {id: found[id] for id in wanted}
