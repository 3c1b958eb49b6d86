"""Units that a project defines: what they are in SI, where they are read, and what is refused."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from marginalia import Document, FormatError, extract_measurements, parse_quantity
from marginalia.quantities.units.defined import define_units

UNITS = {
    "furlong": "200 m",  # not the one that is known anyway
    "furlongs": "200 m",
    "smoots": "1.7018 m",
    "zorks": "3 l",
    "jigs": "count",
    "dozen jigs": "12 count",
    "hots": "°C",
}


@pytest.mark.parametrize(
    ("text", "unit", "low", "si"),
    [
        ("5 furlongs", "furlongs", "5", ("1000", "meter")),
        ("a 5-furlong race", "furlong", "5", ("1000", "meter")),
        ("12 smoots", "smoots", "12", ("20.4216", "meter")),
        ("1900 smoots", "smoots", "1900", ("3233.42", "meter")),  # no year
        ("twelve zorks", "zorks", "12", ("0.036", "meter ** 3")),
        ("40 jigs", "jigs", "40", ("40", "dimensionless")),
        ("5 dozen jigs", "dozen jigs", "5", ("60", "dimensionless")),
        ("5 hots", "hots", "5", ("278.15", "kelvin")),
    ],
)
def test_a_defined_unit_has_an_si_value(
    text: str, unit: str, low: str, si: tuple[str, str]
) -> None:
    found = parse_quantity(text, units=UNITS)
    assert (found.unit, found.low) == (unit, Decimal(low))
    assert found.si == (Decimal(si[0]), Decimal(si[0]), si[1])


def test_a_range_of_two_units_has_the_defined_one() -> None:
    found = parse_quantity("3 furlongs to 1 km", units=UNITS)
    assert found.si == (600, 1000, "meter")
    assert parse_quantity("2.5 ± 0.5 smoots", units=UNITS).uncertainty == Decimal("0.5")


def test_only_another_name_keeps_the_codes() -> None:
    units = define_units({"hots": "°C", "klafter": "1.896 m", "metro": "1 m"}).units
    assert [units[name].ucum for name in ("hots", "klafter", "metro")] == ["Cel", None, "m"]
    assert units["klafter"].qudt is None
    assert units["klafter"].dimension == units["metro"].dimension


@pytest.mark.parametrize("text", ["5 furlongs per day", "3 furlong²", "2 furlongs/s"])
def test_in_a_compound_a_defined_name_is_left_open(text: str) -> None:
    assert parse_quantity(text).si is not None
    found = parse_quantity(text, units=UNITS)
    assert found.si is None
    assert "is defined by you" in str(found.doubt)


@pytest.mark.parametrize("text", ["12 smootsy things", "12 of the smoots", "2 zorks per day"])
def test_names_are_whole_words_and_stand_right_behind_the_number(text: str) -> None:
    assert parse_quantity(text, units=UNITS).si is None


@pytest.mark.parametrize("system", ["strict", "rules"])
def test_records_of_a_document(system: str) -> None:
    text = "The bridge was 364.4 smoots long. They made 40 jigs. It took 3 days.\n"
    doc = Document(id="bridge", text=text)
    found = extract_measurements(doc, system=system, units=UNITS)
    bridge, made, took = found.rows
    assert (bridge["quantity"], bridge["si_low"], bridge["label"]) == (
        "364.4 smoots",
        620.13592,
        "measurement",
    )
    assert text[bridge["unit_start"] : bridge["unit_end"]] == "smoots"
    assert (made["quantity"], made["label"], made["ucum"]) == ("40 jigs", "count", "1")
    assert took["ucum"] == "d"
    for row in (bridge, made):  # a unit is nothing that is measured
        assert not {"smoots", "jigs"} & set(f"{row['entity']} {row['property']}".split())
    plain = extract_measurements(doc, system=system)
    assert "364.4 smoots" not in [row["quantity"] for row in plain.rows]
    assert found.files == plain.files  # the official spans stay as they are


@pytest.mark.parametrize(
    "definition",
    ["xyz", "", "5 to 6 m", "5 ± 1 m", "-3 m", "0 m", "2 °C", "5 M", "3 m long", "USD 3", "3 USD"],
)
def test_a_bad_definition_is_named(tmp_path: Path, definition: str) -> None:
    path = tmp_path / ".marginalia.toml"
    path.write_text(f'[units]\nsmoot = "{definition}"\n', encoding="utf-8")
    with pytest.raises(FormatError, match=r"'units\.smoot' is .*, expected a unit") as caught:
        parse_quantity("5 m", units=path)
    assert str(caught.value).startswith(f"{path}: ")


def test_bad_tables_are_named(tmp_path: Path) -> None:
    for name in ("", " m", "5h", "x" * 61):
        with pytest.raises(FormatError, match="is no name of a unit"):
            define_units({name: "m"})
    with pytest.raises(FormatError, match="'yards' is defined in the same table"):
        define_units({"yards": "0.9 m", "chain": "22 yards"})
    path = tmp_path / "pyproject.toml"
    path.write_text("[units]\nsmoot = 'm'\n")
    with pytest.raises(FormatError, match=r"pyproject\.toml: there is no table 'units'"):
        define_units(path)
    path.write_text("[tool.marginalia.units]\nsmoot = 'm'\n")
    assert list(define_units(path).units) == ["smoot"]
