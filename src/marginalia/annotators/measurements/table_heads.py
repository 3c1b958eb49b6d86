"""The grid of a table: which labels stand above and before each of its numbers, and which of them names the measure.

Heads may take several rows, a row with a single text is the heading of those below it, a column may be headed "Unit".
Of all these labels one names the property: the one with a unit, else one whose words do. What stands across from it is
the thing, and the others are conditions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marginalia.quantities.currencies import currency_code, is_money
from marginalia.quantities.units.unit import read_unit
from marginalia.quantities.units.unit_disambiguation import settle
from marginalia.tasks.measurement.systems.contexts import is_property

MAX_CELLS = 20_000
"""Of a table whose heads are looked up; a larger one is data, to be read by a program of its own."""
MAX_ROW_HEADS = 3
"""Cells at the beginning of a row that may say what it is about: "Season", "Breeding season"."""
MAX_HEAD_LENGTH = 80
"""Characters of a head that names something; a longer one is a text."""
_UNIT = (
    re.compile(r"(?P<name>.*?)\s*[(\[](?:in\s)?(?P<unit>(?:[^()\[\]]|\([^()]*\)){1,30})[)\]]\W*"),
    re.compile(r"(?P<name>.+?),\s*(?:in\s)?(?P<unit>[^,]{1,24})"),
    re.compile(r"(?P<name>.+?)\s+in\s+(?P<unit>\S{1,20})"),
    re.compile(r"(?P<name>.+?)\s/\s(?P<unit>\S{1,20})"),
    re.compile(r"(?P<name>)(?P<unit>\S{1,20}(?:\s\S{1,10})?)"),
    re.compile(r"(?P<unit>%)\s(?:of\s)?(?P<name>.+)"),
)
"""How heads name a unit: ``Mass (kg)``, ``Temp., °C``, ``Länge in mm``, ``T / K``, ``mg/kg``, ``% female``."""
_WORD = re.compile(r"[^\W\d_]{2,}|[^\W\d_](?=\W*\Z)|\d{4}")
_NUMBERING = re.compile(
    r"(?i:no|nr|id|#|year|jahr|date|datum|pages?|seiten?|refs?|references?|versions?|codes?|phone|zip|plz|rank|rang|"
    r"lines?|ports?|index|key|doi|isbn|issn|issue|chapter|kapitel|section|item|step|schritt|time of day|uhrzeit|lfd\. nr)\.?"
)
"""Heads of columns that number or date their rows and measure nothing."""
_UNITS = re.compile(r"(?i:units?|einheit(?:en)?)")
_COUNTED = re.compile(r"(?i:number|no\.|#|anzahl|zahl)\s?(?:of\b|der\b|\w)|[nN](?:\s?\(%\))?\Z")
_STATISTIC = re.compile(
    r"(?i:mean|average|median|sd|s\.d\.|se|s\.e\.|sem|min(?:imum)?\.?|max(?:imum)?\.?|range|total|value|values|estimate|"
    r"(?:mean|estimate)\s?(?:±|\(|,)\s?(?:sd|se|sem)\)?|9[059]\s?%\s?ci|iqr|mittelwert|summe|wert)\W*"
)
"""Heads that say which number it is, and not of what."""
FIGURES = re.compile(
    r"\s*\(?(?:[A-Za-zα-ω]\w{0,3}\s?[=<>]\s?)?[-−–<>≤≥~±+]{0,2}\s?(?:\d|\.\d)[^A-Za-z]*(?:[a-zA-Z%°µμ].{0,12})?\Z"
)
_PREPOSITION = re.compile(r"(?i)\(?(?:by|in|of|for|per|with|from|to|nach|von|für|mit)\b")
_NO_UNIT = frozenset("a b c d e in no at as Min Max min max".split())
"""Alone in a head these are letters of footnotes, prepositions, or the least and the greatest."""
_MARKS = "*†‡§¶:"
_HOW = re.compile(
    r"(?i)[\s,]*(?:\b(?:mean|median|no\.|n))?\s*(?:[(\[±]\s?(?:%|SD|SEM?|IQR|range|9[059]\s?%\s?CI)[)\]]?)?\Z"
)
"""Behind a name: which number it is, as in "Age, mean (SD)"."""

Place = Mapping[str, Any]
Span = tuple[int, int]
Row = Sequence[Place | None]


@dataclass(frozen=True, slots=True)
class Label:
    """What a head says: ``text[start:end]`` names a property or thing, ``text[slice(*unit)]`` its unit."""

    start: int
    end: int
    whole: Span
    """All of the cell."""
    unit: Span | None = None

    def measures(self, text: str) -> int:
        """How far it names a measure: by a unit, by its words, or not at all."""
        if self.unit is not None:
            return 2
        said = text[self.start : self.end]
        last = said.split("(")[0].split()
        return int(_COUNTED.match(said) is not None or (bool(last) and is_property(last[-1])))


@dataclass(frozen=True, slots=True)
class TableCell:
    """A number of a table with the labels above it, the lowest first, and those before it, the nearest first."""

    start: int
    end: int
    above: tuple[Label, ...]
    before: tuple[Label, ...]
    unit: Span | None
    """From a column of units."""

    @property
    def labels(self) -> tuple[Label, ...]:
        return (*self.above, *self.before)

    def roles(self, text: str) -> tuple[Label | None, Label | None, tuple[Label, ...]]:
        """The labels that name property and entity, and the others."""
        named = [
            label for label in self.labels if not _STATISTIC.fullmatch(text, label.start, label.end)
        ]
        # The first of the best: a column before a row, and the nearest before those around it.
        property = max(named, key=lambda label: label.measures(text), default=None)
        if self.unit and self.before:  # a unit of the row says that the row is what is measured
            property = self.before[0]
        sides = (self.before, self.above) if property in self.above else (self.above, self.before)
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
    width = len(heads[-1])
    units = _unit_column(text, heads)
    above = [_above(text, heads, column, language) for column in range(width)]
    groups: list[Label] = []
    for row in grid[deep:]:
        if len(row) != width:
            continue
        filled = list({id(one): one for one in row if one and _is_filled(text, one)}.values())
        if not any(FIGURES.match(_said(text, cell)) for cell in filled):
            if len(filled) == 1:
                groups = _labels(text, filled, language)
            elif row[0] is not None and len(filled) > 1:  # heads again, in the middle of a table
                again = [_above(text, [row], column, language) for column in range(width)]
                above = [new or old for new, old in zip(again, above, strict=True)]
            continue
        before = _before(text, row, units, language)
        unit = row[units] if units is not None else None
        for column, cell in _numbers(text, row, len(before), units):
            if (over := above[column]) is not None:
                own = (unit["start"], unit["end"]) if unit and _is_filled(text, unit) else None
                yield TableCell(cell["start"], cell["end"], over, (*reversed(before), *groups), own)


def _said(text: str, cell: Place) -> str:
    return text[cell["start"] : cell["end"]]


def _is_filled(text: str, cell: Place | None) -> bool:
    return cell is not None and bool(_said(text, cell).strip())


def _numbers(text: str, row: Row, first: int, units: int | None) -> Iterator[tuple[int, Place]]:
    seen: set[int] = set()
    for column, cell in enumerate(row):
        if column < max(first, 1) or column == units or cell is None or id(cell) in seen:
            continue
        seen.add(id(cell))
        if not cell.get("head"):
            yield column, cell


def _count_heads(text: str, grid: Sequence[Row]) -> int:
    """Rows of heads at the top: those that are marked so, or else those without any number."""
    marked = next((n for n, row in enumerate(grid) if not _is_head_row(row)), len(grid))
    if marked:
        return marked

    def has_figures(row: Row) -> bool:
        return any(cell is not None and FIGURES.match(_said(text, cell)) for cell in row)

    first = next((n for n, row in enumerate(grid) if has_figures(row)), 0)
    return 1 if first and sum(map(has_figures, grid)) > 1 else 0


def _is_head_row(row: Row) -> bool:
    """Whether all but the first cell are heads."""
    heads = [bool(cell.get("head")) for cell in row if cell is not None and cell is not row[0]]
    first = row[0] if row else None
    return all(heads) and (any(heads) or (first is not None and bool(first.get("head"))))


def _unit_column(text: str, heads: Sequence[Row]) -> int | None:
    for column, cell in enumerate(heads[-1]):
        if cell is not None and _UNITS.fullmatch(_said(text, cell).strip()):
            return column
    return None


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
        if _NUMBERING.fullmatch(_said(text, cell).strip()):
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


def _before(text: str, row: Row, units: int | None, language: str) -> list[Label]:
    """What the row is about: the cells with words that come before its first number."""
    cells: list[Place] = []
    for column, cell in enumerate(row[:MAX_ROW_HEADS]):
        if column == units or cell is None or not _is_filled(text, cell):
            continue
        said = _said(text, cell)
        if len(said) > MAX_HEAD_LENGTH or FIGURES.match(said):
            break
        cells.append(cell)
    return _labels(text, cells, language)


def _labels(text: str, cells: Sequence[Place], language: str) -> list[Label]:
    found = (read_label(text, cell["start"], cell["end"], language) for cell in cells)
    # A unit alone names the row: "pH".
    return [
        label if label.start < label.end else Label(*label.whole, label.whole, label.unit)
        for label in found
        if label is not None
    ]


def read_label(text: str, start: int, end: int, language: str = "en") -> Label | None:
    """Name and unit of a head; None where it names nothing."""
    said = text[start:end]
    start += len(said) - len(said.lstrip())
    said = said.strip().rstrip(_MARKS)
    for pattern in _UNIT:
        match = pattern.fullmatch(said)
        if match and is_head_unit(match["unit"], match["name"], language):
            low, high = match.span("unit")
            first, last = match.span("name")
            name = bare(said[first:last].rstrip(" ,;:/"))
            named = start + first, start + first + len(name)
            return Label(*named, (start, start + len(said)), (start + low, start + high))
    whole = start, start + len(said)
    if _PREPOSITION.match(said):
        return None  # "by changesets" says how something was counted, not what
    return Label(start, start + len(bare(said)), whole) if _WORD.search(said) else None


def bare(name: str) -> str:
    """The name without what it says of the number, unless there is nothing else."""
    return _HOW.sub("", name) or name


def is_head_unit(unit: str, name: str, language: str) -> bool:
    """Whether this is a unit beside this name: (h) beside a time, but no (a), which is a note."""
    if unit in _NO_UNIT and not (unit in ("d", "min") and name):
        return False
    if is_money(unit):
        return currency_code(unit) is not None
    if settle(unit, quote=f"5 {unit}", before=name, after="").unit is None:
        return False
    if not name and unit.islower() and unit.isalpha() and len(unit) > 2:
        return False  # a column headed "stone" or "turns" has a name
    return read_unit(unit, language=language) is not None
