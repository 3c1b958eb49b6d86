"""Folders for files that are not finished: made beside their place, gone afterwards, also those of a process that was killed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from marginalia.core.errors import FormatError

PREFIX = ".half-written-"
TRIES = 10
"""Another process may take a new folder for a leftover in the moment before it is held."""


@contextmanager
def unfinished(folder: Path) -> Iterator[Path]:
    """A new folder on the disk of ``folder``, which is removed in the end. What killed processes left there goes first."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder.absolute())
        half, held = _make(folder)
    except OSError as error:  # the name of the half-written folder would say little
        raise FormatError(f"nothing can be written there: {error.strerror}", path=folder) from error
    try:
        yield half
    finally:
        shutil.rmtree(half, ignore_errors=True)
        if held is not None:
            os.close(held)


def _make(folder: Path) -> tuple[Path, int | None]:
    for _ in range(TRIES):
        half = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        held = _hold(half)
        if half.is_dir():
            return half, held
        if held is not None:
            os.close(held)
    raise OSError(0, "another process removes what is being written")


def _hold(half: Path) -> int | None:
    """Lock a folder for as long as this process lives; where folders cannot be locked, nothing is ever swept."""
    with suppress(ImportError, OSError):
        import fcntl

        handle = os.open(half, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise
        return handle
    return None


@cache
def _sweep(folder: Path) -> None:
    """Once for each folder and process: who writes many files there need not list them before each."""
    for half in folder.glob(f"{PREFIX}*"):
        if half.is_dir() and not half.is_symlink() and (held := _hold(half)) is not None:
            shutil.rmtree(half, ignore_errors=True)
            os.close(held)
