"""Pictures of documents: where they stand, and what is taken from the file when they are looked at."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from marginalia.core.errors import FormatError, MissingError
from marginalia.reader.parse.pictures import MAX_PICTURES
from marginalia.reader.read import read, read_picture
from tests.reader.parse.files import packed

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
GIF = b"GIF89a" + bytes(20)
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"


def source(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def shown(path: Path) -> list[tuple[str, str]]:
    """What comes after each picture, and its words."""
    doc = read(path)
    figures: list[dict[str, Any]] = doc.meta.get("figures", [])
    assert all(0 <= one["start"] <= one["end"] <= len(doc.text) for one in figures)
    return [(doc.text[one["start"] :].lstrip()[:9], one["alt"]) for one in figures]


def test_pictures_in_a_page(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(
        f"<p>First.</p><figure><img src='{source(PNG)}' alt='a  dot'><figcaption>Figure 1. A dot.</figcaption></figure>"
        f"<p>Icon <img src='{source(GIF)}' width=16></p><p><img src='https://elsewhere.example/x.png'></p>"
        f"<p><img src='{source(SVG, 'svg+xml')}'><img src='data:image/png;base64,!!'></p><p><img src='{source(GIF, 'gif')}'>Last.</p>",
        encoding="utf-8",
    )
    assert shown(path) == [("Figure 1.", "a dot"), ("Last.", "")], "what the file holds, no icons"
    figures = read(path).meta["figures"]
    assert read_picture(path, figures[0]) == (PNG, "image/png")
    assert read_picture(path, figures[1]) == (GIF, "image/gif")
    path.write_text("<p>Another page.</p>", encoding="utf-8")
    with pytest.raises(MissingError, match="not in the file any more"):
        read_picture(path, figures[0])


def test_there_is_an_end_to_them(tmp_path: Path) -> None:
    path = tmp_path / "icons.html"
    path.write_text("<p>All</p>" + f"<img src='{source(GIF)}'>" * (MAX_PICTURES + 9))
    assert len(read(path).meta["figures"]) == MAX_PICTURES


def test_pictures_in_a_book(tmp_path: Path) -> None:
    path = tmp_path / "book.epub"
    book = (
        "<package><metadata/><manifest><item id='a' href='text/a.xhtml' media-type='application/xhtml+xml'/>"
        "</manifest><spine><itemref idref='a'/></spine></package>"
    )
    chapter = (
        "<html><body><p>One.</p><img alt='cover' src='../images/a%20b.png'/><p>Two.</p>"
        "<img src='../images/x.svg'/><img src='../../../etc/passwd.png'/></body></html>"
    )
    container = "<container><rootfile full-path='OEBPS/book.opf'/></container>"
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": container,
        "OEBPS/book.opf": book,
        "OEBPS/text/a.xhtml": chapter,
        "OEBPS/images/a b.png": PNG,
        "OEBPS/images/x.svg": SVG,
    }
    path.write_bytes(packed(parts))
    assert shown(path) == [("Two.", "cover")]
    figure = read(path).meta["figures"][0]
    assert read_picture(path, figure) == (PNG, "image/png")
    with pytest.raises(FormatError, match="cannot be shown"):
        read_picture(path, {"part": "OEBPS/images/x.svg"})


def test_pictures_in_a_word_file(tmp_path: Path) -> None:
    from docx import Document as Word

    picture = tmp_path / "dot.png"
    picture.write_bytes(PNG)
    word: Any = Word()
    word.add_paragraph("First.")
    word.add_picture(str(picture))
    word.inline_shapes[0]._inline.docPr.set("descr", "a dot")
    word.add_paragraph("Figure 1. A dot.")
    path = tmp_path / "paper.docx"
    word.save(path)
    assert shown(path) == [("Figure 1.", "a dot")]
    assert read_picture(path, read(path).meta["figures"][0]) == (PNG, "image/png")


def test_pictures_in_an_open_document(tmp_path: Path) -> None:
    content = (
        "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:draw='d' xmlns:xlink='x' xmlns:svg='s'>"
        "<office:body><office:text><text:p>First.</text:p><text:p><draw:frame><draw:image xlink:href='Pictures/a.png'/>"
        "<svg:desc>a dot</svg:desc></draw:frame></text:p><text:p>Figure 1. A dot.</text:p></office:text></office:body>"
        "</office:document-content>"
    )
    path = tmp_path / "paper.odt"
    path.write_bytes(packed({"mimetype": "x", "content.xml": content, "Pictures/a.png": PNG}))
    assert shown(path) == [("Figure 1.", "a dot")]
    assert read_picture(path, read(path).meta["figures"][0]) == (PNG, "image/png")
