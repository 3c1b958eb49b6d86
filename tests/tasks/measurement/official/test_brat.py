"""Brat files, one per quantity and one per document, there and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError
from marginalia.tasks.measurement.official.brat import (
    from_brat,
    read_brat,
    to_brat,
    to_document_brat,
)
from marginalia.tasks.measurement.official.data import load
from marginalia.tasks.measurement.official.spans import Span, check_spans
from tests.tasks.measurement.invented import TEXTS, gold

LAKE = TEXTS["S02-7"]


def test_a_file_per_quantity_looks_as_the_organisers_ship_it() -> None:
    files = to_brat("S02-7", gold()["S02-7"], LAKE)
    assert list(files) == ["S02-7-1.ann", "S02-7-2.ann"]
    assert files["S02-7-1.ann"] == (
        "T1\tQuantity 30 42\t31.5 ± 0.2 m\n"
        "T4\tUnit 41 42\tm\n"
        "T2\tMeasuredProperty 4 14\tmean depth\n"
        "T3\tMeasuredEntity 18 26\tLake Wud\n"
        "R1\tHasQuantity Arg1:T2 Arg2:T1\t\n"
        "R2\tHasProperty Arg1:T3 Arg2:T2\t\n"
        "A1\tQuantityQualifier T1 IsMean\n"
        "A2\tQuantityQualifier T1 HasTolerance\n"
    )
    assert to_brat("S01-2", (), TEXTS["S01-2"]) == {"S01-2.ann": ""}


def test_there_and_back_is_the_identity(tmp_path: Path) -> None:
    for doc, spans in gold().items():
        for name, text in to_brat(doc, spans, TEXTS[doc]).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        assert from_brat(to_document_brat(spans, TEXTS[doc]), TEXTS[doc]) == spans
    assert read_brat(tmp_path, TEXTS) == gold()


def test_one_file_for_the_document_can_be_read_from_a_folder(tmp_path: Path) -> None:
    for doc, spans in gold().items():
        (tmp_path / f"{doc}.ann").write_text(to_document_brat(spans, TEXTS[doc]), encoding="utf-8")
    assert read_brat(tmp_path, TEXTS) == gold()


def test_without_notes_the_relations_make_the_sets() -> None:
    noted = to_document_brat(gold()["S01-1"], TEXTS["S01-1"])
    plain = "".join(line + "\n" for line in noted.splitlines() if not line.startswith("#"))
    spans = from_brat(plain, TEXTS["S01-1"])
    assert [(span.set, span.text) for span in spans] == [
        (span.set, span.text) for span in gold()["S01-1"]
    ]
    assert [span.unit for span in spans if span.type == "Quantity"] == ["°C", "°C", None]
    assert spans[3].other == {"HasQuantity": "T3-2"}


@pytest.mark.parametrize("unit", ["km off", "coast", "furlong"])
def test_a_unit_beside_or_outside_of_its_quantity_is_kept(unit: str) -> None:
    span = gold()["S02-7"][3]
    spans = (Span(2, "Quantity", span.start, span.end, "T1-2", span.text, {"unit": unit}),)
    (file,) = to_brat("S02-7", spans, LAKE).values()
    assert ("Unit" in file) == (unit in LAKE)
    assert from_brat(file, LAKE, set=2) == spans
    assert from_brat(to_document_brat(spans, LAKE), LAKE) == spans


def test_ids_of_another_form_are_kept_by_notes() -> None:
    spans = (
        Span(1, "Quantity", 30, 42, "7", "31.5 ± 0.2 m"),
        Span(1, "MeasuredEntity", 18, 26, "T8", "Lake Wud", {"HasQuantity": "7"}),
    )
    (file,) = to_brat("S02-7", spans, LAKE).values()
    assert from_brat(file, LAKE, set=1) == spans


def test_of_a_discontinuous_span_both_ends_are_kept() -> None:
    (span,) = from_brat(
        "T1\tQuantity 52 53;58 62\t3 9 km\n#1\tAnnotatorNotes T1\thm\n", LAKE, set=4
    )
    assert (span.start, span.end, span.text) == (52, 62, "3 and 9 km")
    assert (span.set, span.id) == (4, "T1-4")


@st.composite
def sets(draw) -> tuple[str, tuple[Span, ...]]:
    """A text and spans of it, each set with one quantity and some that point to it."""
    text = draw(st.text(st.characters(codec="utf-8"), min_size=1, max_size=30))
    spans = []
    for number in range(1, draw(st.integers(0, 3)) + 1):
        for i in range(1, draw(st.integers(1, 3)) + 1):
            start, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
            other = {"Qualifies": f"T1-{number}"} if i > 1 else {}
            if i == 1 and draw(st.booleans()):
                other = {"unit": draw(st.text("abc", min_size=1))}
            type = "Quantity" if i == 1 else "Qualifier"
            spans.append(Span(number, type, start, end, f"T{i}-{number}", text[start:end], other))
    return text, tuple(spans)


@given(sets())
def test_any_spans_survive_both_forms(drawn: tuple[str, tuple[Span, ...]]) -> None:
    text, spans = drawn
    assert from_brat(to_document_brat(spans, text), text) == spans
    back: list[Span] = []
    for name, file in to_brat("d", spans, text).items():
        if file:
            back += from_brat(file, text, set=int(name.removesuffix(".ann").rpartition("-")[2]))
    assert tuple(back) == spans


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T1\tQuantity 30 42\t31 m\n", "1: T1 quotes '31 m', but the paragraph has"),
        ("\nT1\tNumber 30 42\t31.5 ± 0.2 m\n", "2: the type 'Number' is not one of"),
        ("T1\tQuantity thirty\tx\n", "1: .thirty. is no whole number"),
        ("R1\tHasQuantity T1\n", "1: not a brat annotation"),
        ("R1\tHasQuantity Arg1:T1 Arg2:T2\t\n", "joins T1 and T2, one of which is not there"),
        ("A1\tIsBig T1\n", "1: the modifier 'IsBig' is not one of"),
        ('#1\tAnnotatorNotes T1\t{"id": "T1"}\n', "1: the note of T1 must name a set and an id"),
        (
            "T1\tQuantity 30 34\t31.5\nT2\tQualifier 4 8\tmean\nR1\tHasQuantity Arg1:T2 Arg2:T1\t\n",
            "HasQuantity cannot start from a Qualifier",
        ),
    ],
)
def test_bad_files_are_refused_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "S02-7-1.ann").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message) as caught:
        read_brat(tmp_path, TEXTS)
    assert "S02-7-1.ann" in str(caught.value)


def test_a_file_without_its_paragraph_is_refused(tmp_path: Path) -> None:
    (tmp_path / "S09-1-1.ann").write_text("", encoding="utf-8")
    with pytest.raises(FormatError, match="no paragraph of this name"):
        read_brat(tmp_path, TEXTS)


@pytest.mark.parametrize("name", ["train", "dev"])
def test_official_annotations_survive_both_forms(data: Path, name: str) -> None:
    split = load(name, data)
    for doc, spans in split.require_gold().items():
        text = split.items[doc].text
        assert from_brat(to_document_brat(spans, text), text) == spans, doc
        back: list[Span] = []
        for name, file in to_brat(doc, spans, text).items():
            assert not any(line.startswith("#") for line in file.splitlines()), "a note"
            if file:
                back += from_brat(file, text, set=int(name.removesuffix(".ann").rpartition("-")[2]))
        assert tuple(back) == spans, doc


@pytest.mark.parametrize(("annotator", "quantities"), [(1, 245), (2, 243)])
def test_the_annotators_files_can_be_read(data: Path, annotator: int, quantities: int) -> None:
    """248 files each; four paragraphs and one quantity of the second have none, and one file has two."""
    split = load("train", data)
    texts = {doc: item.text for doc, item in split.items.items()}
    docs = read_brat(data / "measeval" / "iaa" / f"annotator{annotator}", texts)
    assert len(docs) == 75
    assert sum(s.type == "Quantity" for spans in docs.values() for s in spans) == quantities
    for spans in docs.values():
        check_spans(spans)


@pytest.mark.parametrize(
    "line",
    [
        f"T1\tQuantity 0 {'9' * 4300}\tx",
        f"T1\tQuantity 0 1;2 {'9' * 4301}\tx",
        "T1\tQuantity -5 -1\tx",
        "T1\tQuantity ² ³\tx",
        "#1\tAnnotatorNotes T1\t" + '{"a":' * 5000,
    ],
)
def test_absurd_offsets_and_notes_are_one_sentence(line: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_brat(line, LAKE)
    assert len(str(caught.value)) < 600


def test_a_file_whose_name_has_no_number(tmp_path: Path) -> None:
    (tmp_path / "S02-7-x.ann").write_text("")
    with pytest.raises(FormatError, match="'x' is no whole number"):
        read_brat(tmp_path, TEXTS)
