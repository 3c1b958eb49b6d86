"""Lines that were broken to fit a width are read as one, and what is found has the offsets of the text as it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.annotators.measurements.document import measure
from marginalia.annotators.measurements.wrapped import join_lines
from marginalia.core.document import Document
from marginalia.nlp.prose import NO_SPANS

WRAPPED = """Let the dough rest in a warm place for ten to
fifteen minutes, then bake it at no less than
        220 °C until it is brown; a loaf weighs 1.2
        kg and costs about two
        dollars."""
GERMAN = """Den Teig zugedeckt an einem warmen Ort zehn bis
fünfzehn Minuten ruhen lassen."""


def found(text: str, lang: str = "en") -> list[str]:
    records = measure(Document(id="x", text=text, meta={"lang": lang}), "rules").records
    assert all(
        text[part.start : part.end] == part.quote
        for record in records
        for part in (record.quantity, record.unit_part, record.entity, record.property)
        if part
    )
    return [" ".join(record.quantity.quote.split()) for record in records]


def test_a_phrase_that_a_line_break_cuts_is_one_quantity() -> None:
    assert found(WRAPPED)[:3] == ["ten to fifteen minutes", "no less than 220 °C", "1.2 kg"]
    assert found(GERMAN, "de") == ["zehn bis fünfzehn Minuten"]


def test_numbers_of_a_value_are_counted_from_their_quantity() -> None:
    text = "The garden that we saw behind the house has 1200\n       to 1400 trees."
    (record,) = measure(Document(id="x", text=text, meta={"lang": "en"}), "rules").records
    quote = record.quantity.quote
    assert [quote[one.start : one.end] for one in record.value.numbers] == ["1200", "1400"]


@pytest.mark.parametrize(
    "text",
    [
        "500 g of flour\n20 g of yeast",
        "What you need for the bread that we bake on Sundays:\n  500 g of flour\n  20 g of yeast",
        "A line that is long enough to be full but ends here.\nThe next sentence is 5\nlines on.",
        "cable of copper   50 m      12 kg, as it was sold\ncable of steel    80 m      20 kg, as it was sold",
        "The first of the items in this list of ours is 20\n- the second of the items in this list is 30 kg",
    ],
)
def test_lists_tables_and_ends_of_sentences_stay_apart(text: str) -> None:
    assert join_lines(text, NO_SPANS, NO_SPANS).text == text


@given(st.lists(st.text("ab 5\n", min_size=1, max_size=90), max_size=6))
def test_every_offset_leads_there_and_back(lines: list[str]) -> None:
    text = "\n   ".join(lines)
    joined = join_lines(text, NO_SPANS, NO_SPANS)
    for at, sign in enumerate(joined.text):
        back = joined.back(at)
        assert text[back] == sign or (sign == " " and text[back].isspace())
        assert joined.forth(back) == at
    assert joined.back(len(joined.text)) == len(text)
