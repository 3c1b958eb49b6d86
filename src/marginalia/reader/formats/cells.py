"""The cells of a table as a page shows them: what stands before and after each, and the notes it tells."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marginalia.core.document import Annotation
from marginalia.reader.view.blocks import Block


@dataclass(frozen=True, slots=True)
class Cell:
    """A span of the text with the tags around it; ``gap`` is the white space before."""

    start: int
    end: int
    gap: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Cells:
    cells: tuple[Cell, ...]

    def divide(
        self, notes: Sequence[Annotation], told: Collection[str]
    ) -> Iterator[tuple[Cell, list[Annotation], set[str]]]:
        """Each cell with the notes that lie on it and the ids of those it tells: each is told once, where it ends."""
        lying: list[list[Annotation]] = [[] for _ in self.cells]
        telling: list[set[str]] = [set() for _ in self.cells]
        for note in notes:
            first = bisect_right(self.cells, note.start, key=lambda cell: cell.end)
            last = bisect_left(self.cells, note.end, key=lambda cell: cell.end)
            last = min(last, len(self.cells) - 1)
            for place in range(min(first, last), last + 1):
                lying[place].append(note)
            if note.id in told:
                telling[last].add(note.id)
        return zip(self.cells, lying, telling, strict=True)


def cells_of(text: str, block: Block, tables: Mapping[int, Mapping[str, Any]]) -> Cells | None:
    """The cells of the table that a block is, in their order; None where they are not all of its text."""
    table = tables.get(block.start) if block.kind == "table" else None
    if table is None or table["end"] != block.end:
        return None
    cells: list[Cell] = []
    position = block.start
    caption = table.get("caption")
    if caption and block.start <= caption["start"] and caption["end"] <= block.end:
        cells.append(Cell(caption["start"], caption["end"], "", "<caption>", "</caption>"))
        position = caption["end"]
    for row in table["rows"]:
        for number, cell in enumerate(row):
            start, end = cell["start"], cell["end"]
            gap = text[position:start]
            if start < position or gap.strip():
                return None
            tag = "th" if cell["head"] else "td"
            before = f"<{tag}{_spans(cell)}>"
            cells.append(
                Cell(
                    start,
                    end,
                    gap,
                    before if number else f"<tr>{before}",
                    f"</{tag}></tr>" if number == len(row) - 1 else f"</{tag}>",
                )
            )
            position = end
    whole = cells and not text[position : block.end].strip() and cells[0].start == block.start
    return Cells(tuple(cells)) if whole else None


def _spans(cell: Mapping[str, Any]) -> str:
    names = {"row_span": "rowspan", "col_span": "colspan"}
    return "".join(
        f' {html}="{cell[name]}"' for name, html in names.items() if type(cell.get(name)) is int
    )
