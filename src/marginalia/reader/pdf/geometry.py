"""Where the characters of a document stand on its pages, so that notes can be drawn on them.

``meta["geometry"]`` is ``{pages, lines}``: the width and height of each page, and of each line
``{page, start, end, top, bottom, x}``. All are tenths of a point from the top left corner of the page as
it is shown. ``x`` is text: the left edge of the first character, then the width of each one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from marginalia.core.document import Document


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A part of one line, in points from the top left corner of its page, which is counted from 1."""

    page: int
    left: float
    top: float
    right: float
    bottom: float


def line_geometry(
    page: int, start: int, top: int, bottom: int, edges: Sequence[int]
) -> dict[str, Any]:
    """A line as ``meta["geometry"]["lines"]`` has it; one edge more than there are characters."""
    widths = (b - a for a, b in pairwise(edges))
    return {
        "page": page,
        "start": start,
        "end": start + len(edges) - 1,
        "top": top,
        "bottom": bottom,
        "x": " ".join(map(str, (edges[0], *widths))),
    }


def rectangles(doc: Document, start: int, end: int) -> Iterator[Rectangle]:
    """The rectangles that cover a span: one for each line it is on. Only a PDF has some."""
    lines = doc.meta.get("geometry", {}).get("lines", [])
    place = max(0, bisect_right(lines, start, key=lambda line: line["start"]) - 1)
    while place < len(lines) and lines[place]["start"] < end:
        line = lines[place]
        place += 1
        low, high = max(start, line["start"]), min(end, line["end"])
        if low >= high:
            continue
        left, *widths = map(int, line["x"].split())
        x0 = left + sum(widths[: low - line["start"]])
        x1 = x0 + sum(widths[low - line["start"] : high - line["start"]])
        yield Rectangle(
            line["page"], min(x0, x1) / 10, line["top"] / 10, max(x0, x1) / 10, line["bottom"] / 10
        )
