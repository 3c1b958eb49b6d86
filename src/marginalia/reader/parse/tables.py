"""Tables: their rows and cells by offsets into the text, their captions, and which cells are heads.

A table is ``{start, end, caption, rows}``. A row is a list of cells, a cell ``{start, end, head}``, with ``row_span``
and ``col_span`` where it is larger than one. ``text[start:end]`` is what is in the cell. The caption is ``{start, end}``
or None.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Any

from lxml import etree

MAX_SPAN = 1_000
"""Rows or columns that one cell may span, as in browsers."""

MAX_CELL = 300
"""Characters of a cell with paragraphs in it; longer ones are the columns of a page."""

_PARTS = etree.XPath("boolean(.//table | .//h1 | .//h2 | .//h3)")
_BLOCKS = etree.XPath("boolean(.//p | .//div | .//ul | .//ol)")
_HEADS = etree.XPath("boolean(./caption | ./thead | ./tr/th | ./tbody/tr/th)")
_FIGURE = re.compile(r"(?:fig|abb|scheme|schema|chart|photo|bild)", re.IGNORECASE)
_NUMERIC = re.compile(r"[^A-Za-zÀ-ɏ]*\d[^A-Za-zÀ-ɏ]*")
"""A cell that holds a number and no word."""

Place = dict[str, Any]


def make_tables(text: str, regions: list[Place], known: list[Place]) -> list[Place]:
    """All tables of a text in its order: those that the format declares, and those that only lines and tabs show."""
    starts = sorted(table["start"] for table in known)
    found = list(known)
    for region in regions:
        if region["kind"] == "table":
            near = bisect_left(starts, region["start"])
            if near == len(starts) or starts[near] >= region["end"]:
                found.append(_by_tabs(text, region))
    for table in found:
        if not any(cell["head"] for row in table["rows"] for cell in row):
            mark_heads(text, table["rows"])
    captions = [region for region in regions if region["kind"] == "caption"]
    return [
        {**table, "caption": _caption(text, captions, table)}
        for table in sorted(found, key=lambda table: table["start"])
    ]


def mark_heads(text: str, rows: list[list[Place]]) -> None:
    """Mark heads by what is in the cells, where nothing else tells them: words above or before numbers.

    The first row is one of heads if it has no number and most of the cells below it have one. Likewise the first
    column. What could be either is not marked.
    """
    if len(rows) < 2:
        return
    numeric = [[_is_numeric(text, cell) for cell in row] for row in rows]
    below = [is_number for row in numeric[1:] for is_number in row[1:]]
    if not below or sum(below) <= len(below) / 2:
        return
    if not any(numeric[0][1:]) and len(rows[0]) > 1:
        for cell in rows[0]:
            cell["head"] = cell["start"] < cell["end"]
    if not any(row[0] for row in numeric[1:] if row):
        for row in rows[1:]:
            if len(row) > 1:
                row[0]["head"] = row[0]["start"] < row[0]["end"]


def span_of(value: str | None) -> int:
    """The rows or columns that an attribute says a cell spans; one if it says nothing sensible."""
    return min(int(value), MAX_SPAN) if value and value.isascii() and value.isdecimal() else 1


def is_layout(table: Any) -> bool:
    """Whether an HTML table lays out a page: it holds a table or a heading, or long paragraphs and no head of its own."""
    if table.get("role") in ("none", "presentation") or _PARTS(table):
        return True
    return bool(_BLOCKS(table)) and not _HEADS(table) and _is_long(table)


def _is_long(table: Any) -> bool:
    return any(len(cell.text_content().strip()) > MAX_CELL for cell in table.iter("td"))


def _is_numeric(text: str, cell: Place) -> bool:
    return _NUMERIC.fullmatch(text[cell["start"] : cell["end"]]) is not None


def _by_tabs(text: str, region: Place) -> Place:
    """The table of a region whose rows are lines and whose cells have tabs between them."""
    rows, start = [], region["start"]
    for line in text[region["start"] : region["end"]].split("\n"):
        row = []
        for piece in line.split("\t"):
            row.append({"start": start, "end": start + len(piece), "head": False})
            start += len(piece) + 1
        if line.strip():
            rows.append(row)
    return {"start": region["start"], "end": region["end"], "rows": rows}


def _caption(text: str, captions: list[Place], table: Place) -> Place | None:
    """The caption in a table, else the one right before or after it."""
    first = bisect_left(captions, table["start"], key=lambda region: region["start"])
    inside = captions[first] if first < len(captions) else None
    if inside and inside["end"] <= table["end"]:
        return {"start": inside["start"], "end": inside["end"]}
    before = captions[first - 1] if first else None
    for one, gap in ((before, "before"), (inside, "after")):
        if one is None or _FIGURE.match(text, one["start"]):
            continue
        between = (
            text[one["end"] : table["start"]]
            if gap == "before"
            else text[table["end"] : one["start"]]
        )
        if not between.strip():
            return {"start": one["start"], "end": one["end"]}
    return None
