"""Files of a library: each moved to a folder of its own, under a name that never leads out of it."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path

_NAME = re.compile(r"[^\w.\- ]+")


def place_file(folder: Path, id: str, name: str, incoming: Path) -> tuple[str, str, int]:
    """Move a file that came in below ``folder``; where it lies there, its SHA-256 and its size. Then it is on the disk."""
    with incoming.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        os.fsync(stream.fileno())
        size = os.fstat(stream.fileno()).st_size
    clean = _NAME.sub("_", Path(name.replace("\0", "_")).name).strip(". ")
    while len(clean.encode()) > 160:  # what file systems take is counted in bytes
        clean = clean[1:]
    file = f"{id}/{digest[:16]}/{clean or 'text.txt'}"
    target = folder / file
    target.parent.mkdir(parents=True, exist_ok=True)
    incoming.replace(target)
    for one in (target.parent, target.parent.parent, folder):
        _sync_folder(one)
    return file, digest, size


def _sync_folder(folder: Path) -> None:
    """The name of a new file is on the disk only when its folder is; Windows has no such call."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
