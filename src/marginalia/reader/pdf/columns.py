"""The lines of a page in the order in which one reads them: column by column, tables row by row.

A gutter is a place that lines keep clear on both sides. Lines across it (titles, wide tables, captions)
cut the page into bands; within a band the left column is read before the right one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from marginalia.reader.pdf.lines import Line
from marginalia.reader.pdf.tables import (
    ALIGNED,
    MIN_PROSE_CHARACTERS,
    is_aligned,
    join_row,
    make_rows,
    part_cells,
    table_rows,
)

MIN_LINES_BESIDE = 3
"""As many lines must have another beside them for two columns."""
MAX_LONG, MIN_LONG = 2, 20
"""Lines that reach into the gutter; one of so many may be too long for its column."""
MIN_OUT = 2
"""As many numbers before items that stand below each other belong to the column on their right."""
MIN_GUTTER = 40
"""A gutter is at least four points wide."""


@dataclass(slots=True)
class Column:
    """Lines one below the other, and the edges between which they stand."""

    lines: list[Line]
    left: int
    right: int


def columns(lines: Sequence[Line], gutters: list[int]) -> list[Column]:
    """The columns of a page in reading order; what stands across them is a column of its own.

    ``gutters`` are those of the page before, which count where a page has too few lines to show its own; then they
    are those of this page.
    """
    used: list[int] = []
    found = _ordered(_wide_tables(list(lines)), gutters, used)
    gutters[:] = used or gutters
    return found


def _ordered(lines: list[Line], known: Sequence[int], used: list[int]) -> list[Column]:
    gutter = _gutter(lines) or _known_gutter(lines, known)
    if gutter is None:
        return [_column(lines)]
    used.append(gutter)
    right = [line for line in lines if line.left >= gutter]
    long = [line for line in lines if line.left < gutter < line.right]
    across = [line for line in long if not _stands_beside(line, right)]
    across += _last_lines(across, [line for line in lines if line.right <= gutter], right)
    across.sort(key=lambda line: line.top)
    there = set(map(id, across))
    left = [line for line in lines if line.left < gutter and id(line) not in there]
    groups: list[tuple[str, list[Line]]] = []
    waiting: list[Line] = []  # lines across the columns with nothing between them yet
    for number in range(len(across) + 1):
        if number:
            waiting.append(across[number - 1])
        top = across[number - 1].top if number else None
        bottom = across[number].top if number < len(across) else None
        bands = {
            name: [line for line in side if _is_between(line, top, bottom)]
            for name, side in (("left", left), ("right", right))
        }
        if any(bands.values()):
            groups.append(("across", waiting))
            waiting = []
        groups += bands.items()
    groups.append(("across", waiting))
    edges = {
        name: (min(line.left for line in side), _right(side))
        for name, side in (("across", lines), ("left", left), ("right", right))
        if side
    }
    found: list[Column] = []
    for name, group in groups:
        if not group:
            continue
        parts = [_column(group)] if name == "across" else _ordered(group, known, used)
        if len(parts) == 1:
            parts[0].left, parts[0].right = edges[name]
        found += parts
    return found


def _stands_beside(line: Line, right: Sequence[Line]) -> bool:
    """Whether a line that is too long for its column has one of the other column beside it."""
    return any(abs(one.baseline - line.baseline) < 0.3 * line.size for one in right)


def _right(lines: Sequence[Line]) -> int:
    """Where the lines end, but for a few that are too long."""
    return sorted(line.right for line in lines)[-1 - len(lines) // MIN_LONG]


def _last_lines(across: Sequence[Line], left: Sequence[Line], right: Sequence[Line]) -> list[Line]:
    """Short lines that end a paragraph across the columns: right below its lines, with nothing beside them."""
    found = []
    for line in left:
        if line.share(line.mono) > 0.9:  # of code, whose comments stand beside it
            continue
        is_next = any(
            0 < line.baseline - above.baseline < 1.6 * line.size
            and abs(line.size - above.size) < 0.08 * line.size
            and above.left - ALIGNED < line.left
            and len(above.text) >= MIN_PROSE_CHARACTERS
            for above in across
        )
        if is_next and not any(one.top < line.bottom and line.top < one.bottom for one in right):
            found.append(line)
    return found


def _is_between(line: Line, top: int | None, bottom: int | None) -> bool:
    middle = (line.top + line.bottom) / 2
    return (top is None or middle >= top) and (bottom is None or middle < bottom)


def _gutter(lines: Sequence[Line]) -> int | None:
    """Where the page is divided into two: the place that most lines have prose on both sides of."""
    prose = [line for line in lines if len(line.text) >= MIN_PROSE_CHARACTERS and line.cells == 1]
    if len(prose) < 2 * MIN_LINES_BESIDE:
        return None
    low, high = min(line.left for line in prose), max(line.right for line in prose)
    # Most lines of the column on the right begin at its left edge.
    starts = Counter(line.left // ALIGNED for line in prose)
    best: tuple[int, int, int] | None = None
    for start, count in starts.items():
        x = start * ALIGNED - 1
        if count < MIN_LINES_BESIDE or not low + (high - low) / 5 < x < high - (high - low) / 5:
            continue
        left = [line for line in prose if line.right <= x]
        right = [line for line in prose if line.left >= x]
        pairs = _beside(left, right)
        if pairs < MIN_LINES_BESIDE or min(_extent(left), _extent(right)) < (high - low) / 6:
            continue
        edge = max(line.right for line in left)
        clear = min(line.left for line in right) - edge
        if clear < MIN_GUTTER:
            continue
        # Numbers of items and opening quotes stand out to the left of their column.
        out = [line.left for line in lines if edge < line.left < x]
        out = [n for n in out if sum(abs(n - other) < ALIGNED for other in out) >= MIN_OUT] + [
            line.left for line in lines if edge < line.left < x < line.right
        ]
        begin = min(out, default=x)
        # A line that is too long for its column reaches into the gutter.
        places = [x - MIN_GUTTER // 4]
        if begin - edge >= MIN_GUTTER // 2:
            places += [begin - MIN_GUTTER // 4, (edge + begin) // 2]
        long = [line.right for line in lines if line.left < edge < line.right < x]
        if len(long) > MAX_LONG:  # these are rows of a table
            long = []
        place = min(places[::-1], key=lambda n: sum(right > n for right in long))
        across = sum(line.left < place < line.right for line in lines)
        if best is None or (pairs - across, clear) > best[:2]:
            best = (pairs - across, clear, place)
    return None if best is None else best[2]


def _known_gutter(lines: Sequence[Line], known: Sequence[int]) -> int | None:
    """A gutter of the page before that divides these lines too."""
    prose = [line for line in lines if len(line.text) >= MIN_PROSE_CHARACTERS and line.cells == 1]
    for x in known:
        is_clear = not any(line.left < x < line.right for line in lines)
        if is_clear and any(p.right <= x for p in prose) and any(p.left >= x for p in prose):
            return x
    return None


def _beside(left: Sequence[Line], right: Sequence[Line]) -> int:
    """How many lines on the left have one on the right at their height."""
    spans = sorted((line.top, line.bottom) for line in right)
    found = index = 0
    for line in sorted(left, key=lambda line: line.top):
        while index < len(spans) and spans[index][1] <= line.top:
            index += 1
        found += index < len(spans) and spans[index][0] < line.bottom
    return found


def _extent(lines: Sequence[Line]) -> int:
    return max(line.right for line in lines) - min(line.left for line in lines)


def _column(lines: Sequence[Line]) -> Column:
    """The lines from top to bottom; those of a table as rows with tabs between their cells."""
    left, right = min(line.left for line in lines), _right(lines)
    rows = make_rows(lines)
    tabled = table_rows(rows, left, right)
    starts = sorted(cell.left for place in tabled for cell in rows[place][1:])
    ends = sorted(cell.right for place in tabled for cell in rows[place][:-1])
    for place in tabled:
        rows[place] = [cell for line in rows[place] for cell in part_cells(line, starts, ends)]
    return Column(
        [join_row(row, "\t" if place in tabled else " ") for place, row in enumerate(rows)],
        left,
        right,
    )


def _wide_tables(lines: list[Line]) -> list[Line]:
    """The lines, with the rows of tables that stand across the columns made one line each."""
    gutter = _gutter(lines)
    if gutter is None:
        return lines
    rows = make_rows(lines)
    edge = max(line.right for line in lines)
    width = median(line.width for line in lines if len(line.text) >= MIN_PROSE_CHARACTERS)
    wide = {
        place
        for place, row in enumerate(rows)
        if len(row) > 2
        and row[0].right < gutter < row[-1].left
        and not any(
            line.left < gutter < line.right and len(line.text) > MIN_PROSE_CHARACTERS
            for line in row
        )
        and max(line.width for line in row) < 0.6 * width
    }
    found: list[Line] = []
    for place, row in enumerate(rows):
        is_tabled = place in wide and any(
            other in wide and is_aligned(rows[other], row, edge) for other in (place - 1, place + 1)
        )
        found += [join_row(row, "\t")] if is_tabled else row
    return found
