"""Files that were made to do harm end in one clear sentence, soon, and nothing in them is run.

Hostile PDFs are in ``test_pdf.py``.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.reader.parse import package
from marginalia.reader.read import read

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def refused(path: Path, data: bytes, message: str) -> None:
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message) as caught:
        read(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["x.txt", "x.md", "x.html", "x"])
def test_fifty_megabytes_on_one_line(tmp_path: Path, name: str) -> None:
    refused(tmp_path / name, b"word " * 10 * 2**20, "more than 20,000,000 characters, the limit")


def test_a_long_line_that_is_not_too_long_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"word " * 2**20)
    assert len(read(path).text) == 5 * 2**20


@pytest.mark.parametrize("name", ["x.txt", "x.md", "x.html"])
def test_what_is_not_utf_8(tmp_path: Path, name: str) -> None:
    refused(tmp_path / name, b"caf\xe9 au lait", "byte 4 of the file is not UTF-8 text")


@pytest.mark.parametrize("name", ["x.txt", "x.md", "x.html"])
def test_null_bytes(tmp_path: Path, name: str) -> None:
    refused(tmp_path / name, b"one\n\0two", "there is a NUL byte, so this is not a text file")


BOMB = "".join(
    f'<!ENTITY x{number} "{f"&x{number - 1};" * 10}">' if number else '<!ENTITY x0 "ha">'
    for number in range(12)
)


@pytest.mark.parametrize("root", ["article", "TEI"])
def test_an_entity_bomb(tmp_path: Path, root: str) -> None:
    page = f"<!DOCTYPE {root} [{BOMB}]><{root}><body><p>&x11;</p></body></{root}>"
    refused(tmp_path / "x.xml", page.encode(), "declares entities of its own, which are not read")


def test_an_entity_bomb_in_another_encoding_is_not_expanded(tmp_path: Path) -> None:
    page = f'<?xml version="1.0" encoding="utf-16"?><!DOCTYPE article [{BOMB}]><article>&x11;</article>'
    refused(tmp_path / "x.nxml", page.encode("utf-16"), ": ")


def test_an_entity_of_a_page_is_not_expanded(tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    path.write_text(f"<!DOCTYPE html [{BOMB}]><p>Some text &x11;.</p>", encoding="utf-8")
    assert len(read(path).text) < 2000


def test_no_file_is_read_for_an_entity(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    page = f'<!DOCTYPE article [<!ENTITY f SYSTEM "{secret.as_uri()}">]><article>&f;</article>'
    refused(tmp_path / "x.xml", page.encode(), "declares entities")
    dtd = tmp_path / "x.dtd"
    dtd.write_text('<!ENTITY f "from the DTD">', encoding="utf-8")
    path = tmp_path / "y.xml"
    path.write_text(
        f'<!DOCTYPE article SYSTEM "{dtd.as_uri()}"><article><body><p>a &f; b</p></body></article>',
        encoding="utf-8",
    )
    assert read(path).text == "a &f; b"


def test_deep_xml(tmp_path: Path) -> None:
    page = "<article><body>" + "<p>" * 100_000 + "deep"
    refused(tmp_path / "x.xml", page.encode(), "not XML that can be read")


def test_scripts_are_never_interpreted(tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    path.write_text(
        "<title>t</title><script>document.write('evil')</script><p onclick='evil()'>Fine "
        "<a href='javascript:evil()'>link</a> <img src=x onerror='evil()'>"
        "<svg onload='evil()'><script>evil()</script></svg> &lt;script&gt;told&lt;/script&gt;",
        encoding="utf-8",
    )
    assert read(path).text == "Fine link <script>told</script>"


def packed(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return out.getvalue()


PARTS = {"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<x/>"}


def test_a_zip_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = packed({**PARTS, "word/media/x.bin": bytes(30 * 2**20)})
    assert len(data) < 100_000
    monkeypatch.setattr(package, "MAX_BYTES", 20 * 2**20)
    refused(tmp_path / "x.docx", data, "unpacks to 3 files of 31,4.* bytes, the limit is")
    many = packed({**PARTS, **{f"word/{number}": b"" for number in range(5_000)}})
    refused(tmp_path / "x.docx", many, "unpacks to 5,002 files")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (packed({"x": b""}), "no Word document: it has no text part"),
        (packed(PARTS), "not a DOCX that can be read: it is damaged"),
        (packed(PARTS)[:-30], "not a DOCX that can be read: it is damaged"),
        (
            packed({**PARTS, "word/document.xml": b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>"}),
            r"the part word/document\.xml of the DOCX: the XML declares entities of its own",
        ),
    ],
    ids=["other", "empty", "truncated", "entities"],
)
def test_bad_packages(tmp_path: Path, data: bytes, message: str) -> None:
    refused(tmp_path / "x.docx", data, message)


@pytest.mark.parametrize("source", [r"Honey \verb", "Honey \\verb \n"])
def test_latex_that_ends_within_a_command(tmp_path: Path, source: str) -> None:
    pytest.importorskip("pylatexenc")
    refused(tmp_path / "x.tex", source.encode(), "ends within a command")
