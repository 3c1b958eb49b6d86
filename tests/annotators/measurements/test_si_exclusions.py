"""What is read and still has no SI value: titles, falls, repetitions, bounds on ranges."""

from __future__ import annotations

import pytest

from marginalia import parse_quantity
from marginalia.annotators.measurements.document import measure
from marginalia.core.document import Document

DOUBTFUL = [
    ("One-Minute Time Machine", "title"),
    ("the Showtime 30-Minute Movie series", "title"),
    ('The film "24 hours" was shown.', "title"),
    ("Choose „24h short“ there.", "title"),
    ("It has a 24-hour clock.", "title"),
    ("It uses 24-hour notation.", "title"),
    ("It fell from 80% to 40% there.", "falls"),
    ("Increase the ring from 0.15 mm to 0.3 mm.", "changes"),
    ("at least 600–750 MB of space", "bound"),
    ("It is 0.044873 or 4.4873 % here.", "last number"),
    ("Take 2 × 500 ml.", "number of times"),
    ("cooled to -300 °C", "absolute zero"),
    ("It was not 5 km away.", "not to be so"),
    ("It was an inch or two.", "goes on"),
    ("-1.8 mm - 0.11 mm = -1.91 mm", "calculation"),
    ("a value between 0 % (opaque) and 100 % (clear)", "one end"),
    ("She earns 50 K a year.", "kelvin or thousand"),
    ("There are 10M users, and K. is one.", "million"),
    ("Torque it to 33 lb-ft.", "force"),
    ("Use 5 tons for 3 miles of road.", "short"),
    ("Specify 30m for a duration of half an hour.", "minutes"),
    ("It is not a 100% substitute for butter.", "not to be so"),
    ("It was seen on 5 days or more.", "counted"),
    ("That is 24 hours * 60 of them.", "calculation"),
    ("The point is at RA=12.0 hours there.", "angle"),
    ("It has a right ascension of 12 hours.", "angle"),
    ("It spans 3″ here.", "seconds of arc"),
    ("It burns for a few million years.", "how many"),
    ("The hour angle is in hours (1 hour is little).", "angle"),
]


@pytest.mark.parametrize(("text", "why"), DOUBTFUL)
def test_a_doubtful_value_has_no_si_and_says_why(text: str, why: str) -> None:
    found = parse_quantity(text)
    assert found.si is None and found.doubt and why in found.doubt


@pytest.mark.parametrize(
    "text",
    ["Cook Time: 30 Minutes", "shown as '17%' there", "It ranges from 40% to 80%.", "2 or 3 GB"],
)
def test_what_looks_alike_keeps_its_si(text: str) -> None:
    found = parse_quantity(text)
    assert found.doubt is None and (found.si is not None or found.record.unit is None)


def test_german_over_is_for_so_long_or_for_longer() -> None:
    assert "longer" in (parse_quantity("über 7 Jahre abgeschrieben", lang="de").doubt or "")
    assert parse_quantity("Es dauerte über 7 Jahre.", lang="de").si is not None
    assert parse_quantity("über 7 Meter", lang="de").si is not None


@pytest.mark.parametrize(
    ("text", "lang", "why"),
    [
        ("They were followed for 2 3 months.", "en", "right before"),
        ("Send it to LATER/3-day at once.", "en", "name"),
    ],
)
def test_what_stands_right_before_a_quantity_may_make_it_another(
    text: str, lang: str, why: str
) -> None:
    found = measure(Document(id="x", text=text, meta={"lang": lang}), "rules").records[-1]
    assert found.si is None and why in (found.doubt or "")


@pytest.mark.parametrize(
    "text",
    [
        "The matrix has x′Σx ≥ 0 then.",
        "Here x \u0338= 0 holds.",
        "df(f) = m3-m3 = 0",
        "Then β = 0 follows.",
    ],
)
def test_formulae_are_no_records(text: str) -> None:
    assert not measure(Document(id="x", text=text, meta={"lang": "en"}), "rules").records


def test_german_nouns_are_no_titles() -> None:
    assert parse_quantity("Dreizehn Meilen westlich", lang="de").si is not None
    assert parse_quantity("Zwei Stunden später", lang="de").doubt is None


def test_a_size_is_one_record_with_a_value_for_each_direction() -> None:
    size = parse_quantity("10 cm × 20 cm × 5 mm").to_dict()
    assert (size["kind"], size["values"], size["ucum"]) == ("size", [100, 200, 5], "mm")
    assert (size["si_values"], size["si_low"], size["si_high"]) == ([0.1, 0.2, 0.005], None, None)
    german = parse_quantity("1,95 m mal 1,10 m", lang="de").to_dict()
    assert german["si_values"] == [1.95, 1.1]


@pytest.mark.parametrize(
    ("text", "lang", "seconds"),
    [
        ("2 hours 30 minutes", "en", 9000),
        ("2 h 30 min", "en", 9000),
        ("3 Std. 20 Min.", "de", 12000),
        ("5 minutes and 10 seconds", "en", 310),
    ],
)
def test_a_time_in_two_units_is_one_value(text: str, lang: str, seconds: int) -> None:
    found = parse_quantity(text, lang=lang)
    assert found.text == text and found.si is not None and round(float(found.si[0] or 0)) == seconds


def test_two_times_are_no_compound() -> None:
    assert parse_quantity("24 h, 30 min").text == "24 h"
    assert parse_quantity("1 h 90 min").text == "1 h"


@pytest.mark.parametrize(
    ("text", "lang", "quotes"),
    [
        ("He will one day return, and one day?", "en", []),
        ("It took one day; one day later he left.", "en", ["one day", "one day"]),
        ("We import the .3d file and a 3d model.", "en", []),
        ("It is a 2×N matrix; it rose into the 50s.", "en", []),
        ("%D0%B0%D0%B2%D1%82%D0%BE is escaped", "en", []),
        ("Geben Sie 2 EL Öl und 1 TL Salz dazu.", "de", ["2 EL", "1 TL"]),
    ],
)
def test_what_is_found(text: str, lang: str, quotes: list[str]) -> None:
    doc = Document(id="x", text=text, meta={"lang": lang})
    found = [r.quantity.quote for r in measure(doc, "rules").records if r.unit]
    assert found == quotes


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("E[Y] = 0 when x = 0 and y = 1, while i < 10.", []),
        ("Suppose that a = 0.5 and b = 2; then f(0) = 1.", []),
        ("t(34) = 2.1, z = 0.5 and r = 0.71", ["2.1", "0.5", "0.71"]),
        ("It has x = 5 cm.", ["5 cm"]),
    ],
)
def test_equations_about_variables_are_no_records(text: str, quotes: list[str]) -> None:
    doc = Document(id="x", text=text, meta={"lang": "en"})
    assert [r.quantity.quote for r in measure(doc, "rules").records] == quotes


@pytest.mark.parametrize(
    ("text", "low"), [("läuft unter 64-Bit PC", 64), ("blieb unter 64 Bit pro Wort", None)]
)
def test_unter_is_no_bound_before_the_width_of_a_system(text: str, low: float | None) -> None:
    assert parse_quantity(text, lang="de").low == low


def test_there_are_no_thousandths_of_a_bit() -> None:
    assert float((parse_quantity("a 10mbit/s link").si or (0,))[0] or 0) == 1e7


def test_a_dash_behind_a_word_is_no_minus() -> None:
    assert parse_quantity("thickness of plates - 0.5 mm").low == pytest.approx(0.5)
    assert parse_quantity("how to convert - 20 degrees Fahrenheit").low == -20


def test_a_weighted_level_has_no_si_and_a_deviation_its_kind() -> None:
    assert parse_quantity("35 dB(A)").si is None
    weight = parse_quantity("12 ± 2 kg (SEM)").to_dict()
    assert (weight["uncertainty"], weight["uncertainty_kind"]) == (2, "SE")
