"""The first sheet of an XLSX file, row by row, as text. Formulas are not computed: what was last shown counts."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, missing_package
from marginalia.core.files import require_file
from marginalia.core.table import as_written
from marginalia.tasks.variables.catalogue.columns import roles
from marginalia.tasks.variables.catalogue.tables import row_variable
from marginalia.tasks.variables.official.vocabulary import Notes, Variable

MAX_UNPACKED_BYTES = 2 * 2**30
MAX_COLUMNS = 500


def read_spreadsheet(
    path: Path, notes: Notes, columns: Mapping[str, str] | None = None
) -> Iterator[Variable]:
    """One variable per row, as in any table."""
    rows = sheet_rows(path)
    line, names = next(rows, (1, []))
    found = roles(names, columns or {}, path, line)
    for number, (_, cells) in enumerate(rows, 1):
        row = dict(zip(names, cells, strict=False))
        yield row_variable(row, found, path, number, notes)


def sheet_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of each row that is not empty; the first is the header."""
    require_file(path)
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise missing_package(f"{path}: a spreadsheet", "openpyxl", "xlsx") from None
    _refuse_bombs(path)
    try:
        book = load_workbook(path, read_only=True, data_only=True)
        sheet = book.worksheets[0]
        names: list[str] = []
        for line, row in enumerate(sheet.iter_rows(values_only=True, max_col=MAX_COLUMNS), 1):
            cells = [as_written(_text(value)) for value in row]
            if any(cells):
                if not names:
                    while cells and not cells[-1]:
                        cells.pop()
                    names = cells
                    if len(set(names)) < len(names):
                        raise FormatError("the header names a column twice", path=path, line=line)
                yield line, cells[: len(names)]
    except FormatError:
        raise
    except Exception as error:  # damaged parts fail in many ways inside the package
        said = " ".join(str(error).split())[:120] or type(error).__name__
        raise FormatError(f"not a readable spreadsheet: {said}", path=path) from error


def _refuse_bombs(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(one.file_size for one in archive.infolist())
    except (zipfile.BadZipFile, OSError) as error:
        raise FormatError("this is not an XLSX file", path=path) from error
    if size > MAX_UNPACKED_BYTES:
        raise FormatError(
            f"the spreadsheet unpacks to {size:,} bytes, which is too large", path=path
        )


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, date):
        return value.isoformat()
    return str(value).strip()
