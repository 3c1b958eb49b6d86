"""Which measurements come first in the margin."""

from __future__ import annotations

import pytest

from marginalia import Document
from marginalia.annotators.measurements.annotate import QUANTITIES, annotate
from marginalia.reader.choose import ranked


def order(text: str) -> list[str]:
    doc = Document(id="x", text=text, meta={"lang": "en"})
    notes = [note for note in annotate(doc, system="rules") if note.label in QUANTITIES]
    return [note.quote for note in ranked(notes)]


def test_a_result_comes_first_and_the_level_of_its_interval_not_at_all() -> None:
    said = order(
        "In 2015 two teams began. The hazard ratio was 0.81 with a 95% confidence interval, p = 0.004. "
        "Samples were kept at 20 °C."
    )
    assert said[0] == "0.81" and said[1] == "20 °C"
    assert "0.004" in said and "95%" not in said  # a level measures nothing


def test_a_bare_number_has_no_note() -> None:
    doc = Document(id="x", text="Python 3.11+ is 5 m long; see 7.", meta={"lang": "en"})
    quotes = [note.quote for note in annotate(doc, system="rules") if note.label in QUANTITIES]
    assert "5 m" in quotes and "7" not in quotes


def test_small_counts_come_after_measurements() -> None:
    said = order(
        "We name seven reasons. The thickness of the film was 35 nm. We asked 480 farmers."
    )
    assert said[0] == "35 nm" and said[-1] == "seven"


@pytest.mark.parametrize("few", ["one", "two", "Three"])
def test_counts_that_are_part_of_how_one_speaks_get_no_note(few: str) -> None:
    assert not said(f"{few} functions of the new drug are known.", few)


@pytest.mark.parametrize("dealt", ["one per line", "two per row", "one class per target"])
def test_how_things_are_dealt_out_gets_no_note(dealt: str) -> None:
    assert not said(
        f"The names of the files are listed, {dealt}, in the order of their size.", "per"
    )
    assert said("The heart of the animal beats 72 times per minute.", "per")


@pytest.mark.parametrize("code", ["2018–23–51", "39–19512", "22–11"])
def test_numbers_of_lists_and_amendments_get_no_note(code: str) -> None:
    assert not said(f"The company filed the form {code} with the agency last week.", code)


def test_the_number_of_an_example_or_a_footnote_gets_no_note() -> None:
    assert not said("It is set so.\n\n29 Sides of a triangle are known here.", "29")
    assert said("It is set so.\n\n29 sides of a triangle are known here.", "29")
    assert said("It is set so.\n\n29 K was the temperature of the sample.", "29 K")


@pytest.mark.parametrize("quote", ["3–5 days", "10-12 kg"])
def test_ranges_that_measure_something_keep_their_note(quote: str) -> None:
    assert said(f"The trial of the new drug took {quote} in all.", quote.split()[0])


def said(text: str, word: str) -> list[str]:
    doc = Document(id="x", text=text, meta={"lang": "en"})
    return [note.quote for note in annotate(doc, system="rules") if word in note.quote]


@pytest.mark.parametrize(
    "text",
    [
        "The first five columns are met.",
        "See the top 25 pages of it.",
        "The planet's four largest moons are shown.",
        "Several drivers run under one main server.",
        "It is set at an angle of 23.5 degrees.",
    ],
)
def test_which_of_many_is_no_count(text: str) -> None:
    assert not order(text)


def test_a_bound_of_the_words_around_is_shown() -> None:
    doc = Document(id="x", text="It was sold to over 300 employees.", meta={"lang": "en"})
    (note,) = (note for note in annotate(doc, system="rules") if note.label in QUANTITIES)
    assert note.attrs["why"] == "number of employees: > 300"


def test_a_difference_in_a_property_is_another_property() -> None:
    text = "The difference in age between the sisters was 4 years."
    doc = Document(id="x", text=text, meta={"lang": "en"})
    whys = [note.attrs["why"] for note in annotate(doc, system="rules") if note.quote == "4 years"]
    assert whys == ["difference in age: 4 years"]


def test_a_change_of_temperature_has_no_offset() -> None:
    text = "The change in mean temperature was 5 °C."
    doc = Document(id="x", text=text, meta={"lang": "en"})
    (note,) = (note for note in annotate(doc, system="rules") if note.label in QUANTITIES)
    assert note.attrs["si_low"] == 5
