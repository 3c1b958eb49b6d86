"""DOCX: what Word's styles say of the text."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from marginalia import FormatError
from marginalia.reader.parse.content import Content
from marginalia.reader.parse.docx import parse
from marginalia.reader.parse.word_xml import Styles
from marginalia.reader.read import read

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
        "Jars of honey\n\nMethods\n\nEach jar held 10³ g\tof honey.\n\nNot all of it.\n\none\n\nTable 1. Weights\n\n"
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


WORD = """<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
 xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:v="urn:schemas-microsoft-com:vml"
 xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"
 xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><w:body>{}</w:body></w:document>"""
BOX = "<w:txbxContent><w:p><w:r><w:t>In the box.</w:t></w:r></w:p></w:txbxContent>"


def parsed(body: str, **parts: str) -> Content:
    """A document with this body, packed by hand; further parts are in the folder ``word``."""
    types = {name: f"http://schemas.openxmlformats.org/x/{name}" for name in parts}
    relations = "".join(
        f'<Relationship Id="{name}" Type="{kind}" Target="{name}.xml"/>'
        for name, kind in types.items()
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("word/document.xml", WORD.format(body))
        package.writestr(
            "word/_rels/document.xml.rels", f"<Relationships>{relations}</Relationships>"
        )
        for name, text in parts.items():
            package.writestr(f"word/{name}.xml", text)
    return parse(out.getvalue(), Path("x.docx"))


def p(*inner: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}{''.join(inner)}</w:p>"


def r(text: str, options: str = "") -> str:
    return f"<w:r>{options and f'<w:rPr>{options}</w:rPr>'}<w:t>{text}</w:t></w:r>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            p(
                r("Before"),
                "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><wps:txbx>",
                BOX,
                "</wps:txbx></mc:Choice><mc:Fallback><w:pict><v:textbox>",
                BOX,
                "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>",
                r(" and after."),
            ),
            "Before and after.\n\nIn the box.",
        ),
        (
            p(
                r("It is "),
                "<w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins>",
                "<w:moveFrom><w:r><w:t>from</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t> here</w:t></w:r></w:moveTo>",
                '<w:commentRangeStart w:id="0"/>',
                r("."),
                '<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>',
                r("secret", "<w:vanish/>"),
            ),
            "It is new here.",
        ),
        ("<w:sdt><w:sdtContent>" + p(r("In a control.")) + "</w:sdtContent></w:sdt>", "In a control."),
        (p(r("Name:"), "<w:r><w:tab/></w:r>", r("Value")), "Name:\tValue"),
        (p(r("20 "), '<w:r><w:sym w:font="Symbol" w:char="F0B0"/></w:r>', r("C")), "20 °C"),
        (p(r("a"), "<w:r><w:br/><w:noBreakHyphen/></w:r>", r("b")), "a\n-b"),
    ],
    ids=["text box once", "changes and comments", "content control", "tab", "symbol", "line break"],
)  # fmt: skip
def test_what_is_text_and_what_is_not(body: str, text: str) -> None:
    assert parsed(body).text == text


def m(name: str, **parts: str) -> str:
    inner = "".join(f"<m:{part}>{text}</m:{part}>" for part, text in parts.items())
    return f"<m:{name}>{inner}</m:{name}>"


def x(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("equation", "text"),
    [
        (x("E=m") + m("sSup", e=x("c"), sup=x("2")), "E=mc²"),
        (m("sSup", e=x("e"), sup=x("ax")), "e^ax"),
        (m("sSup", e=x("e"), sup=x("a+x")), "e^(a+x)"),
        (m("sSubSup", e=x("x"), sub=x("1"), sup=x("2")), "x₁²"),
        (m("f", num=x("a+b"), den=x("c")), "(a+b)/c"),
        (m("rad", deg="", e=x("xy")), "√xy"),
        ('<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>' + f"<m:sub>{x('0')}</m:sub><m:sup/><m:e>{x('n')}</m:e></m:nary>", "∑₀ n"),
        ('<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>' + f"<m:e>{x('a')}</m:e><m:e>{x('b')}</m:e></m:d>", "[a|b]"),
    ],
)  # fmt: skip
def test_equations_in_a_line(equation: str, text: str) -> None:
    content = parsed(p(r("So "), f"<m:oMath>{equation}</m:oMath>"))
    assert content.text == f"So {text}"
    (region,) = content.regions
    assert region.pop("source").startswith("<m:oMath")
    assert region == {"kind": "formula", "inline": True, "start": 3, "end": 3 + len(text)}
    (region,) = parsed(p(f"<m:oMathPara><m:oMath>{equation}</m:oMath></m:oMathPara>")).regions
    assert region.pop("source").startswith("<m:oMathPara")
    assert region == {"kind": "formula", "start": 0, "end": len(text)}


def tc(text: str, options: str = "") -> str:
    return f"<w:tc><w:tcPr>{options}</w:tcPr>{p(r(text)) if text else p()}</w:tc>"


def test_tables_with_heads_and_merged_cells() -> None:
    rows = [
        "<w:trPr><w:tblHeader/></w:trPr>" + tc("jar", '<w:gridSpan w:val="2"/>') + tc("kg"),
        tc("glass", '<w:vMerge w:val="restart"/>') + tc("small") + tc("0.5"),
        tc("", "<w:vMerge/>") + tc("large") + tc(""),
        "<w:trPr><w:del/></w:trPr>" + tc("gone"),
    ]
    inner = "".join(f"<w:tr>{row}</w:tr>" for row in rows)
    content = parsed(f"<w:tbl>{inner}</w:tbl>" + p(r("After.")))
    assert content.text == "jar\tkg\nglass\tsmall\t0.5\nlarge\n\nAfter."
    (table,) = content.tables
    shown = [
        [
            (content.text[c["start"] : c["end"]], c["head"], c.get("row_span"), c.get("col_span"))
            for c in row
        ]
        for row in table["rows"]
    ]
    assert shown == [
        [("jar", True, None, 2), ("kg", True, None, None)],
        [
            ("glass", False, 2, None),
            ("small", False, None, None),
            ("0.5", False, None, None),
        ],
        [("large", False, None, None), ("", False, None, None)],
    ]


def test_a_first_row_that_alone_is_bold_has_the_heads() -> None:
    def heads(*rows: tuple[str, str]) -> list[bool]:
        inner = "".join(
            f"<w:tr><w:tc>{p(r(text, options))}</w:tc></w:tr>" for text, options in rows
        )
        (table,) = parsed(f"<w:tbl>{inner}</w:tbl>").tables
        return [row[0]["head"] for row in table["rows"]]

    assert heads(("Jar", "<w:b/>"), ("small", "")) == [True, False]
    assert heads(("Jar", "<w:b/>"), ("small", "<w:b/>")) == [False, False]
    assert heads(("Jar", '<w:b w:val="0"/>'), ("small", "")) == [False, False]


STYLES = """<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Own"><w:name w:val="My own"/><w:basedOn w:val="H1"/></w:style>
<w:style w:styleId="Out"><w:name w:val="Chapter"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>
<w:style w:styleId="Toc"><w:name w:val="toc 1"/></w:style></w:styles>"""


def test_styles_count_with_those_they_are_based_on() -> None:
    names = ["H1", "Own", "Out", "Loop", "Toc", "None"]
    content = parsed("".join(p(r(name), style=name) for name in names), styles=STYLES)
    found = [(content.text[one["start"] : one["end"]], one.get("level")) for one in content.regions]
    assert found == [("H1", 1), ("Own", 1), ("Out", 2), ("Toc", None)]


def test_a_style_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make = Styles._make
    monkeypatch.setattr(Styles, "_make", lambda self, id: made.append(id) or make(self, id))
    parsed("".join(p(r("word"), style="H1") for _ in range(200)), styles=STYLES)
    assert made == ["H1"]


@pytest.mark.parametrize("part", ["styles", "footnotes"])
def test_a_damaged_part_is_named(part: str) -> None:
    with pytest.raises(
        FormatError, match=rf"x\.docx: the part word/{part}\.xml of the DOCX: not XML"
    ):
        parsed(p(r("Text.")), **{part: "<w:"})
