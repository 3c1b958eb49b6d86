"""The grid of a table: which labels stand above and before each of its numbers.

Heads may take several rows, a row with a single text is the heading of those below it, an empty label is the one above
it, a column may be headed "Unit", and one headed "SD" or "95 % CI" says how sure the numbers left of it are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marginalia.annotators.measurements.table_labels import Label, Span, read_label, said_by

MAX_CELLS = 20_000
"""Of a table whose heads are looked up; a larger one is data, to be read by a program of its own."""
MAX_ROW_HEADS = 3
"""Cells at the beginning of a row that may say what it is about: "Season", "Breeding season"."""
MAX_HEAD_LENGTH = 120
"""Characters of a head that names something; a longer one is a text."""
FIGURES = re.compile(
    r"\s*\(?(?:[A-Za-zα-ω]\w{0,3}\s?[=<>]\s?)?[-−–<>≤≥~±+]{0,2}\s?(?:\d|\.\d)[^A-Za-z]*(?:[a-zA-Z%°µμ].{0,12})?\Z"
)
_EMPTY = re.compile(r"[-–—−.\s]*|[Nn]/?[Aa]")
ASIDES = ("deviation", "error", "interval", "lower", "upper")
"""Columns that say how sure the numbers of another are."""

Place = Mapping[str, Any]
Row = Sequence[Place | None]


@dataclass(frozen=True, slots=True)
class TableCell:
    """A number of a table with the labels above it, the lowest first, and those before it, the nearest first."""

    start: int
    end: int
    above: tuple[Label, ...]
    before: tuple[Label, ...]
    unit: Span | None
    """From a column of units."""
    asides: Mapping[str, Span]
    """What a column beside it says of how sure it is."""
    fixed: tuple[tuple[Label, Span], ...]
    """Numbers that hold for several rows, with their head: they are conditions of the others."""

    @property
    def labels(self) -> tuple[Label, ...]:
        return (*self.above, *self.before)

    def estimated(self, text: str) -> bool:
        """Whether the number is an estimate of a model, not in the unit that the row names."""
        return self.above[0].is_estimate(text)

    def roles(
        self, text: str, subject: Label | None = None
    ) -> tuple[Label | None, Label | None, tuple[Label, ...]]:
        """The labels that name property and entity, and the others. ``subject`` is the property that the caption names."""
        named = [label for label in self.labels if not label.is_location(text)]
        # The first of the best: a column before a row, and the nearest before those around it.
        property = max(named, key=lambda label: label.measures(text), default=None)
        if self.estimated(text):  # of what the row names, be it a quantity or not
            property = self.above[0]
        elif self.unit and self.before:  # a unit of the row says that the row is what is measured
            property = self.before[0]
        elif property is not None and not property.measures(text):
            property = None
        if property is None:
            located = [label for label in self.labels if label not in named]
            property = subject or next(iter(located), None) or (named[0] if self.before else None)
        sides = (self.above, self.before) if property in self.before else (self.before, self.above)
        things = [one for side in sides for one in side if one in named and one != property]
        entity = things[0] if things else None
        rest = (one for one in self.labels if one not in (property, entity) and not one.unit)
        return property, entity, tuple(rest)


def read_cells(text: str, table: Place, language: str) -> Iterator[TableCell]:
    """The numbers below a head, where the rows have as many cells as the row of heads; else what is above is a guess."""
    if sum(map(len, table["rows"])) > MAX_CELLS:
        return
    grid = _grid(table["rows"])
    deep = _count_heads(text, grid)
    if not deep or deep == len(grid):
        return
    heads = grid[:deep]
    width = max(map(len, heads))
    units = _unit_column(text, heads)
    above = [_above(text, heads, column, language) for column in range(width)]
    asides = _aside_columns(text, heads)
    groups: list[Label] = []
    last: list[Place | None] = []
    seen: set[int] = set()
    for row in (_fitted(text, row, width) for row in grid[deep:]):
        if len(row) != width:
            continue
        filled = list({id(one): one for one in row if one and _is_filled(text, one)}.values())
        if not any(FIGURES.match(_said(text, cell)) for cell in filled):
            if len(filled) == 1:
                groups, last = _labels(text, filled, language), []
            elif row[0] is not None and len(filled) > 1:  # heads again, in the middle of a table
                again = [_above(text, [row], column, language) for column in range(width)]
                above = [_under(text, new, old) for new, old in zip(again, above, strict=True)]
            continue
        cells = _before(text, row, units)
        if not _is_filled(text, row[0]):
            cells = [*last[:1], *cells]
        else:
            last = cells[:1]
        before = (*reversed(_labels(text, cells, language)), *groups)
        unit = row[units] if units is not None else None
        own = (unit["start"], unit["end"]) if unit and _is_filled(text, unit) else None
        fixed = _fixed(text, row, above)
        for column, cell in _numbers(text, row, cells, units):
            over = above[column]
            if over is not None and column not in asides and cell["start"] not in seen:
                seen.add(cell["start"])
                beside = {
                    what: (one["start"], one["end"])
                    for other, (what, target) in asides.items()
                    if target == column and (one := row[other]) and _is_filled(text, one)
                }
                others = tuple((label, span) for label, span in fixed if span[0] != cell["start"])
                yield TableCell(cell["start"], cell["end"], over, before, own, beside, others)


def _under(
    text: str, new: tuple[Label, ...] | None, old: tuple[Label, ...] | None
) -> tuple[Label, ...] | None:
    """The heads of a column below further ones: what only says which number it is leaves those above as they are."""
    if new and old and (new[0].is_estimate(text) or new[0].is_location(text)):
        return (*new, *(one for one in old if not one.measures(text)))
    return new or old


def _said(text: str, cell: Place) -> str:
    return text[cell["start"] : cell["end"]]


def _is_filled(text: str, cell: Place | None) -> bool:
    return cell is not None and _EMPTY.fullmatch(text, cell["start"], cell["end"]) is None


def _fitted(text: str, row: Row, width: int) -> Row:
    """The row, in which a label stands for the columns that are missing behind it: "Number of crows | 0.005 | 0.009"."""
    lacks = width - len(row)
    first = row[0] if row else None
    if not 0 < lacks < width - 1 or first is None or FIGURES.match(_said(text, first)):
        return row
    return [*[first] * (lacks + 1), *row[1:]]


def _numbers(
    text: str, row: Row, labels: Sequence[Place | None], units: int | None
) -> Iterator[tuple[int, Place]]:
    seen = {id(label) for label in labels}
    for column, cell in enumerate(row):
        if column == 0 or column == units or cell is None or id(cell) in seen:
            continue
        seen.add(id(cell))
        if not cell.get("head"):
            yield column, cell


def _fixed(
    text: str, row: Row, above: Sequence[tuple[Label, ...] | None]
) -> list[tuple[Label, Span]]:
    """The numbers of a row that say what it is about: a dose that two treatments share, or that stands before a label."""
    is_number = [bool(cell and FIGURES.match(_said(text, cell))) for cell in row]
    texts = (n for n, cell in enumerate(row) if not is_number[n] and _is_filled(text, cell))
    last = max((n for n in texts if any(is_number[n + 1 :])), default=0)
    return [
        (over[0], (cell["start"], cell["end"]))
        for column, (cell, over) in enumerate(zip(row, above, strict=True))
        if cell and over and is_number[column] and (column < last or cell.get("row_span", 1) > 1)
    ]


def _count_heads(text: str, grid: Sequence[Row]) -> int:
    """Rows of heads at the top: those that are marked so, or else those without any number."""
    marked = next((n for n, row in enumerate(grid) if not _is_head_row(text, row)), len(grid))
    if marked:
        return marked

    def has_figures(row: Row) -> bool:
        return any(cell is not None and FIGURES.match(_said(text, cell)) for cell in row)

    first = next((n for n, row in enumerate(grid) if has_figures(row)), 0)
    return 1 if first and sum(map(has_figures, grid)) > 1 else 0


def _is_head_row(text: str, row: Row) -> bool:
    """Whether all but the first cell are heads, empty ones apart."""
    rest = [cell for cell in row if cell is not None and cell is not row[0]]
    heads = [bool(cell.get("head")) for cell in rest if _said(text, cell).strip()]
    first = row[0] if row else None
    return all(heads) and (any(heads) or (first is not None and bool(first.get("head"))))


def _unit_column(text: str, heads: Sequence[Row]) -> int | None:
    for column, cell in enumerate(heads[-1]):
        if cell is not None and said_by("units").fullmatch(_said(text, cell).strip()):
            return column
    return None


def _aside_columns(text: str, heads: Sequence[Row]) -> dict[int, tuple[str, int]]:
    """Column -> what it says, and of which column: the nearest left of it that is not another such."""
    found: dict[int, tuple[str, int]] = {}
    for column, cell in enumerate(heads[-1]):
        if cell is None or column < 2:
            continue
        said = _said(text, cell).strip().lstrip("±").strip()
        what = next((name for name in ASIDES if said_by(name).fullmatch(said)), None)
        target = column - 1
        while target in found:
            target = found[target][1]
        if what:
            found[column] = what, target
    return found


def _grid(rows: Sequence[Sequence[Place]]) -> list[list[Place | None]]:
    """The cells by row and column, those that span several in each of their places."""
    found: list[list[Place | None]] = []
    waiting: dict[int, tuple[int, Place]] = {}
    for row in rows:
        made: list[Place | None] = []
        for cell in row:
            while (column := len(made)) in waiting:
                made.append(_take(waiting, column))
            for _ in range(min(cell.get("col_span", 1), MAX_CELLS // max(len(rows), 1) + 1)):
                if cell.get("row_span", 1) > 1:
                    waiting[len(made)] = cell["row_span"] - 1, cell
                made.append(cell)
        while (column := len(made)) in waiting:
            made.append(_take(waiting, column))
        found.append(made)
    return found


def _take(waiting: dict[int, tuple[int, Place]], column: int) -> Place:
    left, cell = waiting.pop(column)
    if left > 1:
        waiting[column] = left - 1, cell
    return cell


def _above(text: str, heads: Sequence[Row], column: int, language: str) -> tuple[Label, ...] | None:
    """The heads of a column from the lowest on; None where it numbers its rows. A unit alone belongs to the next."""
    unit: Span | None = None
    found: list[Label] = []
    for row in reversed(heads):
        cell = row[column] if column < len(row) else None
        if cell is None or not _is_filled(text, cell) or len(_said(text, cell)) > MAX_HEAD_LENGTH:
            continue
        if said_by("numbering").fullmatch(_said(text, cell).strip()):
            return None
        label = read_label(text, cell["start"], cell["end"], language)
        if label is None or any(label.whole == other.whole for other in found):
            continue
        if label.start == label.end:
            unit = unit or label.unit
            continue
        found.append(Label(label.start, label.end, label.whole, label.unit or unit))
        unit = None
    if unit:  # nothing but a unit
        found.append(Label(*unit, unit, unit))
    return tuple(found) or None


def _before(text: str, row: Row, units: int | None) -> list[Place | None]:
    """What the row is about: the cells with words that come before its first number."""
    cells: list[Place | None] = []
    for column, cell in enumerate(row[:MAX_ROW_HEADS]):
        if column == units or cell is None or not _is_filled(text, cell) or cell in cells:
            continue
        said = _said(text, cell)
        if len(said) > MAX_HEAD_LENGTH or (FIGURES.match(said) and not cell.get("head")):
            break
        cells.append(cell)
    return cells


def _labels(text: str, cells: Sequence[Place | None], language: str) -> list[Label]:
    found = (read_label(text, cell["start"], cell["end"], language) for cell in cells if cell)
    return [
        label if label.start < label.end else _named_by_unit(label)
        for label in found
        if label is not None
    ]


def _named_by_unit(label: Label) -> Label:
    """A unit alone names the row: "pH"; but a letter is the name of a group."""
    is_letter = label.whole[1] - label.whole[0] == 1
    return Label(*label.whole, label.whole, None if is_letter else label.unit)
