"""Money, dozens and fractions, as they stand in sentences."""

from __future__ import annotations

from decimal import Decimal

import pytest

from marginalia.quantities.amounts import parse_amount
from marginalia.quantities.currencies import currency_code, is_money
from marginalia.quantities.finder import find_quantities
from marginalia.quantities.values import parse_value


def quotes(text: str, language: str = "en") -> list[str]:
    return [text[one.start : one.end] for one in find_quantities(text, language=language)]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("$", "USD"), ("US$", "USD"), ("c $", "CAD"), ("A$", "AUD"), ("hk$", "HKD"), ("€", "EUR"), ("GBP", "GBP"), ("MEUR", "EUR"),
        ("Canadian dollars", "CAD"), ("kanadischen Dollar", "CAD"), ("yen", "JPY"), ("rmb", "CNY"), ("Swiss francs", "CHF"),
        ("francs", None), ("rupees", None), ("¥", None), ("cents", None), ("₿", "BTC"),
    ],
)  # fmt: skip
def test_a_currency_has_its_iso_code_unless_several_are_called_so(
    written: str, code: str | None
) -> None:
    assert is_money(written) and currency_code(written) == code


@pytest.mark.parametrize("word", ["Myr", "us", "try", "sek", "mol", "min", "a", "m", "pen"])
def test_units_and_words_are_no_currencies(word: str) -> None:
    assert not is_money(word)


@pytest.mark.parametrize(
    ("quote", "value"),
    [
        ("$2.1m", "2100000"), ("£ 50 million", "50000000"), ("$2.174T", "2174000000000"), ("75 USD million", "75000000"),
        ("120 MEUR", "120000000"), ("about MAUD 60", "60000000"), ("$5k", "5000"), ("3 dollars 50 cents", "3.5"),
        ("15 dollars 50", "15.5"), ("64.2 cents a dozen", "64.2"), ("half million usd", "500000"),
        ("three quarters billion us dollars", "750000000"), ("$350 per kg", "350"),
    ],
)  # fmt: skip
def test_amounts_of_money(quote: str, value: str) -> None:
    assert parse_amount(quote).low == parse_amount(quote).high == Decimal(value)


@pytest.mark.parametrize(
    ("quote", "language", "value"),
    [
        ("a dozen", "en", "12"), ("3 dozen", "en", "36"), ("a baker's dozen", "en", "13"), ("half a dozen", "en", "6"),
        ("minus 5", "en", "-5"), ("three halves", "en", "1.5"), ("two and a quarter", "en", "2.25"),
        ("three million, two hundred & forty", "en", "3000240"), ("2 1/2", "en", "2.5"), ("one in five", "en", "0.2"),
        ("siebenhundert", "de", "700"), ("achtundsiebzig Millionen", "de", "78000000"), ("2,5 Mio", "de", "2500000"),
        ("299.792.458", "de", "299792458"),
    ],
)  # fmt: skip
def test_numbers_in_words_and_fractions(quote: str, language: str, value: str) -> None:
    assert parse_value(quote, language=language).low == Decimal(value)


@pytest.mark.parametrize(
    ("quote", "value", "off"),
    [("11.5(3) Å", "11.5", "0.3"), ("0.1(1) W/(m·K)", "0.1", "0.1"), ("0.1234(12)", "0.1234", "0.0012"), ("5.2 +- 0.3", "5.2", "0.3"),
     ("5.2 +0.02/−0.01", "5.2", "0.02")],
)  # fmt: skip
def test_uncertainties_in_all_spellings(quote: str, value: str, off: str) -> None:
    parsed = parse_value(quote)
    assert (parsed.low, parsed.uncertainty) == (Decimal(value), Decimal(off))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It cost $ 75 million of bonds.", ["$ 75 million"]),
        ("It paid a $ 300 million fee.", ["$ 300 million"]),
        ("Buy it for EUR 125.", ["EUR 125"]),
        ("We are giving away USD50 cards.", ["USD50"]),
        ("The price rose from about $350 per kg to $680 per kg", ["from about $350 per kg to $680 per kg"]),
        ("from 44 ml to 50 mg ethanol", ["44 ml", "50 mg"]),
        ("It rose from 0.29 in 1990 to 0.35 in 2015.", ["0.29", "1990", "0.35", "2015"]),
        ("he is 5 feet 2 inches", ["5 feet 2 inches"]),
        ("The area is 116,347 sq mi or 4 cubic kilometers.", ["116,347 sq mi", "4 cubic kilometers"]),
        ("I want a gallon of beer.", ["a gallon"]),
        ("It is $3 a gallon.", ["$3 a gallon"]),
        ("The weight is 20 (kg).", ["20 (kg)"]),
        ("The level is 20 (dB(A)) and 30 [km^(2)].", ["20 (dB(A))", "30 [km^(2)]"]),
        ("The cold was -10C today.", ["-10C"]),
        ('A wrench of 8".', ['8"']),
        ('He said "take these 8" to me.', ["8"]),
        ("a rate of 0.4 day⁻¹ or 2.4 l · day⁻¹", ["0.4 day⁻¹", "2.4 l · day⁻¹"]),
        ("a conductivity of 0.6 W/(m·K)", ["0.6 W/(m·K)"]),
        ("a filtration of 90 mL/min/1.73 m² was", ["90 mL/min/1.73 m²"]),
        ("by centrifugation (17000 ×g, 15 min)", ["17000 ×g", "15 min"]),
        ("12.3 per 100,000 people", ["12.3 per 100,000 people"]),
    ],
)  # fmt: skip
def test_where_they_stand(text: str, found: list[str]) -> None:
    assert quotes(text) == found
