"""The tables of a corpus: their columns, and rows as Arrow and Parquet."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from marginalia.core.annotator import Annotator
from marginalia.core.document import Document
from marginalia.core.errors import missing_package
from marginalia.core.registry import all_annotators
from marginalia.core.report import plain
from marginalia.reader.passages import WIDTH

Row = Mapping[str, Any]

KEYS = {"document": "string", "key": "string"}
"""In every table: the document's name, and the key of its content and the settings."""
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "documents": {
        "source": "string",
        "path": "string",
        "sha256": "string",
        "title": "string",
        "lang": "string",
        "format": "string",
        "year": "int32",
        "group": "string",
        "characters": "int64",
        "words": "int64",
        "pages": "int32",
        "notes": "int64",
        "text": "string",
        "meta": "string",
    },
    "annotations": {
        "id": "string",
        "task": "string",
        "label": "string",
        "start": "int64",
        "end": "int64",
        "quote": "string",
        "score": "float64",
        "page": "int32",
        "system": "string",
        "attrs": "string",
        "links": "string",
    },
    "links": {
        "annotation": "string",
        "task": "string",
        "role": "string",
        "target": "string",
        "label": "string",
        "score": "float64",
        "quote": "string",
        "start": "int64",
        "end": "int64",
        "page": "int32",
    },
    "passages": {
        "number": "int32",
        "start": "int64",
        "end": "int64",
        "page": "int32",
        "section": "string",
        "text": "string",
        "encoder": "string",
        "vector": "vector",
    },
    "errors": {"source": "string", "path": "string", "kind": "string", "reason": "string"},
}
_TYPES = {str: "string", int: "int64", float: "float64", bool: "bool", list: "string"}


def record_table(annotator: Annotator) -> str:
    """The table of an annotator's records, which has its name."""
    return annotator.name


@cache
def schema(table: str) -> Any:
    """The Arrow schema of a table."""
    pa = arrow()
    kinds = {"vector": pa.list_(pa.field("item", pa.float16()), WIDTH)}
    columns = {**KEYS, **(COLUMNS[table] if table in COLUMNS else _record_columns(table))}
    return pa.schema([(name, kinds.get(kind) or kind) for name, kind in columns.items()])


def _record_columns(table: str) -> dict[str, str]:
    """Those that the task itself gives its records; an empty document has none, but the columns are there."""
    extract = next(
        one.extract for one in all_annotators() if one.extract and record_table(one) == table
    )
    found = extract(Document(id="-", text="", meta={"lang": "en"}))
    return {name: _TYPES[kind] for name, kind in found.columns.items() if name not in KEYS}


def make_table(table: str, rows: Sequence[Row]) -> Any:
    """Rows as an Arrow table. Where a column is text, lists and objects are JSON."""
    pa = arrow()
    arrays = []
    for field in schema(table):
        values = [row.get(field.name) for row in rows]
        if pa.types.is_string(field.type):
            values = [as_text(value) for value in values]
        if pa.types.is_fixed_size_list(field.type):
            arrays.append(_vectors(values, field.type))
        else:
            arrays.append(pa.array(values, type=field.type))
    return pa.table(arrays, schema=schema(table))


def as_text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(plain(value), ensure_ascii=False)


def _vectors(values: list[Any], kind: Any) -> Any:
    import numpy as np

    pa = arrow()
    if not values or values[0] is None:
        return pa.nulls(len(values), kind)
    flat = pa.array(np.concatenate(values).astype(np.float16))
    return pa.FixedSizeListArray.from_arrays(flat, type=kind)


def to_ipc(table: Any) -> bytes:
    """A table as a message to another process."""
    pa = arrow()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def from_ipc(data: bytes) -> Any:
    return arrow().ipc.open_stream(data).read_all()


def to_parquet(tables: Iterable[Any]) -> bytes:
    """Tables of one schema as one Parquet file."""
    from pyarrow import parquet

    out = io.BytesIO()
    joined = arrow().concat_tables(list(tables))
    parquet.write_table(joined, out, compression="zstd", use_dictionary=True)
    return out.getvalue()


def arrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise missing_package("A corpus", "pyarrow", "corpus") from error
    return pyarrow
