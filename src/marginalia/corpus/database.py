"""DuckDB over the committed Parquet files: a view for each table, with what is in the corpus now.

A statement reads those files and no others, and writes none, unless the user allows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, missing_package
from marginalia.corpus.store import Inventory, Store
from marginalia.corpus.tables import COLUMNS, KEYS

ACROSS = ("repeats", "contradictions")
"""Views of what was compared across documents, once `report` has done so."""

_WRITES = re.compile(r"\b(?:COPY|EXPORT|ATTACH)\b", re.IGNORECASE)
"""Statements that could write the files which the views may read, also inside of EXPLAIN ANALYZE or PREPARE."""

_SQL_TYPES = {
    "string": "VARCHAR",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "float64": "DOUBLE",
    "vector": "FLOAT[]",
}


class Database:
    """An in-memory database whose views read the files."""

    def __init__(self, connection: Any, tables: list[str], *, allow_files: bool) -> None:
        self.connection, self.tables, self.allow_files = connection, tables, allow_files

    def query(self, sql: str, values: list[Any] | None = None) -> Any:
        import duckdb

        try:
            self._check(sql)
            result = self.connection.execute(sql, values or [])
        except duckdb.Error as error:
            raise _refused(error) from error
        if result is None:
            raise FormatError("the query is empty")
        return result

    def batches(self, sql: str, size: int) -> Iterator[Any]:
        """What a query finds as Arrow tables of about so many rows, one in memory at a time; the last may be empty."""
        import duckdb
        import pyarrow

        try:
            self._check(sql)
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

    def _check(self, sql: str) -> None:
        """DuckDB itself would let a statement write to the paths it may read."""
        import duckdb

        for statement in () if self.allow_files else self.connection.extract_statements(sql):
            if statement.type != duckdb.StatementType.SELECT and _WRITES.search(statement.query):
                raise _no_files()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()


def _no_files() -> FormatError:
    return FormatError(
        "the query cannot be run: it reaches for files or programs outside of the corpus; --allow-files lets it"
    )


def _refused(error: Exception) -> FormatError:
    """What DuckDB says in its first lines; then it shows the query again."""
    import duckdb

    if isinstance(error, duckdb.PermissionException):
        return _no_files()
    said = [line for line in str(error).split("\nLINE ")[0].splitlines() if line.strip()]
    return FormatError(f"the query cannot be run: {' '.join(said)[:500]}")


def connect(store: Store, *, allow_files: bool = False) -> Database:
    """The views ``documents``, ``annotations``, ``links``, ``passages``, ``errors`` and those of records.

    Rows of documents that are gone or were replaced are in none of them; ``all_documents`` has every document that is known,
    with its ``status``. With ``allow_files`` a statement may read and write files as the user may.
    """
    try:
        import duckdb
    except ImportError as error:
        raise missing_package("A query", "duckdb", "corpus") from error
    inventory = Inventory.of(store.commits())
    files: dict[str, list[Path]] = {}
    for record in store.commits():
        for path in record["files"]:
            files.setdefault(path.partition("/")[0], []).append(store.folder / path)
    tables = list(dict.fromkeys([*COLUMNS, *sorted(files)]))
    for name in ACROSS:
        path = store.folder / "across" / f"{name}.parquet"
        if path.is_file():
            files[name] = [path]
            tables.append(name)
    connection = duckdb.connect()
    # Nothing is fetched from the network, whatever a query names.
    connection.execute(
        "SET autoinstall_known_extensions = false; SET autoload_known_extensions = false"
    )
    if not allow_files:
        every = [path for paths in files.values() for path in paths]
        connection.execute(f"SET allowed_paths = {path_list(every)}")
        connection.execute("SET enable_external_access = false; SET lock_configuration = true")
    hidden = inventory.hidden()
    connection.execute("CREATE TABLE hidden_keys (key VARCHAR)")
    if hidden:
        connection.executemany(
            "INSERT INTO hidden_keys VALUES (?)", [[key] for key in sorted(hidden)]
        )
    where = " WHERE key NOT IN (SELECT key FROM hidden_keys)" if hidden else ""
    try:
        for table in tables:
            _view(connection, table, files.get(table, []), "" if table in ACROSS else where)
        _all_documents(connection, inventory)
    except duckdb.Error as error:
        raise FormatError(f"a table cannot be read: {error}"[:500], path=store.folder) from error
    return Database(connection, tables, allow_files=allow_files)


def path_list(files: Iterable[Path]) -> str:
    """Paths as a list in SQL: the settings and the definition of a view take no bound values."""
    quoted = (str(path.absolute()).replace("'", "''") for path in files)
    return "[" + ", ".join(f"'{path}'" for path in quoted) + "]"


def _view(connection: Any, name: str, files: list[Path], where: str) -> None:
    if not files:
        columns = {**KEYS, **COLUMNS[name]}
        typed = ", ".join(f'"{column}" {_SQL_TYPES[kind]}' for column, kind in columns.items())
        connection.execute(f'CREATE TABLE "{name}" ({typed})')
        return
    source = f"read_parquet({path_list(files)}, union_by_name = {str(len(files) > 1).lower()})"
    connection.execute(f'CREATE VIEW "{name}" AS SELECT * FROM {source}{where}')


def _all_documents(connection: Any, inventory: Inventory) -> None:
    import pyarrow

    names = list(inventory.documents)
    status = [
        "gone" if known.gone else "error" if known.failed else "present"
        for known in inventory.documents.values()
    ]
    sources = [known.source for known in inventory.documents.values()]
    columns = {"document": names, "source": sources, "status": status}
    text = pyarrow.string()
    arrays = [pyarrow.array(values, text) for values in columns.values()]
    connection.register("known_documents", pyarrow.table(arrays, names=list(columns)))
    connection.execute("CREATE VIEW all_documents AS SELECT * FROM known_documents")
