"""Tables that are ruled: their cells are between lines that are drawn, so that a cell may have several lines of text.

Where rules stand is found by ``child``. A grid whose rows are not ruled is left to ``tables``, which goes by the places of words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from marginalia.reader.pdf.child import MAX_THICK
from marginalia.reader.pdf.kinds import Paragraph
from marginalia.reader.pdf.lines import Line

Rule = tuple[int, int, int]
"""Its place across, and where it begins and ends along."""

TOUCH = 20
"""Rules that come as near meet."""
MAX_CELL = 600
"""Characters of a cell; more are a box of text or a column of a page."""
MIN_FILLED = 0.5
"""Of the cells; fewer are a chart or a form."""
MAX_UNRULED = 2
"""Lines of one cell that have a line of another cell of the same row beside them: more are rows without rules."""


@dataclass(slots=True)
class Grid:
    """The rules of a table, from left to right and from top to bottom, and the lines within it."""

    xs: list[int]
    ys: list[int]
    verticals: list[Rule]
    lines: list[Line] = field(default_factory=list)

    def holds(self, line: Line) -> bool:
        x, y = (line.left + line.right) / 2, (line.top + line.bottom) / 2
        return self.xs[0] - TOUCH <= x <= self.xs[-1] + TOUCH and self.ys[0] <= y <= self.ys[-1]

    def rows(self) -> list[list[list[Line]]] | None:
        """The lines of each cell of each row; None if this is no table."""
        rows = []
        for top, bottom in pairwise(self.ys):
            middle = (top + bottom) / 2
            xs = [self.xs[0], *self._between(middle), self.xs[-1]]
            cells: list[list[Line]] = [[] for _ in xs[1:]]
            for line in self.lines:
                if top <= (line.top + line.bottom) / 2 < bottom:
                    for piece in _parted(line, xs[1:-1]):
                        place = bisect_right(xs, (piece.left + piece.right) / 2) - 1
                        cells[min(max(0, place), len(cells) - 1)].append(piece)
            for cell in cells:
                cell.sort(key=lambda line: (line.baseline, line.left))
            rows.append(cells)
        while all(len(row) > 1 and not row[0] for row in rows):  # a frame around the table
            rows = [row[1:] for row in rows]
        while all(len(row) > 1 and not row[-1] for row in rows):
            rows = [row[:-1] for row in rows]
        cells = [cell for row in rows for cell in row]
        filled = sum(map(bool, cells))
        longest = max(sum(len(line.text) for line in cell) for cell in cells)
        is_table = filled >= MIN_FILLED * len(cells) and longest <= MAX_CELL
        is_table &= sum(map(any, rows)) > 1 and max(map(len, rows)) > 1
        return rows if is_table and not any(map(_is_unruled, rows)) else None

    def _between(self, y: float) -> list[int]:
        """The rules between the cells of a row; where one is missing, a cell is wide."""
        inner = self.xs[1:-1]
        return [
            x
            for x in inner
            if any(
                abs(v[0] - x) <= TOUCH and v[1] - TOUCH <= y <= v[2] + TOUCH for v in self.verticals
            )
        ]


def part_grids(
    lines: list[Line], boxes: Sequence[Sequence[int]]
) -> tuple[list[Line], list[Paragraph]]:
    """The lines that are in no ruled table, and the tables as paragraphs."""
    tables: list[Paragraph] = []
    for grid in _grids(boxes):
        grid.lines = [line for line in lines if grid.holds(line)]
        rows = grid.rows() if grid.lines else None
        if rows is not None:
            inside = set(map(id, grid.lines))
            lines = [line for line in lines if id(line) not in inside]
            tables.append(Paragraph("table", _as_lines(rows), grid.xs[0], grid.xs[-1]))
    return lines, tables


def put_tables(found: list[Paragraph], tables: Iterable[Paragraph]) -> list[Paragraph]:
    """The paragraphs with each table before the first that stands below it in the same column."""
    for table in tables:
        below = (
            place
            for place, one in enumerate(found)
            if one.lines[0].top >= table.lines[0].top
            and min(one.right, table.right) > max(one.left, table.left)
        )
        found.insert(next(below, len(found)), table)
    return found


def _grids(boxes: Sequence[Sequence[int]]) -> list[Grid]:
    flat = _merged(
        (top, left, right)
        for left, top, right, bottom in boxes
        if bottom - top <= MAX_THICK < right - left
    )
    upright = _merged(
        (left, top, bottom)
        for left, top, right, bottom in boxes
        if right - left <= MAX_THICK < bottom - top
    )
    found = []
    while upright:
        verticals, horizontals = [upright.pop()], list[Rule]()
        is_growing = True
        while is_growing:
            rows = [h for h in flat if any(_meet(v, h) for v in verticals)]
            flat = [h for h in flat if h not in rows]
            horizontals += rows
            columns = [v for v in upright if any(_meet(v, h) for h in horizontals)]
            upright = [v for v in upright if v not in columns]
            verticals += columns
            is_growing = bool(columns)
        if len(horizontals) > 1:
            ends = [x for h in horizontals for x in h[1:]]
            xs = _distinct([*(v[0] for v in verticals), min(ends), max(ends)])
            ys = _distinct([h[0] for h in horizontals])
            if len(xs) > 2 and len(ys) > 2:
                found.append(Grid(xs, ys, verticals))
    return sorted(found, key=lambda grid: grid.ys[0])


def _meet(vertical: Rule, horizontal: Rule) -> bool:
    x, top, bottom = vertical
    y, left, right = horizontal
    return left - TOUCH <= x <= right + TOUCH and top - TOUCH <= y <= bottom + TOUCH


def _merged(rules: Iterable[Rule]) -> list[Rule]:
    """Rules that go on in one another, as those of cells beside each other do, made one."""
    done: list[Rule] = []
    for place, start, end in sorted((round(p / TOUCH), a, b) for p, a, b in rules):
        last = done[-1] if done else None
        if last and last[0] == place and start <= last[2] + TOUCH:
            done[-1] = (place, last[1], max(last[2], end))
        else:
            done.append((place, start, end))
    return [(place * TOUCH, start, end) for place, start, end in done]


def _distinct(places: Sequence[int]) -> list[int]:
    found: list[int] = []
    for place in sorted(places):
        if not found or place - found[-1] > 2 * TOUCH:
            found.append(place)
    return found


def _parted(line: Line, xs: Sequence[int]) -> list[Line]:
    """The pieces of a line that lie in different cells, if there is a space where a rule stands."""
    for x in xs:
        for place in range(1, len(line.text)):
            if (
                line.text[place - 1] == " "
                and line.edges[place - 1] <= x <= line.edges[place] + TOUCH
            ):
                first, rest = line.parted(place)
                return [one for one in (first, *_parted(rest, xs)) if one.text.strip()]
    return [line]


def _is_unruled(row: Sequence[Sequence[Line]]) -> bool:
    """Whether the lines of several cells stand beside each other, so that they are rows of their own."""
    heights = Counter(line.baseline // TOUCH for cell in row for line in cell)
    many = max((len(cell) for cell in row), default=0)
    return many > MAX_UNRULED and sum(count > 1 for count in heights.values()) > MAX_UNRULED


def _as_lines(rows: Sequence[Sequence[Sequence[Line]]]) -> list[Line]:
    """The lines of a table; what follows each says where the next cell or row begins."""
    done: list[Line] = []
    last = (0, 0)
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            for line in cell:
                line.text = line.text.replace("\t", " ")
                if not done:
                    line.text = "\t" * column + line.text
                    line.edges = [line.left] * column + line.edges
                elif last == (number, column):
                    done[-1].after = " "
                elif last[0] == number:
                    done[-1].after = "\t" * (column - last[1])
                else:
                    empty = len(rows[last[0]]) - 1 - last[1]
                    done[-1].after = "\t" * empty + "\n" + "\t" * column
                done.append(line)
                last = (number, column)
    return done
