"""Quantities as exact numbers with both bounds: what is read, that it is never altered, and how it is written."""

from __future__ import annotations

from decimal import Decimal, localcontext
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia.quantities.value_writer import write_number
from marginalia.quantities.values import (
    KINDS,
    NOTHING,
    Value,
    parse_value,
    write_value,
)
from marginalia.tasks.measurement.official.data import load
from tests.work import calls

NUMBERS = [
    ("5", "5"), ("2.50", "2.50"), (".05", "0.05"), ("0·05", "0.05"), ("0,5", "0.5"), ("−5", "-5"),
    ("– 5 K", "-5"), ("+1%", "1"), ("10,000", "10000"), ("1,234,567.89", "1234567.89"),
    ("10\u2009000", "10000"), ("10\u00a0000 km", "10000"), ("10\u202f000", "10000"), ("10 000", "10000"),
    ("12 345.6 m", "12345.6"), ("10’000", "10000"),
    ("3 × 10−4", "0.0003"), ("3×10⁻⁴", "0.0003"), ("3x10^-4", "0.0003"), ("3·10^{-4}", "0.0003"),
    ("3 × 10 −4", "0.0003"), ("1e-5", "0.00001"), ("1.5E+3", "1500"), ("10−4", "0.0001"),
    ("10⁻⁴", "0.0001"), ("10^4", "10000"), ("2.9 × 106 fold", "2900000"), ("8.5×1012 cm−3", "8.5E12"),
    ("3/4", "0.75"), ("1/100th", "0.01"), ("1 1/2", "1.5"), ("2½", "2.5"), ("½", "0.5"),
    ("5.9 million", "5900000"), ("sixteen times", "16"), ("Twenty-five", "25"), ("none", "0"),
    ("one hundred and fifty", "150"), ("two hundred thousand", "200000"), ("a dozen", "12"),
    ("half a million", "500000"), ("half an hour", "0.5"), ("four and a half", "4.5"), ("a quarter", "0.25"),
    ("within a month and a half", "1.5"), ("two years and a half", "2.5"), ("a week", "1"), ("twice", "2"),
    ("threefold", "3"), ("million-year", "1000000"), ("Four-year-old", "4"), ("a 60 day", "60"),
    ("2-hour", "2"), ("1.20 g/m3", "1.20"), ("17 mA g− 1", "17"), ("0.02 cm s −1", "0.02"), ("30 CO2", "30"),
    ("51-bp", "51"), ("1 (w/w)", "1"), ("median and 2SD of 7.31", "7.31"), ("1980 mm", "1980"),
    ("3 m/s^2", "3"), ("2.5 x 10^-3 kg m^-2 s^-1", "0.0025"), ("10^45 erg s^-1", "1E45"), ("3 m**2", "3"),
    ("5 s^(-2)", "5"), ("£2.1m", "2100000"), ("$5bn", "5000000000"), ("€20k", "20000"), ("2.1m", "2.1"),
]  # fmt: skip
RANGES = [
    ("2.5–10 μm", "2.5", "10"), ("between 2 and 20", "2", "20"), ("from 3 to 5", "3", "5"),
    ("58 to 70", "58", "70"), ("-5 to 5", "-5", "5"), ("-5-5", "-5", "5"), ("−5–−3", "-5", "-3"),
    ("∼−12.3 to −14.8‰.", "-14.8", "-12.3"), ("from 912 to 905 m", "905", "912"),
    ("2.2%–4.7%", "2.2", "4.7"), ("5 m–6 m", "5", "6"), ("100 keV–1 MeV", "1", "100"),
    ("3 m^-2 to 5 m^-2", "3", "5"), ("10−15", "10", "15"), ("68 – 70%", "68", "70"),
    ("six to eight", "6", "8"), ("five- to sixfold", "5", "6"), ("10−5 to 10−4", "0.00001", "0.0001"),
    ("(0.31–0.52)×10-9m", "3.1E-10", "5.2E-10"), ("2.5–7.1 (×10−3) wt.%", "0.0025", "0.0071"),
    ("2–3 × 10−4", "0.0002", "0.0003"), ("2 to 3 million", "2000000", "3000000"),
    ("100 to 3 × 104", "100", "30000"), ("2 km to 3 × 104 km", "2", "30000"),
    ("2.1Rs (3 nbar) to 2.7Rs (1 nbar)", "2.1", "2.7"), ("between 300 and >1000 m", "300", "1000"),
    ("±10 min", "-10", "10"), ("10≤2θ/°≤70", "10", "70"),
]  # fmt: skip
LISTS = [
    ("1000 and 2000 ppm", "1000 2000"), ("1, 2 and 3", "1 2 3"), ("1 or 0", "1 0"),
    ("(a) 3.1 (b) 4.2, and (c) 1.9 mg cm− 2", "3.1 4.2 1.9"), ("4.5 kg, 6 kg and 13 kg", "4.5 6 13"),
    ("5 to 10 and 20 to 30", "5 10 20 30"), ("5 mg/L and 10 mg/L", "5 10"), ("1,5", "1 5"),
]  # fmt: skip
SIZES = [
    ("60 × 10 × 3 mm3", "60 10 3"), ("500 nm × 500 nm", "500 500"), ("20 × 100 mm", "20 100"),
    ("48 x 22 x 31 cm", "48 22 31"), ("10 by 12 feet", "10 12"), ("10 cm × 20 cm × 5 mm", "10 20 5"),
]  # fmt: skip
BOUNDS = [
    ("< 5", None, "5", True), ("<−60‰", None, "-60", True), ("⩽1.6%", None, "1.6", False),
    ("≥7.0", "7.0", None, False), ("≳ 10−4", "0.0001", None, False), ("less than one day", None, "1", True),
    ("more than 85%", "85", None, True), ("at least 5 hours", "5", None, False),
    ("up to 40%", None, "40", False), ("Upto 1200 °C", None, "1200", False), ("within 24 h", None, "24", False),
    ("no more than 5", None, "5", False), ("not less than 10", "10", None, False), ("above 3Rp", "3", None, True),
    ("over 90%", "90", None, True), ("over <20 ka", None, "20", True), ("15 or less", None, "15", False),
    ("5 or more", "5", None, False), ("65+", "65", None, False), ("down to −18 °C", "-18", None, False),
    ("more than 2000", "2000", None, True),
]  # fmt: skip
DATES = [
    ("1979", "1979", 1979, 1979), ("July 2002", "2002-07", 2002, 2002), ("12 March 2004", "2004-03-12", 2004, 2004),
    ("9th August 2008", "2008-08-09", 2008, 2008), ("March 12, 2004", "2004-03-12", 2004, 2004),
    ("December 16", "--12-16", None, None), ("2004-03-12", "2004-03-12", 2004, 2004),
    ("12.03.2004", "2004-03-12", 2004, 2004), ("05/06/2004", "2004", 2004, 2004), ("AD 1850", "1850", 1850, 1850),
    ("300 BC", "-0300", -300, -300), ("the 1990s", "1990s", 1990, 1999), ("in 1543", "1543", 1543, 1543),
    ("1985 to 1988", "1985 1988", 1985, 1988), ("2005–2010", "2005 2010", 2005, 2010),
    ("between 1947 and 1999", "1947 1999", 1947, 1999), ("1997, 2003, and 2008", "1997 2003 2008", 1997, 2008),
    ("since July 2004", "2004-07", 2004, None), ("before 1950", "1950", None, 1950),
    ("between 05:28 UT and 05:47 UT", "05:28:00 05:47:00", None, None), ("2.15pm", "14:15:00", None, None),
    ("6 November 2011 UT", "2011-11-06", 2011, 2011), ("AD 850", "0850", 850, 850),
]  # fmt: skip
GERMAN = [
    ("3,5", "number", "3.5", "3.5"), ("1.000", "number", "1000", "1000"), ("1.234,5 m", "number", "1234.5", "1234.5"),
    ("1.5", "number", "1.5", "1.5"), ("0.125", "number", "0.125", "0.125"), ("zwischen 3 und 5", "range", "3", "5"),
    ("3 bis 5", "range", "3", "5"), ("von 2,5 bis 10 μm", "range", "2.5", "10"), ("1,5–2,5 %", "range", "1.5", "2.5"),
    ("10.000 bis 20.000", "range", "10000", "20000"), ("mindestens 3", "bound", "3", None),
    ("höchstens 4,5 m", "bound", None, "4.5"), ("bis zu 20", "bound", None, "20"), ("über 5", "bound", "5", None),
    ("weniger als 3,2", "bound", None, "3.2"), ("5 oder mehr", "bound", "5", None), ("anderthalb", "number", "1.5", "1.5"),
    ("zweihundertfünfunddreißig", "number", "235", "235"), ("dreitausendzwölf", "number", "3012", "3012"),
    ("5,9 Millionen", "number", "5900000", "5900000"), ("drei Billionen", "number", "3E12", "3E12"),
    ("eine Woche", "number", "1", "1"), ("eine Temperatur von 20 °C", "number", "20", "20"),
    ("ein bis zwei Wochen", "range", "1", "2"), ("ein halbes Jahr", "number", "0.5", "0.5"),
    ("zweieinhalb", "number", "2.5", "2.5"), ("dreimal", "number", "3", "3"), ("seit Juli 2002", "date", "2002", None),
    ("12. März 2004", "date", "2004", "2004"), ("14:30 Uhr", "date", None, None),
]  # fmt: skip


def decimal(text: str | int | None) -> Decimal | None:
    return None if text is None else Decimal(text)


@pytest.mark.parametrize(("quote", "value"), NUMBERS)
def test_a_single_number(quote: str, value: str) -> None:
    read = parse_value(quote)
    assert [number.value for number in read.numbers] == [Decimal(value)]
    if read.kind != "bound":
        assert read.kind == "number" and read.low == read.high == Decimal(value)


@pytest.mark.parametrize(("quote", "low", "high"), RANGES)
def test_a_range_keeps_both_bounds(quote: str, low: str, high: str) -> None:
    read = parse_value(quote)
    assert (read.kind, read.low, read.high) == ("range", Decimal(low), Decimal(high))


@pytest.mark.parametrize(("quote", "members"), SIZES)
def test_a_size_has_a_number_for_each_direction_and_no_bounds(quote: str, members: str) -> None:
    read = parse_value(quote)
    assert [number.value for number in read.numbers] == [Decimal(one) for one in members.split()]
    assert (read.kind, read.low, read.high) == ("size", None, None)
    assert write_value(read) == " × ".join(members.split())


@pytest.mark.parametrize(("quote", "members"), LISTS)
def test_a_list_keeps_its_members(quote: str, members: str) -> None:
    read = parse_value(quote)
    values = [Decimal(member) for member in members.split()]
    assert read.kind == "list" and [number.value for number in read.numbers] == values
    assert (read.low, read.high) == (min(values), max(values))


@pytest.mark.parametrize(("quote", "low", "high", "excluded"), BOUNDS)
def test_a_bound_has_an_open_end(
    quote: str, low: str | None, high: str | None, excluded: bool
) -> None:
    read = parse_value(quote)
    assert (read.kind, read.low, read.high) == ("bound", decimal(low), decimal(high))
    assert (read.low_open or read.high_open) == excluded


@pytest.mark.parametrize("quote", ["over the 9-year period", "over a 60 day", "over 4 weeks"])
def test_over_a_time_is_no_bound(quote: str) -> None:
    assert parse_value(quote).kind == "number"


@pytest.mark.parametrize(("quote", "dates", "low", "high"), DATES)
def test_dates_are_no_measures(quote: str, dates: str, low: int | None, high: int | None) -> None:
    read = parse_value(quote)
    assert (read.kind, " ".join(read.dates)) == ("date", dates)
    assert (read.low, read.high) == (decimal(low), decimal(high))


@pytest.mark.parametrize("quote", ["1980 mm", "~1850", "more than 2000", "2003 patients", "1,979"])
def test_not_every_number_of_four_digits_is_a_year(quote: str) -> None:
    assert parse_value(quote).kind != "date"


@pytest.mark.parametrize(("quote", "kind", "low", "high"), GERMAN)
def test_german(quote: str, kind: str, low: str | None, high: str | None) -> None:
    read = parse_value(quote, language="de")
    assert (read.kind, read.low, read.high) == (kind, decimal(low), decimal(high))


@pytest.mark.parametrize(
    ("quote", "uncertainty"),
    [
        ("21 ± 0.05 °C", "0.05"), ("300±15", "15"), ("41.2% ± 6.3%", "6.3"), ("5 +/- 1", "1"),
        ("1.5 ± 0.2 × 10−3", "0.0002"), ("(1.2±0.3)×10^5", "30000"), ("(410–480) ± 25 K", "25"),
        ("5.2 +0.3/−0.2", "0.3"), ("5.2+0.3−0.2", "0.3"), ("200 mm ± 5%", "10"), ("9 ± 6%", "6"),
        ("±<0.1", "0.1"), ("5 ± 1 and 7 ± 2", None), ("5", None),
    ],
)  # fmt: skip
def test_uncertainty(quote: str, uncertainty: str | None) -> None:
    assert parse_value(quote).uncertainty == decimal(uncertainty)


@pytest.mark.parametrize(
    ("quote", "language"),
    [
        ("~5", "en"), ("∼ 5", "en"), ("≈ − 10", "en"), ("about 5", "en"), ("ca. 5", "en"), ("circa July 2002", "en"),
        ("approximately 61 ± 0.4%", "en"), ("in the order of 100 m", "en"), ("hundreds", "en"),
        ("several hundred", "en"), ("tens of thousands", "en"), ("etwa 5", "de"), ("rund 20 %", "de"),
        ("mehrere hundert", "de"),
    ],
)  # fmt: skip
def test_roughly(quote: str, language: str) -> None:
    assert parse_value(quote, language=language).approximate
    assert not parse_value("5 or 6").approximate


@pytest.mark.parametrize(
    ("quote", "numbers", "quotient"),
    [("1:10", "1 10", "0.1"), ("80/20", "80 20", "4"), ("97:3, v/v", "97 3", None), ("20/80", "20 80", "0.25")],
)  # fmt: skip
def test_a_ratio_has_two_numbers(quote: str, numbers: str, quotient: str | None) -> None:
    read = parse_value(quote)
    assert read.kind == "ratio" and read.low == read.high
    assert [number.value for number in read.numbers] == [Decimal(n) for n in numbers.split()]
    assert quotient is None or read.low == Decimal(quotient)


def test_a_power_for_two_is_kept_apart() -> None:
    read = parse_value("2–3 × 10−4")
    assert [number.value for number in read.numbers] == [2, 3] and read.power == -4
    assert parse_value("3 × 10−4").power == 0


@pytest.mark.parametrize(
    "quote", ["", " ", "n.s.", "room temperature", ")", "−", "±", "first", "x", "🙂"]
)
def test_no_number(quote: str) -> None:
    assert parse_value(quote) == NOTHING
    assert write_value(NOTHING) == ""


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("between ∼2 and 20", "~2 to 20"), ("less than 5", "< 5"), ("1979", "1979"), ("1979 mm", "1,979"),
        ("2–3 × 10−4", "(2 to 3) × 10^-4"), ("5 < x ≤ 8", "5 < x ≤ 8"), ("200 mm ± 5%", "200 units ± 5%"),
        ("since July 2004", "since 2004-07"), ("300 BC", "300 BC"), ("1:10", "1:10"),
    ],
)  # fmt: skip
def test_canonical_text(quote: str, text: str) -> None:
    assert write_value(parse_value(quote)) == text


# Properties

ATOMS = [
    *"1 2 10 20 3.5 1,000 10,000 1979 2004 0.05 .5 - − – × x ^ −4 -4 ⁻⁴ 106 e-5 E5 ± ~ < > ≤ ( ) / : % °C m".split(),
    *"two twenty five hundred million half a ½ ⅓ hundreds July 12 th AD BC . ; , + +/- zwei und ein bis".split(),
    *"3,5 1.000 · 0·5 of the s ' ’ ≲ to and between from or less more at least up month km s−1 _ drei".split(),
    *(" ", " ", " ", "\u2009", "\u00a0", "\n", " to ", " and a half", " or more"),
]
quotes = st.lists(st.sampled_from(ATOMS), max_size=9).map("".join) | st.lists(
    st.sampled_from(ATOMS), max_size=9
).map(" ".join)
decimals = st.decimals(allow_nan=False, allow_infinity=False, places=None).filter(
    lambda value: abs(value.adjusted()) < 300
)


def same(a: Value, b: Value) -> bool:
    """Equal but for the offsets."""
    values = [[(n.value, n.tolerance) for n in value.numbers] for value in (a, b)]
    names = "kind low high low_open high_open uncertainty approximate power dates".split()
    return values[0] == values[1] and all(getattr(a, n) == getattr(b, n) for n in names)


@settings(max_examples=300)
@given(quotes | st.text(max_size=60), st.sampled_from(["en", "de"]))
def test_every_number_stands_in_the_quote_and_reads_the_same_alone(
    quote: str, language: str
) -> None:
    read = parse_value(quote, language=language)
    assert read.kind in KINDS
    places = [(number.start, number.end) for number in read.numbers]
    assert places == sorted(places) and all(a < b <= len(quote) for a, b in places)
    for number in read.numbers:
        if number.tolerance and quote[number.start] == "(":
            continue  # 11.5(3): the 3 is of the last digit
        alone = parse_value(quote[number.start : number.end], language=language)
        assert [n.value for n in alone.numbers] == [number.value]


@settings(max_examples=300)
@given(quotes | st.text(max_size=60), st.sampled_from(["en", "de"]))
def test_written_and_read_again_it_is_the_same(quote: str, language: str) -> None:
    read = parse_value(quote, language=language)
    assert same(parse_value(write_value(read)), read)


@given(decimals, decimals)
def test_no_digit_is_lost(a: Decimal, b: Decimal) -> None:
    """Not even where the thread computes with fewer digits."""
    with localcontext() as context:
        context.prec = 3
        read = parse_value(f"{write_number(a)} to {write_number(b)}")
    assert [number.value for number in read.numbers] == [a, b]
    assert (read.low, read.high) == (min(a, b), max(a, b))


@given(st.integers(min_value=0, max_value=10**9))
def test_thousands_are_read_with_every_separator(number: int) -> None:
    for sign in (",", "\u2009", "\u202f", "\u00a0", "’"):
        assert parse_value(f"{number:,}".replace(",", sign) + " m").low == number
    assert parse_value(f"{number:,} m".replace(",", "."), language="de").low == number


def test_long_digits_are_exact() -> None:
    digits = "1234567890" * 5 + ".5"
    assert parse_value(f"−{digits} ± 0.1").low == Decimal(f"-{digits}")


@pytest.mark.parametrize(
    "piece",
    ["9", "1,", "a_", "x", "10 ", "two ", "(", "±", "1/2 ", "−", "cm−1 ", "1.5 × 10^", "July ", "<5", "several "],
)  # fmt: skip
def test_work_grows_with_the_length(piece: str) -> None:
    small, large = piece * 500, piece * 2000
    parse_value(small)
    assert calls(lambda: parse_value(large)) < 5 * max(100, calls(lambda: parse_value(small)))


def test_the_quantities_of_the_task(data: Path) -> None:
    spans = [
        s
        for name in ("train", "dev")
        for gold in (load(name, data).gold or {}).values()
        for s in gold
    ]
    quotes = [span.text for span in spans if span.type == "Quantity"]
    assert len(quotes) == 1164
    read = [parse_value(quote) for quote in quotes]
    assert (
        sum(value.kind == "none" for value in read) == 7
    )  # "room temperature", "n.s.", "first", ")"
    for quote, value in zip(quotes, read, strict=True):
        assert same(parse_value(write_value(value)), value), quote
