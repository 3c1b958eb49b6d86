"""Annotations as a table: CSV, Parquet with types, or a spreadsheet."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import ContractError
from marginalia.core.registry import find_annotator
from marginalia.core.report import plain
from marginalia.core.table import format_table, harmless
from marginalia.reader.formats.format import Columns, Extra, Format

COLUMNS = (
    "document",
    "id",
    "task",
    "label",
    "start",
    "end",
    "quote",
    "score",
    "system",
    "page",
    "attrs",
    "links",
)
"""What every row tells of its note; ``attrs`` and ``links`` are data. A task's own columns follow as ``task.column``."""
FIXED = tuple("why" if name == "attrs" else name for name in COLUMNS)
"""The columns of every table: of ``attrs`` the reason, the rest as columns of the task."""

_TYPES = {"start": int, "end": int, "page": int, "score": float}
"""Columns that are no text, whatever stands in them."""
_PARQUET = {str: "string", int: "int64", float: "float64", bool: "bool", list: "string"}
_LEFT_OUT = ("why", "usefulness", "start", "end")
"""Attributes that have a column for all tasks, or mean something to programs only."""

MAX_CELL_CHARACTERS = 32_767
"""More than this no spreadsheet holds in one cell."""


def rows(doc: Document) -> Iterator[dict[str, Any]]:
    """One row per annotation, or those that its task supplies for it."""
    supplied: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for name in sorted({note.task for note in doc.annotations}):
        annotator = find_annotator(name)
        if annotator is not None and annotator.rows is not None:
            supplied[name] = _by_id(doc, name, annotator.rows(doc))
    for note in doc.annotations:
        fixed = _row(doc, note)
        more = supplied[note.task].get(note.id, []) if note.task in supplied else [{}]
        for row in more:
            own = {f"{note.task}.{key}": plain(row[key]) for key in row if key != "id"}
            yield {**fixed, **own}


def columns(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The fixed columns of a table, then those of the tasks in order of their task's name."""
    own = dict.fromkeys(key for row in rows for key in row if key not in {*FIXED, *COLUMNS})
    return [*FIXED, *sorted(own, key=lambda key: key.partition(".")[0])]


def _row(doc: Document, note: Annotation) -> dict[str, Any]:
    data = note.to_dict()
    return {
        "document": doc.id,
        **{key: plain(data[key]) for key in COLUMNS if key in data},
        "page": doc.page(note.start),
    }


def _by_id(
    doc: Document, task: str, rows: Iterable[Mapping[str, Any]]
) -> dict[str, list[Mapping[str, Any]]]:
    own = {note.id for note in doc.notes(task)}
    by_id: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if row.get("id") not in own:
            raise ContractError(
                f"{task}: a row is about {row.get('id')!r}, which is none of its annotations"
            )
        by_id.setdefault(row["id"], []).append(row)
    return by_id


def dump_csv(docs: Sequence[Document]) -> str:
    return format_csv(*flat_table(docs))


def dump_parquet(docs: Sequence[Document]) -> bytes:
    return format_parquet(*flat_table(docs))


def format_csv(columns: Columns, table: Sequence[Mapping[str, Any]]) -> str:
    """The rows with a header. Nothing is an empty cell; truth is ``true`` or ``false``; a list is JSON.

    What a spreadsheet would run as a formula gets an apostrophe in front.
    """
    body = ([harmless(cell_text(row.get(name))) for name in columns] for row in table)
    return format_table([list(columns), *body], quoted=True, delimiter=",")


def format_parquet(columns: Columns, table: Sequence[Mapping[str, Any]]) -> bytes:
    """The same with types: those given, else the narrowest that holds what stands in the column."""
    import pyarrow
    from pyarrow import parquet

    arrays = []
    for name, type in columns.items():
        values = [row.get(name) for row in table]
        kind = _PARQUET[type] if type else _kind(values)
        if kind == "string":
            values = [None if value is None else cell_text(value) for value in values]
        arrays.append(pyarrow.array(values, type=kind))
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays, names=list(columns)), out)
    return out.getvalue()


def flat_table(docs: Sequence[Document]) -> tuple[Columns, list[dict[str, Any]]]:
    """A row for each note, or those of its task; what a note says has columns of its own, and no cell is JSON."""
    table = [_flat(row) for doc in docs for row in rows(doc)]
    return {name: _TYPES.get(name) for name in columns(table)}, table


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes as columns ``task.name``, without offsets, ranks and what the task's own columns tell already."""
    annotator, attrs = row["task"], row["attrs"]
    flat = {name: value for name, value in row.items() if name != "attrs"}
    flat["why"] = attrs.get("why")
    has_rows = any(name.startswith(f"{annotator}.") for name in row)
    for name, value in attrs.items():
        column = f"{annotator}.{name}"
        if name in _LEFT_OUT or name.endswith(("_start", "_end")) or column in row:
            continue
        if not has_rows or name.startswith("deci"):
            flat[column] = _readable(value)
    flat["links"] = "; ".join(f"{role}: {' '.join(ids)}" for role, ids in row["links"].items())
    return {name: _readable(value) for name, value in flat.items()}


def _readable(value: Any) -> Any:
    """A list as its members with a semicolon between them; of objects, the first thing that each says."""
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_readable(inner)}" for name, inner in value.items())
    if isinstance(value, (list, tuple)):
        said = (next(iter(one.values()), "") if isinstance(one, Mapping) else one for one in value)
        return "; ".join(str(_readable(one)) for one in said)
    return value


def _kind(values: Sequence[Any]) -> str:
    """The narrowest type that holds all values of a task's own column."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "bool"
    if kinds == {int}:
        return "int64"
    return "float64" if kinds and kinds <= {int, float} else "string"


def cell_text(value: Any) -> str:
    """Nothing is empty; truth is ``true`` or ``false``; a list is JSON."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


CSV = Format(
    name="csv",
    suffixes=(".csv",),
    media="text/csv",
    write=dump_csv,
    write_rows=format_csv,
)
PARQUET = Format(
    name="parquet",
    suffixes=(".parquet",),
    media="application/vnd.apache.parquet",
    extra=Extra(
        name="parquet", package="pyarrow", module="pyarrow", actions=("write", "write_rows")
    ),
    write=dump_parquet,
    write_rows=format_parquet,
)
TSV = Format(name="tsv", suffixes=(".tsv",), media="text/tab-separated-values")
"""The official layout of a shared task, which only the task can write."""


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
