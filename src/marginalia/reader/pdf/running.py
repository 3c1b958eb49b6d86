"""Running heads and page numbers: what stands at the same place of neighbouring pages, over and over."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from marginalia.reader.pdf.lines import Line

MARGIN_HEIGHT = 0.2
"""The part of a page's height, at its top and at its bottom, in which they are sought."""
MAX_ROWS = 3
MAX_PIECES = 40
"""As many pieces of text are no running heads."""
MAX_SIZE = 1.15
"""They are no larger than this many times the text."""
MAX_SHIFT = 60
"""They may stand this much higher or lower on another page, in tenths of a point."""

_NUMBER = re.compile(
    r"\W*(?:(?:page|p\.|seite|s\.)\s*)?(?:\d{1,5}|[ivxlc]{1,7})(?:\s*(?:of|von|/)\s*\d{1,4})?\W*",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")

Mark = tuple[str, int]
"""What a line in a margin says, with its numbers made one, and its height on the page."""


def marks(lines: Sequence[Line], height: int) -> list[Mark]:
    """What the neighbours of a page need to know of it."""
    return [
        (_pattern(line.text), line.top)
        for rows in _margins(lines, height)
        for row in rows[:-1]
        for line in row
    ]


def without_running(
    lines: Sequence[Line], height: int, known: Collection[Mark], body: int
) -> list[Line]:
    """The lines of a page without its running heads; ``known`` are the marks of pages near to it, ``body`` is the usual size."""
    gone: set[int] = set()
    for rows in _margins(lines, height):
        is_outer = True  # below the number of a first page there may be a licence
        for row, beyond in pairwise(rows):
            is_outer &= _is_running(row, beyond[0], known, body)
            if is_outer or (len(row) == 1 and _is_number(row[0]) and _is_known(row[0], known)):
                gone |= {id(line) for line in row}
    return [line for line in lines if id(line) not in gone]


def _is_running(row: Sequence[Line], beyond: Line, known: Collection[Mark], body: int) -> bool:
    numbers = [line for line in row if _is_number(line)]
    if len(numbers) == len(row) and _is_apart(row[0], beyond):
        return True
    if max(row, key=lambda line: len(line.text)).size > MAX_SIZE * body:  # a title of slides
        return False
    repeated = sum(_is_known(line, known) for line in row)
    # The title of a chapter beside the page's number changes; the number always stands there.
    return repeated == len(row) or (0 < len(numbers) <= repeated and _is_apart(row[0], beyond))


def _margins(lines: Sequence[Line], height: int) -> Iterator[list[list[Line]]]:
    """The rows at the top from above, and those at the bottom from below; the last one is never taken."""
    ordered = sorted(lines, key=lambda line: line.baseline)
    for upward in (False, True):
        rows: list[list[Line]] = []
        for line in reversed(ordered) if upward else ordered:
            if rows and abs(rows[-1][0].baseline - line.baseline) < 0.3 * line.size:
                rows[-1].append(line)
                continue
            depth = height - line.top if upward else line.bottom
            rows.append([line])
            if depth > height * MARGIN_HEIGHT or len(rows) > MAX_ROWS:
                break
        yield rows if sum(map(len, rows)) <= MAX_PIECES else []


def _is_number(line: Line) -> bool:
    return _NUMBER.fullmatch(line.text) is not None


def _is_known(line: Line, known: Collection[Mark]) -> bool:
    pattern = _pattern(line.text)
    return any(pattern == other and abs(line.top - top) < MAX_SHIFT for other, top in known)


def _is_apart(line: Line, inner: Line) -> bool:
    gap = max(line.top - inner.bottom, inner.top - line.bottom)
    return gap > line.height or line.height < 0.8 * inner.height


def _pattern(text: str) -> str:
    """The text with its numbers made one: they count the pages."""
    text = text.casefold().strip()
    return "0" if _NUMBER.fullmatch(text) else _DIGITS.sub("0", text)
