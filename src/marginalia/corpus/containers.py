"""Files that hold many documents: JSON lines, Parquet, zip and tar. Each gives names and bytes, one document at a time."""

from __future__ import annotations

import json
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.reader.formats.signature import parsed_suffixes
from marginalia.reader.read import MAX_BYTES

MAX_LINE = 64 * 2**20
"""Bytes of one JSON line."""
MAX_RATIO = 200
"""How many times larger than packed the member of a zip archive may be."""
ROWS_PER_READ = 64

Open = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Container:
    """One kind of file with many documents."""

    suffixes: tuple[str, ...]
    members: Callable[[Open], Iterator[tuple[str, bytes]]]
    """``members(open) -> (name, bytes)`` of each document"""
    count: Callable[[str], int | None]
    """``count(path)`` -> how many there are, where that is quickly found"""
    records: bool = False
    """Whether the bytes are a JSON record with a ``text``; else the name tells the format by its suffix."""


def container_of(source: str) -> Container | None:
    """How the documents of this file are taken out; None for what is one document, or a folder."""
    name = source.lower()
    return next((one for one in CONTAINERS if name.endswith(one.suffixes)), None)


def _lines(open: Open) -> Iterator[tuple[str, bytes]]:
    """A line that is no JSON object with a text is a document all the same: one that cannot be read."""
    with open() as file:
        number = 0
        while line := file.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE:
                while line and not line.endswith(b"\n"):
                    line = file.readline(MAX_LINE)
                yield str(number), b""
            elif line.strip():
                yield _id(line) or str(number), line.strip()


def _id(line: bytes) -> str:
    try:
        found = json.loads(line)
        return str(found["id"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def _rows(open: Open) -> Iterator[tuple[str, bytes]]:
    import pyarrow
    from pyarrow import parquet

    with open() as file:
        try:
            table = parquet.ParquetFile(file)
        except (pyarrow.ArrowException, OSError) as error:
            raise FormatError(f"not Parquet: {error}") from error
        if "text" not in table.schema_arrow.names:
            raise FormatError(
                f"the Parquet file has no column 'text', but {', '.join(table.schema_arrow.names)}"
            )
        number = 0
        for batch in table.iter_batches(batch_size=ROWS_PER_READ):
            for row in batch.to_pylist():
                number += 1
                data = json.dumps(row, ensure_ascii=False, default=str).encode("utf-8", "replace")
                yield str(row.get("id") or number), data


def _zipped(open: Open) -> Iterator[tuple[str, bytes]]:
    with open() as file:
        try:
            archive = zipfile.ZipFile(file)
        except zipfile.BadZipFile as error:
            raise FormatError(f"not a zip archive: {error}") from error
        for member in archive.infolist():
            if member.is_dir() or not _is_wanted(member.filename):
                continue
            large = member.file_size > min(MAX_BYTES, 2**20 + MAX_RATIO * member.compress_size)
            try:
                yield member.filename, b"" if large else archive.read(member)
            except (zipfile.BadZipFile, RuntimeError, OSError, EOFError, NotImplementedError):
                yield member.filename, b""  # damaged or encrypted: there is no text in it


def _tarred(open: Open) -> Iterator[tuple[str, bytes]]:
    with open() as file:
        try:
            with tarfile.open(fileobj=file, mode="r|*") as archive:
                for member in archive:
                    if member.isreg() and _is_wanted(member.name) and member.size <= MAX_BYTES:
                        found = archive.extractfile(member)
                        yield member.name, b"" if found is None else found.read()
        except (tarfile.TarError, OSError, EOFError) as error:
            raise FormatError(f"the tar archive cannot be read: {error}") from error


def _is_wanted(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() in parsed_suffixes() and not path.name.startswith(".")


def _count_lines(path: str) -> int | None:
    if "://" in path:
        return None
    with open(path, "rb") as file:  # noqa: PTH123 - the name is a string everywhere here
        total, last = 0, b"\n"
        while block := file.read(2**20):
            total += block.count(b"\n")
            last = block
    return total + (not last.endswith(b"\n"))


def _count_rows(path: str) -> int | None:
    from pyarrow import parquet

    return None if "://" in path else int(parquet.read_metadata(path).num_rows)


def _count_zipped(path: str) -> int | None:
    if "://" in path:
        return None
    with zipfile.ZipFile(path) as archive:
        return sum(_is_wanted(member.filename) for member in archive.infolist())


CONTAINERS = (
    Container((".jsonl", ".ndjson"), _lines, _count_lines, records=True),
    Container((".parquet",), _rows, _count_rows, records=True),
    Container((".zip",), _zipped, _count_zipped),
    Container((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"), _tarred, lambda path: None),
)
