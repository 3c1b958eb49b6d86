"""The part of reading a PDF that runs in a process of its own: PDFium's characters become JSON lines.

PDFium is a large C++ library and PDFs come from strangers. Here it may crash, hang or ask for more
memory than there is, and only the page at hand is lost. This module imports next to nothing, so that
the process starts quickly.

Input is the file; output is one line about the document and one per page, or a line that says why not.
A page is ``{page, width, height, runs, figures, rules, turned, annotations}``, a figure or rule the sides of its box; a run is ``[text, size, style, baseline, top, bottom, edges]``:
characters of one style on one line, and where each begins, with the end of the last one. Places are
tenths of a point from the top left corner of the page as it is shown.
"""

from __future__ import annotations

import ctypes
import json
import math
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from marginalia.reader.pdf.encodings import needs_font, read_sign, unread
from marginalia.reader.pdf.glyphs import (
    MIN_SURE_SPACE_EM,
    PI,
    Box,
    Run,
    combining,
    compose,
    font_style,
    is_over,
)
from marginalia.reader.pdf.shapes import read_shape
from marginalia.reader.pdf.viewer_notes import read_annotations

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB06: "st"}
_HYPHENS = {0x02: "\xad", 0xFFFE: "\xad"}
"""PDFium's own marks for a hyphen at the end of a line."""

MIN_AREA, MAX_AREA = 0.01, 0.6
"""Shares of the page: less is a rule, a bullet or a logo; more is a background or a scan."""
MAX_OBJECTS = 20_000
"""Objects of a page that are looked at."""
MIN_CURVES = 6
"""Paths of a drawing that are neither lines nor boxes, as those of tables are."""
MIN_SEGMENTS = 6
MAX_THICK, MAX_RULES = 25, 2_000
"""A path that is thinner, in tenths of a point, is a rule of a table; a page with more of them is a drawing."""
SHAPE_ROWS = 40
"""Rows to the font size, when a glyph is drawn to see what it is."""
MAX_TOUCH_EM = 0.025
"""Characters with no more than this part of the font size between them touch."""
GRID = 24
"""Drawings are put together on a grid of so many cells on either side of the page."""

_IMAGE, _FORM, _PATH = 3, 5, 2


def main() -> None:
    first, max_pages, max_bytes, page_seconds = (int(word) for word in sys.argv[1:])
    limit_memory(max_bytes)
    data = sys.stdin.buffer.read()
    _allow(page_seconds)
    for line in lines(data, first, max_pages):
        sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
        sys.stdout.flush()
        _allow(page_seconds)


def lines(data: bytes, first: int, max_pages: int) -> Iterator[dict[str, Any]]:
    """What is said of the document, then of its pages from ``first`` on, counted from 0."""
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        yield {"error": str(error)}
        return
    yield {"pages": len(pdf), "title": pdf.get_metadata_dict().get("Title", "").strip()}
    if len(pdf) > max_pages:
        return
    shapes: dict[tuple[str, int], str] = {}
    for index in range(first, len(pdf)):
        try:
            yield {"page": index + 1, **_page(pdf, index, shapes)}
        except pypdfium2.PdfiumError as error:
            yield {"page": index + 1, "error": str(error)}


def limit_memory(max_bytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits; the time limit of the parent holds there too.
        return
    resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _allow(seconds: int) -> None:
    """So much processor time until the next line; then the signal ends the process."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _page(pdf: Any, index: int, shapes: dict[tuple[str, int], str]) -> dict[str, Any]:
    page = pdf[index]
    width, height = page.get_size()
    textpage = page.get_textpage()
    characters = _Characters(page, textpage, shapes)
    runs = [run.to_json() for run in characters.runs() if run.text.strip()]
    wide, high = round(width * 10), round(height * 10)
    drawn = find_figures(characters.raw, page, characters.matrix, wide, high) if runs else ([], [])
    noted = list(
        read_annotations(characters.raw, page, lambda sides: _on_page(sides, characters.matrix))
    )
    textpage.close()
    page.close()
    page_data = {"width": wide, "height": high, "runs": runs, "figures": drawn[0]}
    page_data |= {"rules": drawn[1]} if drawn[1] else {}
    page_data |= {"annotations": noted} if noted else {}
    return page_data | ({"turned": characters.turned} if characters.turned else {})


class _Characters:
    """The characters of a page, in the order of the file, as runs."""

    def __init__(self, page: Any, textpage: Any, shapes: dict[tuple[str, int], str]) -> None:
        import pypdfium2.raw as raw

        self.raw, self.page, self.textpage, self.shapes = raw, page, textpage, shapes
        self.matrix = _matrix(raw, page)
        self.quarters = raw.FPDFPage_GetRotation(page)
        self.rect, self.scale = raw.FS_RECTF(), raw.FS_MATRIX()
        self.x, self.y = ctypes.c_double(), ctypes.c_double()
        self.name = ctypes.create_string_buffer(128)
        self.flags = ctypes.c_int()
        self.styles: dict[tuple[bytes, int], int] = {}
        self.done: list[Run] = []
        self.turned = ""
        """Characters that do not stand upright: the margin of a preprint, a watermark, the axis of a chart."""
        self.run: Run | None = None
        self.last: Box = (0, 0, 0, 0)  # of the last character that has a place
        self.pending = False  # a space
        self.is_made = False  # by PDFium, which takes an accent for the end of a word
        self.fresh = True  # ask for the style: at the start of words, and where the height changes
        self.accent: tuple[int, str, Box] | None = None  # one that still has no letter
        self.pending_before = False  # a space before it
        self.loose: list[
            tuple[int, str, Box]
        ] = []  # accents that stand far from their letter in the file

    def runs(self) -> list[Run]:
        raw, textpage = self.raw, self.textpage
        high = 0
        for index in range(raw.FPDFText_CountChars(textpage)):
            code = raw.FPDFText_GetUnicode(textpage, index)
            if code in (10, 13):
                self.end_accent()
                self.end_run()
                self.fresh = True
                continue
            if code == 32:
                self.is_made = bool(raw.FPDFText_IsGenerated(textpage, index))
                if not self.is_made:
                    self.end_accent()
                self.pending = self.fresh = True
                continue
            if 0xD800 <= code < 0xDC00:  # the first half of a pair
                high = code
                continue
            if high and 0xDC00 <= code < 0xE000:
                code = 0x10000 + ((high - 0xD800) << 10) + code - 0xDC00
            high = 0
            is_mapped = not raw.FPDFText_HasUnicodeMapError(textpage, index)
            if is_mapped and not needs_font(code):
                sign = _sign(code)
            else:
                sign = self.unmapped(index, code, is_mapped)
            self.put(index, sign, self.box(index))
        self.end_accent()
        self.end_run()
        for index, sign, box in self.loose:
            mark = combining(sign)
            if not any(run.put_accent(mark, box, on_signs=True) for run in self.done):
                self.fresh = True
                self.add(index, sign, box)
                self.end_run()
        return self.done

    def put(self, index: int, sign: str, box: Box) -> None:
        """Add a character; an accent goes onto the letter that it stands over, before or after it."""
        mark = combining(sign)
        if mark:
            before = [run for run in (self.run, *self.done[-1:]) if run is not None]
            if not any(run.put_accent(mark, box) for run in before):
                self.end_accent()
                self.accent, self.pending_before = (index, sign, box), self.pending
                self.pending = False
            return
        if self.accent is not None:
            whole = compose(sign, combining(self.accent[1])) if is_over(self.accent[2], box) else ""
            if whole:
                self.accent = None
                self.pending, sign = self.pending_before, whole
            self.end_accent()
        self.add(index, sign, box)

    def add(self, index: int, sign: str, box: Box) -> None:
        left, top, right, bottom = box
        if not self.fresh and (abs(top - self.last[1]) > 6 or abs(bottom - self.last[3]) > 6):
            self.fresh = True
        self.last = box
        if (
            self.is_made
            and self.run is not None
            and left - self.run.right < MAX_TOUCH_EM * 10 * self.run.size
        ):
            self.pending = False
        if self.fresh and not self.begin(index, box):
            self.turned += sign
            return
        run = self.run
        if run is not None and run.is_far(left):
            self.end_run()
            self.run = run = Run(run.size, run.style, run.baseline)
        if run is None or not sign:  # the rest of a word that is not upright
            self.turned += sign
            return
        if run.style & PI and sign.isprintable() and len(sign) == 1:
            sign = self.unmapped(index, ord(sign), is_mapped=True)
        if run.text and (self.pending or left - run.right > MIN_SURE_SPACE_EM * 10 * run.size):
            run.add(" ", run.right, max(run.right, left), run.top, run.bottom)
        self.pending = False
        if bottom - top < 10:  # fonts without measures
            top, bottom = run.baseline - round(8 * run.size), run.baseline + round(2 * run.size)
        run.add(sign, left, max(left, right), top, bottom)

    def begin(self, index: int, box: Box) -> bool:
        """Go on with the run or begin one of the style of a character; False if that is not upright."""
        if not self.upright(index):
            return False
        left = box[0]
        size, style, baseline = self.style(index)
        run = self.run
        if run is not None and (run.is_far(left) or not run.is_like(size, style, baseline)):
            if self.pending and not run.is_far(left):
                run.add(" ", run.right, max(run.right, left), run.top, run.bottom)
            self.end_run()
        if self.run is None:
            self.run, self.pending = Run(size, style, baseline), False
        self.fresh = False
        return True

    def end_run(self) -> None:
        if self.run is not None and self.run.text:
            self.done.append(self.run)
        self.run, self.pending = None, False

    def end_accent(self) -> None:
        """Add the accent that has found no letter as a character of its own."""
        if self.accent is not None:
            (index, sign, box), self.accent = self.accent, None
            if sign > "\x7f":
                self.loose.append((index, sign, box))
                return
            after, self.pending = self.pending, self.pending_before
            self.add(index, sign, box)
            self.pending = after
            self.fresh = True

    def unmapped(self, index: int, code: int, is_mapped: bool) -> str:
        """A character that the file explains badly or not at all: by its font, else by its shape."""
        font = self.font(index)
        key = (font, code if is_mapped else -code)
        if key not in self.shapes:
            sign = read_sign(code, font, is_mapped=is_mapped)
            if sign is None:
                fonts = list(dict.fromkeys(name for name, _ in (*self.shapes, key)))
                sign = self.shape(index) or unread(code, fonts.index(font))
            self.shapes[key] = sign
        return self.shapes[key]

    def shape(self, index: int) -> str:
        """What the glyph of a character shows when it is drawn."""
        raw = self.raw
        left, _, right, _ = self.box(index)
        size, _, baseline = self.style(index)
        if right - left < 10 or not size or not self.upright(index):
            return ""
        scale = SHAPE_ROWS / size
        top, bottom = baseline - round(8.5 * size), baseline + round(3 * size)
        width, height = (max(1, round(n * scale / 10)) for n in (right - left, bottom - top))
        wide, high = (round(n * scale) for n in self.page.get_size())
        bitmap = raw.FPDFBitmap_CreateEx(width, height, raw.FPDFBitmap_Gray, None, 0)
        raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        place = (round(-left * scale / 10), round(-top * scale / 10))
        raw.FPDF_RenderPageBitmap(bitmap, self.page, *place, wide, high, 0, raw.FPDF_GRAYSCALE)
        step = raw.FPDFBitmap_GetStride(bitmap)
        data = ctypes.string_at(raw.FPDFBitmap_GetBuffer(bitmap), step * height)
        raw.FPDFBitmap_Destroy(bitmap)
        rows = [[ink < 128 for ink in data[n * step : n * step + width]] for n in range(height)]
        inked = [number for number, row in enumerate(rows) if any(row)]
        foot = (baseline - top) * scale / 10 - inked[-1] - 1 if inked else 0
        return read_shape(rows, SHAPE_ROWS, foot)

    def font(self, index: int) -> str:
        """The name of the font that a character is set in."""
        self.raw.FPDFText_GetFontInfo(self.textpage, index, self.name, 128, self.flags)
        return self.name.value.decode("utf-8", "replace")

    def box(self, index: int) -> tuple[int, int, int, int]:
        """Left, top, right and bottom on the page as it is shown."""
        rect = self.rect
        self.raw.FPDFText_GetLooseCharBox(self.textpage, index, rect)
        ax, bx, cx, ay, by, cy = self.matrix
        if not bx and not ay and ax > 0 > by:  # as almost all pages are
            return (
                int(ax * rect.left + cx + 0.5),
                int(by * rect.top + cy + 0.5),
                int(ax * rect.right + cx + 0.5),
                int(by * rect.bottom + cy + 0.5),
            )
        x0, x1 = ax * rect.left + bx * rect.bottom + cx, ax * rect.right + bx * rect.top + cx
        y0, y1 = ay * rect.left + by * rect.bottom + cy, ay * rect.right + by * rect.top + cy
        if x0 > x1:
            x0, x1 = x1, x0
        if y0 > y1:
            y0, y1 = y1, y0
        return round(x0), round(y0), round(x1), round(y1)

    def style(self, index: int) -> tuple[float, int, int]:
        """Size, style and baseline."""
        raw, textpage = self.raw, self.textpage
        size = raw.FPDFText_GetFontSize(textpage, index)
        raw.FPDFText_GetCharOrigin(textpage, index, self.x, self.y)
        _, _, _, ay, by, cy = self.matrix
        baseline = round(ay * self.x.value + by * self.y.value + cy)
        raw.FPDFText_GetFontInfo(textpage, index, self.name, 128, self.flags)
        weight = raw.FPDFText_GetFontWeight(textpage, index)
        key = (self.name.value, weight)
        if key not in self.styles:
            name = self.name.value.decode("utf-8", "replace")
            self.styles[key] = font_style(name, weight, self.flags.value)
        # A font of size 1 may be scaled by the text matrix.
        if raw.FPDFText_GetMatrix(textpage, index, self.scale):
            size *= math.hypot(self.scale.c, self.scale.d) or 1
        return size, self.styles[key], baseline

    def upright(self, index: int) -> bool:
        """Whether the character stands upright on the page as it is shown."""
        angle = self.raw.FPDFText_GetCharAngle(self.textpage, index)
        if self.quarters % 2:
            return bool(abs(math.sin(angle)) > 0.95)
        return bool(math.cos(angle) * (1 - self.quarters) > 0.95)


def _matrix(raw: Any, page: Any) -> tuple[float, float, float, float, float, float]:
    """From PDF's coordinates to tenths of a point from the top left corner, with the page turned and cut."""
    width, height = page.get_size()
    wide, high = round(width * 1000), round(height * 1000)
    places = []
    for x, y in ((0, 0), (1000, 0), (0, 1000)):
        left, top = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(page, 0, 0, wide, high, 0, x, y, left, top)
        places.append((left.value / 100, top.value / 100))
    (cx, cy), (x1, y1), (x2, y2) = places
    return (x1 - cx) / 1000, (x2 - cx) / 1000, cx, (y1 - cy) / 1000, (y2 - cy) / 1000, cy


def _sign(code: int) -> str:
    sign = _LIGATURES.get(code) or _HYPHENS.get(code) or chr(code)
    # Spaces of all widths are one; what cannot be seen must not be hidden in a text.
    if sign.isspace():
        return " "
    return sign if sign.isprintable() or sign == "\xad" else "\ufffd"


def find_figures(
    raw: Any, page: Any, matrix: Sequence[float], width: int, height: int
) -> tuple[list[Box], list[Box]]:
    """Left, top, right and bottom of each figure and of each rule, in tenths of a point from the top left corner."""
    found: list[Box] = []
    curves: list[Box] = []
    rules: list[Box] = []
    fill, stroke = ctypes.c_int(), ctypes.c_int()
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
            elif min(box[2] - box[0], box[3] - box[1]) <= MAX_THICK:
                rules.append(box)
            elif raw.FPDFPath_GetDrawMode(item, fill, stroke) and stroke.value:
                rules += _sides(*box)
        elif MIN_AREA <= _area(box) / (width * height) <= MAX_AREA:
            found.append(box)
    few = rules if len(rules) <= MAX_RULES else []  # so many are a drawing
    return [*found, *_drawings(curves, width, height)], few


def _sides(left: int, top: int, right: int, bottom: int) -> list[Box]:
    """The four rules of a box."""
    flat = [(left, y, right, y) for y in (top, bottom)]
    return [*flat, *((x, top, x, bottom) for x in (left, right))]


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


if __name__ == "__main__":
    main()
