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
SIGNS = ("{} ± {}", "{}±{}", "{} +/- {}", "{} +- {}")
places = st.integers(min_value=0, max_value=3)


@st.composite
def quantities(draw: st.DrawFn) -> tuple[Decimal, Decimal | None, str, list[str]]:
    """A value, its uncertainty, the UCUM code of its unit, and ways to write them."""
    digits = draw(places)
    value = Decimal(draw(st.integers(min_value=1, max_value=99_999))).scaleb(-digits)
    off = Decimal(draw(st.integers(min_value=1, max_value=99))).scaleb(-digits)
    ucum = draw(st.sampled_from(sorted(UNITS)))
    signed = draw(st.booleans())
    numbers = (
        [sign.format(f"{value:f}", f"{off:f}") for sign in SIGNS] if signed else [f"{value:f}"]
    )
    if signed and digits:
        numbers.append(f"{value:f}({int(off.scaleb(digits))})")
        numbers.append(f"{value:f} +{off:f}/−{off:f}")
    units = UNITS[ucum]
    return value, off if signed else None, ucum, [f"{n} {u}" for n in numbers for u in units]


@settings(max_examples=150, deadline=None)
@given(quantities())
def test_every_notation_has_the_same_value_unit_and_uncertainty(
    drawn: tuple[Decimal, Decimal | None, str, list[str]],
) -> None:
    value, off, ucum, written = drawn
    for text in written:
        found = parse_quantity(text)
        assert (found.low, found.high, found.uncertainty, found.ucum) == (value, value, off, ucum), text  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(quantities())
def test_the_canonical_text_is_read_the_same(
    drawn: tuple[Decimal, Decimal | None, str, list[str]],
) -> None:
    value, off, ucum, written = drawn
    again = parse_quantity(f"{parse_quantity(written[0]).to_dict()['value']} {UNITS[ucum][0]}")
    assert (again.low, again.uncertainty, again.ucum) == (value, off, ucum)


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
    run = CliRunner().invoke(cli, ["quantity", "word"])
    assert isinstance(run.exception, FormatError) or run.exit_code == 2
