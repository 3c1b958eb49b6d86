"""A language is added by data alone: its numbers, ranges, dates and units are read, and no code knows a word of it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from marginalia import Document, lang
from marginalia.annotators.style.annotate import annotate
from marginalia.quantities.currencies import currency_code
from marginalia.quantities.dates import find_dates
from marginalia.quantities.finder import find_quantities
from marginalia.quantities.surroundings import with_surroundings
from marginalia.quantities.units.measure import Measure, read_measure
from marginalia.quantities.value_writer import write_value
from marginalia.quantities.values import parse_value
from marginalia.tasks.similarity.systems.numerals import numerals

CODE = "qx"


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(lang, "_added", {})
    lang.add_language(CODE, Path(__file__).parent / "made_up")
    yield
    monkeypatch.undo()
    lang.forget()


def measures(text: str) -> list[tuple[str, Measure]]:
    return [
        (
            text[found.start : found.end],
            read_measure(
                text[found.start : found.end],
                text[slice(*found.unit)] if found.unit else None,
                language=CODE,
            ),
        )
        for found in find_quantities(text, language=CODE)
    ]


@pytest.mark.parametrize(
    ("quote", "wanted"),
    [
        ("2,5", "2.5"),
        ("1.250", "1,250"),
        ("vint tri", "23"),
        ("du cen ko kvin", "205"),
        ("tri milon", "3000000"),
        ("5 tul 10", "5 to 10"),
        ("mezu 5 ko 10", "5 to 10"),
        ("tanto 12", "~12"),
        ("plu ke 3", "> 3"),
        ("3 vo plu", "≥ 3"),
    ],
)
def test_numbers_and_ranges(quote: str, wanted: str) -> None:
    assert write_value(parse_value(quote, language=CODE)) == wanted


def test_quantities_in_a_sentence() -> None:
    found = measures(
        "La via es tanto 2,5 kilometrus ko durau 5 tul 10 minus, la pono es vint gramus."
    )
    assert [quote for quote, _ in found] == [
        "tanto 2,5 kilometrus",
        "5 tul 10 minus",
        "vint gramus",
    ]
    assert [(one.value.low, one.unit and one.unit.ucum) for _, one in found] == [
        (Decimal("2.5"), "km"),
        (Decimal(5), "min"),
        (Decimal(20), "g"),
    ]


def test_units_that_add_up_and_rates() -> None:
    [(quote, measure)] = measures("Durau 2 orus ko 30 minus.")
    assert (quote, measure.value.low) == ("2 orus ko 30 minus", Decimal("2.5"))
    [(quote, measure)] = measures("Iru 30 kilometrus pe oru.")
    assert quote == "30 kilometrus pe oru" and measure.unit and measure.unit.ucum == "km.h-1"


def test_dates_and_money() -> None:
    assert [date.text for date in find_dates("la 3a de Triaro 2010", CODE)] == ["2010-03-03"]
    assert currency_code("eurulos") == "EUR"
    assert [one.value for one in numerals("en Sunu, 3 Duaro", CODE)] == [
        (None, None, None, 6.0),
        (None, 2.0, 3.0, None),
    ]


def test_what_is_denied() -> None:
    text = "Ne plu ke 5 metrus."
    value = with_surroundings(parse_value("5 metrus", language=CODE), text, 10, 18, CODE)
    assert write_value(value) == "≤ 5"


def test_words_of_other_languages_are_none() -> None:
    assert [quote for quote, _ in measures("twenty hours, zwanzig Stunden, vint orus")] == [
        "vint orus"
    ]


def test_its_texts_are_linted_by_what_it_says() -> None:
    doc = Document(id="d", text="Mi ti ko ko lu. Mi ti lu ko ti mi lu ti.", meta={"lang": CODE})
    said = [(note.label, note.attrs["why"]) for note in annotate(doc)]
    assert said == [
        ("wording.doubled", "ko du"),
        ("sentences.long", "a sentence of 8 words: could it be two?"),
    ]
