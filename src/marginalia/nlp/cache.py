"""What is kept because it takes long to compute: the folder for it, vectors on disk, and the last passes of an encoder."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import FormatError

if TYPE_CHECKING:
    from marginalia.nlp.encoder import Tokens

Floats = NDArray[np.float32]

MIN_CACHED_TOKENS = 12
"""Passes of fewer tokens are quickly made again, and would drive out the others."""


def cache_folder() -> Path:
    """MARGINALIA_CACHE, or the user's cache folder."""
    from platformdirs import user_cache_path

    named = os.environ.get("MARGINALIA_CACHE")
    return Path(named) if named else user_cache_path("marginalia", appauthor=False)


class VectorCache:
    """An SQLite file of vectors. The key is a hash of the model's own hash and the text."""

    def __init__(self, path: Path, model: str, width: int) -> None:
        self.path, self.model, self.width = path, model, width

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(self.path)
        try:
            self.db.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, value BLOB)")
        except sqlite3.DatabaseError as error:
            self.db.close()
            raise FormatError(f"not a vector cache: {error}; delete it", path=self.path) from error
        return self

    def __exit__(self, *_: object) -> None:
        self.db.close()

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.model}\0{text}".encode()).digest()

    def get(self, texts: Iterable[str]) -> dict[str, Floats]:
        """The vectors that are there; one of the wrong length counts as absent."""
        found = {}
        for text in texts:
            row = self.db.execute(
                "SELECT value FROM vectors WHERE key = ?", (self._key(text),)
            ).fetchone()
            if row is not None and len(row[0]) == 4 * self.width:
                found[text] = np.frombuffer(row[0], dtype="<f4").astype(np.float32)
        return found

    def put(self, vectors: Mapping[str, Floats]) -> None:
        with self.db:
            self.db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                (
                    (self._key(text), vector.astype("<f4").tobytes())
                    for text, vector in vectors.items()
                ),
            )


class Recent:
    """Passes by text, the latest of them, up to ``room`` bytes. Threads may share it."""

    def __init__(self, room: int) -> None:
        self.room, self.size = room, 0
        self.kept: dict[str, Tokens] = {}
        self.lock = Lock()

    def get(self, text: str) -> Tokens | None:
        return self.kept.get(text)

    def put(self, text: str, tokens: Tokens) -> None:
        """Keep a pass, together with the layers that are known of the same text."""
        if len(tokens.offsets) < MIN_CACHED_TOKENS:
            return
        with self.lock:
            known = self.kept.pop(text, None)
            if known is not None:
                self.size -= known.size
                tokens = type(tokens)(tokens.offsets, known.layers | tokens.layers)
            if tokens.size > self.room:
                return
            self.kept[text] = tokens
            self.size += tokens.size
            while self.size > self.room:
                self.size -= self.kept.pop(next(iter(self.kept))).size
