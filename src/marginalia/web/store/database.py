"""The SQLite file of a library: opened, checked, brought up to date; one connection that threads share."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError

TIMEOUT_SECONDS = 10


class Database:
    """A connection under a lock. A ``with db.change()`` is written as a whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        try:
            self._db = _connect(path)
            fault = first_fault(self._db)
            if fault:
                raise sqlite3.DatabaseError(fault)
            _migrate(self._db, path)
        except sqlite3.Error as error:
            raise FormatError(
                f"the library is damaged or cannot be opened ({error}): import an exported copy "
                "into a new folder, and name that one",
                path=path,
            ) from error

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    def row(self, sql: str, values: tuple[Any, ...] = ()) -> sqlite3.Row | None:
        with self._lock:
            found: sqlite3.Row | None = self._db.execute(sql, values).fetchone()
            return found

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """A transaction: when this has ended without an error, its changes are on the disk."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def faults(self) -> list[str]:
        """What ``PRAGMA integrity_check``, the foreign keys and the search index have to complain about."""
        with self._lock:
            problems = [str(row[0]) for row in self._db.execute("PRAGMA integrity_check")]
            problems = [] if problems == ["ok"] else problems
            problems += [
                f"a row of {row[0]} belongs to nothing"
                for row in self._db.execute("PRAGMA foreign_key_check")
            ]
            try:
                self._db.execute("INSERT INTO search (search) VALUES ('integrity-check')")
            except sqlite3.DatabaseError as error:
                problems.append(f"the search index does not fit the texts: {error}")
            return problems

    def close(self) -> None:
        with self._lock:
            self._db.close()


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def first_fault(db: sqlite3.Connection) -> str:
    """What is wrong with the file, quickly looked for; empty if nothing is."""
    said = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
    return "" if said == "ok" else said


def migrations() -> list[tuple[int, str]]:
    """Number and SQL of each step, in order."""
    folder = files(__package__).joinpath("migrations")
    found = [entry for entry in folder.iterdir() if entry.name.endswith(".sql")]
    return sorted((int(one.name.split("_")[0]), one.read_text(encoding="utf-8")) for one in found)


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(
        path, timeout=TIMEOUT_SECONDS, check_same_thread=False, isolation_level=None
    )
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA journal_mode = WAL")
    # What was confirmed must be on the disk, also when the power goes.
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    return db


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    """All steps that are missing, each written as a whole."""
    steps = migrations()
    have = int(db.execute("PRAGMA user_version").fetchone()[0])
    if have > steps[-1][0]:
        raise FormatError("the library was made by a newer release: install that one", path=path)
    for number, sql in steps:
        if number > have:
            db.executescript(f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {number};\nCOMMIT;")
