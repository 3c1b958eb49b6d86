"""The paragraphs of a document as they are shown: headings, items, code, tables and plain ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from marginalia.core.document import Document
from marginalia.nlp.prose import paragraphs
from marginalia.nlp.sentences import trimmed

_WHOLE = frozenset({"code", "table"})
"""Regions that a blank line does not divide."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph: its span without the white space around it, and the regions it lies in."""

    start: int
    end: int
    regions: tuple[dict[str, Any], ...]

    @property
    def kind(self) -> str:
        """The innermost region, or ``paragraph``."""
        return self.regions[-1]["kind"] if self.regions else "paragraph"

    @property
    def marker(self) -> str:
        """What stands before the item of a list: its number, or a bullet."""
        region = self.regions[-1] if self.regions else {}
        if region.get("kind") != "item" or region["start"] != self.start:
            return ""
        return f"{region['number']}." if "number" in region else "•"


def blocks(doc: Document) -> Iterator[Block]:
    """The paragraphs in reading order; together they hold all text that is not white space."""
    regions = [
        region
        for region in doc.meta.get("regions", ())
        if not region.get("inline") and region["kind"] != "foreign"  # a paragraph like others
    ]
    regions.sort(key=lambda region: (region["start"], -region["end"]))
    active: list[dict[str, Any]] = []
    index = 0
    for start, end in _spans(doc.text, regions):
        while index < len(regions) and regions[index]["start"] <= start:
            active.append(regions[index])
            index += 1
        active = [region for region in active if region["end"] > start]
        yield Block(start, end, tuple(region for region in active if region["end"] >= end))


def tab_size(table: str) -> int:
    """How wide the columns of a table must be for its longest cell, within reason."""
    rows = [row.split("\t") for row in table.split("\n")]
    return min(40, max((len(cell) for row in rows if len(row) > 1 for cell in row), default=6) + 2)


def _spans(text: str, regions: list[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    """Runs between blank lines, and whole regions as one run each."""
    position = 0
    for region in regions:
        if region["kind"] in _WHOLE and region["start"] >= position:
            yield from paragraphs(text, position, region["start"])
            yield from trimmed(text, region["start"], region["end"])
            position = region["end"]
    yield from paragraphs(text, position)
