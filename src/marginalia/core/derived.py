"""Files that a task computes from fetched ones.

A record in the data folder says which files we computed, so that nobody else's file is overwritten.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from marginalia.core.benchmark import Benchmark
from marginalia.core.errors import FormatError
from marginalia.core.files import file_sha256, read_json, write_file
from marginalia.core.sources import check_path

RECORD = ".derived.json"
"""In the data folder: path -> SHA-256 of what we wrote there."""


@dataclass(frozen=True, slots=True)
class Derived:
    """``written`` files are new or renewed; ``kept`` ones hold something else that is not ours."""

    written: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def derive(task: Benchmark, folder: Path, *, force: bool = False) -> Derived:
    """Compute the derived files; ``force`` overwrites those that somebody else put there."""
    if task.derive is None:
        return Derived()
    files = {check_path(path): text for path, text in task.derive(folder).items()}
    record = read_json(folder / RECORD) if (folder / RECORD).exists() else {}
    if not isinstance(record, dict):
        raise FormatError("expected an object of paths and hashes", path=folder / RECORD)
    written, kept = [], []
    for path, text in files.items():
        ours = hashlib.sha256(text.encode()).hexdigest()
        there = file_sha256(folder / path) if (folder / path).exists() else None
        if there == ours:
            continue
        if there is not None and there != record.get(path) and not force:
            kept.append(path)
            continue
        write_file(folder / path, text)
        record[path] = ours
        written.append(path)
    if written:
        write_file(folder / RECORD, json.dumps(record, indent=1, sort_keys=True) + "\n")
    return Derived(tuple(written), tuple(kept))
