"""Pages of a PDF for the web reader: pictures, and where their characters stand."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError, MissingError, UnknownNameError
from marginalia.core.long_work import module_command
from marginalia.web.entry import Entry

MAX_SECONDS = 20
PICTURE_WIDTH, COVER_WIDTH = 1400, 160
"""Pixels of a page's picture, whatever its size on paper."""


def page_sizes(doc: Document) -> list[list[float]]:
    """Width and height of each page in points; empty where a document has no pages to show."""
    return [[size / 10 for size in page] for page in doc.meta.get("geometry", {}).get("pages", ())]


def page_image(entry: Entry, number: int) -> bytes:
    """A page as PNG, drawn in a process of its own, as reading is: a bad page costs that page."""
    sizes = page_sizes(entry.doc) if entry.doc else []
    if not 1 <= number <= len(sizes):
        raise UnknownNameError("page", str(number), [f"1 to {len(sizes)}"])
    kept = entry.pictures.get(number)
    if kept is not None:
        return kept
    picture = entry.pictures[number] = _draw(entry.path, number, PICTURE_WIDTH)
    while len(entry.pictures) > 40:
        entry.pictures.pop(next(iter(entry.pictures)), None)
    return picture


@lru_cache(maxsize=200)
def cover(path: Path, sha256: str) -> bytes:
    """The first page of a PDF, small; the hash says which version."""
    if path.suffix.lower() != ".pdf":
        raise MissingError("only a PDF has a cover")
    return _draw(path, 1, COVER_WIDTH)


def _draw(path: Path, number: int, width: int) -> bytes:
    command = module_command("marginalia.web.page_child", str(number - 1), str(width))
    try:
        result = subprocess.run(  # noqa: S603 - our own module
            command, input=path.read_bytes(), capture_output=True, timeout=MAX_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise FormatError(f"page {number} took longer than {MAX_SECONDS} s to draw") from None
    if result.returncode or not result.stdout:
        raise FormatError(f"page {number} cannot be drawn")
    return result.stdout


def page_lines(doc: Document, number: int) -> list[dict[str, Any]]:
    """The lines of text of a page: the offset of each, its top and bottom, and the edges of its characters, as shares of the page."""
    sizes = page_sizes(doc)
    if not 1 <= number <= len(sizes):
        raise UnknownNameError("page", str(number), [f"1 to {len(sizes)}"])
    width, height = (10 * size for size in sizes[number - 1])
    found = []
    for line in doc.meta["geometry"]["lines"]:
        if line["page"] == number:
            edges = accumulate(map(int, line["x"].split()))
            found.append(
                {
                    "start": line["start"],
                    "top": round(line["top"] / height, 5),
                    "bottom": round(line["bottom"] / height, 5),
                    "x": [round(edge / width, 5) for edge in edges],
                }
            )
    return found
