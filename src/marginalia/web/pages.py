"""Pages of a PDF for the web reader: pictures, and where the notes stand on them."""

from __future__ import annotations

import subprocess

from marginalia.core.document import Document
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.long_work import module_command
from marginalia.reader.pdf.geometry import rectangles
from marginalia.web.entry import Entry

MAX_SECONDS = 20


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
    command = module_command("marginalia.web.page_child", str(number - 1))
    try:
        result = subprocess.run(  # noqa: S603 - our own module
            command, input=entry.path.read_bytes(), capture_output=True, timeout=MAX_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise FormatError(f"page {number} took longer than {MAX_SECONDS} s to draw") from None
    if result.returncode or not result.stdout:
        raise FormatError(f"page {number} cannot be drawn")
    entry.pictures[number] = result.stdout
    while len(entry.pictures) > 40:
        entry.pictures.pop(next(iter(entry.pictures)), None)
    return result.stdout


def boxes(doc: Document, number: int) -> dict[str, list[list[float]]]:
    """Note -> left, top, width and height of its boxes on this page, as shares of the page."""
    sizes = page_sizes(doc)
    pages = doc.meta.get("pages", ())
    if not 1 <= number <= min(len(sizes), len(pages)):
        raise UnknownNameError("page", str(number), [f"1 to {len(sizes)}"])
    width, height = sizes[number - 1]
    first, last = pages[number - 1]
    by_note: dict[str, list[list[float]]] = {}
    for note in doc.annotations:
        if note.start >= last or note.end <= first:
            continue
        for box in rectangles(doc, note.start, note.end):
            if box.page == number:
                share = [box.left / width, box.top / height]
                share += [(box.right - box.left) / width, (box.bottom - box.top) / height]
                by_note.setdefault(note.id, []).append([round(value, 5) for value in share])
    return by_note
