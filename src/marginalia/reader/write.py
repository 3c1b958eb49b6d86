"""Documents with their annotations become files: for people, for programs, for other tools."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.files import write_file, write_files
from marginalia.core.task import late

FORMATS: Mapping[str, Callable[..., Any]] = {
    "json": late(__package__, "formats.json.dump"),
    "jsonl": late(__package__, "formats.json.dump_lines"),
    "csv": late(__package__, "formats.table.dump_csv"),
    "parquet": late(__package__, "formats.table.dump_parquet"),
    "ttl": late(__package__, "formats.turtle.dump"),
    "html": late(__package__, "formats.html.dump"),
    "brat": late(__package__, "formats.brat.dump"),
}
"""dump(docs) -> the content of one file; for brat the contents of several by name."""

SUFFIXES = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".ttl": "ttl",
    ".html": "html",
    ".htm": "html",
    ".ann": "brat",
}


def write(
    docs: Document | Iterable[Document], path: str | Path | None = None, format: str | None = None
) -> list[Path]:
    """Write the documents and return the paths that were written, all or none.

    Without a format the path's suffix says it; without a path the content goes to standard output, as
    JSON unless a format is named. brat needs two files per document, so its path is a folder, or a
    file ``NAME.ann`` for one document.
    """
    docs = [docs] if isinstance(docs, Document) else list(docs)
    path = None if path is None else Path(path)
    format = format or ("json" if path is None else _format(path))
    if format not in FORMATS:
        raise UnknownNameError("output format", format, FORMATS)
    if format == "brat":
        return _write_brat(docs, path)
    if path is not None and path.is_dir():
        raise FormatError("this is a folder, a file was expected", path=path)
    content = FORMATS[format](docs)
    if path is not None:
        return [write_file(path, content)]
    sys.stdout.flush()
    sys.stdout.buffer.write(content.encode() if isinstance(content, str) else content)
    sys.stdout.buffer.flush()
    return []


def _format(path: Path) -> str:
    if path.suffix.lower() in SUFFIXES:
        return SUFFIXES[path.suffix.lower()]
    known = ", ".join(SUFFIXES)
    raise FormatError(
        f"the suffix does not say the format; known are {known}, or name it with --format",
        path=path,
    )


def _write_brat(docs: list[Document], path: Path | None) -> list[Path]:
    if path is None:
        raise FormatError("brat writes two files per document: name a folder for them")
    files: dict[str, str] = FORMATS["brat"](docs)
    if path.suffix != ".ann":
        return write_files(path, files)
    if len(docs) != 1:
        raise FormatError(
            f"{len(docs)} documents do not fit one .ann file: name a folder", path=path
        )
    renamed = {path.stem + Path(name).suffix: text for name, text in files.items()}
    return write_files(path.parent, renamed)
