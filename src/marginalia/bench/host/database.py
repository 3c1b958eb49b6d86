"""SQLite or PostgreSQL: connections, transactions that write one after another, and the tables of a competition.

Both databases are used in the same way: a transaction that writes holds the only write lock, so what it has read stays
true until it ends. SQLite has that lock itself (``BEGIN IMMEDIATE``), PostgreSQL gives an advisory one.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from marginalia.core.errors import MarginaliaError, MissingError, missing_package

WRITE_LOCK = 0x6D617267
"""The number of the advisory lock: any that others do not take."""
WAIT_SECONDS = 60
PREFIXES = ("postgresql://", "postgres://")
TABLES = """
CREATE TABLE IF NOT EXISTS teams (
    id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    token TEXT NOT NULL UNIQUE,
    organiser INTEGER NOT NULL,
    created TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS submissions (
    id BIGINT PRIMARY KEY,
    team BIGINT NOT NULL REFERENCES teams (id),
    phase TEXT NOT NULL,
    request TEXT NOT NULL,
    file TEXT NOT NULL,
    description TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    content BLOB NOT NULL,
    received TEXT NOT NULL,
    late INTEGER NOT NULL,
    withdrawn TEXT,
    leased_until DOUBLE PRECISION NOT NULL,
    attempts INTEGER NOT NULL,
    UNIQUE (team, request)
);
CREATE TABLE IF NOT EXISTS results (
    submission BIGINT PRIMARY KEY REFERENCES submissions (id),
    scores TEXT,
    problem TEXT,
    finished TEXT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL
);
CREATE TABLE IF NOT EXISTS ledger (
    number BIGINT PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    detail TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE
)
"""
# The chain shows that an entry was changed; the triggers keep it from happening by mistake.
SQLITE_TRIGGERS = tuple(
    f"CREATE TRIGGER IF NOT EXISTS ledger_no_{verb} BEFORE {verb} ON ledger "
    "BEGIN SELECT RAISE(ABORT, 'the ledger is only ever added to'); END"
    for verb in ("update", "delete")
)
POSTGRES_TRIGGERS = (
    "CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE EXCEPTION 'the ledger is only ever added to'; END $$",
    "CREATE OR REPLACE TRIGGER ledger_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger "
    "FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change()",
)


class DatabaseError(MarginaliaError):
    """The database cannot be used now."""


class Rows:
    """A transaction: statements with ``?`` for values, in either database."""

    def __init__(self, cursor: Any, *, postgres: bool) -> None:
        self._cursor, self._postgres = cursor, postgres

    def run(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; how many rows it changed."""
        self._cursor.execute(sql.replace("?", "%s") if self._postgres else sql, tuple(values))
        return int(self._cursor.rowcount)

    def all(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        self.run(sql, values)
        return [tuple(row) for row in self._cursor.fetchall()]

    def one(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        rows = self.all(sql, values)
        return rows[0] if rows else None

    def value(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The first value of the first row."""
        row = self.one(sql, values)
        return None if row is None else row[0]


class Database:
    """One connection for each thread. ``url`` is a ``postgresql://`` address, or the path of an SQLite file."""

    def __init__(self, url: str | Path) -> None:
        self.url = str(url)
        self.is_postgres = self.url.startswith(PREFIXES)
        self._local = threading.local()

    @contextmanager
    def write(self) -> Iterator[Rows]:
        """A transaction that no other writes beside: all of it is kept, or nothing."""
        with self._transaction("BEGIN" if self.is_postgres else "BEGIN IMMEDIATE") as rows:
            if self.is_postgres:
                rows.run("SELECT pg_advisory_xact_lock(?)", (WRITE_LOCK,))
            yield rows

    @contextmanager
    def read(self) -> Iterator[Rows]:
        """A transaction that sees one state of the database."""
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if self.is_postgres else "BEGIN"
        with self._transaction(begin) as rows:
            yield rows

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Rows]:
        connection = self._connection()
        cursor = connection.cursor()
        try:
            cursor.execute(begin)
            yield Rows(cursor, postgres=self.is_postgres)
            cursor.execute("COMMIT")
        except BaseException as error:
            # A connection in doubt is never used again; what it had begun is undone with it.
            self.close()
            if self._is_outage(error):
                raise DatabaseError(
                    f"the database cannot be used: {' '.join(str(error).split())[:200]}"
                ) from error
            raise
        finally:
            with suppress(Exception):
                cursor.close()

    def _is_outage(self, error: BaseException) -> bool:
        if self.is_postgres:
            import psycopg

            return isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError))
        return isinstance(error, sqlite3.OperationalError)

    def _connection(self) -> Any:
        found = getattr(self._local, "connection", None)
        if found is None:
            found = self._local.connection = self._connect()
        return found

    def _connect(self) -> Any:
        if self.is_postgres:
            return _connect_postgres(self.url)
        try:
            connection = sqlite3.connect(self.url, timeout=WAIT_SECONDS, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA foreign_keys=ON")
        except sqlite3.Error as error:
            raise DatabaseError(f"{self.url}: the database cannot be opened: {error}") from error
        return connection

    def close(self) -> None:
        """Close the connection of this thread."""
        connection = getattr(self._local, "connection", None)
        self._local.connection = None
        if connection is not None:
            with suppress(Exception):
                connection.close()


def _connect_postgres(url: str) -> Any:
    try:
        import psycopg
    except ImportError as error:
        raise missing_package("A PostgreSQL database", error.name, "postgres") from error
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=WAIT_SECONDS)
    except psycopg.OperationalError as error:
        said = " ".join(str(error).split())[:200]
        raise MissingError(
            f"The PostgreSQL server of DATABASE_URL does not answer: {said}"
        ) from error


def create_tables(database: Database) -> None:
    """Make the tables that are not there yet."""
    tables = TABLES.replace("BLOB", "BYTEA") if database.is_postgres else TABLES
    triggers = POSTGRES_TRIGGERS if database.is_postgres else SQLITE_TRIGGERS
    with database.write() as rows:
        for statement in (*tables.split(";"), *triggers):
            rows.run(statement)
