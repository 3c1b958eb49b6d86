"""Figures of a PDF page: where pictures and drawings stand."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

MIN_AREA, MAX_AREA = 0.01, 0.6
"""Shares of the page: less is a rule, a bullet or a logo; more is a background or a scan."""
MAX_OBJECTS = 20_000
"""Objects of a page that are looked at."""
MIN_CURVES = 6
"""Paths of a drawing that are neither lines nor boxes, as those of tables are."""
MIN_SEGMENTS = 6
GRID = 24
"""Drawings are put together on a grid of so many cells on either side of the page."""

Box = tuple[int, int, int, int]
_IMAGE, _FORM, _PATH = 3, 5, 2


def find_figures(
    raw: Any, page: Any, matrix: Sequence[float], width: int, height: int
) -> list[Box]:
    """Left, top, right and bottom of each figure, in tenths of a point from the top left corner."""
    found: list[Box] = []
    curves: list[Box] = []
    sides = [ctypes.c_float() for _ in range(4)]
    for index in range(min(raw.FPDFPage_CountObjects(page), MAX_OBJECTS)):
        item = raw.FPDFPage_GetObject(page, index)
        kind = raw.FPDFPageObj_GetType(item)
        if kind not in (_IMAGE, _FORM, _PATH) or not raw.FPDFPageObj_GetBounds(item, *sides):
            continue
        box = _on_page([side.value for side in sides], matrix)
        if kind == _PATH:
            if raw.FPDFPath_CountSegments(item) >= MIN_SEGMENTS:
                curves.append(box)
        elif MIN_AREA <= _area(box) / (width * height) <= MAX_AREA:
            found.append(box)
    return [*found, *_drawings(curves, width, height)]


def _on_page(sides: Sequence[float], matrix: Sequence[float]) -> Box:
    left, bottom, right, top = sides
    ax, bx, cx, ay, by, cy = matrix
    xs = [ax * x + bx * y + cx for x in (left, right) for y in (bottom, top)]
    ys = [ay * x + by * y + cy for x in (left, right) for y in (bottom, top)]
    return round(min(xs)), round(min(ys)), round(max(xs)), round(max(ys))


def _area(box: Box) -> int:
    return max(0, box[2] - box[0]) * max(0, box[3] - box[1])


def _drawings(curves: Sequence[Box], width: int, height: int) -> list[Box]:
    """Where many curves stand together: cells of a grid that they touch, joined with their neighbours."""
    cells: dict[tuple[int, int], list[Box]] = {}
    for box in curves:
        x, y = (box[0] + box[2]) * GRID // (2 * width), (box[1] + box[3]) * GRID // (2 * height)
        cells.setdefault((x, y), []).append(box)
    found = []
    while cells:
        waiting, group = [next(iter(cells))], []
        while waiting:
            x, y = waiting.pop()
            group += cells.pop((x, y), [])
            near = ((x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
            waiting += [cell for cell in near if cell in cells]
        box = (
            min(one[0] for one in group), min(one[1] for one in group),
            max(one[2] for one in group), max(one[3] for one in group),
        )  # fmt: skip
        if len(group) >= MIN_CURVES and MIN_AREA <= _area(box) / (width * height) <= MAX_AREA:
            found.append(box)
    return found
