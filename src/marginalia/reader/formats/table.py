"""Annotations as a table: CSV, or Parquet with types."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import MissingError
from marginalia.core.table import format_table
from marginalia.reader.view.rows import columns, rows

_TYPES = {"start": "int64", "end": "int64", "page": "int64", "score": "float64"}
"""Columns of Parquet that are no text, whatever stands in them."""
_JSON = ("attrs", "links")


def dump_csv(docs: Sequence[Document]) -> str:
    return format_csv(*_table(docs))


def dump_parquet(docs: Sequence[Document]) -> bytes:
    return format_parquet(*_table(docs), _TYPES)


def format_csv(names: Sequence[str], table: Sequence[Mapping[str, Any]]) -> str:
    """The rows with a header. Nothing is an empty cell; truth is ``true`` or ``false``; a list is JSON."""
    body = ([_cell(row.get(name)) for name in names] for row in table)
    return format_table([names, *body], quoted=True, delimiter=",")


def format_parquet(
    names: Sequence[str], table: Sequence[Mapping[str, Any]], types: Mapping[str, str]
) -> bytes:
    """The same with types: those given, else the narrowest that holds what stands in the column."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingError(
            "Parquet needs pyarrow: install it with pip install 'marginalia[parquet]'."
        ) from None
    arrays = []
    for name in names:
        values = [row.get(name) for row in table]
        kind = types.get(name) or _kind(values)
        if kind == "string":
            values = [None if value is None else _cell(value) for value in values]
        arrays.append(pyarrow.array(values, type=kind))
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays, names=names), out)
    return out.getvalue()


def _table(docs: Sequence[Document]) -> tuple[list[str], list[dict[str, Any]]]:
    table = [row for doc in docs for row in rows(doc)]
    for row in table:
        row.update({name: json.dumps(row[name], ensure_ascii=False) for name in _JSON})
    return columns(table), table


def _kind(values: Sequence[Any]) -> str:
    """The narrowest type that holds all values of a task's own column."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "bool"
    if kinds == {int}:
        return "int64"
    return "float64" if kinds and kinds <= {int, float} else "string"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
