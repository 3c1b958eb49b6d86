"""Tables as rows of cells, each with its place in the text, from every format that has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from marginalia import Document, FormatError
from marginalia.reader.formats.html import dump
from marginalia.reader.formats.json import check_document
from marginalia.reader.parse.tables import make_tables
from marginalia.reader.parts import parts
from marginalia.reader.read import read
from tests.reader.documents import at, pdf

HTML = """<p>Before.</p><table><caption>Weights</caption><thead><tr><td></td><td>kg</td></tr></thead>
<tr><th rowspan=2 colspan=x>small</th><td>0.5</td></tr><tr><td>0.6 <br> or so</td></tr><tr><td></td></tr></table>"""
JATS = """<article><body><p>Before.</p><table-wrap><label>Table 1</label><caption><p>Weights</p></caption>
<table><tr><td>jar</td><td>kg</td></tr><tr><td>small</td><td colspan="2">0.5</td></tr></table></table-wrap>
</body></article>"""
TEI = """<TEI><text><body><p>Before.</p><table><head>Weights</head><row role="label"><cell>jar</cell><cell>kg</cell></row>
<row><cell role="label">small</cell><cell rows="2">0.5</cell></row></table></body></text></TEI>"""
MARKDOWN = "Before.\n\n| jar | kg |\n|---|---|\n| small | `0.5` |\n| | 3 |\n"


def put(tmp_path: Path, name: str, data: str | bytes) -> Document:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read(path)


def shown(doc: Document) -> list[Any]:
    """The tables with their text in place of offsets; a head has a star."""
    return [
        (
            doc.text[table["caption"]["start"] : table["caption"]["end"]]
            if table["caption"]
            else None,
            [
                [
                    doc.text[cell["start"] : cell["end"]]
                    + "*" * cell["head"]
                    + "".join(f" {key}={cell[key]}" for key in ("row_span", "col_span") if key in cell)
                    for cell in row
                ]
                for row in table["rows"]
            ],
        )
        for table in doc.meta["tables"]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "data", "caption", "rows"),
    [
        (
            "x.html",
            HTML,
            "Weights",
            [["*", "kg*"], ["small* row_span=2", "0.5"], ["0.6\nor so"], [""]],
        ),
        ("x.nxml", JATS, "Table 1 Weights", [["jar*", "kg*"], ["small*", "0.5 col_span=2"]]),
        ("x.tei", TEI, "Weights", [["jar*", "kg*"], ["small*", "0.5 row_span=2"]]),
        ("x.md", MARKDOWN, None, [["jar*", "kg*"], ["small", "0.5"], ["", "3"]]),
    ],
)
def test_cells(tmp_path: Path, name: str, data: str, caption: str | None, rows: list[Any]) -> None:
    doc = put(tmp_path, name, data)
    assert shown(doc) == [(caption, rows)]
    (region,) = [region for region in doc.meta["regions"] if region["kind"] == "table"]
    (table,) = doc.meta["tables"]
    assert (table["start"], table["end"]) == (region["start"], region["end"])
    for row in table["rows"]:
        for cell in row:
            assert table["start"] <= cell["start"] <= cell["end"] <= table["end"]


def test_a_pdf_tells_rows_by_lines_and_cells_by_tabs(tmp_path: Path) -> None:
    rows = [("Jar", "Weight", "Price"), ("small", "0.5", "2.10"), ("large", "1.5", "4.20")]
    lines = [
        at(72 + 90 * column, 600 - 14 * row, text)
        for row, cells in enumerate(rows)
        for column, text in enumerate(cells)
    ]
    words = (
        "Some words before the table, and enough of them to make the line as wide as the page is."
    )
    doc = put(tmp_path, "x.pdf", pdf([at(72, 700, words), *lines]))
    (table,) = shown(doc)
    assert table == (
        None,
        [["Jar*", "Weight*", "Price*"], ["small*", "0.5", "2.10"], ["large*", "1.5", "4.20"]],
    )


def test_heads_are_not_guessed_where_all_cells_are_alike() -> None:
    text = "a\tb\nc\td"
    (table,) = make_tables(text, [{"kind": "table", "start": 0, "end": len(text)}], [])
    assert not any(cell["head"] for row in table["rows"] for cell in row)


def test_a_caption_stands_right_before_or_after_and_is_none_of_a_figure() -> None:
    def caption(text: str, kind: str) -> str | None:
        start = text.index("a\t")
        regions = [
            {"kind": "table", "start": start, "end": start + 3},
            {"kind": "caption", "start": text.index(kind), "end": text.index(kind) + len(kind)},
        ]
        regions.sort(key=lambda region: int(region["start"]))
        (table,) = make_tables(text, regions, [])
        found = table["caption"]
        return text[found["start"] : found["end"]] if found else None

    assert caption("Table 1\n\na\tb", "Table 1") == "Table 1"
    assert caption("a\tb\n\nTable 1", "Table 1") == "Table 1"
    assert caption("Figure 1\n\na\tb", "Figure 1") is None
    assert caption("Table 1\n\nText.\n\na\tb", "Table 1") is None


def test_a_table_is_one_in_the_page(tmp_path: Path) -> None:
    page = dump([put(tmp_path, "x.html", HTML)])
    assert (
        "<caption>Weights</caption><tr><th></th>\n<th>kg</th></tr>\n"
        '<tr><th rowspan="2">small</th>\t<td>0.5</td></tr>\n<tr><td>0.6\nor so</td></tr>'
    ) in page


def test_tables_go_with_their_part_of_a_long_document(tmp_path: Path) -> None:
    words = "Words before the table, and more of them. " * 100
    doc = put(tmp_path, "x.md", f"{words}\n\n{words}\n\n{MARKDOWN}\n\n{words}\n\n{words}\n")
    found = [part for _, part in parts(doc) if part.meta["tables"]]
    assert len(list(parts(doc))) > 1 and len(found) == 1
    assert shown(found[0]) == shown(doc)


@pytest.mark.parametrize(
    "table",
    [
        {"start": 0, "end": 3},
        {"start": 0, "end": 9, "rows": []},
        {"start": 0, "end": 3, "rows": [[{"start": 0, "end": 4, "head": True}]]},
        {"start": 0, "end": 3, "rows": [[{"start": 0, "end": 3}]]},
        {"start": 0, "end": 3, "caption": "x", "rows": []},
        "table",
    ],
)
def test_a_file_with_tables_that_are_none_is_refused(table: Any) -> None:
    doc = Document(id="d", text="a\tb", meta={"tables": [table]})
    with pytest.raises(FormatError, match="tables must be a list"):
        check_document(doc, Path("x.json"))
