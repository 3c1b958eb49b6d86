"""The pictures of a document, taken from its file when somebody looks at them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marginalia.core.errors import MissingError
from marginalia.reader.parse.html import decode_page
from marginalia.reader.parse.package import Package
from marginalia.reader.parse.pictures import find_data, show_picture


def read_picture(path: Path, figure: Mapping[str, Any]) -> tuple[bytes, str]:
    """The bytes and the media type of a figure of ``meta["figures"]`` that its file holds; those of PDFs are on their pages."""
    if "part" in figure:
        package = Package(path.read_bytes(), path, path.suffix.lstrip(".").upper() or "file")
        return show_picture(package.read(str(figure["part"])), path)
    data = find_data(decode_page(path.read_bytes(), path), str(figure.get("data", "")))
    if data is None:
        raise MissingError("this picture is not in the file any more")
    return show_picture(data, path)
