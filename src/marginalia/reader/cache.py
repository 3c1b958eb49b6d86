"""Notes kept in SQLite: reading the same text with the same systems again costs nothing."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from glob import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from marginalia import __version__
from marginalia.core.annotator import Annotator
from marginalia.core.distributions import find_weights
from marginalia.core.document import Annotation, Document
from marginalia.core.entry_points import entries
from marginalia.core.errors import FormatError
from marginalia.core.own_weights import own_digest
from marginalia.core.registry import BENCHMARKS
from marginalia.core.report import plain
from marginalia.nlp.cache import cache_folder

MAX_ENTRIES = 5_000
"""What was used least recently beyond these is dropped."""
CLOCKS_DIFFER = 86_400.0
"""Seconds; what was used later than so much from now was dated by a wrong clock."""

SHARED = tuple(f"marginalia.{name}" for name in ("lang", "lexicon", "nlp", "quantities"))
"""Packages that every annotator may read with."""

_BROKEN = (sqlite3.Error, OSError, UnicodeDecodeError)
"""What a database says that cannot be used; some of its messages quote bytes of the file."""


@dataclass(frozen=True, slots=True)
class Found:
    notes: tuple[Annotation, ...]
    summary: Mapping[str, Any] | None


def default_path() -> Path:
    """``notes.sqlite`` in MARGINALIA_CACHE, or in the user's cache folder."""
    return cache_folder() / "notes.sqlite"


class NoteCache:
    """Notes by content, task, version of its system, and options. Threads may share one.

    A cache that cannot be read or written is ignored; nothing fails because of it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def get(self, doc: Document, annotator: Annotator, options: Mapping[str, str]) -> Found | None:
        key = _key(doc, annotator, options)
        with self._lock, suppress(*_BROKEN):
            row = self._open().execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone()
            if row is not None:
                with self._open() as db:
                    db.execute("UPDATE notes SET used = ? WHERE key = ?", (time.time(), key))
                return _unpack(row[0], doc)
        return None

    def put(
        self,
        doc: Document,
        annotator: Annotator,
        options: Mapping[str, str],
        notes: Iterable[Annotation],
        summary: Mapping[str, Any] | None,
    ) -> None:
        value = json.dumps(plain({"notes": [note.to_dict() for note in notes], "summary": summary}))
        now = time.time()
        row = (_key(doc, annotator, options), now, zlib.compress(value.encode(), 3))
        with self._lock, suppress(*_BROKEN), self._open() as db:
            # What a clock that was wrong dated ahead would stay for good and leave no room for anything else.
            db.execute("UPDATE notes SET used = 0 WHERE used > ?", (now + CLOCKS_DIFFER,))
            db.execute("INSERT OR REPLACE INTO notes (key, used, value) VALUES (?, ?, ?)", row)
            db.execute(
                "DELETE FROM notes WHERE key IN (SELECT key FROM notes ORDER BY used DESC LIMIT -1 OFFSET ?)",
                (MAX_ENTRIES,),
            )

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._db = _connect(self.path)
            except sqlite3.OperationalError:  # locked, or no right to write
                raise
            except (
                sqlite3.DatabaseError,
                UnicodeDecodeError,
            ):  # damaged: put aside, or nothing would be kept ever after
                self.path.replace(self.path.with_suffix(".damaged"))
                self._db = _connect(self.path)
        return self._db


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=5, check_same_thread=False)
    try:
        db.execute("CREATE TABLE IF NOT EXISTS notes (key BLOB PRIMARY KEY, used REAL, value BLOB)")
    except _BROKEN:
        db.close()
        raise
    return db


def _unpack(value: bytes, doc: Document) -> Found | None:
    """What was kept; nothing where it is damaged or lies outside of the text."""
    try:
        data = json.loads(zlib.decompress(value))
        notes = tuple(Annotation.from_dict(note) for note in data["notes"])
        summary = data["summary"]
    except (zlib.error, ValueError, KeyError, TypeError, RecursionError, FormatError):
        return None
    is_whole = all(doc.text[note.start : note.end] == note.quote for note in notes)
    return Found(notes, summary) if is_whole and isinstance(summary, dict | None) else None


def _key(doc: Document, annotator: Annotator, options: Mapping[str, str]) -> bytes:
    facts = {
        "text": doc.text,
        "lang": doc.meta.get("lang"),
        "regions": doc.meta.get("regions"),
        "sections": doc.meta.get("sections"),
        "tables": doc.meta.get("tables"),
        "task": annotator.name,
        "version": version(annotator),
        "options": [_option(*pair) for pair in sorted(annotator.own_options(options).items())],
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).digest()


def _option(name: str, value: str) -> tuple[str, str, object]:
    """An option that names a file or folder means what is in it, and what is kept with it, such as decisions."""
    stats: list[tuple[int, int]] = []
    with suppress(OSError, ValueError):
        path = Path(value)
        stat = path.stat()
        beside = path.iterdir() if path.is_dir() else path.parent.glob(f"{escape(path.name)}.*")
        stats = [
            (one.st_size, one.st_mtime_ns) for one in (stat, *(p.stat() for p in sorted(beside)))
        ]
    return name, value, stats


def version(annotator: Annotator) -> str:
    """What changes whenever the code, the data or the weights behind an annotator's notes do."""
    code = [_stamp(_home(module)) for module in _modules(annotator)]
    weights = [f"{_stamp(find_weights(name))} {own_digest(name)}" for name in annotator.uses]
    return " ".join((__version__, *code, *weights))


def _modules(annotator: Annotator) -> list[str]:
    """What makes the notes: the annotator, the tasks whose systems it uses, and what all of them read with."""
    annotate: object = annotator.annotate
    own = getattr(annotate, "target", (getattr(annotate, "__module__", ""),))[0]
    tasks = {entry.name: entry.module for entry in entries(BENCHMARKS.group)}
    return [own, *(tasks[name] for name in annotator.uses if name in tasks), *SHARED]


@cache
def _home(module: str) -> Path | None:
    spec = find_spec(module) if module else None
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


@cache
def _stamp(folder: Path | None) -> str:
    if folder is None:
        return ""
    # Not what Python writes beside the code when it first runs it, nor the folders that hold it.
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".pyc")
    stats = (path.stat() for path in files)
    return hashlib.sha256(repr([(s.st_size, s.st_mtime_ns) for s in stats]).encode()).hexdigest()
