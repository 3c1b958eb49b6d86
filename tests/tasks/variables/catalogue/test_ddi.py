"""DDI Codebook: what is read of it, in which versions, and what hostile or broken files are told."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.tasks.variables.catalogue.ddi import NO_STUDY, UNKNOWN_ENTITY, read_ddi
from marginalia.tasks.variables.official.vocabulary import NO_ID, NO_TEXT, Variable
from tests.tasks.variables.invented import write
from tests.tasks.variables.sources import ddi

EXAMPLE = Path(__file__).parents[4] / "examples" / "survey.ddi.xml"


def read(path: Path) -> tuple[list[Variable], Counter[str]]:
    notes: Counter[str] = Counter()
    return list(read_ddi(path, notes)), notes


def book(tmp_path: Path, inner: str, head: str = "") -> Path:
    return write(tmp_path / "book.xml", f"{head}<codeBook>{inner}</codeBook>")


def test_the_example_has_every_field() -> None:
    variables, notes = read(EXAMPLE)
    assert len(variables) == 26 and not notes
    courts = next(v for v in variables if v.id == "V23")
    assert courts.survey == "RVP-2022"
    assert courts.fields == {
        "name": "trust_courts",
        "study": "River Valley Panel: Health, Work and Trust",
        "label": "Trust in the courts / Vertrauen: Gerichte",
        "question": "How much do you personally trust each of these institutions? The courts. / Die Gerichte.",
        "answers": "No trust at all;Complete trust",
        "topic": "Trust and society;Trust in institutions",
        "instructions": "Show card 7.",
    }
    assert courts.text.startswith("River Valley Panel") and "trust_courts" not in courts.text


@pytest.mark.parametrize(
    "namespace", ["", "ddi:codebook:2_5", "http://www.icpsr.umich.edu/DDI", "ddi:codebook:1_2_2"]
)
def test_the_namespace_does_not_matter(tmp_path: Path, namespace: str) -> None:
    variables, _ = read(write(tmp_path / "a.xml", ddi(namespace=namespace)))
    assert [v.id for v in variables] == ["roses", "age", "trust", "weight"]
    assert variables[2].fields["answers"] == "A lot;Not <much>"


def test_questions_of_old_files_and_markup_inside_labels(tmp_path: Path) -> None:
    path = book(
        tmp_path,
        "<dataDscr><var name='a'><labl>Much <emph>more</emph> trust</labl><qstn>Do you\n trust?"
        "<preQTxt>Now.</preQTxt><qstnLit>Really?</qstnLit></qstn><txt>Weighted</txt></var></dataDscr>",
    )
    (variable,), notes = read(path)
    assert variable.id == "a"
    assert variable.fields["label"] == "Much more trust"
    assert variable.fields["question"] == "Now. Really? / Do you trust?"
    assert variable.fields["notes"] == "Weighted"
    assert variable.survey == "book" and notes == {NO_STUDY: 1}


def test_groups_may_stand_after_their_variables(tmp_path: Path) -> None:
    early = book(
        tmp_path, "<varGrp var='b a'><labl>T</labl></varGrp><var ID='a'><labl>A</labl></var>"
    )
    first, _ = read(early)
    late = book(
        tmp_path, "<var ID='a'><labl>A</labl></var><varGrp var='b a'><labl>T</labl></varGrp>"
    )
    second, _ = read(late)
    assert first == second and first[0].fields["topic"] == "T"


def test_groups_within_groups_even_in_a_circle(tmp_path: Path) -> None:
    path = book(
        tmp_path,
        "<varGrp ID='g1' varGrp='g2'><labl>Society</labl></varGrp><varGrp ID='g2' var='a' varGrp='g1 g9'>"
        "<labl>Trust</labl></varGrp><var ID='a'><labl>A</labl><concept>Trust</concept></var>",
    )
    (variable,), _ = read(path)
    assert variable.fields["topic"] == "Society;Trust"


def test_several_codebooks_in_one_file(tmp_path: Path) -> None:
    inner = "<stdyDscr><citation><titlStmt><IDNo>{}</IDNo></titlStmt></citation></stdyDscr><dataDscr>{}<var ID='v'><labl>L</labl></var></dataDscr>"
    text = "".join(
        f"<record><codeBook>{inner.format(id, group)}</codeBook></record>"
        for id, group in (("A", "<varGrp var='v'><labl>T</labl></varGrp>"), ("B", ""))
    )
    variables, _ = read(write(tmp_path / "oai.xml", f"<OAI-PMH>{text}</OAI-PMH>"))
    assert [(v.survey, v.id, v.fields.get("topic")) for v in variables] == [
        ("A", "v", "T"),
        ("B", "v", None),
    ]


def test_missing_ids_and_texts_are_counted(tmp_path: Path) -> None:
    path = book(tmp_path, "<var><labl>A</labl></var><var ID=' '/><var name='x'/>")
    variables, notes = read(path)
    assert [v.id for v in variables] == ["variable-1", "variable-2", "x"]
    assert notes == {NO_ID: 2, NO_TEXT: 2, NO_STUDY: 1}


def test_entities_of_the_dtd_are_read_without_it(tmp_path: Path) -> None:
    head = '<!DOCTYPE codeBook SYSTEM "http://127.0.0.1:9/Version2-1.dtd">'
    path = book(tmp_path, "<var ID='a'><labl>F&uuml;r &nowhere; x</labl></var>", head)
    (variable,), notes = read(path)
    assert variable.fields["label"] == "Für &nowhere; x" and notes[UNKNOWN_ENTITY] == 1


def test_other_encodings(tmp_path: Path) -> None:
    for encoding in ("iso-8859-1", "utf-16"):
        path = tmp_path / "a.xml"
        path.write_bytes(
            ddi(head=f'<?xml version="1.0" encoding="{encoding}"?>')
            .replace("Age", "Größe")
            .encode(encoding)
        )
        assert read(path)[0][1].fields["label"] == "Größe"


LAUGHS = '<!DOCTYPE codeBook [<!ENTITY a "lol">' + "".join(
    f'<!ENTITY {name} "{f"&{before};" * 10}">'
    for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LAUGHS + "]><codeBook><var><labl>&j;</labl></var></codeBook>", r"declares entities of its own \(a\)"),
        (
            '<!DOCTYPE codeBook [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
            "<codeBook><var ID='a'><labl>&x;</labl></var></codeBook>",
            "declares entities",
        ),
        (ddi()[:-40], "not well-formed XML"),
        (ddi()[:400], "not well-formed XML"),
        ("<codeBook>" + "<a>" * 10_000, "not well-formed XML: Excessive depth"),
        (ddi().replace("Age", "Gr\xf6\xdfe").encode("latin-1"), "not well-formed XML: .*(UTF-8|encoding)"),
        ("", "not well-formed XML"),
        ("not XML", "not well-formed XML"),
        ("<html><var ID='a'/></html>", "not DDI: it has no element codeBook"),
        ("<codeBook>" + "<a x='&#0;'/></codeBook>", "not well-formed XML"),
    ],
    ids=["laughs", "external", "truncated", "cut", "deep", "encoding", "empty", "text", "html", "null"],
)  # fmt: skip
def test_what_cannot_be_read_is_one_sentence(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    path = tmp_path / "x.xml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FormatError, match=message) as error:
        read(path)
    assert "x.xml" in str(error.value) and "\n" not in str(error.value)


def test_what_is_not_a_variable_is_forgotten_at_once(tmp_path: Path) -> None:
    """The parser's tree stays small however much a file holds beside and before its variables."""
    notes: Counter[str] = Counter()
    noise = "<notes>" + "<p>x</p>" * 50 + "</notes>"
    path = book(
        tmp_path, f"<dataDscr>{noise * 500}<var ID='a'/>{noise * 500}<var ID='b'/></dataDscr>"
    )
    from marginalia.tasks.variables.catalogue import ddi as module

    sizes = []
    for element in module._elements(path, module.Codebook(path, notes), ("var",)):
        sizes.append(sum(1 for _ in element.getroottree().iter()))
    assert max(sizes) < 6000, "of 50,000: what one read of the file holds"
