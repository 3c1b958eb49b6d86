"""The grid of a table of a PDF, from where its words stand."""

from __future__ import annotations

import re
from typing import Any

from marginalia.reader.pdf.grids import find_grids

SIGN = 10
"""The width of each character."""


def page(*rows: tuple[int, str], tabled: range) -> tuple[str, list[Any], list[Any]]:
    """Lines from heights and texts; several blanks are one wide one. The lines of the range are the rows of a table."""
    text, lines, start, end = "", [], 0, 0
    for number, (top, row) in enumerate(rows):
        left = (len(row) - len(row.lstrip())) * SIGN
        widths = [
            len(part) * SIGN if part[0] == " " else 0 for part in re.findall(r" +|.", row.strip())
        ]
        words = re.sub(" +", " ", row.strip())
        if number in tabled:
            start, end = (len(text) if number == tabled.start else start), len(text) + len(words)
        lines.append(
            {
                "page": 1,
                "start": len(text),
                "end": len(text) + len(words),
                "top": top,
                "bottom": top + 20,
                "x": " ".join(map(str, [left, *(width or SIGN for width in widths)])),
            }
        )
        text += words + ("\n" if number in tabled and number + 1 in tabled else "\n\n")
    return text, [{"kind": "table", "start": start, "end": end}], lines


def said(text: str, rows: list[list[dict[str, Any]]]) -> list[list[str]]:
    return [
        [text[cell["start"] : cell["end"]] + "+" * (cell.get("col_span", 1) - 1) for cell in row]
        for row in rows
    ]


def test_heads_above_several_columns_and_labels_between_two_rows() -> None:
    text, regions, lines = page(
        (0, "The results of all models were measured twice, on two days of one week in May."),
        (60, "                        Top-20             Top-100  "),
        (90, "Kind     Model      NQ        WQ        NQ        WQ"),
        (120, "None     BM25       59.1      66.9      73.7      76.7"),
        (150, "         DPR        78.4      79.4      85.4      85.0"),
        (165, "Single  "),
        (180, "         Both       76.6      79.8      83.8      84.5"),
        tabled=range(3, 5),
    )
    found, (table,) = find_grids(text, regions, lines)
    rows = said(text, table["rows"])
    assert rows[1] == ["Kind", "Model", "NQ", "WQ", "NQ", "WQ"]
    assert rows[0][2:] == ["Top-20+", "Top-100+"]
    assert rows[3][:3] == ["Single", "DPR", "78.4"] and rows[4][:3] == ["Single", "Both", "76.6"]
    assert found == [{"kind": "table", "start": table["start"], "end": table["end"]}]
    assert text.index("The results") < table["start"], "the paragraph above is not of the table"
    assert not any(cell["head"] for cell in table["rows"][2][2:])


def test_what_has_no_numbers_stays_as_it_was() -> None:
    text, regions, lines = page(
        (0, "Title      British Cycling"), (30, "Text       Irish Sea"), tabled=range(2)
    )
    assert find_grids(text, regions, lines) == (regions, [])
