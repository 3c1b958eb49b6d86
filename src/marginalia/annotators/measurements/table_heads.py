"""The grid of a table: which heads stand above a cell and which before it, and what unit a head names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from marginalia.quantities.currencies import currency_code, is_money
from marginalia.quantities.units.unit import read_unit
from marginalia.quantities.units.unit_disambiguation import settle

MAX_CELLS = 20_000
"""Of a table whose heads are looked up; a larger one is data, to be read by a program of its own."""
MAX_ROW_HEADS = 3
"""Cells at the beginning of a row that may say what it is about: "Season", "Breeding season"."""
MAX_HEAD_LENGTH = 80
"""Characters of a head that names something; a longer one is a text."""
_UNIT = (
    re.compile(r"(?P<name>.*?)\s*[(\[](?:in\s)?(?P<unit>[^()\[\]]{1,30})[)\]]\W*"),
    re.compile(r"(?P<name>.+?),\s*(?:in\s)?(?P<unit>[^,]{1,20})"),
    re.compile(r"(?P<name>.+?)\s+in\s+(?P<unit>\S{1,20})"),
    re.compile(r"(?P<name>.+?)\s/\s(?P<unit>\S{1,20})"),
    re.compile(r"(?P<name>)(?P<unit>\S{1,20}(?:\s\S{1,10})?)"),
    re.compile(r"(?P<unit>%)\s(?:of\s)?(?P<name>.+)"),
)
"""How heads name a unit: ``Mass (kg)``, ``Temp., °C``, ``Länge in mm``, ``T / K``, ``mg/kg``, ``% female``."""
_WORD = re.compile(r"[^\W\d_]{2,}|[^\W\d_](?=\W*\Z)")
_NUMBERING = re.compile(
    r"(?i:no|nr|id|#|year|jahr|date|datum|pages?|seiten?|refs?|references?|versions?|codes?|phone|zip|plz|rank|rang|"
    r"lines?|ports?|index|key|doi|isbn|issn|issue|chapter|kapitel|section|item|step|schritt|time of day|uhrzeit|lfd\. nr)\.?"
)
"""Heads of columns that number or date their rows and measure nothing."""
_COUNTED = re.compile(r"(?i:number|no\.|#|anzahl|zahl)\s?(?:of\b|der\b|\w)")
_FIGURES = re.compile(r"\s*[-−–<>≤≥~±+]?\s?[\d.]*\d")
_PREPOSITION = re.compile(r"(?i)\(?(?:by|in|of|for|per|with|from|to|nach|von|für|mit)\b")
_NO_UNIT = frozenset("a b c d e in no at as Min Max min max".split())
"""Alone in a head these are letters of footnotes, prepositions, or the least and the greatest."""

Place = Mapping[str, Any]


class HeadCell(NamedTuple):
    """What a head says: ``text[start:end]`` names a property or thing, ``text[unit_start:unit_end]`` its unit."""

    start: int
    end: int
    whole: tuple[int, int]
    """All of the cell."""
    unit: tuple[int, int] | None = None

    def names_measure(self, text: str) -> bool:
        """Whether it says in which unit or how many: ``Mass (kg)``, ``Number of failures``."""
        return self.unit is not None or _COUNTED.match(text, self.start, self.end) is not None


class BodyCell(NamedTuple):
    """A cell with the head above it and the one before it."""

    start: int
    end: int
    above: HeadCell
    before: HeadCell | None


def body_cells(text: str, table: Place, language: str) -> Iterator[BodyCell]:
    """The cells below a head, where the rows have as many cells as the row of heads; else what is above is a guess."""
    if sum(map(len, table["rows"])) > MAX_CELLS:
        return
    grid = _grid(table["rows"])
    deep = next((n for n, row in enumerate(grid) if not _is_head_row(row)), len(grid))
    if not deep or deep == len(grid):
        return
    width = len(grid[deep - 1])
    heads = [_head_above(text, grid[:deep], column, language) for column in range(width)]
    for row in grid[deep:]:
        if len(row) != width:
            continue
        seen: set[int] = set()
        for column, cell in enumerate(row):
            above = heads[column]
            if column == 0 or cell is None or above is None or id(cell) in seen or cell.get("head"):
                continue
            seen.add(id(cell))
            yield BodyCell(cell["start"], cell["end"], above, _head_before(text, row, language))


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


def _is_head_row(row: Sequence[Place | None]) -> bool:
    """Whether all but the first cell are heads."""
    cells = [cell for cell in row if cell is not None and cell["start"] < cell["end"]]
    return len(cells) > 0 and all(cell.get("head") for cell in cells if cell is not row[0])


def _head_above(
    text: str, rows: Sequence[Sequence[Place | None]], column: int, language: str
) -> HeadCell | None:
    """The lowest head of a column that names something; its unit may stand below it."""
    unit = None
    for row in reversed(rows):
        cell = row[column] if column < len(row) else None
        if cell is None or cell["end"] - cell["start"] > MAX_HEAD_LENGTH:
            continue
        if cell["start"] == cell["end"]:
            continue
        head = read_head(text, cell["start"], cell["end"], language)
        if head is None:
            return None
        unit = unit or head.unit
        if head.start < head.end:
            return head._replace(unit=unit)
    return None


def _head_before(text: str, row: Sequence[Place | None], language: str) -> HeadCell | None:
    """What the row is about: the last of the cells with words that come before its first number."""
    found = None
    for cell in row[:MAX_ROW_HEADS]:
        if cell is None or cell["start"] == cell["end"]:
            continue
        if cell["end"] - cell["start"] > MAX_HEAD_LENGTH or _FIGURES.match(text, cell["start"]):
            break
        head = read_head(text, cell["start"], cell["end"], language)
        if head is None or head.start == head.end:
            break
        found = head
    return found


def read_head(text: str, start: int, end: int, language: str = "en") -> HeadCell | None:
    """Name and unit of a head; None where it names nothing or only numbers its rows."""
    said = text[start:end]
    start += len(said) - len(said.lstrip())
    said = said.strip().rstrip("*†‡§:")
    if _NUMBERING.fullmatch(said):
        return None
    for pattern in _UNIT:
        match = pattern.fullmatch(said)
        if match and is_head_unit(match["unit"], match["name"], language):
            low, high = match.span("unit")
            first, last = match.span("name")
            name = said[first:last].rstrip(" ,;:/")
            named = start + first, start + first + len(name)
            return HeadCell(*named, (start, start + len(said)), (start + low, start + high))
    whole = start, start + len(said)
    if _PREPOSITION.match(said):
        return None  # "by changesets" says how something was counted, not what
    return HeadCell(*whole, whole) if _WORD.search(said) else None


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
