"""Quantity kinds: the property's words, and a dimension that fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.lang import known_languages, language
from marginalia.quantities.units.kinds import (
    FAMILY_MAIN,
    KIND,
    MAIN,
    SHARE_UNIT_SCORE,
    UNIT_ONLY_SCORE,
    _table,
    contradicts,
    find_kind,
)
from marginalia.quantities.units.symbols import symbols
from marginalia.quantities.units.unit import read_unit

PROPERTIES = [
    ("temperature", "K", "Temperature"), ("mean surface temperature", "°C", "Temperature"),
    ("pressure", "MPa", "Pressure"), ("water depth", "m", "Depth"), ("thick", "nm", "Thickness"),
    ("diameters of the pores", "nm", "Diameter"), ("wind speed", "km/h", "Speed"), ("velocity", "km s−1", "Velocity"),
    ("weight", "kg", "Mass"), ("mean age", "years", "Time"), ("density", "g cm−3", "Density"),
    ("concentrations", "mg/L", "MassConcentration"), ("concentration", "mM", "Concentration"),
    ("abundance", "%", "DimensionlessRatio"), ("sulfur content", "wt.%", "MassFraction"), ("SO4", "wt.%", "MassFraction"),
    ("C60", "vol%", "VolumeFraction"), ("relative humidity", "%", "RelativeHumidity"), ("latitude", "°N", "Angle"),
    ("thermal conductivity", "W m−1 K−1", "ThermalConductivity"), ("heat capacity", "J/(kg K)", "SpecificHeatCapacity"),
    ("electron mobility", "cm2/Vs", "Mobility"), ("solid angle", "sr", "SolidAngle"), ("heart rate", "min−1", "HeartRate"),
    ("sound pressure level", "dB", "SoundPressureLevel"), ("Oberflächentemperatur", "°C", "Temperature"),
    ("Druck", "MPa", "Pressure"), ("mittlere Geschwindigkeit des Windes", "m/s", "Velocity"), ("Alter", "a", "Time"),
]  # fmt: skip


@pytest.mark.parametrize(("property", "text", "name"), PROPERTIES)
def test_words_decide_among_kinds_that_fit(property: str, text: str, name: str) -> None:
    kind = find_kind(property, read_unit(text))
    assert kind is not None and kind.iri == KIND + name
    assert kind.score > UNIT_ONLY_SCORE


@pytest.mark.parametrize(
    ("text", "name", "score"),
    [
        ("MPa", "Pressure", UNIT_ONLY_SCORE), ("K", "Temperature", UNIT_ONLY_SCORE), ("%", "DimensionlessRatio", UNIT_ONLY_SCORE),
        ("°", "Angle", UNIT_ONLY_SCORE), ("wt.%", "MassFraction", SHARE_UNIT_SCORE), ("mol%", "MoleFraction", SHARE_UNIT_SCORE),
        ("Hz", "Frequency", UNIT_ONLY_SCORE), ("J/(kg K)", "SpecificHeatCapacity", UNIT_ONLY_SCORE), ("MB", "InformationEntropy", UNIT_ONLY_SCORE),
    ],
)  # fmt: skip
def test_without_words_the_unit_speaks(text: str, name: str, score: float) -> None:
    for property in (None, "", "the", "Wud"):
        kind = find_kind(property, read_unit(text))
        assert kind is not None and (kind.iri, kind.score) == (KIND + name, score)


def test_a_word_of_another_dimension_does_not_count() -> None:
    kind = find_kind("temperature", read_unit("MPa"))
    assert kind is not None and (kind.label, kind.score) == ("Pressure", UNIT_ONLY_SCORE)


def test_a_dose_is_no_frequency() -> None:
    kind = find_kind("dose", read_unit("mg kg−1 day−1"))
    assert kind is None or kind.label != "Frequency"


def test_without_a_unit_only_words_for_numbers_count() -> None:
    assert find_kind("participants", None) is None
    assert find_kind(None, None) is None
    assert find_kind("temperature", None) is None
    index = find_kind("refractive index", None)
    assert index is not None and index.label == "Refractive index" and index.score == 0.5


def test_more_words_that_fit_raise_the_score() -> None:
    unit = read_unit("K")
    scores = [find_kind(words, unit) for words in ("Wud", "Wud and foo temperature", "temperature")]
    assert [kind.score for kind in scores if kind] == sorted(kind.score for kind in scores if kind)


def test_the_lists_name_kinds_that_exist() -> None:
    assert {*MAIN.values(), *FAMILY_MAIN.values()} <= set(_table())
    for known in map(language, known_languages()):
        assert set(known.table("units", "kinds")) <= set(_table())
    for dimension, name in MAIN.items():
        assert _table()[name][1] == dimension


@given(st.text(max_size=40), st.sampled_from(sorted(symbols())))
def test_the_dimension_always_fits(property: str, text: str) -> None:
    unit = read_unit(text)
    kind = find_kind(property, unit)
    assert unit is not None
    if kind is not None:
        assert _table()[kind.iri.removeprefix(KIND)][1] == unit.dimension
        assert 0 < kind.score <= 1


@given(st.sampled_from(sorted(_table())), st.sampled_from(sorted(symbols())))
def test_labels_of_all_kinds_fit_or_are_not_returned(name: str, text: str) -> None:
    label, dimension, *_ = _table()[name]
    unit = read_unit(text)
    kind = find_kind(label, unit)
    assert unit is not None
    if kind is not None and kind.iri == KIND + name:
        assert dimension == unit.dimension


def test_a_long_property_is_cut() -> None:
    kind = find_kind("x" * 10**6, read_unit("m"))
    assert kind is not None and kind.label == "Length"


@pytest.mark.parametrize(
    ("property", "unit", "expected"),
    [
        ("temperature", "min", True),
        ("thickness", "°C", True),
        ("temperature of the bath", "m", True),
        ("temperature", "°C", False),
        ("temperatures", "K", False),
        ("film thickness", "nm", False),
        ("temperature", "%", False),
        ("permeability", "cm3/day", False),
        ("temperature", "rpm", True),
        ("pressure", "min", True),
        ("dose", "mg", False),
        ("weight", "kg", False),
        ("half-life", "h", False),
        ("duration", "days", False),
        ("melting point", "°C", False),
        ("age", "years", False),
        ("rate", "h", True),
        ("length", None, False),
        ("", "m", False),
    ],
)
def test_a_unit_can_contradict_a_property(property: str, unit: str | None, expected: bool) -> None:
    assert contradicts(property, read_unit(unit) if unit else None) is expected
