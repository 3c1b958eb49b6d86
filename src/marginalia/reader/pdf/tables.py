"""Rows and cells: which lines of a PDF page stand beside each other, and which of those make a table."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from marginalia.reader.pdf.lines import Line

MIN_PROSE_CHARACTERS = 15
"""A piece with as many characters may be a line of a column; shorter ones may be cells."""
ALIGNED = 20
MIN_CELL_GAP_EM = 0.4
"""A space of this part of the font size may lie between two cells, if others show that it does."""

MAX_GAP_RATIO = 1.6
"""The gaps of a justified line differ by less than this; those between cells differ by more."""

MAX_GAPS = 0.12
"""Gaps make up less than this part of the width of a line of prose."""

_MARKS = frozenset("•◦▪‣●○■□–—-*·")


def make_rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines on one baseline, from left to right; the rows from top to bottom."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.baseline, line.left)):
        last = rows[-1] if rows else None
        if last and abs(last[0].baseline - line.baseline) < 0.2 * max(last[0].size, line.size):
            last.append(line)
        else:
            rows.append([line])
    for row in rows:
        row.sort(key=lambda line: line.left)
    return rows


def part_cells(line: Line, starts: Sequence[int], ends: Sequence[int]) -> Iterator[Line]:
    """The cells of a line, parted at wide spaces where cells of other rows begin or end."""
    for place in range(len(line.text) - 1, 0, -1):
        end, start = line.edges[place - 1], line.edges[place]
        is_gap = line.text[place - 1] == " " and start - end > MIN_CELL_GAP_EM * line.size
        if is_gap and (_is_among(starts, start) or _is_among(ends, end)):
            first, rest = line.parted(place)
            yield from part_cells(first, starts, ends)
            yield rest
            return
    yield line


def _is_among(places: Sequence[int], x: int) -> bool:
    near = bisect_left(places, x - ALIGNED // 2)
    return near < len(places) and places[near] <= x + ALIGNED // 2


def table_rows(rows: Sequence[Sequence[Line]], left: int, right: int) -> set[int]:
    """The rows that belong to tables: neighbours with cells below one another."""
    width = right - left
    # Where most lines end; a long one may stand out.
    ends = Counter(row[-1].right // ALIGNED for row in rows)
    edge = ALIGNED * (1 + ends.most_common(1)[0][0])
    able = [_is_row(row, width) and not _is_justified(row, left, right) for row in rows]
    found: set[int] = set()
    for place in range(1, len(rows)):
        if not able[place]:
            continue
        # A label that is longer than its row, or a heading of several rows, may stand between two.
        for other in (place - 1, place - 2):
            if other >= 0 and able[other] and _is_close(rows[other], rows[place], place - other):
                between = rows[place - 1]
                if other == place - 2 and between[0].width > width / 2:
                    continue
                if is_aligned(rows[other], rows[place], edge):
                    found |= set(range(other, place + 1))
                break
    return found


def _is_row(row: Sequence[Line], width: int) -> bool:
    if len(row) < 2 or (len(row) == 2 and _is_mark(row[0].text)):
        return False
    if all(line.share(line.mono) > 0.9 for line in row):
        return False
    return sum(len(line.text) for line in row) / len(row) < 2 * MIN_PROSE_CHARACTERS and all(
        line.width < 0.75 * width for line in row
    )


def _is_justified(row: Sequence[Line], left: int, right: int) -> bool:
    """A line of prose that was stretched to the width of its column."""
    if row[0].left - left > ALIGNED or right - row[-1].right > ALIGNED:
        return False
    gaps = [after.left - before.right for before, after in pairwise(row)]
    if sum(_has_digit(line.text) for line in row) >= len(row) / 2:
        return False
    is_even = len(row) > 2 and max(gaps) <= MAX_GAP_RATIO * min(gaps)
    return is_even or sum(gaps) < MAX_GAPS * (right - left)


def _is_mark(text: str) -> bool:
    """The number or bullet before an item, heading or reference."""
    return text in _MARKS or (len(text) <= 6 and text[-1] in ".)]" and len(text.split()) == 1)


def _is_close(upper: Sequence[Line], lower: Sequence[Line], rows: int) -> bool:
    return lower[0].baseline - upper[0].baseline < (1 + 1.6 * rows) * upper[0].size


def is_aligned(upper: Sequence[Line], lower: Sequence[Line], edge: int) -> bool:
    """Whether a cell other than the first one stands below another, by its left, middle or right.

    At the right edge of a column that is justified, words stand below each other as well as numbers do.
    """
    return any(
        abs(a.left - b.left) < ALIGNED
        or (
            (abs(a.right - edge) > 2 * ALIGNED or _has_digit(a.text) or _has_digit(b.text))
            and (
                abs(a.right - b.right) < ALIGNED
                or abs(a.left + a.right - b.left - b.right) < 2 * ALIGNED
            )
        )
        for a in upper[1:]
        for b in lower[1:]
    )


def _has_digit(text: str) -> bool:
    return any(sign.isdigit() for sign in text)


def join_row(row: Sequence[Line], gap: str) -> Line:
    first = row[0]
    for line in row[1:]:
        first.append(line, gap)
    if len(row) > 1:
        first.cells = len(row) if gap == "\t" else 1
    return first
