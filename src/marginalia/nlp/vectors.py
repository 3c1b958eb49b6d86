"""Vectors kept on disk, by model and text."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import FormatError

Floats = NDArray[np.float32]


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
