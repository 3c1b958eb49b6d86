"""The files of a task's data: where each public one comes from, whether the one on disk is right, and those computed from them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import ContractError, FormatError, MissingError
from marginalia.core.extraction import make_frame
from marginalia.core.files import MAX_BYTES, file_sha256, read_json, write_file
from marginalia.core.registry import as_benchmark
from marginalia.core.table import read_table

RECORD = ".derived.json"
"""In the data folder: path -> SHA-256 of what we computed, so that no other file is overwritten."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A public file: its place in the data folder, its path upstream, its size and SHA-256."""

    path: str
    upstream: str
    bytes: int
    sha256: str

    def fault(self, path: Path, *, verify: bool = True) -> str:
        """What is wrong with the file at ``path``; empty if nothing is. The size alone is quick."""
        if not path.is_file():
            return "this is not a file"
        size = path.stat().st_size
        if size != self.bytes:
            return f"the file has {size:,} bytes where {self.bytes:,} were expected"
        return self.fault_of(file_sha256(path)) if verify else ""

    def fault_of(self, sha256: str) -> str:
        if sha256 == self.sha256:
            return ""
        return f"the SHA-256 is {sha256[:12]}… where {self.sha256[:12]}… was expected"


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file that no public address holds: computed from public ones, or handed over by their owners.

    It has no known hash, so that its columns are what can be checked.
    """

    path: str
    columns: tuple[str, ...]
    derived: bool
    """Whether ``task.derive`` computes it; otherwise it can only be imported."""

    def check(self, path: Path) -> None:
        """Read the whole table; an error says where it is not one."""
        for _ in read_table(path, self.columns, quoted=True):
            pass


@dataclass(frozen=True, slots=True)
class Source:
    """One repository at one commit, with what the data folder takes from it."""

    repository: str
    commit: str
    licence: str
    files: tuple[SourceFile, ...]
    tables: tuple[TableFile, ...] = ()

    @property
    def all_files(self) -> tuple[SourceFile | TableFile, ...]:
        return (*self.files, *self.tables)

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)


def read_sources(task: Benchmark) -> tuple[Source, ...]:
    """The sources of a task, checked: a path that leaves the data folder is refused here."""
    sources = []
    seen: set[str] = set()
    for data in task.sources():
        try:
            source = _source(data)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ContractError(
                f"{task.name}: a source is malformed ({type(error).__name__}: {error}); expected "
                "repository, commit, licence and files with path, upstream, bytes and sha256"
            ) from error
        for file in source.all_files:
            if file.path.casefold() in seen:
                raise ContractError(f"{task.name}: the sources name {file.path} twice")
            seen.add(file.path.casefold())
        sources.append(source)
    return tuple(sources)


def _source(data: Mapping[str, Any]) -> Source:
    repository, commit = str(data["repository"]), str(data["commit"])
    if not re.fullmatch(r"\w[\w.-]*/\w[\w.-]*@\w+", f"{repository}@{commit}"):
        raise ValueError(f"{repository!r} at {commit!r} is not an owner/name at a commit")
    return Source(
        repository=repository,
        commit=commit,
        licence=str(data["licence"]),
        files=tuple(_file(file) for file in data["files"]),
        tables=tuple(
            TableFile(check_path(table["path"]), tuple(table["columns"]), key == "derived")
            for key in ("derived", "imported")
            for table in data.get(key, ())
        ),
    )


def _file(data: Mapping[str, Any]) -> SourceFile:
    size, sha256 = data["bytes"], str(data["sha256"])
    if not isinstance(size, int) or not 0 <= size <= MAX_BYTES:
        raise ValueError(f"the size {size!r} is not a number from 0 to {MAX_BYTES:,}")
    if not re.fullmatch(r"[0-9a-f]{64}", sha256):
        raise ValueError(f"{sha256!r} is not a SHA-256")
    return SourceFile(check_path(data["path"]), check_path(data["upstream"]), size, sha256)


def check_path(path: str) -> str:
    """The path, if it stays below the folder it is joined to, on every system."""
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts) or re.search(r"[\x00-\x1f\\:]", path):
        raise ContractError(f"the path {path!r} could leave its folder")
    return path


@dataclass(frozen=True, slots=True)
class FileStatus:
    """How a file of the data folder is."""

    path: str
    repository: str
    kind: str
    """``public`` (fetched), ``derived`` (computed) or ``imported`` (can only be imported)."""
    state: str
    """``present``, ``missing`` or ``wrong``."""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """The files of a task, and whether the official test split can be scored."""

    task: str
    files: tuple[FileStatus, ...]
    test_gold: bool | None
    """None where the test split itself cannot be read."""

    def select(
        self, *, repository: str | None = None, kind: str | None = None, state: str | None = None
    ) -> list[FileStatus]:
        wanted = {"repository": repository, "kind": kind, "state": state}
        return [
            file
            for file in self.files
            if all(value is None or getattr(file, key) == value for key, value in wanted.items())
        ]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def to_frame(self) -> Any:
        """A row per file, as a data frame of pandas, or of polars where only that is installed."""
        return make_frame(map(asdict, self.files), FileStatus.__dataclass_fields__)


def data_status(
    task: str | Benchmark, *, data: str | Path | None = None, verify: bool = False
) -> Status:
    """Which files of a task are in the data folder: by size, or with ``verify`` by content."""
    return status(as_benchmark(task), data_folder(data), verify=verify)


def status(task: Benchmark, folder: Path, *, verify: bool = False) -> Status:
    """Each file by its size, and with ``verify`` by its content too."""
    files = tuple(_states(task, folder, verify))
    return Status(task=task.name, files=files, test_gold=_test_gold(task, folder))


def _states(task: Benchmark, folder: Path, verify: bool) -> Iterator[FileStatus]:
    for source in read_sources(task):
        for file in source.files:
            path = folder / file.path
            fault = file.fault(path, verify=verify) if path.exists() else ""
            yield _state(path, file.path, source, "public", fault)
        for table in source.tables:
            path, fault = folder / table.path, ""
            if path.exists() and verify:
                try:
                    table.check(path)
                except FormatError as error:
                    fault = error.message
            kind = "derived" if table.derived else "imported"
            yield _state(path, table.path, source, kind, fault)


def _state(path: Path, name: str, source: Source, kind: str, fault: str) -> FileStatus:
    state = "wrong" if fault else "present" if path.exists() else "missing"
    return FileStatus(name, source.repository, kind, state, fault)


def _test_gold(task: Benchmark, folder: Path) -> bool | None:
    try:
        return task.load("test", folder).gold is not None
    except (FormatError, MissingError, FileNotFoundError):  # the last by a plug-in that just opens
        return None


@dataclass(frozen=True, slots=True)
class Derived:
    """``written`` files are new or renewed; ``kept`` ones hold something else that is not ours."""

    written: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def derive(task: Benchmark, folder: Path, *, force: bool = False) -> Derived:
    """Compute the derived files; ``force`` also overwrites those that are not ours."""
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
