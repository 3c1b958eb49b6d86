"""A bare string as a quantity, and back: every notation says the same."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia import FormatError, parse_quantity
from marginalia.cli.main import cli

UNITS = {
    "mg.kg-1": ("mg/kg", "mg kg−1", "mg·kg⁻¹", "mg∕kg", "milligrams per kilogram"),
    "m.s-1": ("m/s", "m s-1", "m·s⁻¹", "metres per second"),
    "d-1": ("day⁻¹", "d−1", "day^-1", "per day"),
    "Cel": ("°C", "degrees Celsius", "deg C", "degrees C"),
    "kV": ("kV", "kilovolts"),
    "m2": ("m2", "m²", "m^2", "square metres", "sq m"),
    "W.m-1.K-1": ("W/(m·K)", "W m−1 K−1"),
    "%": ("%", "per cent", "percent"),
}
TOLERANCES = ("{} ± {}", "{}±{}", "{} +/- {}", "{} +- {}")
RANGES = {
    "en": ("{} to {}", "{}–{}", "from {} to {}", "between {} and {}"),
    "de": ("{} bis {}", "{}–{}", "von {} bis {}", "zwischen {} und {}"),
}
BOUNDS = {
    "≤": {"en": ("≤ {}", "at most {}", "up to {}", "no more than {}"), "de": ("≤ {}", "höchstens {}", "maximal {}", "bis zu {}")},
    "<": {"en": ("< {}", "less than {}", "below {}"), "de": ("< {}", "weniger als {}", "unter {}")},
    "≥": {"en": ("≥ {}", "at least {}", "no less than {}"), "de": ("≥ {}", "mindestens {}", "ab {}")},
    ">": {"en": ("> {}", "more than {}", "above {}"), "de": ("> {}", "mehr als {}", "größer als {}")},
}  # fmt: skip
LANGUAGES = st.sampled_from(["en", "de"])
whole = st.integers(min_value=1, max_value=9_999_999)
digits = st.integers(min_value=0, max_value=3)


@st.composite
def decimals(draw: st.DrawFn) -> Decimal:
    return Decimal(draw(whole)).scaleb(-draw(digits))


def written(number: Decimal, language: str) -> list[str]:
    """The number in all notations: plain, grouped, with a power of ten."""
    plain, grouped = f"{number:f}", f"{number:,f}"
    places = max(0, -int(number.as_tuple().exponent))
    power = number.adjusted()
    short = number.scaleb(-power).normalize()
    raised = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    powers = [f"{short:f} × 10^{power}", f"{short:f} × 10{raised}", f"{short:f}e{power}"]
    thin = grouped.replace(",", "\u202f")
    if language == "en":
        return [plain, grouped, thin, *powers]
    swap = str.maketrans(",.", ".,")
    # three places would be thousands with a point: they are written with a comma, as Germans do
    return [plain.translate(swap), grouped.translate(swap), thin.translate(swap)] + [
        one.translate(swap) for one in powers if places != 3
    ]


Read = tuple[object, ...]


def told(text: str, language: str = "en") -> Read:
    """What a text says: bounds, whether they are open, uncertainty, unit, SI."""
    found = parse_quantity(text, lang=language)
    value = found.record.value
    return (found.low, found.high, value.low_open, value.high_open, found.uncertainty, found.ucum, found.si)  # fmt: skip


def again(text: str, language: str = "en") -> list[Read]:
    """What is read from the canonical text of the value with the unit, as written and by its UCUM code."""
    found = parse_quantity(text, lang=language)
    value = found.to_dict()["value"]
    return [told(f"{value} {found.unit}", "en"), told(f"{value} {found.ucum}", "en")]


def si_of(low: Decimal | None, high: Decimal | None, ucum: str) -> object:
    """The SI value of plain bounds; None for an open end."""
    ends = [None if end is None else parse_quantity(f"{end:f} {ucum}").si for end in (low, high)]
    unit = next(end[2] for end in ends if end)
    return (ends[0] and ends[0][0], ends[1] and ends[1][0], unit)


def same_everywhere(texts: list[str], language: str, wanted: Read) -> None:
    for text in texts:
        assert told(text, language) == wanted, text
    for read in again(texts[0], language):
        assert read == wanted, texts[0]


@settings(max_examples=40, deadline=None)
@given(decimals(), st.none() | st.integers(min_value=1, max_value=99), st.sampled_from(sorted(UNITS)), LANGUAGES)  # fmt: skip
def test_a_value_with_its_uncertainty_is_the_same_in_every_notation(
    value: Decimal, off: int | None, ucum: str, language: str
) -> None:
    places = max(0, -int(value.as_tuple().exponent))
    exact = None if off is None else Decimal(off).scaleb(-places)
    numbers = written(value, language)
    if exact is not None:
        offs = written(exact, language)
        numbers = [sign.format(n, offs[0]) for n in numbers[:3] for sign in TOLERANCES]
        if places:
            numbers.append(f"{written(value, language)[0]}({off})")
            numbers.append(f"{written(value, language)[0]} +{offs[0]}/−{offs[0]}")
            numbers.append(f"({written(value, language)[0]} ± {offs[0]}) × 10^0")
    units = UNITS[ucum] if language == "en" else UNITS[ucum][:2]
    texts = [f"{number} {unit}" for number in numbers for unit in units]
    wanted = (value, value, False, False, exact, ucum, si_of(value, value, ucum))
    same_everywhere(texts, language, wanted)


@settings(max_examples=30, deadline=None)
@given(decimals(), decimals(), st.sampled_from(sorted(UNITS)), LANGUAGES)
def test_a_range_is_the_same_in_every_notation(
    one: Decimal, other: Decimal, ucum: str, language: str
) -> None:
    low, high = sorted((one, other))
    if low == high:
        high += 1
    ends = [written(end, language) for end in (low, high)]
    unit = UNITS[ucum][0]
    texts = [f"{way.format(a, b)} {unit}" for way in RANGES[language] for a, b in zip(ends[0][:3], ends[1][:3], strict=True)]  # fmt: skip
    texts += [f"{way.format(f'{ends[0][0]} {unit}', f'{ends[1][0]} {unit}')}" for way in RANGES[language][:1]]  # fmt: skip
    same_everywhere(texts, language, (low, high, False, False, None, ucum, si_of(low, high, ucum)))


@settings(max_examples=30, deadline=None)
@given(decimals(), st.sampled_from(sorted(BOUNDS)), st.sampled_from(sorted(UNITS)), LANGUAGES)
def test_a_bound_is_the_same_in_every_notation(
    value: Decimal, sign: str, ucum: str, language: str
) -> None:
    below = sign in "≤<"
    low, high = (None, value) if below else (value, None)
    texts = [f"{way.format(n)} {UNITS[ucum][0]}" for way in BOUNDS[sign][language] for n in written(value, language)]  # fmt: skip
    wanted = (low, high, sign == ">", sign == "<", None, ucum, si_of(low, high, ucum))
    same_everywhere(texts, language, wanted)


@settings(max_examples=20, deadline=None)
@given(st.lists(decimals(), min_size=2, max_size=3), LANGUAGES)
def test_a_size_is_the_same_in_every_notation(sides: list[Decimal], language: str) -> None:
    for way in (" × ", " x ", " mal ") if language == "de" else (" × ", " x "):
        for each in zip(*(written(side, language)[:2] for side in sides), strict=True):
            texts = [way.join(f"{one} cm" for one in each)]
            if way != " mal ":  # "3 mal 5 cm" may be three times
                texts.append(way.join(each) + " cm")
            for text in texts:
                found = parse_quantity(text, lang=language).to_dict()
                assert found["kind"] == "size" and found["values"] == [float(s) for s in sides], text  # fmt: skip
                back = parse_quantity(f"{found['value']} cm").to_dict()
                assert back["si_values"] == found["si_values"]


@pytest.mark.parametrize(
    "code",
    "[in_i] [ft_i] mm[Hg] By umol.L-1 h min a [degF] kW.h eV bar [lb_av] um g.cm-3 bit.s-1 10*-5 [ppth] circ.min-1 "
    "Ohm L.min-1 har K 10.a 10*6.a u mo [mi_i].h-1 (10.a)-1".split(),
)
def test_every_ucum_code_that_is_written_is_read(code: str) -> None:
    found = parse_quantity(f"5.2 {code}")
    assert (found.low, found.ucum, found.text) == (Decimal("5.2"), code, f"5.2 {code}")


def test_what_is_no_ucum_code_is_read_as_words() -> None:
    assert parse_quantity("5.2 mg.xy-1").ucum == "mg"
    assert parse_quantity("5 m. a").ucum == "m"


def test_german_numbers_and_money() -> None:
    found = parse_quantity("2,5 Mio. Euro", lang="de")
    assert (found.low, found.currency, found.unit, found.si) == (2_500_000, "EUR", "Euro", None)
    assert parse_quantity("$5", lang="en").currency == "USD"


def test_what_stays_open_says_so() -> None:
    found = parse_quantity("5 T")
    assert (found.si, found.ucum, found.doubt) == (None, None, "T may be tesla or tonnes")


def test_a_text_without_a_number_is_refused() -> None:
    with pytest.raises(FormatError, match="no quantity in 'some'"):
        parse_quantity("some")
    with pytest.raises(FormatError, match="at most 1000 characters"):
        parse_quantity("5 m " * 300)


def test_the_command_prints_json_or_a_table() -> None:
    run = CliRunner().invoke(cli, ["quantity", "--json", "5.2 ± 0.3 mg/kg"])
    found = json.loads(run.stdout)
    assert (found["low"], found["uncertainty"], found["ucum"]) == (5.2, 0.3, "mg.kg-1")
    run = CliRunner().invoke(cli, ["quantity", "5.2", "mg/kg"])
    assert run.exit_code == 0 and "5.2e-06" in run.stdout
    run = CliRunner().invoke(cli, ["quantity", "-40", "°C", "--json"])
    assert json.loads(run.stdout)["si_low"] == 233.15
    run = CliRunner().invoke(cli, ["quantity", "word"])
    assert isinstance(run.exception, FormatError) or run.exit_code == 2
