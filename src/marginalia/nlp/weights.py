"""Folders of shipped weights: a manifest, the files it names, and their SHA-256."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import file_sha256, read_json, write_files

MANIFEST = "manifest.json"


def write_weights(folder: Path, files: Mapping[str, bytes], **facts: Any) -> None:
    """Write files of weights and put their SHA-256 and these facts into the manifest; the rest of it stays."""
    path = folder / MANIFEST
    old = read_json(path) if path.is_file() else {}
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    manifest = {**old, **facts, "files": {**old.get("files", {}), **hashes}}
    write_files(folder, {**files, MANIFEST: json.dumps(manifest, indent=1) + "\n"})


def open_weights(folder: Path) -> dict[str, Any]:
    """The manifest of a weights folder, after every file it names was found whole.

    ``files`` in the manifest maps each file name to its SHA-256.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise MissingError(
            f"The weights {folder} are not there: reinstall marginalia, or train them."
        )
    manifest = read_json(path)
    named = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(named, dict) or not all(isinstance(each, str) for each in named.values()):
        raise FormatError(
            "the manifest is damaged: it names no files with their SHA-256", path=path
        )
    for name, expected in named.items():
        file = folder / name
        if not file.is_file():
            raise MissingError(
                f"{file} is missing: reinstall marginalia, or train the weights again."
            )
        found = file_sha256(file)
        if found != expected:
            raise FormatError(
                f"the file is damaged: its SHA-256 is {found[:12]}…, expected {expected[:12]}…",
                path=file,
            )
    return dict(manifest)
