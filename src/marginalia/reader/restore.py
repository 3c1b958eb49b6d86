"""Files that ``write`` made become documents again, annotations and all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.task import lazy

FORMATS: Mapping[str, Callable[..., Any]] = {
    "json": lazy(__package__, "formats.json.restore"),
    "jsonl": lazy(__package__, "formats.json.restore_lines"),
    "jsonld": lazy(__package__, "formats.webannotation.restore"),
    "brat": lazy(__package__, "formats.brat.restore"),
    "xmi": lazy(__package__, "formats.xmi.restore"),
}
"""restore(path) -> documents"""

SUFFIXES = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".jsonld": "jsonld",
    ".ann": "brat",
    ".xmi": "xmi",
}


def restore(path: str | Path, format: str | None = None) -> list[Document]:
    """The documents of a file; of a folder those of its ``.ann`` files, or of others if the format is named."""
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
