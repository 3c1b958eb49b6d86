"""The grid of a table of a PDF: by where its words stand, which column each cell is in and which heads stand above.

The layout finds runs of rows with cells below one another. Their heads are often set closer, or centred above several
columns, and a label may stand between two rows that it is for: such lines are found beside the runs, divided at wide
blanks, and each cell is put to the columns whose middle or edges are nearest to its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

MAX_LINES = 400
"""Of a table whose columns are looked for; a longer one is a list of data."""
MAX_COLUMNS = 40
MAX_HEAD_ROWS, MAX_HEAD_LINES = 5, 24
"""Rows of heads, and the pieces that those may be in."""
HEAD_SPAN = 0.15
"""Of the height of a line, for each column more that a head may stand above: how far its middle may be off for that."""
MAX_LINES_BETWEEN = 3
"""Lines between two runs of rows of one table: headings of rows, labels of several rows."""
CELL_GAP = 0.55
"""Of the height of a line: a blank as wide parts two cells; between two words it is half of that."""
MAX_LINE_STEP = 2.6
"""Heights of a line from one row of a table to the next."""
_NUMBER = re.compile(r"[^A-Za-zÀ-ɏ]*\d[^A-Za-zÀ-ɏ]*|[-–—−]+|N/?A|n\.?[ad]\.?")
"""A number without words, or the sign that there is none."""
_DECIMAL = re.compile(r"[-−–]?\d*\.\d+")
_PLAIN = frozenset({"heading", "item", "formula", "figure"})
"""What the layout may take a line of a table for."""

Place = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Piece:
    """A cell on its way into the grid: where it stands in the text and on the page."""

    start: int
    end: int
    left: int
    right: int
    is_number: bool

    def off(self, left: int, right: int, span: int = 1) -> float:
        """How far it is from standing below these edges, by its left, its right or its middle; above several columns by its
        middle."""
        middle = abs(self.left + self.right - left - right) / 2
        if span > 1:
            return middle
        return min(abs(self.left - left), abs(self.right - right), middle)


@dataclass(frozen=True, slots=True)
class PageLine:
    page: int
    start: int
    end: int
    top: int
    bottom: int
    pieces: tuple[Piece, ...]

    @property
    def height(self) -> int:
        return max(1, self.bottom - self.top)

    @property
    def left(self) -> int:
        return self.pieces[0].left

    @property
    def right(self) -> int:
        return self.pieces[-1].right

    @property
    def is_body(self) -> bool:
        """Whether half of its cells but the first are numbers."""
        numbers = sum(piece.is_number for piece in self.pieces[1:])
        return numbers > 0 and 2 * numbers >= len(self.pieces) - 1


def find_grids(
    text: str, regions: Sequence[Place], lines: Sequence[Place]
) -> tuple[list[Place], list[Place]]:
    """The regions, with each table whole, and the tables with their rows."""
    starts = [line["start"] for line in lines]
    tables: list[Place] = []
    taken: list[tuple[int, int]] = []
    for region in regions:
        if region["kind"] != "table" or any(a <= region["start"] < b for a, b in taken):
            continue
        own = _Table(text, regions, lines, starts, region, taken[-1][1] if taken else 0)
        rows = own.rows()
        if rows:
            tables.append({"start": own.start, "end": own.end, "rows": rows})
            taken.append((own.start, own.end))
    kept = [
        region
        for region in regions
        if not any(a <= region["start"] and region["end"] <= b for a, b in taken)
    ]
    kept += [{"kind": "table", "start": start, "end": end} for start, end in taken]
    return sorted(kept, key=lambda region: region["start"]), tables


class _Table:
    """The lines of a run of rows, and of what belongs to it above, between and below."""

    def __init__(
        self,
        text: str,
        regions: Sequence[Place],
        lines: Sequence[Place],
        starts: Sequence[int],
        region: Place,
        after: int,
    ) -> None:
        self.text, self.regions, self.lines, self.after = text, regions, lines, after
        first, last = (bisect_left(starts, region[side]) for side in ("start", "end"))
        self.found = [self._line(line) for line in lines[first : min(last, first + MAX_LINES)]]
        self.body = [line for line in self.found if line.is_body]
        if self.body:
            self._extend(first, last)

    @property
    def start(self) -> int:
        return min(line.start for line in self.found)

    @property
    def end(self) -> int:
        return max(line.end for line in self.found)

    def _line(self, line: Place) -> PageLine:
        left, *widths = map(int, line["x"].split())
        edges = [left]
        for width in widths:
            edges.append(edges[-1] + width)
        said = self.text[line["start"] : line["end"]]
        height = line["bottom"] - line["top"]
        cuts = [0]
        for place, sign in enumerate(said):
            gap = edges[place + 1] - edges[place] if place + 1 < len(edges) else 0
            wide = sign == " " and (gap > CELL_GAP * height or _is_listed(said, place))
            if sign == "\t" or wide:
                cuts += [place, place + 1]
        cuts.append(len(said))
        pieces = []
        for low, high in zip(cuts[::2], cuts[1::2], strict=True):
            if (quote := said[low:high]).strip():
                start = line["start"] + low + len(quote) - len(quote.lstrip())
                low += len(quote) - len(quote.lstrip())
                high = low + len(quote.strip())
                number = _NUMBER.fullmatch(quote.strip()) is not None
                pieces.append(
                    Piece(
                        start,
                        start + high - low,
                        edges[low],
                        edges[min(high, len(edges) - 1)],
                        number,
                    )
                )
        return PageLine(
            line["page"], line["start"], line["end"], line["top"], line["bottom"], tuple(pieces)
        )

    def _extend(self, first: int, last: int) -> None:
        """Take in the lines above and below that are of the table."""
        for step, place in ((-1, first - 1), (1, last)):
            waiting: list[PageLine] = []
            while 0 <= place < len(self.lines):
                line = self._line(self.lines[place])
                near = (
                    (self.found[0] if step < 0 else self.found[-1]) if not waiting else waiting[-1]
                )
                if not self._belongs(line, near, step):
                    break
                waiting.append(line)
                place += step
                if step < 0 and len(waiting) >= MAX_HEAD_LINES:
                    break
                # Below, only what leads to another row of numbers.
                if step > 0 and line.is_body:
                    self.found += waiting
                    waiting = []
                elif step > 0 and len(waiting) > MAX_LINES_BETWEEN:
                    break
            if step < 0:
                self.found = [*reversed(waiting), *self.found]
        self.found = _joined(self.found)
        self.body = [line for line in self.found if line.is_body]

    def _belongs(self, line: PageLine, near: PageLine, step: int) -> bool:
        if line.page != near.page or not line.pieces or len(self.found) >= MAX_LINES:
            return False
        if line.start < self.after:  # of the table before
            return False
        upper, lower = (line, near) if step < 0 else (near, line)
        gap = lower.bottom - upper.bottom
        if (
            not -near.height <= gap <= MAX_LINE_STEP * near.height
            or line.height > 1.4 * near.height
        ):
            return False
        left = min(one.left for one in self.found)
        right = max(one.right for one in self.found)
        if line.left < left - 3 * near.height or line.right > right + 3 * near.height:
            return False
        kinds = {
            region["kind"]
            for region in self.regions
            if region["start"] < line.end and line.start < region["end"]
        }
        if kinds - _PLAIN - {"table"}:
            return False
        if line.is_body:
            return True
        if self._is_prose(line):
            return False
        if len(line.pieces) > 1:
            widest = max(piece.right - piece.left for piece in line.pieces)
            return widest < (right - left) / 2
        (only,) = line.pieces
        return only.right - only.left < (right - left) / 3

    def _is_prose(self, line: PageLine) -> bool:
        """Whether it is of a paragraph of several lines, or ends as a sentence does."""
        start = self.text.rfind("\n\n", 0, line.start) + 2
        end = self.text.find("\n\n", line.end)
        block = self.text[max(0, start) : end if end >= 0 else len(self.text)]
        many = len(block) > 2 * (line.end - line.start) and "\t" not in block
        return many or (self.text[line.end - 1] in ".;" and len(line.pieces) == 1)

    def rows(self) -> list[list[Place]]:
        """The cells row by row, empty ones where a column has none; nothing where no columns are seen."""
        columns = self._columns()
        if len(columns) < 2 or len(columns) > MAX_COLUMNS:
            return []
        grid: list[dict[int, tuple[int, Piece]]] = []
        first = self.found.index(self.body[0])
        self.found = self.found[max(0, first - MAX_HEAD_ROWS) :]
        deep = self.found.index(self.body[0])
        labels: list[tuple[int, Piece]] = []
        for number, line in enumerate(self.found):
            if number > deep and len(line.pieces) == 1 and self._is_between(number):
                labels.append((len(grid), line.pieces[0]))
                continue
            pieces = self._divided(line.pieces, columns) if number < deep else line.pieces
            grid.append(_placed(pieces, columns, line.height if number < deep else 0))
        made: list[list[Place]] = []
        for number, row in enumerate(grid):
            cells: list[Place] = []
            column, last = 0, self.start
            while column < len(columns):
                span, piece = row.get(column, (1, None))
                if piece is None:
                    cells.append({"start": last, "end": last, "head": False})
                else:
                    head = number < deep or (column == 0 and not piece.is_number)
                    cells.append({"start": piece.start, "end": piece.end, "head": head})
                    last = piece.end
                if span > 1:
                    cells[-1]["col_span"] = span
                column += span
            made.append(cells)
        for below, piece in labels:  # beside the row above it and the one below
            for beside in made[below - 1 : below + 1]:
                if beside[0]["start"] == beside[0]["end"]:
                    beside[0] |= {"start": piece.start, "end": piece.end, "head": True}
        return made

    def _divided(self, pieces: Sequence[Piece], columns: Sequence[tuple[int, int]]) -> list[Piece]:
        """Heads that are set so closely that only the columns below part them: as many words as columns."""
        found: list[Piece] = []
        for piece in pieces:
            quote = self.text[piece.start : piece.end]
            below = [one for one in columns if piece.left < one[1] and one[0] < piece.right]
            places = [match.span() for match in re.finditer(r"\S+", quote)]
            if len(below) < 2 or len(places) != len(below):
                found.append(piece)
                continue
            width = (piece.right - piece.left) / max(1, len(quote))
            found += (
                Piece(
                    piece.start + low,
                    piece.start + high,
                    round(piece.left + low * width),
                    round(piece.left + high * width),
                    False,
                )
                for low, high in places
            )
        return found

    def _is_between(self, number: int) -> bool:
        """Whether the line stands lower than a row and higher than the next, nearer to both than rows are."""
        line = self.found[number]
        above = self.found[number - 1]
        below = self.found[number + 1] if number + 1 < len(self.found) else None
        return line.top < above.bottom - 0.2 * above.height or (
            below is not None and line.bottom > below.top + 0.2 * below.height
        )

    def _columns(self) -> list[tuple[int, int]]:
        """The left and right edge of each: where cells of rows with numbers stand below one another."""
        most = max((len(line.pieces) for line in self.body), default=0)
        full = [line for line in self.body if 2 * len(line.pieces) > most]
        edges = sorted((piece.left, piece.right) for line in full for piece in line.pieces)
        columns: list[tuple[int, int]] = []
        for left, right in edges:
            if columns and left < columns[-1][1]:
                columns[-1] = columns[-1][0], max(right, columns[-1][1])
            else:
                columns.append((left, right))
        # A long label that reaches below the next column would make the two one.
        if len(columns) < most:
            same = [line.pieces for line in full if len(line.pieces) == most]
            columns = [
                (min(one.left for one in cells), max(one.right for one in cells))
                for cells in zip(*same, strict=True)
            ]
        return columns


def _is_listed(said: str, place: int) -> bool:
    """Whether a blank stands before one decimal after another: the numbers of a row that is closely set."""
    rest = said[place + 1 :].split("\t")[0].split()
    return said[place - 1].isalnum() and bool(rest) and all(map(_DECIMAL.fullmatch, rest))


def _joined(lines: Sequence[PageLine]) -> list[PageLine]:
    """The rows from top to bottom: pieces on one height that do not stand above each other are one line."""
    found: list[PageLine] = []
    for line in sorted(lines, key=lambda line: (line.top + line.bottom, line.left)):
        last = found[-1] if found else None
        if last and abs(last.bottom - line.bottom) < 0.3 * last.height:
            pieces = sorted((*last.pieces, *line.pieces), key=lambda piece: piece.left)
            if all(a.right <= b.left for a, b in pairwise(pieces)):
                found[-1] = replace(
                    last,
                    start=min(last.start, line.start),
                    end=max(last.end, line.end),
                    pieces=tuple(pieces),
                )
                continue
        found.append(line)
    return found


def _placed(
    pieces: Sequence[Piece], columns: Sequence[tuple[int, int]], height: int
) -> dict[int, tuple[int, Piece]]:
    """Column -> how many columns the cell takes, and the cell: the arrangement in order that is least off.

    A head, whose ``height`` is given, may stand above several columns, a cell of the body only in one.
    """
    count, size = len(columns), len(pieces)
    if size > count:  # divided too often: the first columns get what is too much
        pieces, size = pieces[-count:], count
    never = float("inf")
    # best[i][c]: the cost of the first i cells in the first c columns, and the span that the last one takes.
    best = [[(0.0 if i == 0 else never, 0)] * (count + 1) for i in range(size + 1)]
    for i, piece in enumerate(pieces, start=1):
        for c in range(1, count + 1):
            found = best[i][c - 1][0], 0
            for span in range(1, (count if height else 1) + 1):
                if span > c:
                    break
                off = piece.off(columns[c - span][0], columns[c - 1][1], span)
                off -= HEAD_SPAN * height * (span - 1)
                found = min(found, (best[i - 1][c - span][0] + off, span))
            best[i][c] = found
    placed: dict[int, tuple[int, Piece]] = {}
    c = count
    for i in range(size, 0, -1):
        while best[i][c][1] == 0:
            c -= 1
        span = best[i][c][1]
        placed[c - span] = span, pieces[i - 1]
        c -= span
    return placed
