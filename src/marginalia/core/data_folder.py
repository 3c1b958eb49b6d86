"""Where the shared tasks' data lie on this machine."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from marginalia.core.errors import MissingError

DATA_VARIABLE = "MARGINALIA_DATA"


def data_folder(named: str | Path | None = None, *, must_exist: bool = True) -> Path:
    """The named folder, or that of ``MARGINALIA_DATA``.

    Only what fills the folder may do without it.
    """
    chosen = named or os.environ.get(DATA_VARIABLE)
    if not chosen:
        raise MissingError(
            f"No data folder is named: set {DATA_VARIABLE} or pass `data=`; `fetch_data(task)` fills one."
        )
    folder = Path(chosen).expanduser()
    if must_exist and not folder.is_dir():
        raise MissingError(f"The data folder {folder} does not exist; `fetch_data(task)` makes it.")
    return folder


def require_data(path: Path, task: str) -> Path:
    """The path, if it is there."""
    if not path.exists():
        raise MissingError(
            f"{path} is not there; get it with `fetch_data({task!r})` or "
            f"`import_data({task!r}, folder)`."
        )
    return path


def data_hash(files: Iterable[Path]) -> str:
    """SHA-256 over the contents of the files a split was read from, in order."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
