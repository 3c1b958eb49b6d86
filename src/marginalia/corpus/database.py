"""DuckDB over the committed Parquet files: a view for each table, with what is in the corpus now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, missing_package
from marginalia.corpus.inventory import Inventory
from marginalia.corpus.store import Store
from marginalia.corpus.tables import COLUMNS, KEYS

ACROSS = ("repeats", "contradictions")
"""Views of what was compared across documents, once `report` has done so."""

_SQL_TYPES = {
    "string": "VARCHAR",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "float64": "DOUBLE",
    "vector": "FLOAT[]",
}


class Database:
    """An in-memory database whose views read the files."""

    def __init__(self, connection: Any, tables: list[str]) -> None:
        self.connection, self.tables = connection, tables

    def query(self, sql: str, values: list[Any] | None = None) -> Any:
        import duckdb

        try:
            found = self.connection.execute(sql, values or [])
        except duckdb.Error as error:
            raise _refused(error) from error
        if found is None:
            raise FormatError("the query is empty")
        return found

    def batches(self, sql: str, size: int) -> Iterator[Any]:
        """What a query finds as Arrow tables of about so many rows, one in memory at a time; the last may be empty."""
        import duckdb
        import pyarrow

        try:
            reader = self.connection.sql(sql).to_arrow_reader(size)
        except (duckdb.Error, AttributeError) as error:  # what is no query has no rows
            raise _refused(error) from error
        held: list[Any] = []
        for batch in reader:
            held.append(batch)
            if sum(one.num_rows for one in held) >= size:
                yield pyarrow.Table.from_batches(held)
                held = []
        yield pyarrow.Table.from_batches(held, schema=reader.schema)

    def rows(self, sql: str, values: list[Any] | None = None) -> list[dict[str, Any]]:
        found = self.query(sql, values)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()


def _refused(error: Exception) -> FormatError:
    """What DuckDB says in its first lines; then it shows the query again."""
    said = [line for line in str(error).split("\nLINE ")[0].splitlines() if line.strip()]
    return FormatError(f"the query cannot be run: {' '.join(said)[:500]}")


def connect(store: Store) -> Database:
    """The views ``documents``, ``annotations``, ``links``, ``passages``, ``errors`` and those of records.

    Rows of documents that are gone or were replaced are in none of them; ``all_documents`` has every document that is known,
    with its ``status``.
    """
    try:
        import duckdb
    except ImportError as error:
        raise missing_package("A query", "duckdb", "corpus") from error
    connection = duckdb.connect()
    # Nothing is fetched from the network, whatever a query names.
    connection.execute(
        "SET autoinstall_known_extensions = false; SET autoload_known_extensions = false"
    )
    found = Inventory.of(store.commits())
    hidden = found.hidden()
    connection.execute("CREATE TABLE hidden_keys (key VARCHAR)")
    if hidden:
        connection.executemany(
            "INSERT INTO hidden_keys VALUES (?)", [[key] for key in sorted(hidden)]
        )
    files: dict[str, list[Path]] = {}
    for record in store.commits():
        for path in record["files"]:
            files.setdefault(path.partition("/")[0], []).append(store.folder / path)
    tables = list(dict.fromkeys([*COLUMNS, *sorted(files)]))
    where = " WHERE key NOT IN (SELECT key FROM hidden_keys)" if hidden else ""
    for table in tables:
        _view(connection, table, files.get(table, []), where)
    for name in ACROSS:
        path = store.folder / "across" / f"{name}.parquet"
        if path.is_file():
            _view(connection, name, [path], "")
            tables.append(name)
    _all_documents(connection, found)
    return Database(connection, tables)


def _view(connection: Any, name: str, files: list[Path], where: str) -> None:
    if not files:
        columns = {**KEYS, **COLUMNS[name]}
        typed = ", ".join(f'"{column}" {_SQL_TYPES[kind]}' for column, kind in columns.items())
        connection.execute(f"CREATE TABLE {name} ({typed})")
        return
    listed = ", ".join("'" + str(path).replace("'", "''") + "'" for path in files)
    source = f"read_parquet([{listed}], union_by_name = {str(len(files) > 1).lower()})"
    connection.execute(f"CREATE VIEW {name} AS SELECT * FROM {source}{where}")


def _all_documents(connection: Any, found: Inventory) -> None:
    import pyarrow

    names = list(found.documents)
    status = [
        "gone" if known.gone else "error" if known.failed else "present"
        for known in found.documents.values()
    ]
    sources = [known.source for known in found.documents.values()]
    columns = {"document": names, "source": sources, "status": status}
    text = pyarrow.string()
    arrays = [pyarrow.array(values, text) for values in columns.values()]
    connection.register("known_documents", pyarrow.table(arrays, names=list(columns)))
    connection.execute("CREATE VIEW all_documents AS SELECT * FROM known_documents")
