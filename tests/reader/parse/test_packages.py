"""EPUB and OpenDocument: packages of XML."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.reader.parse import package
from marginalia.reader.parse.content import Content
from marginalia.reader.parse.epub import parse as parse_epub
from marginalia.reader.parse.odt import parse as parse_odt
from tests.reader.parse.files import EPUB, ODT, packed


def regions(content: Content) -> list[tuple[str, str]]:
    return [(r["kind"], content.text[r["start"] : r["end"]]) for r in content.regions]


def shown(content: Content) -> list[list[str]]:
    (table,) = content.tables
    return [
        [content.text[cell["start"] : cell["end"]] + "*" * cell["head"] for cell in row]
        for row in table["rows"]
    ]


def test_epub() -> None:
    content = parse_epub(packed(dict(EPUB)), Path("x.epub"))
    assert content.text == ("One Two\n\nOne\n\nWe weighed.\n\nx = 1\n\nTwo\n\njar\tkg\nsmall\t0.5")
    assert regions(content) == [
        ("contents", "One Two"),
        ("heading", "One"),
        ("code", "x = 1"),
        ("heading", "Two"),
        ("table", "jar\tkg\nsmall\t0.5"),
    ]
    assert shown(content) == [["jar*", "kg*"], ["small", "0.5"]]
    assert (content.title, content.lang, content.meta) == ("On jars", "en", {})


def test_a_missing_chapter_is_told() -> None:
    parts = {name: data for name, data in EPUB.items() if not name.endswith("one a.xhtml")}
    content = parse_epub(packed(parts), Path("x.epub"))
    assert content.text.startswith("One Two\n\nTwo")
    assert content.meta == {"problems": ["the part OPS/text/one a.xhtml is missing"]}


def test_an_encrypted_book_is_refused_and_one_with_encrypted_fonts_read() -> None:
    def locked(part: str) -> bytes:
        told = f'<encryption><CipherReference URI="{part}"/></encryption>'
        return packed({**EPUB, "META-INF/encryption.xml": told})

    assert parse_epub(locked("OPS/font.otf"), Path("x.epub")).text
    with pytest.raises(FormatError, match=r"x\.epub: the EPUB is encrypted"):
        parse_epub(locked("OPS/text/two.xhtml"), Path("x.epub"))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"x": ""}, "the file is no EPUB: it has no META-INF/container.xml"),
        ({**EPUB, "META-INF/container.xml": "<container/>"}, "not an EPUB that can be read"),
        ({**EPUB, "OPS/book.opf": "<package>"}, "the part OPS/book.opf of the EPUB: not XML"),
        ({"META-INF/container.xml": EPUB["META-INF/container.xml"]}, "has no part OPS/book.opf"),
    ],
)
def test_bad_books(parts: dict[str, str], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_epub(packed(dict(parts)), Path("x.epub"))


def test_open_document() -> None:
    content = parse_odt(packed(dict(ODT)), Path("x.odt"))
    assert content.text == (
        "On jars\n\nMethods\n\nWe weighed 10³ g of honey.\n\nNot all.\n\nIn the box.\n\none\n\n"
        "jar\tkg\tkg\nsmall\t0.5\n\nx = 1"
    )
    assert regions(content) == [
        ("heading", "On jars"),
        ("heading", "Methods"),
        ("footnote", "Not all."),
        ("item", "one"),
        ("table", "jar\tkg\tkg\nsmall\t0.5"),
        ("code", "x = 1"),
    ]
    assert [r["level"] for r in content.regions if r["kind"] == "heading"] == [1, 2]
    assert shown(content) == [["jar*", "kg*", "kg*"], ["small", "0.5"]]
    assert content.tables[0]["rows"][1][0]["col_span"] == 2


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"x": ""}, "the file is no OpenDocument: it has no content.xml"),
        ({"content.xml": "<x/>"}, "the OpenDocument is no text document"),
        ({"content.xml": "<x"}, "the part content.xml of the ODT: not XML"),
        ({**ODT, "styles.xml": "<x"}, "the part styles.xml of the ODT: not XML"),
    ],
)
def test_bad_open_documents(parts: dict[str, str], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse_odt(packed(dict(parts)), Path("x.odt"))


@pytest.mark.parametrize("parse", [parse_epub, parse_odt])
def test_packages_are_unpacked_under_limits(parse, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FormatError, match="it is damaged"):
        parse(b"PK", Path("x"))
    monkeypatch.setattr(package, "MAX_BYTES", 1_000)
    with pytest.raises(FormatError, match=r"unpacks to 1 files of 2,000 bytes, the limit is"):
        parse(packed({"x": " " * 2_000}), Path("x"))


def test_a_formula_of_open_document_is_a_part_of_its_own() -> None:
    frame = '<draw:frame><draw:object xlink:href="./Object 1" xmlns:xlink="x"/></draw:frame> counts.</text:p>'
    maths = "<math xmlns='http://www.w3.org/1998/Math/MathML'><mi>E</mi><annotation encoding='tex'>E</annotation></math>"
    content = ODT["content.xml"].replace("</text:h>", f"</text:h><text:p>So {frame}", 1)
    parts = {**ODT, "content.xml": content, "Object 1/content.xml": maths}
    found = parse_odt(packed(parts), Path("x.odt"))
    assert "So E counts." in found.text
    (formula,) = (region for region in found.regions if region["kind"] == "formula")
    assert formula["source"] == "E" and formula["inline"]
