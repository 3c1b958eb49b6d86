"""Tables with rules: a cell is what stands between them, however many lines it has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from marginalia.reader.pdf.lines import Line
from marginalia.reader.pdf.parse import parse
from marginalia.reader.pdf.ruled_tables import part_grids
from marginalia.reader.read import read_data
from tests.reader.documents import raw_pdf


def text(x: int, y: int, words: str) -> bytes:
    return b"BT /F1 10 Tf %d %d Td (%s) Tj ET" % (x, y, words.encode())


def rule(x0: int, y0: int, x1: int, y1: int) -> bytes:
    return b"%d %d m %d %d l S" % (x0, y0, x1, y1)


def page(*shown: bytes) -> bytes:
    content = b" ".join(shown)
    return raw_pdf(b"<< /Length %d >>\nstream\n" % len(content) + content + b"\nendstream")


ROWS = [rule(72, y, 400, y) for y in (700, 680, 640, 620)]
COLUMNS = [rule(x, 620, x, 700) for x in (72, 200, 300, 400)]
WORDS = [
    text(80, 720, "Jars are weighed every year."),
    text(210, 686, "contents"),
    text(310, 686, "kg"),
    text(80, 666, "large jars with"),
    text(80, 652, "wide lids"),
    text(210, 666, "honey"),
    text(310, 666, "2.5"),
    text(80, 626, "small"),
    text(310, 626, "0.5"),
    text(80, 600, "They are heavy, as everyone knows."),
]


def test_a_cell_of_several_lines_is_one() -> None:
    doc = read_data(page(*ROWS, *COLUMNS, *WORDS), Path("x.pdf"))
    table = "\tcontents\tkg\nlarge jars with wide lids\thoney\t2.5\nsmall\t\t0.5"
    assert (
        doc.text == f"Jars are weighed every year.\n\n{table}\n\nThey are heavy, as everyone knows."
    )
    (found,) = doc.meta["tables"]
    cells = [[doc.text[c["start"] : c["end"]] for c in row] for row in found["rows"]]
    assert cells[1] == ["large jars with wide lids", "honey", "2.5"] and cells[2][1] == ""


def test_boxes_that_touch_are_a_grid_too() -> None:
    boxes = [
        b"%d %d %d %d re S" % (x, y, w, h)
        for x, w in ((72, 128), (200, 100), (300, 100))
        for y, h in ((680, 20), (640, 40), (620, 20))
    ]
    assert (
        "large jars with wide lids\thoney\t2.5\n" in parse(page(*boxes, *WORDS), Path("x.pdf")).text
    )


def test_a_wide_cell_and_a_frame() -> None:
    columns = [*COLUMNS[:1], rule(200, 620, 200, 680), *COLUMNS[2:]]
    words = [text(80, 686, "jars and their contents"), *WORDS[2:]]
    content = parse(page(*ROWS, *columns, *words), Path("x.pdf"))
    assert content.text.startswith(
        "jars and their contents\tkg\nlarge jars with wide lids\thoney\t2.5"
    )


def line(x: int, y: int, words: str) -> Line:
    run: list[Any] = [words, 100, 0, y, y - 80, y + 20, [x + 50 * n for n in range(len(words) + 1)]]
    return Line(run)


RULES = [(0, y, 3000, y) for y in (0, 200, 1200)] + [(x, 0, x, 1200) for x in (0, 1000, 2000, 3000)]


def test_rows_without_rules_charts_and_boxes_of_text_are_no_grids() -> None:
    heads = [line(100 + 1000 * n, 150, "head") for n in range(3)]
    unruled = [line(100 + 1000 * n, 300 + 150 * y, "cell") for n in range(3) for y in range(5)]
    for lines in ([*heads, *unruled], heads[:1], [*heads, line(100, 300, "word " * 200)]):
        assert part_grids(lines, RULES) == (lines, [])
    assert part_grids(heads, [(0, 0, 3000, 0), (0, 200, 3000, 200)]) == (heads, [])
