"""DOCX: what Word's styles say of the text."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from marginalia import MissingError
from marginalia.reader.read import read, read_data

docx = pytest.importorskip("docx")


def sample() -> bytes:
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    word = docx.Document()
    word.add_heading("Jars of honey", 0)
    word.add_heading("Methods", 1)
    paragraph = word.add_paragraph("Each jar held 10")
    paragraph.add_run("3").font.superscript = True
    paragraph.add_run(" g\tof honey.")
    deleted = f"<w:del {nsdecls('w')}><w:r><w:delText>gone</w:delText></w:r></w:del>"
    paragraph._p.append(parse_xml(deleted))
    _add_footnote(word, paragraph, "Not all of it.")
    word.add_paragraph("one", style="List Bullet")
    word.add_paragraph("Table 1. Weights", style="Caption")
    table = word.add_table(rows=2, cols=2)
    for number, text in enumerate(["jar", "kg", "small", "0.5"]):
        table.cell(number // 2, number % 2).text = text
    word.add_heading("Sample", 2)
    word.add_paragraph("So it was said.", style="Quote")
    word.add_heading("References", 1)
    word.add_paragraph("Doe, J. (2001). On jars.")
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()


def _add_footnote(word: Any, paragraph: Any, text: str) -> None:
    """The package has no way to add one."""
    from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    note = f'<w:footnote w:id="7"><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:footnote>'
    own = '<w:footnote w:id="0" w:type="separator"><w:p><w:r><w:t>no</w:t></w:r></w:p></w:footnote>'
    blob = f"<w:footnotes {nsdecls('w')}>{own}{note}</w:footnotes>".encode()
    place = PackURI("/word/footnotes.xml")
    part = Part(place, CONTENT_TYPE.WML_FOOTNOTES, blob, word.part.package)
    word.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    paragraph._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="7"/></w:r>'))


def test_text_and_regions(tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    path.write_bytes(sample())
    doc = read(path)
    assert doc.text == (
        "Jars of honey\n\nMethods\n\nEach jar held 10³ g of honey.\n\nNot all of it.\n\none\n\nTable 1. Weights\n\n"
        "jar\tkg\nsmall\t0.5\n\nSample\n\nSo it was said.\n\nReferences\n\nDoe, J. (2001). On jars."
    )
    regions = [(r["kind"], doc.text[r["start"] : r["end"]]) for r in doc.meta["regions"]]
    assert regions == [
        ("heading", "Jars of honey"),
        ("heading", "Methods"),
        ("footnote", "Not all of it."),
        ("item", "one"),
        ("caption", "Table 1. Weights"),
        ("table", "jar\tkg\nsmall\t0.5"),
        ("heading", "Sample"),
        ("quote", "So it was said."),
        ("heading", "References"),
        ("references", "Doe, J. (2001). On jars."),
    ]
    assert [section["level"] for section in doc.meta["sections"]] == [1, 2, 3, 2]
    assert doc.meta["format"] == "docx"


def test_without_the_package_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docx", None)
    with pytest.raises(MissingError, match=r"pip install 'marginalia\[docx\]'"):
        read_data(b"", Path("x.docx"))
