"""Data files that ship inside the package, and their SHA-256.

``python -m marginalia.core.resources`` writes the hashes again after a data file was changed; a test says when that is due.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import parse_json, read_json, write_file

ROOT = Path(__file__).parents[1]
HASHES = ROOT / "hashes.json"
SUFFIXES = (".json", ".gz")
KEPT_ELSEWHERE = ("manifest.json", "tokenizer.json", "hashes.json")
"""Weights and what lies beside them have the hashes of their own manifest."""


def read_resource(package: str, name: str) -> Any:
    """The content of a JSON file, plain or ``.gz``, that lies beside a package's modules."""
    path = Path(str(files(package).joinpath(name)))
    data = resource_bytes(path)
    try:
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    except (OSError, EOFError, ValueError) as error:
        raise _damaged(path) from error
    return parse_json(text, path)


def resource_bytes(path: Path) -> bytes:
    """The bytes of a data file. One of ours must be as it was shipped; those of plug-ins have no hash here."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise MissingError(f"{path} is missing: reinstall marginalia.") from error
    if path.is_relative_to(ROOT):
        expected = _hashes().get(path.relative_to(ROOT).as_posix())
        if expected is not None and hashlib.sha256(data).hexdigest() != expected:
            raise _damaged(path)
    return data


def _damaged(path: Path) -> FormatError:
    return FormatError("the file is damaged: reinstall marginalia", path=path)


@cache
def _hashes() -> dict[str, str]:
    found = read_json(HASHES) if HASHES.is_file() else None
    if not isinstance(found, dict):
        raise _damaged(HASHES)
    return found


def shipped() -> dict[str, str]:
    """Path -> SHA-256 of every data file of the package that has no manifest."""
    digests = {
        path.relative_to(ROOT).as_posix(): path
        for suffix in SUFFIXES
        for path in ROOT.rglob(f"*{suffix}")
        if path.name not in KEPT_ELSEWHERE and "weights" not in path.parts
    }
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in sorted(digests.items())
    }


if __name__ == "__main__":
    write_file(HASHES, json.dumps(shipped(), indent=1) + "\n")
