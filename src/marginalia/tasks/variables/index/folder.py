"""The folder of a catalogue: what is in it, whether it is whole, and who may write to it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import read_json, write_file
from marginalia.core.locks import take_lock

VERSION = 2
MANIFEST = "manifest.json"
WORDS = "words"
"""The sub-folder with the index of tantivy."""
VECTORS, SURVEYS = "vectors.bin", "surveys.npy"
UNFINISHED = "unfinished"
LOCK = ".lock"
AGAIN = "build it again with `catalogue build --again`"
_COUNTS = ("variables", "groups", "width")


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest, its values of the types that they should have."""
    path = folder / MANIFEST
    if not path.exists():
        raise MissingError(
            f"{folder} is not a finished catalogue: build it with `build_catalogue(sources, folder)`"
        )
    manifest = read_json(path)
    if not isinstance(manifest, dict) or not is_manifest(manifest):
        raise FormatError("this is not the manifest of a catalogue", path=path)
    if manifest.get("version") != VERSION:
        raise FormatError(f"this is no catalogue of version {VERSION}; {AGAIN}", path=path)
    counts: list[Any] = [manifest.get(name) for name in _COUNTS]
    maps: list[Any] = [manifest.get(name) for name in ("surveys", "notes", "titles", "files")]
    sound = (
        all(isinstance(n, int) and n >= 0 for n in counts)
        and all(isinstance(one, dict) for one in maps)
        and all(isinstance(n, int) for one in maps[:2] for n in one.values())
        and all(isinstance(title, str) for title in maps[2].values())
        and maps[0].keys() == maps[2].keys()
    )
    if not sound:
        raise FormatError(f"the manifest is damaged; {AGAIN}", path=path)
    return manifest


def is_manifest(found: Any) -> bool:
    return isinstance(found, dict) and "version" in found and "variables" in found


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    whole = {**manifest, "files": {name: digest(folder / name) for name in data_files(folder)}}
    write_file(folder / MANIFEST, json.dumps(whole, ensure_ascii=False, indent=1) + "\n")


def data_files(folder: Path) -> list[str]:
    """The files that hold the catalogue, by their place in the folder; locks hold nothing."""
    words = sorted(path for path in (folder / WORDS).glob("[!.]*") if path.is_file())
    names = [f"{WORDS}/{path.name}" for path in words]
    return [*names, *(name for name in (VECTORS, SURVEYS) if (folder / name).exists())]


def digest(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return {
            "bytes": path.stat().st_size,
            "blake2b": hashlib.file_digest(
                file, lambda: hashlib.blake2b(digest_size=16)
            ).hexdigest(),
        }


def check_files(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Every file is as it was written; so nothing that is read later can be out of range."""
    for name, wanted in manifest["files"].items():
        path = folder / name
        if path.resolve().parent not in (folder.resolve(), (folder / WORDS).resolve()):
            raise FormatError(f"the manifest is damaged; {AGAIN}", path=folder / MANIFEST)
        if not path.is_file():
            raise MissingError(f"{path}: a file of the catalogue is missing; {AGAIN}")
        if digest(path) != wanted:
            raise FormatError(f"this file of the catalogue is damaged; {AGAIN}", path=path)


@contextmanager
def only_builder(folder: Path) -> Iterator[None]:
    """One build at a time in a folder; the lock goes with the process that holds it, however that ends."""
    made = not folder.exists()
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / LOCK).touch()
    try:
        lock = take_lock(folder / LOCK)
    except OSError:
        raise FormatError(
            "another process is building this catalogue; wait for it, or name another folder",
            path=folder,
        ) from None
    try:
        yield
    finally:
        os.close(lock)
        # The lock's file stays, so that no process holds one that is gone; but nothing stays where nothing was made.
        if made and not (folder / MANIFEST).exists():
            with suppress(OSError):
                (folder / LOCK).unlink()
                folder.rmdir()


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """What the disk refuses is one sentence."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise FormatError(f"the catalogue cannot be written: {reason}", path=folder) from error
    except ValueError as error:  # what tantivy says of its files
        reason = " ".join(str(error).split())[:200]
        raise FormatError(f"the catalogue cannot be written: {reason}", path=folder) from error
