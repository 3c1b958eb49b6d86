"""What is written down about a quantity: its unit by the words around it, or why there is none."""

from __future__ import annotations

from decimal import Decimal

import pytest

from marginalia.quantities.units.measure import read_measure
from marginalia.quantities.units.unit import read_unit


@pytest.mark.parametrize(
    ("before", "quote", "unit", "after", "ucum"),
    [
        ("The temperature was ", "37 C", "C", ".", "Cel"),
        ("a charge of ", "5 C", "C", "", "C"),
        ("", "5 C", "C", " atoms", None),
        ("in ", "5 M", "M", " NaCl", "mol.L-1"),
        ("It has ", "5M", "M", " users", None),
        ("at ", "1e-5 M", "M", "", "mol.L-1"),
        ("cooled to ", "77 K", "K", "", "K"),
        ("a ", "32K", "K", " board", None),
        ("in a magnetic field of ", "3 T", "T", "", "T"),
        ("about ", "3 T", "T", " in all", None),
        ("a force of ", "12 N", "N", "", "N"),
        ("with ", "12 N", "N", " fertiliser", None),
        ("centrifuged at ", "500 g", "g", " for 10 min", "[g]"),
        ("we centrifuged ", "5 g", "g", " of sediment", "g"),
        ("spun at ", "17000 ×g", "×g", ", 15 min", "[g]"),
        ("150 mM NaCl, ", "10 Mm", "Mm", " Tris-HCl", None),
        ("it weighs ", "500 g", "g", "", "g"),
        ("a salinity of ", "35 ppt", "ppt", "", "[ppth]"),
        ("turned by an angle of ", "20 degrees", "degrees", "", "deg"),
        ("the temperature is ", "20 degrees", "degrees", "", None),
        ("a genome of ", "20 Mb", "Mb", "", None),
        ("a file of ", "20 Mb", "Mb", "", "Mbit"),
    ],
)
def test_a_symbol_is_read_by_the_words_around_it(
    before: str, quote: str, unit: str, after: str, ucum: str | None
) -> None:
    found = read_measure(quote, unit, before=before, after=after)
    assert (found.unit and found.unit.ucum) == ucum
    assert (found.doubt is None) == (ucum is not None)
    assert found.unit is None or found.unit.text == unit


def test_pounds_are_a_weight_or_money() -> None:
    weight = read_measure("20 pounds", "pounds", before="the bag weighs ")
    assert weight.unit and weight.unit.ucum == "[lb_av]"
    money = read_measure("20 pounds", "pounds", before="the price was ")
    assert (money.currency, money.unit) == ("GBP", None)
    both = read_measure("20 pounds", "pounds", before="the weight that was sold for ")
    assert both.unit is None and both.doubt == "pounds may be a weight or money"


def test_prices_say_what_they_are_paid_for() -> None:
    found = read_measure("$2.5 per kg", "$")
    assert (found.value.low, found.currency, found.unit_text) == (
        Decimal("2.5"),
        "USD/kg",
        "$ per kg",
    )
    assert read_measure("5 USD/share", "USD/share").currency == "USD/share"
    assert read_measure("20 francs", "francs").doubt == "francs: several currencies are called so"


@pytest.mark.parametrize(
    ("text", "ucum", "si", "factor"),
    [
        ("kV", "kV", "volt", "1000"),
        ("kV cm−1", "kV.cm-1", "volt / meter", "100000"),
        ("kWh", "kW.h", "joule", "3600000"),
        ("N m", "N.m", "meter * newton", "1"),
        ("fb−1", "10*15.b-1", "1 / meter ** 2", "1E+43"),
        ("inverse femtobarns", "10*15.b-1", "1 / meter ** 2", "1E+43"),
        ("kWh/100 km", None, "joule / meter", "36"),
        ("day⁻¹", "d-1", "1 / second", None),
        ("ml · kg −1", "mL.kg-1", "meter ** 3 / kilogram", "0.000001"),
        ("W/(m·K)", "W.m-1.K-1", "watt / kelvin / meter", "1"),
        ("mg∕kg", "mg.kg-1", "dimensionless", "0.000001"),
        ("kg N ha⁻¹", "kg.har-1", "kilogram / meter ** 2", "0.0001"),
        ("kJ/kg K", "kJ.kg-1.K-1", "joule / kelvin / kilogram", "1000"),
        ("μg C L−1", "ug.L-1", "kilogram / meter ** 3", "0.000001"),
        ("per 100,000 people", "10*-5", "dimensionless", "0.00001"),
        ("square miles", "[mi_i]2", "meter ** 2", None),
        ("degrees Fahrenheit", "[degF]", "kelvin", None),
        ("metric tons", "t", "kilogram", "1000"),
        ("exabytes", "EBy", "bit", "8E+18"),
    ],
)
def test_units_in_si_as_people_use_them(
    text: str, ucum: str | None, si: str, factor: str | None
) -> None:
    unit = read_unit(text)
    assert unit and (unit.ucum, unit.si) == (ucum, si)
    assert factor is None or unit.factor == Decimal(factor)


def test_a_german_pound_is_half_a_kilogram() -> None:
    unit = read_unit("Pfund", language="de")
    assert unit and unit.si == "kilogram" and unit.factor == Decimal("0.5")
