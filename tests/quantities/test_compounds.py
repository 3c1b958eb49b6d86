"""Several units in one quantity, and fractions and sizes in odd spellings."""

from __future__ import annotations

import pytest

from marginalia import Document, extract_measurements, parse_quantity
from marginalia.quantities.compounds import parse_compound
from marginalia.quantities.finder import find_quantities


@pytest.mark.parametrize(
    ("text", "lang", "si"),
    [
        ("5 feet 3 inches", "en", 1.6002),
        ("6 ft 2 in", "en", 1.8796),
        ("6'2\"", "en", 1.8796),
        ("6′ 2½″", "en", 1.8923),
        ("5 ft. 11 in", "en", 1.8034),
        ("12m 30s", "en", 750),
        ("5 ft 2 1/2 in", "en", 1.5875),
        ("5 lb 3 oz", "en", 2.353010419),
        ("2 hours and 30 minutes", "en", 9000),
        ("2h 30m", "en", 9000),
        ("1 h 23 min 45 s", "en", 5025),
        ("3 days, 4 hours and 12 minutes", "en", 274320),
        ("5 years and 3 months", "en", 165677400),
        ("38 Jahre, 1 Monat und 27 Tage", "de", 1204151400),
        ("3 Tagen, 4 Stunden und 5 Minuten", "de", 273900),
    ],
)
def test_units_that_add_up_are_one_value(text: str, lang: str, si: float) -> None:
    found = parse_quantity(text, lang=lang)
    assert found.text == text and found.si is not None
    assert float(found.si[0] or 0) == pytest.approx(si)


@pytest.mark.parametrize(
    "text", ["5 feet", "5 feet 13 inches", "24 h, 30 min", "3 months and 5 years", "5 m 30 m", "1 h 30 m, 5 min"]
)  # fmt: skip
def test_what_does_not_add_up_is_no_compound(text: str) -> None:
    assert parse_compound(text) is None


def test_bounds_and_ranges_of_compounds() -> None:
    most = parse_compound("up to 5 ft 6 in")
    assert most and (most.low, float(most.high or 0)) == (None, 5.5)
    spread = parse_compound("from 1 h 30 min to 2 h")
    assert spread and (spread.kind, float(spread.low or 0), spread.high) == ("range", 1.5, 2)
    low, high, _ = parse_quantity("5 ft 6 in–6 ft").si or (0, 0, "")
    assert (float(low or 0), float(high or 0)) == pytest.approx((1.6764, 1.8288))


@pytest.mark.parametrize(
    ("text", "lang", "found", "low"),
    [
        ("Cut a 1 / 4 inch slot.", "en", "1 / 4 inch", 0.25),
        ("Add 2 1 / 2 cups of flour.", "en", "2 1 / 2 cups", 2.5),
        ("Add 1 ⁄ 2 cup of milk.", "en", "1 ⁄ 2 cup", 0.5),
        ("Use a 3 ∕ 8-inch nut.", "en", "3 ∕ 8-inch", 0.375),
        ("Drill holes 1-1/2 inches apart.", "en", "1-1/2 inches", 1.5),
        ("It is ¹/₂ inch thick.", "en", "¹/₂ inch", 0.5),
        ("Seams of 1 / 2 inch to 1 / 4 inch are common.", "en", "1 / 2 inch to 1 / 4 inch", 0.25),
        ("Man nehme 1 / 4 Liter Milch.", "de", "1 / 4 Liter", 0.25),
        ("The pressure was 120/80 mmHg.", "en", "120/80 mmHg", 80),
        ("Doses of 5/10 mg were given.", "en", "5/10 mg", 5),
    ],
)
def test_fractions_and_pairs(text: str, lang: str, found: str, low: float) -> None:
    (row,) = extract_measurements(
        Document(id="x", text=text, meta={"lang": lang}), system="rules"
    ).rows
    assert (row["quantity"], row["low"]) == (found, low)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The room is 10 by 12 feet.", [10, 12]),
        ("A 10 ft by 12 ft shed.", [10, 12]),
        ("A 4-by-6-foot rug.", [4, 6]),
        ("A 3 by 5 by 8 inch box.", [3, 5, 8]),
    ],
)
def test_by_makes_a_size_of_lengths(text: str, values: list[int]) -> None:
    (row,) = extract_measurements(
        Document(id="x", text=text, meta={"lang": "en"}), system="rules"
    ).rows
    assert (row["kind"], row["values"]) == ("size", values) and row["si"] == "meter"


@pytest.mark.parametrize(
    ("text", "lang", "low", "high"),
    [
        ("two or three hundred yards", "en", 200, 300),
        ("five to six thousand miles", "en", 5000, 6000),
        ("zwei bis drei Millionen Tonnen", "de", 2000000, 3000000),
        ("a mile and a half", "en", 1.5, 1.5),
        ("an hour and a half", "en", 1.5, 1.5),
        ("3 pounds and a quarter", "en", 3.25, 3.25),
        ("half an hour", "en", 0.5, 0.5),
        ("three quarters of an hour", "en", 0.75, 0.75),
        ("eine halbe Stunde", "de", 0.5, 0.5),
        ("ein Viertel Liter", "de", 0.25, 0.25),
        ("ten to two thousand metres", "en", 10, 2000),
    ],
)
def test_scales_and_halves_in_words(text: str, lang: str, low: float, high: float) -> None:
    found = parse_quantity(text, lang=lang)
    assert found.text == text and found.si is not None
    assert (float(found.low or 0), float(found.high or 0)) == (low, high)


def test_pictures_have_two_sides_and_no_power_of_ten() -> None:
    assert parse_quantity("1920x1080 pixels").to_dict()["values"] == [1920, 1080]
    assert parse_quantity("12x106 cells").low == 12_000_000


@pytest.mark.parametrize(
    ("text", "lang", "found"),
    [
        ("It fell 10 m by 2005.", "en", ["10 m", "2005"]),
        ("The disk is fast 300 GB.", "en", ["300 GB"]),
        ("Es sind fast 300 GB.", "de", ["fast 300 GB"]),
        ("S-Plus 3.x/6.x is supported.", "en", []),
        ("The game was more fun in the 0.12 days.", "en", []),
        ("It fell in the 2.5 days before.", "en", ["2.5 days"]),
        ("on the twenty-second of October", "en", []),
        ("a thirty-second clip", "en", ["thirty-second"]),
        ("a column of 1s, or all 1s", "en", []),
        ("a timeout of 1s", "en", ["1s"]),
        ("It rose 2.5-fold to 35 Gt.", "en", ["2.5-fold", "35 Gt"]),
        ("Copyright c 1990 W. N. Venables", "en", []),
        ("a pulse of 110/min", "en", ["110/min"]),
        ("He ran for 3 years and 2 months.", "en", ["3 years", "2 months"]),
        ("He was 3 years, 2 months and 5 days old.", "en", ["3 years, 2 months and 5 days"]),
        ("Er lief 3 Jahre und 2 Monate.", "de", ["3 Jahre und 2 Monate"]),
        ("$450 per square foot", "en", ["$450 per square foot"]),
    ],
)
def test_what_is_found(text: str, lang: str, found: list[str]) -> None:
    assert [text[one.start : one.end] for one in find_quantities(text, language=lang)] == found
