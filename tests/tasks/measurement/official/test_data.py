"""MeasEval files: the published ones by their counts and rows, and small invented ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, MissingError
from marginalia.tasks.measurement.official.data import SUBJECTS, Paragraph, load, read_categories
from marginalia.tasks.measurement.official.spans import MODIFIERS, Span, decode, encode
from marginalia.tasks.measurement.official.subjects import JOURNALS, subjects_by_journal
from marginalia.tasks.measurement.official.tsv import COLUMNS, format_spans, read_spans
from tests.tasks.measurement.invented import TEXTS, gold

HEAD = "\t".join(COLUMNS) + "\n"
ROW = 'S01-1\t1\tQuantity\t3\t8\tT1-1\t20 °C\t{"unit": "°C"}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder in which the invented paragraphs are the test split, without annotations."""
    texts = tmp_path / "measeval" / "eval" / "text"
    texts.mkdir(parents=True)
    for doc, text in TEXTS.items():
        (texts / f"{doc}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "measeval" / "fileCategories.txt").write_text("S01\tChemistry\n", encoding="utf-8")
    return tmp_path


def test_a_split_without_annotations_can_be_loaded_but_has_no_gold(folder: Path) -> None:
    split = load("test", folder)
    assert split.items["S01-1"] == Paragraph("S01", "Chemistry", TEXTS["S01-1"])
    assert split.items["S02-7"].subject == "unknown"
    assert split.group == {"S01-1": "S01", "S01-2": "S01", "S02-7": "S02"}
    with pytest.raises(MissingError, match="predicted"):
        split.require_gold()


def test_fetched_annotations_become_gold(folder: Path) -> None:
    tables = folder / "measeval" / "eval" / "tsv"
    tables.mkdir()
    for doc, spans in gold().items():
        if spans:  # a paragraph without annotations has no file
            (tables / f"{doc}.tsv").write_text(format_spans(doc, spans), encoding="utf-8")
    split = load("test", folder)
    assert split.require_gold() == gold()
    assert len(split.files) == 3 + 2 + 1


def test_a_missing_folder_names_the_command_that_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="fetch_data\\('measurement'\\)"):
        load("train", tmp_path)


def test_gold_that_does_not_quote_its_paragraph_is_refused(folder: Path) -> None:
    tables = folder / "measeval" / "eval" / "tsv"
    tables.mkdir()
    (tables / "S01-1.tsv").write_text(HEAD + ROW.replace("20", "21"), encoding="utf-8")
    with pytest.raises(FormatError, match=r"T1-1 quotes '21 °C', but the paragraph has '20 °C'"):
        load("test", folder)


def test_a_category_list_needs_two_columns(tmp_path: Path) -> None:
    path = tmp_path / "fileCategories.txt"
    path.write_text("S01\tChemistry\tmore\nS02\n", encoding="utf-8")
    with pytest.raises(FormatError, match=":2: expected an article"):
        read_categories(path)


def test_cells_are_quoted_only_where_they_must_be(tmp_path: Path) -> None:
    quotes = ['a "b" c', '"b" c', "10\nmm", "a\tb"]
    spans = [Span(1, "Quantity", 0, len(q), f"T{i}-1", q, {}) for i, q in enumerate(quotes, 1)]
    text = format_spans("d", spans)
    assert '\ta "b" c\t\n' in text
    assert '\t"""b"" c"\t\n' in text
    assert '\t"10\nmm"\t\n' in text
    assert '\t"a\tb"\t\n' in text
    (tmp_path / "d.tsv").write_text(text, encoding="utf-8", newline="")
    assert [span for _, span in read_spans(tmp_path / "d.tsv")] == spans


# Reading a table makes CRLF inside a cell LF; no paragraph has one.
texts = st.text(st.characters(codec="utf-8"), max_size=12).filter(lambda text: "\r\n" not in text)
others = {
    "Quantity": st.fixed_dictionaries(
        {}, optional={"mods": st.lists(st.sampled_from(MODIFIERS)), "unit": st.none() | texts}
    ),
    "MeasuredEntity": st.fixed_dictionaries(
        {}, optional={"HasProperty": texts, "HasQuantity": texts}
    ),
    "MeasuredProperty": st.fixed_dictionaries({}, optional={"HasQuantity": texts}),
    "Qualifier": st.fixed_dictionaries({}, optional={"Qualifies": texts}),
}


@st.composite
def any_spans(draw) -> tuple[Span, ...]:
    spans = []
    for i in range(draw(st.integers(0, 4))):
        type, start = draw(st.sampled_from(sorted(others))), draw(st.integers(0, 99))
        text, set = draw(texts), draw(st.integers(1, 3))
        spans.append(
            Span(set, type, start, start + len(text), f"T{i}-{set}", text, draw(others[type]))
        )
    return tuple(spans)


@given(any_spans())
def test_export_then_import_is_the_identity(tmp_path_factory, spans: tuple[Span, ...]) -> None:
    path = tmp_path_factory.mktemp("tsv") / "S01-1.tsv"
    path.write_text(format_spans("S01-1", spans), encoding="utf-8", newline="")
    rows = list(read_spans(path))
    assert tuple(span for _, span in rows) == spans
    assert [list(span.other) for _, span in rows] == [list(span.other) for span in spans]
    assert decode(encode(spans)) == spans


def test_the_columns_may_come_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    turned = ["\t".join(reversed(line.split("\t"))) for line in (HEAD + ROW).splitlines()]
    path.write_text("\n".join(turned) + "\n\n", encoding="utf-8")
    assert [span.unit for _, span in read_spans(path)] == ["°C"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "lacks the column 'docId'"),
        (HEAD.replace("\tother", ""), "lacks the column 'other'"),
        ("more\t" + HEAD + "x\t" + ROW, ":2: the column 'more' is not one of docId"),
        (HEAD + ROW + "S01-1\t1\n", ":3: 2 columns where 8"),
        (HEAD + ROW + ROW, ":3: the id T1-1 is given twice in set 1"),
        (HEAD + ROW.replace("\t3\t", "\t3.0\t"), ":2: startOffset is '3.0', a whole number"),
        (HEAD + ROW.replace("\t8\t", "\t9\t"), ":2: the text has 5 characters, but .* 3:9 say 6"),
        (HEAD + ROW.replace("\t8\t", "\t2\t"), ":2: the span 3:2 ends before it starts"),
        (HEAD + ROW.replace("T1-1", "Tx"), ":2: the annotId 'Tx' is not of the form T1-1"),
        (HEAD + ROW.replace("Quantity", "Number"), ":2: the annotType 'Number' is not one of"),
        (HEAD + ROW.replace('{"unit": "°C"}', '["°C"]'), ":2: other is .* a JSON object"),
        (HEAD + ROW.replace('{"unit": "°C"}', "{unit}"), ":2: other is '{unit}', a JSON object"),
        (HEAD + ROW.replace("unit", "units"), ":2: other of a Quantity has the key 'units'"),
        (HEAD + ROW.replace('"°C"', "7"), ":2: unit is '7', a string"),
        (HEAD + ROW.replace('"unit": "°C"', '"mods": "IsRange"'), ":2: mods is 'IsRange', a list"),
        (HEAD + ROW.replace('"unit": "°C"', '"mods": ["Is"]'), ":2: the modifier 'Is' is not one"),
        (HEAD + ROW.replace("20 °C", '"20 °C'), "broken quoting"),
    ],
)
def test_bad_files_are_refused_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message) as caught:
        list(read_spans(path))
    assert str(path) in str(caught.value)


def test_what_is_not_a_span_cannot_be_decoded() -> None:
    with pytest.raises(FormatError, match="not a span"):
        decode([{"type": "Quantity"}])


@pytest.mark.parametrize(
    ("name", "paragraphs", "annotated", "quantities", "rows"),
    [("train", 248, 233, 883, 2531), ("dev", 65, 65, 281, 832), ("test", 135, 0, 0, 0)],
)
def test_published_counts(
    data: Path, name: str, paragraphs: int, annotated: int, quantities: int, rows: int
) -> None:
    split = load(name, data)
    assert len(split) == paragraphs
    assert "unknown" not in {item.subject for item in split.items.values()}
    if split.gold is None:
        assert annotated == 0
    elif annotated:
        spans = [span for found in split.gold.values() for span in found]
        assert sum(bool(found) for found in split.gold.values()) == annotated
        assert len(spans) == rows
        assert sum(span.type == "Quantity" for span in spans) == quantities


def test_first_middle_and_last_rows_of_train(data: Path) -> None:
    split = load("train", data)
    rows = [(doc, span) for doc, spans in split.require_gold().items() for span in spans]
    chosen = [rows[0], rows[1000], rows[-1]]
    assert [
        (doc, span.type, span.start, span.end, span.id, span.other) for doc, span in chosen
    ] == [
        ("S0006322312001096-1136", "Quantity", 73, 77, "T1-1", {}),
        ("S0032386113005454-2308", "Qualifier", 176, 217, "T6-2", {"Qualifies": "T2-2"}),
        ("S2213671113001306-910", "Qualifier", 1009, 1014, "T5-4", {"Qualifies": "T3-4"}),
    ]
    assert split.items["S0006322312001096-1136"].subject == "Medicine"


@pytest.mark.parametrize("name", ["train", "dev"])
def test_official_files_survive_reading_and_writing(data: Path, name: str) -> None:
    split = load(name, data)
    tables = {path.stem: path for path in split.files if path.suffix == ".tsv"}
    for doc, spans in split.require_gold().items():
        if spans:
            assert format_spans(doc, spans) == tables[doc].read_text(encoding="utf-8"), doc
        assert all(split.items[doc].text[span.start : span.end] == span.text for span in spans)
        assert decode(encode(spans)) == spans


def test_an_article_has_the_area_of_its_journal_where_there_is_no_list() -> None:
    known = subjects_by_journal(
        ["S0006322312001096", "S0927024813002420", "S0927024899000000", "S01", ""]
    )
    assert known == {
        "S0006322312001096": "Medicine",
        "S0927024813002420": "Chemistry",
        "S0927024899000000": "Materials Science",
    }
    assert set(JOURNALS) == set(SUBJECTS)


def test_journals_give_the_areas_of_the_official_list(data: Path) -> None:
    listed = read_categories(data / "measeval" / "fileCategories.txt")
    assert subjects_by_journal(listed) == listed
