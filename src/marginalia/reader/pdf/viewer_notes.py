"""What people marked and noted on a PDF in its viewer (Zotero, Acrobat, Preview, Okular …): found on a page, placed in the text.

``meta["viewer_notes"]`` is a list of ``{start, end, kind, text, who, when}``: a span of the text, what it was marked with and
what was written there.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

KINDS = {
    1: "note",
    3: "note",
    9: "highlight",
    10: "underline",
    11: "underline",
    12: "strikeout",
}
"""Subtypes of PDFium that people mark text with: sticky and typed notes, and four ways to mark words."""
MARKS_OF_OURS = "marginalia-"
"""How the names of those begin that ``read --format pdf`` has written: their notes are made again."""
MAX_ANNOTATIONS = 2_000
"""Of a page."""
MAX_CHARACTERS = 2_000
MAX_QUADS = 500
"""Lines that one mark is looked for on."""
MIN_COVERED = 0.6
"""A mark over several columns or pages of text in between is one span if it covers so much of it."""
_HIDDEN = 2
_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?")

Sides = tuple[float, float, float, float]


def read_annotations(
    raw: Any, page: Any, on_page: Callable[[Sides], Sequence[int]]
) -> Iterator[dict[str, Any]]:
    """``{kind, boxes, text, who, when}`` of each, in the process that may crash."""
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        kind = KINDS.get(raw.FPDFAnnot_GetSubtype(annotation))
        if kind and not raw.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
            name = _string(raw, annotation, b"NM")
            boxes = [list(on_page(sides)) for sides in _sides(raw, annotation)]
            if boxes and not name.startswith(MARKS_OF_OURS):
                text, who, when = (
                    _string(raw, annotation, key) for key in (b"Contents", b"T", b"M")
                )
                yield {"kind": kind, "boxes": boxes, "text": text, "who": who[:60], "when": when}
        raw.FPDFPage_CloseAnnot(annotation)


def _string(raw: Any, annotation: Any, key: bytes) -> str:
    size = raw.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if not 2 < size <= 2**20:
        return ""
    buffer = ctypes.create_string_buffer(size)
    place = ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR))
    raw.FPDFAnnot_GetStringValue(annotation, key, place, size)
    text = buffer.raw.decode("utf-16-le", "ignore").partition("\0")[0]
    return " ".join(text.split())[:MAX_CHARACTERS]


def _sides(raw: Any, annotation: Any) -> Iterator[Sides]:
    """Left, bottom, right and top of each marked line, or of the whole."""
    quad, rect = raw.FS_QUADPOINTSF(), raw.FS_RECTF()
    count = raw.FPDFAnnot_CountAttachmentPoints(annotation)
    for index in range(min(count, MAX_QUADS)):
        if raw.FPDFAnnot_GetAttachmentPoints(annotation, index, quad):
            xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            yield min(xs), min(ys), max(xs), max(ys)
    if not count and raw.FPDFAnnot_GetRect(annotation, rect):
        yield rect.left, rect.bottom, rect.right, rect.top


def place(
    annotations: Sequence[dict[str, Any]], lines: Sequence[dict[str, Any]], text: str
) -> Iterator[dict[str, Any]]:
    """Each with its span. ``lines`` are those of the page of each, as ``meta["geometry"]`` has them."""
    by_page: dict[int, list[dict[str, Any]]] = {}
    for line in lines:
        by_page.setdefault(line["page"], []).append(line)
    for one in annotations:
        there = by_page.get(one["page"], [])
        span = _marked(one["boxes"], there) if one["kind"] != "note" else None
        span = span or _nearest(one["boxes"][0], there)
        if span is None:
            continue
        start, end = span
        quote = text[start:end]
        start, end = end - len(quote.lstrip()), start + len(quote.rstrip())
        if start < end:
            # Some viewers repeat the marked words as what was said of them.
            said = "" if one["text"].split() == text[start:end].split() else one["text"]
            yield {
                "start": start,
                "end": end,
                "kind": one["kind"],
                "text": said,
                "who": one["who"],
                "when": _iso(one["when"]),
            }


def _marked(
    boxes: Sequence[Sequence[int]], lines: Sequence[dict[str, Any]]
) -> tuple[int, int] | None:
    """From the first to the last character whose middle is in a box; the first part, if most between them is not."""
    found: set[int] = set()
    for line in lines:
        middle = (line["top"] + line["bottom"]) / 2
        over = [box for box in boxes if box[1] <= middle <= box[3]]
        if over:
            left, *widths = map(int, line["x"].split())
            edges = list(accumulate(widths, initial=left))
            for index, (a, b) in enumerate(pairwise(edges)):
                if any(box[0] <= (a + b) / 2 <= box[2] for box in over):
                    found.add(line["start"] + index)
    if not found:
        return None
    first, last = min(found), max(found)
    if len(found) < MIN_COVERED * (last + 1 - first):
        last = first
        while last + 1 in found or last + 2 in found:  # a space that joins two lines has no box
            last += 1
    return first, last + 1


def _nearest(box: Sequence[int], lines: Sequence[dict[str, Any]]) -> tuple[int, int] | None:
    """The line beside which a note sticks."""
    if not lines:
        return None
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2

    def far(line: dict[str, Any]) -> tuple[float, float]:
        left, *widths = map(int, line["x"].split())
        across = max(left - x, x - left - sum(widths), 0)
        return max(line["top"] - y, y - line["bottom"], 0), across

    line = min(lines, key=far)
    return line["start"], line["end"]


def _iso(when: str) -> str:
    """``D:20260819142233+02'00'`` as ISO 8601; the zone is left out, as viewers often do."""
    found = _DATE.match(when)
    if not found:
        return ""
    year, month, day, *time = found.groups()
    return f"{year}-{month}-{day}" + (f"T{':'.join(time)}" if time[0] else "")
