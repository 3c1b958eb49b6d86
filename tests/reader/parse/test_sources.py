"""Sources that people write by hand: LaTeX, reStructuredText, notebooks, e-mail, JSON lines."""

from __future__ import annotations

import json
import sys
from email.headerregistry import HeaderRegistry
from pathlib import Path
from typing import Any

import pytest

from marginalia import FormatError, MissingError
from marginalia.reader.parse import asciidoc, latex, mail, rst
from marginalia.reader.parse.content import Content
from marginalia.reader.read import read, read_all, read_data
from marginalia.reader.write import write
from tests.reader.parse.files import ASCIIDOC, LATEX, MAIL, NOTEBOOK, RST


def regions(content: Content) -> list[tuple[str, str]]:
    return [(r["kind"], content.text[r["start"] : r["end"]]) for r in content.regions]


def cells(content: Content) -> list[list[str]]:
    (table,) = content.tables
    return [[content.text[c["start"] : c["end"]] for c in row] for row in table["rows"]]


def test_latex() -> None:
    content = latex.parse(LATEX.encode(), Path("x.tex"))
    assert content.text == (
        "Jars of honey\n\nAbstract\n\nWe weighed with Marginalia.\n\nMethods\n\n"
        "Each jar held 3.5 kg of CO₂ at 10⁻³ hPa and 20°C. Café — “so”. The energy E=mc^2 counts.\n\n"
        "Not all of it.\n\ny = \\frac{a}{b}\n\none\n\ntwo bold\n\nWeights\n\njar\tkg\nsmall\t0.5\nall\n\n"
        'x = {1: "$a"}\n\nUse a_b. shown\n\nDoe, J. (2001).'
    )
    assert regions(content) == [
        ("heading", "Jars of honey"),
        ("heading", "Abstract"),
        ("heading", "Methods"),
        ("formula", "E=mc^2"),
        ("footnote", "Not all of it."),
        ("formula", "y = \\frac{a}{b}"),
        ("item", "one"),
        ("item", "two bold"),
        ("caption", "Weights"),
        ("table", "jar\tkg\nsmall\t0.5\nall"),
        ("code", 'x = {1: "$a"}'),
        ("code", "a_b"),
        ("references", "Doe, J. (2001)."),
    ]
    assert content.title == "Jars of honey"
    assert [region.get("number") for region in content.regions if region["kind"] == "item"] == [
        1,
        2,
    ]
    assert cells(content) == [["jar", "kg"], ["small", "0.5"], ["all"]]
    assert content.tables[0]["rows"][2][0]["col_span"] == 2


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\SI{1.5e3}{\kilo\metre\per\second}", "1.5 × 10³ km/s"),
        (r"\qty[x=y]{5 +- 1}{\micro\gram}", "5 ± 1 µg"),
        (r"\num{1e-3} and \si{\square\metre}", "1 × 10⁻³ and m²"),
        (r"\SIrange{1}{2}{\degreeCelsius}", "1–2 °C"),
        (r"\qty{3}{kg.m^2}", "3 kg m²"),
        (r"\ang{12;3;}", "12°3′"),
        (r"\unit{\meter\squared\per\hour}", "m²/h"),
    ],
)
def test_numbers_and_units_of_siunitx(source: str, text: str) -> None:
    assert latex.parse(source.encode(), Path("x.tex")).text == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"a \iffalse no \fi b", "a b"),
        (r"\begin{comment} no", "no"),
        ("one\n\n\ntwo % three\nfour", "one\n\ntwo four"),
        (r"\section*{A\footnote{b}} c", "A\n\nb\n\nc"),
        (r"\textcolor{red}{shown} \href{http://x}{here} \url{http://y}", "shown here http://y"),
        (r"x\textsuperscript{2} H\textsubscript{2}O", "x² H₂O"),
        (r"\newcommand{\a}{\b}\newcommand{\b}{\a x}\a{} end", "xxxxx end"),
        (r"\begin{tabular}{l} a \\ \end{tabular}", "a"),
        (r"\begin{tikzpicture}[x=1] \draw (0,0); \end{tikzpicture} a", "a"),
        (r"\begin{minipage}[t]{1cm} a \end{minipage}", "a"),
        (r"\def\x{y}\def\z#1{no} a \x{} \LaTeX{} \today b", "a y LaTeX b"),
        (
            r"$n = 5$, $\mathrm{CO_2}$, 5 $\mathrm{kg\,m^{-2}}$, $5 \pm 2$",
            "n = 5, CO₂, 5 kg m⁻², 5 ±2",
        ),
        (r"\begin{document}\title{A \\ b}\maketitle c\end{document}", "A b\n\nc"),
    ],
)
def test_pieces_of_latex(source: str, text: str) -> None:
    assert latex.parse(source.encode(), Path("x.tex")).text == text


@pytest.mark.parametrize("source", ["{" * 20_000, r"\begin{a}" * 5_000, r"\footnote{" * 3_000])
def test_deep_latex_is_refused(source: str) -> None:
    with pytest.raises(FormatError, match=r"x\.tex: the LaTeX is nested too deeply"):
        latex.parse(source.encode(), Path("x.tex"))


def test_commands_that_define_each_other_end() -> None:
    bomb = "".join(
        rf"\newcommand{{\{chr(97 + n)}}}{{{(chr(92) + chr(98 + n)) * 9}}}" for n in range(9)
    )
    with pytest.raises(FormatError, match="commands that never end"):
        latex.parse((bomb + r"\a").encode(), Path("x.tex"))


def test_restructured_text() -> None:
    content = rst.parse(RST.encode(), Path("x.rst"))
    assert content.text == (
        "Jars\n\nJane Doe\n\nMethods\n\nWe weighed ten at 10³ hPa. See the label, Jar and E=mc^2.\n\n"
        "Not all of it.\n\nMind the jars.\n\nx = 1\n\nJars may be large.\n\nfirst\n\nsecond\n\nWeights\n\n"
        "jar\tkg\nsmall\t0.5"
    )
    assert regions(content) == [
        ("heading", "Jars"),
        ("authors", "Jane Doe"),
        ("heading", "Methods"),
        ("code", "ten"),
        ("code", "Jar"),
        ("formula", "E=mc^2"),
        ("footnote", "Not all of it."),
        ("code", "x = 1"),
        ("item", "first"),
        ("item", "second"),
        ("caption", "Weights"),
        ("table", "jar\tkg\nsmall\t0.5"),
    ]
    assert [r["level"] for r in content.regions if r["kind"] == "heading"] == [1, 2]
    assert [cell["head"] for cell in content.tables[0]["rows"][0]] == [True, True]


def test_restructured_text_includes_no_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    source = f"Text.\n\n.. include:: {secret}\n\n.. raw:: html\n   :file: {secret}\n\n.. csv-table:: x\n   :file: {secret}\n"
    assert "secret\n" not in rst.parse(source.encode(), tmp_path / "x.rst").text + "\n"


def test_deep_restructured_text_is_refused() -> None:
    source = "".join(f"{' ' * 2 * n}- a\n\n" for n in range(500))
    with pytest.raises(FormatError, match=r"x\.rst: the reStructuredText is nested too deeply"):
        rst.parse(source.encode(), Path("x.rst"))
    with pytest.raises(FormatError, match="a line of it has more than 100,000 characters"):
        rst.parse(b"a" * 100_001, Path("x.rst"))


def test_asciidoc() -> None:
    content = asciidoc.parse(ASCIIDOC.encode(), Path("x.adoc"))
    assert content.text == (
        "Jars of honey\n\nWe weighed ten with Marginalia at 10³ hPa, H₂O. Use code and the site, see Methods. "
        "A snake_case_word stays, 2 * 3 too.\n\nNot all.\n\nMethods\n\nWeights\n\njar\tkg\nsmall\t0.5\nall\n\n"
        "x = 1\n\ny = *2*\n\nMind the jars.\n\none goes on\n\ntwo\n\nterm\n\nits definition\n\nHe said so.\n\n"
        "An example block.\n\nE = mc^2"
    )
    assert regions(content) == [
        ("heading", "Jars of honey"),
        ("code", "code"),
        ("footnote", "Not all."),
        ("heading", "Methods"),
        ("caption", "Weights"),
        ("table", "jar\tkg\nsmall\t0.5\nall"),
        ("code", "x = 1\n\ny = *2*"),
        ("item", "one goes on"),
        ("item", "two"),
        ("item", "its definition"),
        ("quote", "He said so."),
        ("formula", "E = mc^2"),
    ]
    assert cells(content) == [["jar", "kg"], ["small", "0.5"], ["all"]]
    assert [cell["head"] for row in content.tables[0]["rows"] for cell in row] == [
        True, True, False, False, False,
    ]  # fmt: skip
    assert content.tables[0]["rows"][2][0]["col_span"] == 2


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("= A\n\nlink:x.html[here^] mailto:a@b.c[mail] kbd:[Ctrl]", "A\n\nhere mail Ctrl"),
        ("one +\ntwo", "one\ntwo"),
        ("----\nunclosed", "unclosed"),
        ("a\n\n[quote]\nb", "a\n\nb"),
        ("**b**old and {unknown}{nbsp}x", "bold and \u00a0x"),
        (",===\na,b\n1,2\n,===", "a\tb\n1\t2"),
        ("```py\nx\n```\n# H", "x\n\nH"),
    ],
)
def test_pieces_of_asciidoc(source: str, text: str) -> None:
    assert asciidoc.parse(source.encode(), Path("x.adoc")).text == text


@pytest.mark.parametrize(
    "piece", ["<<", "`a", "[[", "footnote:[", "~a", "*", "(((", "link:x[", "https://"]
)
def test_mark_up_without_an_end_takes_no_time(piece: str) -> None:
    assert asciidoc.parse((piece * 20_000).encode(), Path("x.adoc")) is not None


def test_notebooks() -> None:
    doc = read_data(NOTEBOOK.encode(), Path("x.ipynb"))
    assert doc.text == "Jars\n\nWe weighed.\n\nx = 1\n\na\tb\n1\t2"
    kinds = [(r["kind"], doc.text[r["start"] : r["end"]]) for r in doc.meta["regions"]]
    assert kinds == [("heading", "Jars"), ("code", "x = 1"), ("table", "a\tb\n1\t2")]
    assert doc.text[doc.meta["tables"][0]["rows"][1][1]["start"] :] == "2"
    old = {"worksheets": [{"cells": [
        {"cell_type": "heading", "level": 2, "source": "H"}, {"cell_type": "code", "input": ["x"]}
    ]}]}  # fmt: skip
    assert read_data(json.dumps(old).encode(), Path("x.ipynb")).text == "H\n\nx"


@pytest.mark.parametrize("data", ["[]", "{}", '{"cells": 1}', '{"cells": [{"cell_type": "code"}]}'])
def test_what_is_no_notebook_is_refused(data: str) -> None:
    with pytest.raises(FormatError, match=r"x\.ipynb: (?:not a notebook|cell 1 of the notebook)"):
        read_data(data.encode(), Path("x.ipynb"))


def test_mail() -> None:
    content = mail.parse(MAIL.encode(), Path("x.eml"))
    assert content.text == (
        "Gläser\n\nWe weighed ten jars.\n\nOn Monday, A wrote:\n> How many?\n> Tell me.\n\n--\nJ. Doe"
    )
    assert regions(content) == [
        ("heading", "Gläser"),
        ("quote", "On Monday, A wrote:\n> How many?\n> Tell me."),
        ("authors", "--\nJ. Doe"),
    ]
    assert content.title == "Gläser"


@pytest.mark.parametrize(
    "header",
    [
        "Subject: " + "=?utf-8?q?a?= " * 10_000,
        "Content-Type: text/plain" + "; a=b" * 20_000,
        "Content-Disposition: inline; a=" + '"' * 100_000,
    ],
)
def test_a_header_without_end_is_one_sentence(header: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's parsers of headers take the square of their length: none is given one so long."""
    given = []

    def counted(self: HeaderRegistry, name: str, value: str) -> Any:
        given.append(len(value))
        return parse_header(self, name, value)

    parse_header = HeaderRegistry.__call__
    monkeypatch.setattr(HeaderRegistry, "__call__", counted)
    name = header.partition(":")[0]
    with pytest.raises(FormatError, match=f"the header {name} is longer than 4,000 characters"):
        mail.parse(f"To: x\n{header}\n\nText".encode(), Path("x.eml"))
    assert all(length <= mail.MAX_HEADER for length in given)


def test_headers_of_parts_are_bounded_together() -> None:
    head = "Content-Type: text/plain" + "; a=b" * 700
    parts = "".join(f"--b\n{head}; n={n}\n\nText\n" for n in range(100))
    many = f"Content-Type: multipart/mixed; boundary=b\n\n{parts}--b--\n"
    with pytest.raises(FormatError, match="the headers are longer than 200,000 characters"):
        mail.parse(many.encode(), Path("x.eml"))
    assert mail.parse(many.replace("; a=b", "").encode(), Path("x.eml")).text == "Text"


def test_flowed_lines_are_joined_once() -> None:
    head = "Content-Type: text/plain; format=flowed\n\n"
    content = mail.parse((head + "a \n" * 300_000).encode(), Path("x.eml"))
    assert content.text == " ".join("a" * 300_000)


def test_mail_of_html_and_mail_without_text() -> None:
    page = b"Subject: A\nContent-Type: text/html\n\n<p>One</p><p>Two</p>"
    assert mail.parse(page, Path("x.eml")).text == "A\n\nOne\n\nTwo"
    picture = b"Subject: A\nContent-Type: image/png\n\nx"
    with pytest.raises(FormatError, match=r"x\.eml: the message has no text"):
        mail.parse(picture, Path("x.eml"))
    unknown = b"Subject: A\nContent-Type: text/plain; charset=nonsense\n\nx"
    with pytest.raises(FormatError, match="it is damaged"):
        mail.parse(unknown, Path("x.eml"))


LINES = """{"id": "a", "text": "Some words\\r\\nhere.", "title": "T", "other": 1}
{"text": "The other words."}

{"id": "a", "text": "Dritte Worte.", "lang": "de"}
"""


def test_json_lines_are_several_documents(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(LINES, encoding="utf-8")
    docs = list(read_all([path]))
    assert [(doc.id, doc.text, doc.meta["title"]) for doc in docs] == [
        ("a", "Some words\nhere.", "T"),
        ("x-2", "The other words.", "x-2"),
        ("x/a", "Dritte Worte.", "a"),
    ]
    assert [doc.meta["lang"] for doc in docs] == ["en", "en", "de"]
    with pytest.raises(FormatError, match=r"x\.jsonl: one document was expected, but there are 3"):
        read(path)
    # It may be what was written of the folder: there it is not read.
    (tmp_path / "y.txt").write_text("Text.", encoding="utf-8")
    assert [doc.id for doc in read_all([tmp_path])] == ["y"]


def test_our_own_json_lines_keep_what_they_know_but_their_notes(tmp_path: Path) -> None:
    source = tmp_path / "x.md"
    source.write_text("# Jars\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", encoding="utf-8")
    doc = read(source)
    write([doc], tmp_path / "x.jsonl")
    (again,) = read_all([tmp_path / "x.jsonl"])
    assert again.text == doc.text and again.annotations == ()
    assert again.meta == doc.meta


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", ':1: expected an object with a "text"'),
        ('{"text": 1}', ':1: expected an object with a "text"'),
        ('{"text": "a", "id": []}', ":1: the id"),
        ('{"text": " "}', ": there is no text in it"),
        ("", ": there is no document in it"),
        ('{"text": "a", "meta": {"regions": 1}, "id": "x"}', ":1: not a document: its regions"),
    ],
)
def test_bad_json_lines(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}{message}")


@pytest.mark.parametrize(("name", "module"), [("x.tex", "pylatexenc"), ("x.rst", "docutils")])
def test_without_a_package_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, name: str, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        MissingError, match=rf"needs the package {module}: pip install 'marginalia\["
    ):
        read_data(b"", Path(name))
