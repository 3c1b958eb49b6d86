"""Files that ``write`` made become documents again, annotations and all."""

from __future__ import annotations

from pathlib import Path

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.reader.formats.registry import formats_that, get_format


def restore(path: str | Path, format: str | None = None) -> list[Document]:
    """The documents of a file; of a folder those of its ``.ann`` files, or of others if the format is named."""
    path = Path(path)
    suffixes = {
        suffix: name for name, one in formats_that("read").items() for suffix in one.suffixes
    }
    format = format or ("brat" if path.is_dir() else suffixes.get(path.suffix.lower()))
    if format is None:
        raise FormatError(
            f"documents are restored from files that end in {', '.join(suffixes)}", path=path
        )
    return get_format(format, "read", what="format to restore").read(path)
