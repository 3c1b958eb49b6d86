"""Files that ``write`` made become documents again, annotations and all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.task import late

FORMATS: Mapping[str, Callable[..., Any]] = {
    "json": late(__package__, "formats.json.restore"),
    "jsonl": late(__package__, "formats.json.restore_lines"),
    "brat": late(__package__, "formats.brat.restore"),
}
"""restore(path) -> documents"""

SUFFIXES = {".json": "json", ".jsonl": "jsonl", ".ann": "brat"}


def restore(path: str | Path, format: str | None = None) -> list[Document]:
    """The documents of a JSON or JSON lines file, an ``.ann`` file, or a folder of those."""
    path = Path(path)
    format = format or ("brat" if path.is_dir() else SUFFIXES.get(path.suffix.lower()))
    if format is None:
        raise FormatError(
            f"documents are restored from files that end in {', '.join(SUFFIXES)}", path=path
        )
    if format not in FORMATS:
        raise UnknownNameError("format to restore", format, FORMATS)
    docs: list[Document] = FORMATS[format](path)
    return docs
