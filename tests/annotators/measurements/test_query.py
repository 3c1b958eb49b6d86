"""Queries over rows: what each comparison selects, what is refused and where, and that printing keeps the meaning."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import Document, FormatError, extract_measurements
from marginalia.annotators.measurements.extract import COLUMNS
from marginalia.annotators.measurements.parsing import parse_quantity
from marginalia.annotators.measurements.query import MAX_DEPTH, MAX_QUERY_LENGTH, parse_query


def row(quantity: str, **cells: Any) -> dict[str, Any]:
    """A row of ``extract measurement`` with what is said of this quantity."""
    return dict.fromkeys(COLUMNS) | parse_quantity(quantity).to_dict() | {"qualifiers": []} | cells


ROWS = {
    "oven": row("45 °C", property="Drying temperature", entity="oven", page=2, label="measurement"),
    "freezer": row("-20 °C", property="temperature", entity="freezer", page=10),
    "room": row("20 to 25 °C", property="temperature", qualifiers=[{"quote": "in the dark"}]),
    "dose": row("5 mg/kg", property="dose", property_confidence=0.7, label="measurement"),
    "length": row("300 m", property="length"),
    "below": row("< 5 kg", property="mass"),
    "least": row("at least 5 kg", property="mass"),
    "money": row("$7", property="price"),
    "films": row("12", entity="films and plates", count=True, label="count"),
}


def select(query: str) -> str:
    parsed = parse_query(query, COLUMNS)
    return " ".join(name for name, row in ROWS.items() if parsed.matches(row))


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("property ~ TEMPERATURE", "oven freezer room"),
        ("property = temperature", "freezer room"),
        ("property != temperature", "oven dose length below least money"),
        ("not property = temperature", "oven dose length below least money films"),
        ('property = ""', "films"),
        ('property != "" and entity = ""', "room dose length below least money"),
        ("property ~ temperature and value > 300 K", "oven"),
        ("value > 300 K", "oven"),
        ("value < 0 °C", "freezer"),
        ("value = 113 °F", "oven"),
        ("value >= 113 °F", "oven"),
        ("value > 113 °F", ""),
        ("value != 45 °C", "freezer room"),
        ("value = 0.3 km", "length"),
        ("value = 5000 µg/kg", "dose"),
        # All of a range: 20 to 25 °C is neither above nor below 22 °C.
        ("value > 22 °C", "oven"),
        ("value < 22 °C", "freezer"),
        ("value >= 20 °C", "oven room"),
        ("value > 20 °C", "oven"),
        ("low <= 22 °C and high >= 22 °C", "room"),
        ("value = 20 to 25 °C", "room"),
        # The bound itself is not in "< 5 kg", but it is in "at least 5 kg".
        ("value < 5 kg", "below"),
        ("value > 5 kg", ""),
        ("value >= 5 kg", "least"),
        ("value > 4000 g", "least"),
        ('value = "< 5 kg"', "below"),
        # Without a unit the numbers as they are written.
        ("value > 40", "oven length"),
        ("value = 12", "films"),
        ("high < 0", "freezer"),
        ("value > 5 USD", "money"),
        ("value > 5 EUR", ""),
        ("page > 2", "freezer"),
        ("property_confidence >= .7", "dose"),
        ("count = true", "films"),
        ("count != no", "films"),
        ("qualifiers ~ dark", "room"),
        ("qualifiers = in the dark", "room"),
        ('entity = "films and plates"', "films"),
        ("unit ~ °c", "oven freezer room"),
        ("value > 5 W/(m·K) or label = count", "films"),
        ("label = count OR label=measurement AND page=2", "oven films"),
        ("(label = count or label = measurement) and page = 2", "oven"),
        ("not (label = count or property ~ e)", "below least"),
        ("not not label = count", "films"),
    ],
)
def test_what_is_selected(query: str, names: str) -> None:
    assert select(query) == names


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "the end of the query: expected the name of a column"),
        ("value > 3 and", "the end of the query: expected the name of a column"),
        (
            "propery = x",
            "character 1 of the query: there is no column 'propery'; did you mean 'prop",
        ),
        ("label = count and __class__ = x", "character 19 of the query: there is no column"),
        ("value 3", "character 7 of the query: expected =, !=, <, <=, >, >= or ~ after 'value'"),
        ("value >", "the end of the query: expected a value"),
        ("value > 3 value < 4", "character 17 of the query: expected 'and' or 'or'"),
        ("(value > 3", "character 1 of the query: this parenthesis is not closed"),
        ("value > 3)", "character 10 of the query: expected 'and' or 'or'"),
        ('entity = "a', "character 10 of the query: this quote is not closed"),
        ("value > much", "character 9 of the query: there is no quantity in 'much'"),
        ("value > 5 foo", "character 9 of the query: only '5' of '5 foo'"),
        ("value > 1 A", "'1 A' cannot be compared: A may be"),
        ("value > 300K", "character 9 of the query: '300K' cannot be compared: K may be"),
        ("value > 5 to 6 m", "character 9 of the query: '5 to 6 m' is no single number"),
        ("value > 5 ± 1 m", "is not one number, range or bound"),
        ("page > 5 m", "character 8 of the query: 'page' is compared with a plain number"),
        ("page ~ 5", "'page' is no text"),
        ("label < x", "'label' is no number"),
        ("count = maybe", "'count' is true or false, not 'maybe'"),
        ('value < ""', "an empty cell is compared with = or !="),
        ("not " * 1000 + "page = 1", f"more than {MAX_DEPTH} parentheses"),
        ("(" * 1000 + "page = 1", f"more than {MAX_DEPTH} parentheses"),
        ("x" * (MAX_QUERY_LENGTH + 1), "at most"),
    ],
)
def test_a_bad_query_is_one_sentence_with_its_place(query: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse_query(query, COLUMNS)
    assert message in str(caught.value) and "\n" not in str(caught.value)


_TEXT = st.text(st.sampled_from("temp dark \\\"'()<>=~!and or\n°é"), max_size=12).map(
    lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
)
_COMPARISONS = st.one_of(
    st.builds("{} {} {}".format, st.sampled_from(["property", "qualifiers", "label"]),
              st.sampled_from(["=", "!="]), _TEXT),
    st.builds("{} ~ {}".format, st.sampled_from(["property", "entity", "value"]),
              st.sampled_from(["temp", "E", "the dark"])),
    st.builds("{}{}{}{}".format, st.sampled_from(["value", "low", "high"]),
              st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), st.integers(-50, 400),
              st.sampled_from(["", " K", " °C", " kg", " m", " USD"])),
)  # fmt: skip
_QUERIES = st.recursive(
    _COMPARISONS,
    lambda inner: st.one_of(
        inner.map("not ({})".format),
        st.builds("({}) {} {}".format, inner, st.sampled_from(["and", "or"]), inner),
        st.builds("{} and {} or {}".format, inner, inner, inner),
    ),
    max_leaves=8,
)


@given(_QUERIES)
def test_a_query_that_is_printed_and_parsed_again_selects_the_same(query: str) -> None:
    parsed = parse_query(query, COLUMNS)
    again = parse_query(str(parsed), COLUMNS)
    assert again == parsed and str(again) == str(parsed)
    assert [again.matches(row) for row in ROWS.values()] == [
        parsed.matches(row) for row in ROWS.values()
    ]


_PIECES = (
    "value",
    "page",
    "entity",
    "(",
    ")",
    '"',
    "\\",
    "=",
    "<=",
    "~",
    "!",
    " ",
    "and",
    "or",
    "not",
    "300",
    "K",
)


@given(st.lists(st.sampled_from(_PIECES), max_size=15).map("".join) | st.text(max_size=20))
def test_any_text_is_a_query_or_is_refused(text: str) -> None:
    try:
        query = parse_query(text, COLUMNS)
    except FormatError:
        return
    assert all(query.matches(row) in (True, False) for row in ROWS.values())


def test_rows_records_and_notes_are_those_selected() -> None:
    doc = Document(id="x", text="It weighed 5 kg and was 3 m long at 300 K.", meta={"lang": "en"})
    found = extract_measurements(doc, system="rules", query="value >= 3000 g and value < 1 t")
    assert [row["quantity"] for row in found.rows] == ["5 kg"]
    assert [record.quantity.quote for record in found.records] == ["5 kg"]
    quantities = [note for note in found.doc.notes("measurements") if note.label == "measurement"]
    assert [note.id for note in quantities] == [row["id"] for row in found.rows]
    assert found.files == extract_measurements(doc, system="rules").files
    assert not extract_measurements(doc, system="rules", query="value > 1 ampere").rows
