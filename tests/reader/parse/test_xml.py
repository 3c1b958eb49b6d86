"""JATS and TEI: the text of an article, its parts as regions."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import Document, FormatError
from marginalia.reader.read import read

JATS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.2//EN" "JATS-archivearticle1.dtd">
<article xmlns:mml="http://www.w3.org/1998/Math/MathML" xml:lang="en">
<front><journal-meta><journal-title>Invented</journal-title></journal-meta><article-meta>
<article-id>10.1/x</article-id>
<title-group><article-title>Jars of <italic>honey</italic> at 10<sup>3</sup> hPa</article-title></title-group>
<contrib-group><contrib><name><surname>Doe</surname></name></contrib></contrib-group>
<abstract><p>We weighed jars.</p></abstract></article-meta></front>
<body><sec><label>1</label><title>Methods</title>
<p>Each jar held 3.5 kg
 of CO<sub>2</sub> &alpha;-rich honey.<fn><label>a</label><p>Not all of it.</p></fn> See below.</p>
<sec><title>Sample</title>
<p>Ten jars <inline-formula><mml:math><mml:mi>E</mml:mi></mml:math></inline-formula> here.</p>
<list list-type="order"><list-item><p>one</p></list-item><list-item><p>two</p></list-item></list>
<disp-formula><tex-math>y = x</tex-math><mml:math><mml:mi>y</mml:mi></mml:math></disp-formula></sec>
<table-wrap><label>Table 1</label><caption><title>Weights.</title><p>In kg.</p></caption>
<table><thead><tr><th>jar</th><th>kg</th></tr></thead><tbody><tr><td>small</td><td>0.5</td></tr></tbody></table>
</table-wrap>
<fig><label>Figure 1</label><caption><p>A jar.</p></caption><graphic href="x.png"/></fig>
<code>x = 1</code></sec></body>
<back><ack><p>Thanks.</p></ack><ref-list><title>References</title>
<ref><label>1</label><mixed-citation>Doe J. On jars. 2001.</mixed-citation></ref>
<ref><element-citation><name><surname>Roe</surname></name><year>1999</year></element-citation></ref>
</ref-list></back></article>
"""

TEI = """<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="de"><teiHeader>
<fileDesc><titleStmt><title type="main">Gläser voll Honig</title></titleStmt></fileDesc>
<profileDesc><abstract><p>Wir wogen.</p></abstract></profileDesc></teiHeader>
<text><body><div><head n="1">Methoden</head>
<p>Jedes Glas<note place="foot">Nicht alle.</note> wog 3,5 kg. m<hi rend="superscript">2</hi> und
<formula>E</formula></p>
<div><head n="1.1">Probe</head><p>Zehn.</p></div></div>
<figure type="table"><head>Tabelle 1</head><table><row><cell>Glas</cell><cell>kg</cell></row>
<row><cell>klein</cell><cell>0,5</cell></row></table></figure>
<formula>y = x</formula></body>
<back><div type="references"><listBibl><biblStruct><analytic><title>Über Gläser</title></analytic>
<monogr><imprint><date>2001</date></imprint></monogr></biblStruct></listBibl></div></back></text></TEI>
"""


def put(tmp_path: Path, text: str, name: str = "x.xml") -> Document:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read(path)


def regions(doc: Document) -> list[tuple[str, str]]:
    return [(r["kind"], doc.text[r["start"] : r["end"]]) for r in doc.meta["regions"]]


def test_jats(tmp_path: Path) -> None:
    doc = put(tmp_path, JATS)
    assert doc.text == (
        "Jars of honey at 10³ hPa\n\nAbstract\n\nWe weighed jars.\n\n1 Methods\n\n"
        "Each jar held 3.5 kg of CO₂ α-rich honey. See below.\n\nNot all of it.\n\nSample\n\n"
        "Ten jars E here.\n\none\n\ntwo\n\ny\n\nTable 1 Weights. In kg.\n\njar\tkg\nsmall\t0.5\n\n"
        "Figure 1 A jar.\n\nx = 1\n\nThanks.\n\nReferences\n\nDoe J. On jars. 2001.\n\nRoe, 1999"
    )
    assert regions(doc) == [
        ("heading", "Jars of honey at 10³ hPa"),
        ("heading", "Abstract"),
        ("heading", "1 Methods"),
        ("footnote", "Not all of it."),
        ("heading", "Sample"),
        ("formula", "E"),
        ("item", "one"),
        ("item", "two"),
        ("formula", "y"),
        ("caption", "Table 1 Weights. In kg."),
        ("table", "jar\tkg\nsmall\t0.5"),
        ("caption", "Figure 1 A jar."),
        ("code", "x = 1"),
        ("heading", "References"),
        ("references", "Doe J. On jars. 2001.\n\nRoe, 1999"),
    ]
    assert (doc.meta["format"], doc.meta["lang"]) == ("jats", "en")
    assert doc.meta["title"] == "Jars of honey at 10³ hPa"
    levels = [(section["title"], section["level"]) for section in doc.meta["sections"]]
    assert levels[1:] == [("Abstract", 2), ("1 Methods", 2), ("Sample", 3), ("References", 2)]


def test_a_root_in_small_letters_is_tei_too(tmp_path: Path) -> None:
    doc = put(tmp_path, "<tei><text><p>The film was 5 nm thick.</p></text></tei>")
    assert doc.text == "The film was 5 nm thick."


def test_tei(tmp_path: Path) -> None:
    doc = put(tmp_path, TEI)
    assert doc.text == (
        "Gläser voll Honig\n\nAbstract\n\nWir wogen.\n\n1 Methoden\n\n"
        "Jedes Glas wog 3,5 kg. m² und E\n\nNicht alle.\n\n1.1 Probe\n\nZehn.\n\nTabelle 1\n\n"
        "Glas\tkg\nklein\t0,5\n\ny = x\n\nÜber Gläser, 2001"
    )
    assert [kind for kind, _ in regions(doc)] == [
        "heading", "heading", "heading", "formula", "footnote", "heading", "caption", "table",
        "formula", "references",
    ]  # fmt: skip
    assert (doc.meta["format"], doc.meta["lang"]) == ("tei", "de")


def test_the_suffix_or_the_outermost_element_tells_the_format(tmp_path: Path) -> None:
    page = "<article><body><p>text</p></body></article>"
    assert put(tmp_path, page, "x.nxml").meta["format"] == "jats"
    comment = f"<?xml version='1.0'?><!-- <TEI> --><!DOCTYPE article SYSTEM 'x' [ ]>{page}"
    assert put(tmp_path, comment, "x.xml").meta["format"] == "jats"
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><body>text</body></html>'
    assert put(tmp_path, page, "x.xml").meta["format"] == "html"
    with pytest.raises(
        FormatError, match="expected TEI with a <text>, found the element <article>"
    ):
        put(tmp_path, "<article/>", "x.tei")
    with pytest.raises(FormatError, match="expected a JATS article, found the element <TEI>"):
        put(tmp_path, "<TEI/>", "x.nxml")
    with pytest.raises(FormatError, match=r"x\.xml:1: not XML that can be read"):
        put(tmp_path, "<article>", "x.xml")


OTHERS = {
    "Elsevier": """<doc><converted-article xmlns:ce="http://www.elsevier.com/xml/common/dtd">
<item-info><ce:doi>10.1/x</ce:doi></item-info>
<ce:floats><ce:table><ce:label>Table 1</ce:label><ce:caption><ce:simple-para>Weights.</ce:simple-para></ce:caption>
<tgroup cols="2"><colspec colname="c1"/><colspec colname="c2"/><thead><row><entry namest="c1" nameend="c2">Jars</entry></row>
</thead><tbody><row><entry morerows="1">small</entry><entry>0.5</entry></row></tbody></tgroup></ce:table></ce:floats>
<head><ce:title>On jars</ce:title><ce:author-group>Doe</ce:author-group><ce:abstract><ce:section-title>Summary</ce:section-title>
<ce:abstract-sec><ce:simple-para>We weighed.</ce:simple-para></ce:abstract-sec></ce:abstract></head>
<body><ce:sections><ce:section><ce:label>1</ce:label><ce:section-title>Methods</ce:section-title>
<ce:para>CO<ce:inf>2</ce:inf><ce:hsp sp="0.1"/>here.</ce:para></ce:section></ce:sections></body>
<tail><ce:bibliography><ce:section-title>References</ce:section-title><ce:bibliography-sec><ce:bib-reference>
<ce:label>[1]</ce:label><ce:other-ref><ce:textref>Doe J., 2001.</ce:textref></ce:other-ref></ce:bib-reference>
</ce:bibliography-sec></ce:bibliography></tail></converted-article></doc>""",
    "Nature": """<article language="eng"><pubfm><jtl>J</jtl></pubfm><fm><atl>On jars</atl><aug>Doe</aug><abs><p>We weighed.</p></abs></fm>
<bdy><p>First.</p><crosshd>Methods</crosshd><p>10<super>3</super> g<bibr rid="b1"/>.</p></bdy>
<bm><objects><fig><figtl>A jar.</figtl><caption><p>It is full.</p></caption></fig></objects>
<bibl><bib><reftxt><refau>Doe, J.</refau> <cd>2001</cd>.</reftxt></bib></bibl></bm></article>""",
    "IOP": """<article artid="x"><article-metadata>no</article-metadata><header><title-group><title>On jars</title>
<short-title>Jars</short-title></title-group><abstract-group><abstract><heading>Abstract</heading><p>We weighed.</p></abstract>
</abstract-group></header><body><sec-level1 label="1"><heading>Methods</heading><p>Ten jars.</p><figure>
<caption label="Figure 1"><p>A jar.</p></caption></figure></sec-level1></body>
<back><references><heading>References</heading><reference-list><journal-ref><au>Doe</au><year>2001</year></journal-ref>
</reference-list></references></back></article>""",
    "DocBook": """<article xmlns="http://docbook.org/ns/docbook"><info><title>On jars</title><author>Doe</author></info>
<para>We weighed.</para><section><title>Methods</title><para>Ten <literal>jars</literal>.</para>
<programlisting>x = 1</programlisting><itemizedlist><listitem><para>one</para></listitem></itemizedlist></section></article>""",
}


@pytest.mark.parametrize(
    ("schema", "text", "kinds"),
    [
        (
            "Elsevier",
            "On jars\n\nSummary\n\nWe weighed.\n\n1 Methods\n\nCO₂ here.\n\nTable 1 Weights.\n\n"
            "Jars\nsmall\t0.5\n\nReferences\n\nDoe J., 2001.",
            "heading heading heading caption table heading references",
        ),
        (
            "Nature",
            "On jars\n\nAbstract\n\nWe weighed.\n\nFirst.\n\nMethods\n\n10³ g.\n\nA jar. It is full.\n\nDoe, J. 2001.",
            "heading heading heading caption references",
        ),
        (
            "IOP",
            "On jars\n\nAbstract\n\nWe weighed.\n\n1 Methods\n\nTen jars.\n\nFigure 1 A jar.\n\nReferences\n\nDoe, 2001",
            "heading heading heading caption heading references",
        ),
        (
            "DocBook",
            "On jars\n\nWe weighed.\n\nMethods\n\nTen jars.\n\nx = 1\n\none",
            "heading heading code code item",
        ),
    ],
)
def test_articles_of_other_schemas(tmp_path: Path, schema: str, text: str, kinds: str) -> None:
    doc = put(tmp_path, OTHERS[schema])
    assert doc.text == text
    assert [kind for kind, _ in regions(doc)] == kinds.split()
    assert doc.meta["title"] == "On jars"


def test_cells_of_cals_tables(tmp_path: Path) -> None:
    (table,) = put(tmp_path, OTHERS["Elsevier"]).meta["tables"]
    first, second = table["rows"]
    assert first[0]["col_span"] == 2 and first[0]["head"]
    assert second[0]["row_span"] == 2 and not second[1]["head"]


def test_several_articles_are_refused_and_several_texts_read(tmp_path: Path) -> None:
    article = "<article><body><p>text</p></body></article>"
    assert put(tmp_path, f"<pmc-articleset>{article}</pmc-articleset>").text == "text"
    with pytest.raises(FormatError, match="one article was expected, but there are 2"):
        put(tmp_path, f"<pmc-articleset>{article * 2}</pmc-articleset>")
    text = "<TEI><text><body><p>{}</p></body></text></TEI>"
    corpus = f"<teiCorpus>{text.format('one')}{text.format('two')}</teiCorpus>"
    assert put(tmp_path, corpus).text == "one\n\ntwo"


MATHS = "<mml:math xmlns:mml='http://www.w3.org/1998/Math/MathML'><mml:msup><mml:mi>m</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>"
TEX = "\\documentclass{minimal}\\begin{document}$$m^2$$\\end{document}"


@pytest.mark.parametrize(
    ("formula", "text", "source"),
    [
        (MATHS, "m²", "<math><msup><mi>m</mi><mn>2</mn></msup></math>"),
        (f"<alternatives>{MATHS}<tex-math>m^2</tex-math></alternatives>", "m²", "m^2"),
        (f"<tex-math>{TEX}</tex-math>", "$$m^2$$", "$$m^2$$"),
        ("<italic>m</italic><sup>2</sup>", "m2", None),
        ("<graphic href='x'><alt-text>m squared</alt-text></graphic>", "m squared", None),
        ("<graphic href='x'/>", "[formula]", None),
    ],
)
def test_formulae_of_jats_have_their_source(
    tmp_path: Path, formula: str, text: str, source: str | None
) -> None:
    body = f"<p>So <inline-formula>{formula}</inline-formula>.</p><disp-formula><label>(3)</label>{formula}</disp-formula>"
    doc = put(tmp_path, f"<article><body>{body}</body></article>")
    inline, shown = (region for region in doc.meta["regions"] if region["kind"] == "formula")
    assert doc.text == f"So {text}.\n\n{text} (3)"
    assert doc.text[inline["start"] : inline["end"]] == text and inline["inline"]
    assert doc.text[shown["start"] : shown["end"]] == f"{text} (3)" and "inline" not in shown
    assert inline.get("source") == shown.get("source") == source


@pytest.mark.parametrize(
    ("formula", "text", "source"),
    [
        (f"<formula>{MATHS}</formula>", "m²", "<math><msup><mi>m</mi><mn>2</mn></msup></math>"),
        ("<formula notation='TeX'>m^2</formula>", "m^2", "m^2"),
        ("<formula>m2</formula>", "m2", None),
        ("<formula><graphic><desc>m squared</desc></graphic></formula>", "m squared", None),
        ("<formula><graphic url='x'/></formula>", "[formula]", None),
    ],
)
def test_formulae_of_tei_have_their_source(
    tmp_path: Path, formula: str, text: str, source: str | None
) -> None:
    doc = put(tmp_path, f"<TEI><text><body><p>So {formula}.</p></body></text></TEI>")
    (region,) = doc.meta["regions"]
    assert doc.text == f"So {text}." and region.get("source") == source


def test_no_prose_of_an_article_is_lost(tmp_path: Path) -> None:
    """Floats beside the body, notes of the front matter and a translated abstract are text."""
    front = (
        "<front><article-meta><abstract abstract-type='teaser'><p>Read me.</p></abstract><trans-abstract><p>Gläser"
        " sind schwer.</p></trans-abstract></article-meta><notes><title>Data</title><p>On request.</p></notes></front>"
    )
    floats = "<floats-group><fig><label>Fig. 1</label><caption><p>A jar.</p></caption></fig></floats-group>"
    doc = put(tmp_path, f"<article>{front}<body><p>Ten jars.</p></body>{floats}</article>")
    for text in ("Gläser sind schwer.", "Data\n\nOn request.", "Ten jars.\n\nFig. 1 A jar."):
        assert text in doc.text
    assert [part["text"] for part in doc.meta["not_read"]["parts"]] == ["Read me."]
