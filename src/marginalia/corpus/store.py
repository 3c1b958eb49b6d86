"""A corpus on disk: what its commits say, the one way anything gets into it, and the lock of the process that writes.

::

    OUT/manifest.json          the settings, versions and counts
    OUT/commits/000017.json    one record for each part: its files and its documents
    OUT/annotations/000017.parquet, OUT/documents/000017.parquet, ...

A part is there when its commit record is there. The files of a part are written under ``.new``, synced, and moved to their places;
then the record is written in the same way, and its rename is the commit. Only the process that holds the lock commits, numbers are
never used twice, and files without a record are removed by the next holder of the lock. So a run that is killed at any moment has
committed each part wholly or not at all.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any

from marginalia import __version__
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.locks import take_lock
from marginalia.corpus.supervisor import Part

MANIFEST, COMMITS, NEW = "manifest.json", "commits", ".new"
KIND, LAYOUT = "marginalia corpus", 1
_FILE = re.compile(r"[a-z][a-z0-9_-]{0,63}/[0-9]{6,18}\.parquet")
"""A committed file: the name of its table and the number of its part."""
_RESERVED = tuple(f"{name}/" for name in (COMMITS, "across", "index"))
"""Folders that hold no table."""


@dataclass(slots=True)
class Known:
    """The last that was committed of a document."""

    source: str
    stamp: str
    sha256: str
    key: str
    attempt: int
    error: str = ""
    """The kind of error, where it failed."""
    gone: bool = False

    @property
    def failed(self) -> bool:
        return bool(self.error)


@dataclass(slots=True)
class Inventory:
    documents: dict[str, Known] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    """Keys of rows that a later content of the same document has replaced."""

    @classmethod
    def of(cls, commits: Iterable[dict[str, Any]]) -> Inventory:
        inventory = cls()
        for record in commits:
            for row in record["documents"]:
                inventory.add(row)
            for name in record["gone"]:
                inventory.documents[name].gone = True
        return inventory

    def add(self, row: dict[str, Any]) -> None:
        """One document of a commit record."""
        known = self.documents.get(row["name"])
        if row["status"] == "same" and known is not None:
            known.stamp, known.gone = row["stamp"], False
            return
        if known is not None:
            self.replaced.add(known.key)
        self.documents[row["name"]] = Known(
            source=row["source"],
            stamp=row["stamp"],
            sha256=row["sha256"],
            key=row["key"],
            attempt=row["attempt"],
            error=intern(row["kind"]) if row["status"] == "error" else "",
        )

    def here(self) -> list[Known]:
        """The documents that are in their sources, read or not."""
        return [known for known in self.documents.values() if not known.gone]

    def notes(self, commits: Iterable[dict[str, Any]]) -> Counter[str]:
        """Notes of each kind on the documents as they are now: from the records, since a million documents would fill the memory."""
        counts: Counter[str] = Counter()
        for record in commits:
            for row in record["documents"]:
                known = self.documents[row["name"]]
                if known.key == row["key"] and not known.gone:
                    counts.update(row.get("notes", {}))
        return counts

    def hidden(self) -> set[str]:
        """The keys of rows that are no part of the corpus as it is now."""
        return self.replaced | {known.key for known in self.documents.values() if known.gone}


class Store:
    """What is committed in a folder. Reading needs no lock; ``open_to_write`` takes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock: int | None = None
        self.last = 0

    @classmethod
    def open(cls, folder: Path) -> Store:
        """A corpus that is there, to be read."""
        if not (folder / MANIFEST).is_file():
            raise MissingError(f"{folder} is no corpus: annotate documents into it first.")
        return cls(folder)

    @classmethod
    def open_to_write(cls, folder: Path, facts: Mapping[str, Any], *, again: bool = False) -> Store:
        """A new corpus or one with the same settings; with ``again`` what was made with others is dropped."""
        if folder.exists() and not folder.is_dir():
            raise FormatError("this is a file, a folder was expected", path=folder)
        if folder.exists() and any(folder.iterdir()) and not _is_ours(folder):
            raise FormatError(
                "this folder holds something else: name a new or empty one", path=folder
            )
        folder.mkdir(parents=True, exist_ok=True)
        store = cls(folder)
        try:
            store.lock = take_lock(folder / ".lock")
        except OSError as error:
            raise FormatError(
                "another process is writing this corpus: wait until it has ended", path=folder
            ) from error
        try:
            if (folder / MANIFEST).is_file() and store.manifest()["settings"] != facts:
                if not again:
                    differs = _difference(store.manifest()["settings"], facts)
                    raise FormatError(
                        f"this corpus was made with other settings ({differs}): name another folder, or annotate it again with `again=True`",
                        path=folder,
                    )
                for child in [COMMITS, *(path.name for path in folder.iterdir() if path.is_dir())]:
                    shutil.rmtree(folder / child, ignore_errors=True)
                (folder / MANIFEST).unlink()
            if not (folder / MANIFEST).is_file():
                store.write_manifest(facts, {})
            store._recover()
        except BaseException:
            store.close()
            raise
        return store

    def manifest(self) -> dict[str, Any]:
        try:
            found = json.loads((self.folder / MANIFEST).read_text(encoding="utf-8"))
            if found["kind"] != KIND or found["layout"] != LAYOUT:
                raise ValueError(found["layout"])
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(
                "not the manifest of a corpus of this version", path=self.folder / MANIFEST
            ) from error
        return found  # type: ignore[no-any-return]

    def write_manifest(self, facts: Mapping[str, Any], counts: Mapping[str, Any]) -> None:
        manifest = {
            "kind": KIND,
            "layout": LAYOUT,
            "version": __version__,
            "settings": dict(facts),
            "counts": dict(counts),
        }
        text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
        self._place({self.folder / MANIFEST: text.encode()})

    def commits(self) -> Iterator[dict[str, Any]]:
        """The records in the order in which they were committed."""
        folder = self.folder / COMMITS
        for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
            try:
                record = json.loads(path.read_text(encoding="utf-8"))
                _check_record(record)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise FormatError(
                    "not a commit record; delete it and annotate again", path=path
                ) from error
            yield record

    def commit(self, part: Part, *, gone: list[str] | None = None) -> int:
        """Add a part. When this returns it is there; if it does not, the part is there wholly or not at all."""
        if self.lock is None:
            raise FormatError("the corpus is open to be read only", path=self.folder)
        number = self.last + 1
        name = f"{number:06}"
        files = {f"{table}/{name}.parquet": data for table, data in part.files.items()}
        self._place({self.folder / path: data for path, data in files.items()})
        record = {
            "part": number,
            "files": {path: len(data) for path, data in files.items()},
            "rows": part.rows,
            "documents": part.documents,
            "gone": gone or [],
        }
        text = json.dumps(record) + "\n"
        self._place({self.folder / COMMITS / f"{name}.json": text.encode()})
        self.last = number
        return number

    def files(self, table: str) -> list[Path]:
        """The committed files of a table."""
        found = (path for record in self.commits() for path in record["files"])
        return [self.folder / path for path in found if path.startswith(f"{table}/")]

    def close(self) -> None:
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _recover(self) -> None:
        """Remove what a run before left half done, and go on counting after its last part."""
        shutil.rmtree(self.folder / NEW, ignore_errors=True)
        known: set[str] = set()
        for record in self.commits():
            known |= record["files"].keys()
            self.last = max(self.last, record["part"])
        for path in self.folder.glob("*/*.parquet"):
            if path.stem.isdigit() and path.relative_to(self.folder).as_posix() not in known:
                path.unlink()

    def _place(self, files: Mapping[Path, bytes]) -> None:
        """Write files beside their places, make sure that they are on the disk, and move them there."""
        new = self.folder / NEW
        new.mkdir(exist_ok=True)
        folders = {path.parent for path in files}
        for folder in folders:
            folder.mkdir(exist_ok=True)
        moves = []
        for number, (path, data) in enumerate(files.items()):
            made = new / f"{number}-{path.name}"
            try:
                with made.open("wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            except OSError as error:  # a full disk does not say where
                raise OSError(error.errno, error.strerror, str(self.folder)) from error
            moves.append((made, path))
        for made, path in moves:
            made.replace(path)
        for folder in folders:
            _sync(folder)


def _check_record(record: Any) -> None:
    """A corpus may come from another machine: its names become names of files and of views."""
    for path in record["files"]:
        if not _FILE.fullmatch(path) or path.startswith(_RESERVED):
            raise ValueError(path)
    if type(record["part"]) is not int or not all(type(name) is str for name in record["gone"]):
        raise ValueError(record["part"])
    for row in record["documents"]:
        if not all(type(row[name]) is str for name in ("name", "source", "stamp", "key", "status")):
            raise ValueError(row["name"])


def _sync(folder: Path) -> None:
    """A rename is safe once its folder is on the disk; Windows has no way to say so."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _is_ours(folder: Path) -> bool:
    """Whether a corpus is there, or the beginning of one."""
    return (folder / MANIFEST).is_file() or {path.name for path in folder.iterdir()} <= {
        ".lock",
        NEW,
    }


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    names = [name for name in new if old.get(name) != new[name]]
    return ", ".join(f"{name}: {old.get(name)!r} then, {new[name]!r} now" for name in names)[:300]
