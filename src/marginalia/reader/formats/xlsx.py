"""Tables as a spreadsheet: the first sheet, its first row the names of the columns."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from marginalia.core.document import Document
from marginalia.core.table import harmless
from marginalia.reader.formats.format import Columns, Extra, Format
from marginalia.reader.formats.table import cell_text, flat_table

MAX_CELL_CHARACTERS = 32_767
"""More than this no spreadsheet holds in one cell."""


def format_xlsx(columns: Columns, table: Sequence[Mapping[str, Any]]) -> bytes:
    """Numbers stay numbers; everything else is text, and none of it a formula."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = Workbook(write_only=True)
    sheet = book.create_sheet("table")
    sheet.freeze_panes = "A2"
    sheet.append(list(columns))
    for row in table:
        cells = []
        for name in columns:
            value = row.get(name)
            if not isinstance(value, (int, float)) or isinstance(value, bool):
                text = ILLEGAL_CHARACTERS_RE.sub(" ", str(harmless(cell_text(value))))
                value = WriteOnlyCell(sheet, value=text[:MAX_CELL_CHARACTERS] or None)
                value.data_type = "s" if value.value else "n"
            cells.append(value)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def dump_xlsx(docs: Sequence[Document]) -> bytes:
    """The table of the notes, as in CSV."""
    return format_xlsx(*flat_table(docs))


XLSX = Format(
    name="xlsx",
    suffixes=(".xlsx",),
    media="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    extra=Extra(
        name="xlsx", package="openpyxl", module="openpyxl", actions=("write", "write_rows")
    ),
    write=dump_xlsx,
    write_rows=format_xlsx,
)
