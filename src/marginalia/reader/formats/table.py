"""Annotations as a table: CSV, or Parquet with types."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from marginalia.core.document import Document
from marginalia.core.table import format_table, harmless
from marginalia.reader.formats.format import Columns, Extra, Format
from marginalia.reader.view.rows import columns, rows

_TYPES = {"start": int, "end": int, "page": int, "score": float}
"""Columns that are no text, whatever stands in them."""
_PARQUET = {str: "string", int: "int64", float: "float64", bool: "bool", list: "string"}
_LEFT_OUT = ("why", "usefulness", "start", "end")
"""Attributes that have a column for all tasks, or mean something to programs only."""


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
