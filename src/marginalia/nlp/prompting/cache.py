"""Answers kept in SQLite by model, options and request: what was answered once is not asked, nor paid, again."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from marginalia.nlp.cache import cache_folder
from marginalia.nlp.prompting.answer import Answers, read_answer
from marginalia.nlp.prompting.prompt import NUMBER, Request

MAX_ENTRIES = 100_000
"""The oldest beyond these are dropped."""
_BROKEN = (sqlite3.Error, OSError, ValueError)


class AnswerCache:
    """Threads may share one. A cache that cannot be read or written is ignored; nothing fails because of it."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or cache_folder() / "answers.sqlite"
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def get(self, model: str, options: Mapping[str, Any], request: Request) -> Answers:
        """The valid answers to the lines of a request; empty where none is known."""
        with self._lock, suppress(*_BROKEN):
            query = "SELECT value FROM answers WHERE key = ?"
            row = self._open().execute(query, (_key(model, options, request),)).fetchone()
            if row is not None:
                return read_answer({"answers": json.loads(row[0])}, request)
        return {}

    def put(
        self, model: str, options: Mapping[str, Any], request: Request, answers: Answers
    ) -> None:
        """Kept at once, so that an interrupted run loses nothing."""
        value = json.dumps([{**answer, NUMBER: n} for n, answer in answers.items()])
        row = (_key(model, options, request), time.time(), value)
        with self._lock, suppress(*_BROKEN), self._open() as db:
            db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", row)
            db.execute(
                "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY made DESC LIMIT -1 OFFSET ?)",
                (MAX_ENTRIES,),
            )

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self.path, check_same_thread=False)
            db.execute(
                "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, made REAL, value TEXT)"
            )
            db.execute("CREATE INDEX IF NOT EXISTS by_age ON answers (made)")
            self._db = db
        return self._db


def _key(model: str, options: Mapping[str, Any], request: Request) -> str:
    said = json.dumps([model, dict(sorted(options.items())), request.key], default=str)
    return hashlib.sha256(said.encode()).hexdigest()
