"""One process at a time: a lock that ends with the process that holds it, however that ends."""

from __future__ import annotations

import os
from pathlib import Path

from marginalia.core.errors import FormatError


class Lock:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.handle: int | None = None

    def take(self) -> Lock:
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(handle)
        except OSError as error:
            os.close(handle)
            raise FormatError(
                "another process is writing this corpus: wait until it has ended",
                path=self.path.parent,
            ) from error
        self.handle = handle
        return self

    def release(self) -> None:
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None


try:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

except ImportError:  # Windows
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
