"""The PDF a document was read from, with its notes as highlights that a PDF viewer shows."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from marginalia.core.decisions import OWN_SYSTEM
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.lazy import lazy
from marginalia.reader.formats.format import Extra, Format
from marginalia.reader.pdf.geometry import Rectangle, rectangles
from marginalia.reader.pdf.viewer_notes import MARKS_OF_OURS
from marginalia.reader.view.caption import caption

COLOURS = ("ffe08a", "a8dbff", "b9e8b0", "f5bfe6", "c9c6ff", "ffc2b3", "d9e3a0", "b5ebe0")
"""Light enough to read the text through them; one for each kind of note."""


def dump(docs: Sequence[Document]) -> bytes:
    if len(docs) != 1:
        raise FormatError(f"{len(docs)} documents do not fit one PDF: read one at a time")
    return dump_from(docs[0], Path(str(docs[0].meta.get("path", ""))))


def dump_from(doc: Document, source: Path) -> bytes:
    """``source`` is the PDF that was read. Errors name it as ``meta`` does: a server keeps it at a place of its own."""
    import pypdf

    writer = _writer(pypdf, doc, source)
    annotators = sorted({note.task for note in doc.annotations})
    for note in doc.annotations:
        # The note on a whole says what its parts are.
        if not note.attrs.get("part_of"):
            _highlight(writer, doc, note, COLOURS[annotators.index(note.task) % len(COLOURS)])
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _writer(pypdf: Any, doc: Document, source: Path) -> Any:
    """A copy of the file, if it is the one that was read."""
    path = str(doc.meta.get("path", ""))
    pages = doc.meta.get("geometry", {}).get("pages")
    if doc.meta.get("format") != "pdf" or not pages:
        raise FormatError("only a document that was read from a PDF can be written as one")
    if not source.is_file():
        raise MissingError(
            f"{path} is not there; an annotated PDF is made from the one that was read"
        )
    try:
        writer = pypdf.PdfWriter(clone_from=io.BytesIO(source.read_bytes()))
        count = len(writer.pages)
    except (pypdf.errors.PyPdfError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise FormatError(
            "the PDF cannot be written: its structure is damaged", path=path
        ) from error
    if count != len(pages):
        raise FormatError("the PDF has changed since it was read", path=path)
    return writer


def _highlight(writer: Any, doc: Document, note: Annotation, colour: str) -> None:
    """One highlight for each page the note is on; what it says stands on the first."""
    from pypdf.annotations import Highlight
    from pypdf.generic import ArrayObject, FloatObject, NameObject, TextStringObject

    pages: dict[int, list[tuple[float, float, float, float]]] = {}
    for one in rectangles(doc, note.start, note.end):
        pages.setdefault(one.page, []).append(_on_page(writer.pages[one.page - 1], one))
    # What a reader wrote is a note wherever the file is opened again; what we made is made again.
    owner = "" if note.system == OWN_SYSTEM else MARKS_OF_OURS
    said = " · ".join(part for part in (note.label, caption(note)) if part)
    for page, boxes in pages.items():
        corners = [
            number
            for left, bottom, right, top in boxes
            for number in (left, top, right, top, left, bottom, right, bottom)
        ]
        mark = Highlight(
            rect=(
                min(box[0] for box in boxes),
                min(box[1] for box in boxes),
                max(box[2] for box in boxes),
                max(box[3] for box in boxes),
            ),
            quad_points=ArrayObject(FloatObject(number) for number in corners),
            highlight_color=colour,
            printing=True,
        )
        mark[NameObject("/Contents")] = TextStringObject(said)
        mark[NameObject("/T")] = TextStringObject(note.task)
        mark[NameObject("/NM")] = TextStringObject(f"{owner}{note.id}-{page}")
        writer.add_annotation(page_number=page - 1, annotation=mark)


def _on_page(page: Any, one: Rectangle) -> tuple[float, float, float, float]:
    """Left, bottom, right and top in the page's own coordinates, which know nothing of how it is turned."""
    box = page.cropbox
    left, bottom, width, height = (
        float(number) for number in (box.left, box.bottom, box.width, box.height)
    )
    x0, x1, y0, y1 = one.left, one.right, one.top, one.bottom
    turned = {
        0: (x0, height - y1, x1, height - y0),
        90: (y0, x0, y1, x1),
        180: (width - x1, y0, width - x0, y1),
        270: (width - y1, height - x1, width - y0, height - x0),
    }[page.rotation % 360]
    return (left + turned[0], bottom + turned[1], left + turned[2], bottom + turned[3])


PDF = Format(
    name="pdf",
    suffixes=(".pdf",),
    media="application/pdf",
    is_signature=lambda data: data.startswith(b"%PDF-"),
    extra=Extra(name="pdf", package="pypdf", module="pypdf", actions=("write", "write_from")),
    parse=lazy("marginalia.reader", "pdf.parse.parse"),
    write=dump,
    write_from=dump_from,
)
