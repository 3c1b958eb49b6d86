"""Units as papers write them: to SI, UCUM and QUDT; and what is not a unit."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, parse_quantity
from marginalia.lang import known_languages, language
from marginalia.quantities.units import build as build_units
from marginalia.quantities.units.notation import Factor
from marginalia.quantities.units.symbols import PREFIXES, _rows, phrases, symbols
from marginalia.quantities.units.unit import (
    QUDT,
    Unit,
    in_unit,
    make_unit,
    parts_of,
    qudt_units,
    read_unit,
    to_si,
)
from marginalia.quantities.values import parse_value, write_value
from marginalia.tasks.measurement.official.data import load

L, M, T, H, NONE = "L1", "M1", "T1", "H1", "D1"
# text, UCUM, QUDT, factor to SI, dimension without its zeros
WRITTEN = """
km s−1|km.s-1|KiloM-PER-SEC|1000|L1T-1
m s-1|m.s-1|M-PER-SEC|1|L1T-1
m/s|m.s-1|M-PER-SEC|1|L1T-1
kms−1|km.s-1|KiloM-PER-SEC|1000|L1T-1
m s−2|m.s-2|M-PER-SEC2|1|L1T-2
cm−1|cm-1|PER-CentiM|100|L-1
kg/m3|kg.m-3|KiloGM-PER-M3|1|L-3M1
kg m−3|kg.m-3|KiloGM-PER-M3|1|L-3M1
g cm−3|g.cm-3|GM-PER-CentiM3|1000|L-3M1
μg/m³|ug.m-3|MicroGM-PER-M3|1E-9|L-3M1
mg/L|mg.L-1|MilliGM-PER-L|0.001|L-3M1
W m⁻²|W.m-2|W-PER-M2|1|M1T-3
W/m^2|W.m-2|W-PER-M2|1|M1T-3
mWm−2|mW.m-2|MilliW-PER-M2|0.001|M1T-3
W (m K)−1|W.m-1.K-1|W-PER-M-K|1|L1M1H-1T-3
W/m K|W.m-1.K-1|W-PER-M-K|1|L1M1H-1T-3
J/(kg K)|J.kg-1.K-1|J-PER-KiloGM-K|1|L2H-1T-2
kJ mol−1|kJ.mol-1|KiloJ-PER-MOL|1000|A-1L2M1T-2
μm|um|MicroM|0.000001|L1
µm|um|MicroM|0.000001|L1
um|um|MicroM|0.000001|L1
microns|um|MicroM|0.000001|L1
Å|Ao|ANGSTROM|1E-10|L1
wt.%|%|PERCENT|0.01|D1
wt %|%|PERCENT|0.01|D1
vol%|%|PERCENT|0.01|D1
at. %|%|PERCENT|0.01|D1
per cent|%|PERCENT|0.01|D1
% (v/v)|%|PERCENT|0.01|D1
% (w/v)|g.dL-1|GM-PER-DeciL|10|L-3M1
percentage points per year|%.a-1|PERCENT-PER-YR||T-1
‰|[ppth]|PPTH|0.001|D1
ppm|[ppm]|PPM|0.000001|D1
ppm by mass|[ppm]|PPM|0.000001|D1
ppbv|[ppb]|PPB|1E-9|D1
ppt|[pptr]|PPT|1E-12|D1
°C|Cel|DEG_C|1|H1
° C|Cel|DEG_C|1|H1
ºC|Cel|DEG_C|1|H1
degrees Celsius|Cel|DEG_C|1|H1
°C/min|K.min-1|DEG_C-PER-MIN||H1T-1
K/min|K.min-1|K-PER-MIN||H1T-1
°N|deg|DEG||D1
oN|deg|DEG||D1
° latitude|deg|DEG||D1
degrees|deg|DEG||D1
arcsec|''|ARCSEC||D1
mas|10*-3.''|MilliARCSEC||D1
Ma|10*6.a|MegaYR|3.15576E13|T1
ka|10*3.a|KiloYR|3.15576E10|T1
Myr|10*6.a|MegaYR|3.15576E13|T1
Gyr|10*9.a||3.15576E16|T1
kyr BP|10*3.a|KiloYR|3.15576E10|T1
yr|a|YR|31557600|T1
days|d|DAY|86400|T1
weeks|wk|WK|604800|T1
h|h|HR|3600|T1
hrs|h|HR|3600|T1
min|min|MIN|60|T1
year-old|a|YR|31557600|T1
R⊙|||6.957E8|L1
M⊙||SolarMass||M1
mg kg−1 day−1|mg.kg-1.d-1|MilliGM-PER-KiloGM-DAY||T-1
Mg ha−1 year−1|Mg.har-1.a-1|MegaGM-PER-HA-YR||L-2M1T-1
U/ml|U.mL-1|||A1L-3T-1
kDa|ku|||M1
mol/L|mol.L-1|MOL-PER-L|1000|A1L-3
M|mol.L-1|MOL-PER-L|1000|A1L-3
μM|umol.L-1|MicroMOL-PER-L|0.001|A1L-3
mmol l−1|mmol.L-1|MilliMOL-PER-L|1|A1L-3
μmol m−2 s−1|umol.m-2.s-1|MicroMOL-PER-M2-SEC|0.000001|A1L-2T-1
mA/cm2|mA.cm-2||10|E1L-2
mA g− 1|mA.g-1||1|E1M-1
cm2/Vs|cm2.V-1.s-1|CentiM2-PER-V-SEC|0.0001|E1M-1T2
nT|nT|NanoT|1E-9|E-1M1T-2
G|G|GAUSS|0.0001|E-1M1T-2
keV|keV|KiloEV|1.602176634E-16|L2M1T-2
GPa|GPa|GigaPA|1E9|L-1M1T-2
mBar|mbar|MilliBAR|100|L-1M1T-2
mm Hg|mm[Hg]|MilliM_HG|133.322387415|L-1M1T-2
erg s−1 cm−2|erg.s-1.cm-2|ERG-PER-CentiM2-SEC|0.001|M1T-3
km s−1 Mpc−1|km.s-1.Mpc-1|||T-1
kWh|kW.h|KiloW-HR|3600000|L2M1T-2
rpm|circ.min-1|REV-PER-MIN||T-1
KHz|kHz|KiloHZ|1000|T-1
Mbps|Mbit.s-1|MegaBIT-PER-SEC|1000000|T-1
square kilometers|km2|KiloM2|1000000|L2
m a.s.l.|m|M|1|L1
m thick|m|M|1|L1
× g|[g]|G|9.80665|L1T-2
per mm|mm-1|PER-MilliM|1000|L-1
1/s|s-1|PER-SEC|1|T-1
pH|[pH]|PH|1|D1
dB|dB|DeciB|1|D1
×|1|UNITLESS|1|D1
""".strip().splitlines()
GERMAN = """
Jahre|a
Jahren|a
Stunden|h
Std.|h
Prozent|%
Promille|[ppth]
Meter|m
Metern|m
Kilometer pro Stunde|km.h-1
Quadratmeter|m2
Kubikzentimeter|cm3
Mikrometer|um
Tage|d
Wochen|wk
Monate|mo
Gramm|g
Tonnen|t
Grad Celsius|Cel
Gew.-%|%
Millionen Jahre|10*6.a
Zoll|[in_i]
""".strip().splitlines()
COUNTED = [
    "participants", "young volunteers", "cycles", "men", "items", "pages of notes", "cells/ml", "trees/ha",
    "lines per mm", "times", "UT", "Rp", "orders of magnitude", "fold per cycle", "as", "e", "🙂", "", " ", "2", "%%2x",
]  # fmt: skip
# Where QUDT's multiplier is not pint's factor, and why.
OTHERWISE = {
    "information is counted in nats by QUDT": ("BIT", "BYTE"),
    "QUDT gives no multiplier for levels, acidity and arbitrary units": ("DeciB", "NP", "PH", "PSU", "IU", "OSM"),
    "QUDT rounds it": ("TORR", "ENZ"),
    "other constants for the masses of Sun and Earth": ("SolarMass", "EarthMass"),
    "pint has the survey acre, QUDT the international one": ("AC",),
    "a mistake of QUDT: 1E-16": ("PPQ",),
}  # fmt: skip


def vector(short: str) -> str:
    """``L1T-1`` with all its zeros."""
    found = dict.fromkeys("AELIMHTD", "0")
    letters = "".join(c if c.isalpha() else "" for c in short)
    for i, letter in enumerate(letters):
        start = short.index(letter) + 1
        end = short.index(letters[i + 1]) if i + 1 < len(letters) else len(short)
        found[letter] = short[start:end]
    return "".join(f"{letter}{power}" for letter, power in found.items())


@pytest.mark.parametrize("row", WRITTEN)
def test_units_as_papers_write_them(row: str) -> None:
    text, ucum, qudt, factor, dimension = row.split("|")
    unit = read_unit(text)
    assert unit is not None and unit.text == text
    assert unit.ucum == (ucum or None)
    assert unit.qudt == (QUDT + qudt if qudt else None)
    assert unit.dimension == vector(dimension)
    assert not factor or unit.factor == Decimal(factor)


@pytest.mark.parametrize("row", GERMAN)
def test_german_words(row: str) -> None:
    text, ucum = row.split("|")
    unit = read_unit(text, language="de")
    assert unit is not None and unit.ucum == ucum


def test_german_words_are_read_in_german_text_only() -> None:
    assert read_unit("Jahre") is None and read_unit("Stunden") is None
    assert read_unit("days", language="de") == read_unit("days")


@pytest.mark.parametrize("text", COUNTED)
def test_counted_things_are_no_units(text: str) -> None:
    assert read_unit(text) is None


def test_a_text_that_is_too_long_is_not_looked_at() -> None:
    assert read_unit("m " * 31) is None
    assert read_unit("m" * 10**6) is None


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("5 ± 0.2 °C", "°C", ("278.15", "278.15", "0.2", "kelvin")),
        ("< 5 km", "km", (None, "5000", None, "meter")),
        ("2–3 × 10−4 mol/L", "mol/L", ("0.2", "0.3", None, "mole / meter ** 3")),
        ("30 keV to 20 MeV", "MeV", ("4.806529902E-15", "3.204353268E-12", None, None)),
        ("10 ms to 0.1 ms", "ms", ("0.0001", "0.01", None, "second")),
        ("1 h and 30 min", "min", ("1800", "3600", None, "second")),
        ("12%", "%", ("0.12", "0.12", None, "dimensionless")),
    ],
)  # fmt: skip
def test_to_si(quote: str, text: str, expected: tuple[str | None, ...]) -> None:
    unit = read_unit(text)
    assert unit is not None
    low, high, off, name, _ = to_si(parse_value(quote), unit, quote=quote)
    wanted = tuple(None if part is None else Decimal(part) for part in expected[:3])
    assert (low, high, off) == wanted
    assert expected[3] in (None, name)


@pytest.mark.parametrize(
    ("quote", "text", "low", "high", "written"),
    [
        ("from 100 kHz to 1 MHz", "MHz", "0.1", "1", "0.1 to 1"),
        ("500 g to 2 kg", "kg", "0.5", "2", "0.5 to 2"),
        ("5 °C to 280 K", "K", "278.15", "280", "278.15 to 280"),
        ("20 and 30 degrees", "degrees", "20", "30", "20, 30"),
        ("5 to 7 km", "km", "5", "7", "5 to 7"),
        ("7 to 5 km", "km", "5", "7", "7 to 5"),
        ("2–3 × 10−4 mol/L", "mol/L", "0.0002", "0.0003", "(2 to 3) × 10^-4"),
    ],
)
def test_both_ends_of_a_range_are_in_one_unit(
    quote: str, text: str, low: str, high: str, written: str
) -> None:
    unit, value = read_unit(text), parse_value(quote)
    assert unit is not None
    one = in_unit(value, unit, quote=quote)
    assert (one.low, one.high) == (Decimal(low), Decimal(high))
    assert one.numbers == value.numbers and write_value(one) == written
    si = to_si(one, unit, quote=quote)
    assert si == to_si(value, unit, quote=quote)
    assert si.low == to_si(parse_value(low), unit).low


def test_a_difference_has_no_zero() -> None:
    unit = read_unit("°C")
    assert unit is not None
    for quote, low, high in (("2 °C", 2, 2), ("2 to 3 °C", 2, 3), ("2 K to 3 °C", 2, 3)):
        si = to_si(parse_value(quote), unit, quote=quote, difference=True)
        assert (si.low, si.high) == (low, high)


def test_fahrenheit_is_affine() -> None:
    unit = read_unit("°F")
    assert unit is not None
    low = to_si(parse_value("212 °F"), unit).low
    assert low is not None and float(low) == pytest.approx(373.15)


def parts() -> dict[str, tuple]:
    """QUDT's name of every part -> the symbol and its prefix."""
    found: dict[str, tuple] = {}
    for symbol, *_ in _rows():
        if symbol.qudt:
            found.setdefault(symbol.qudt, (symbol, ""))
            for sign, name in PREFIXES.items():
                found.setdefault(name.capitalize() + symbol.qudt, (symbol, sign))
    return found


def test_factors_are_those_of_qudt() -> None:
    """Of all the units in the table, to a millionth, but for those that are named with their reason."""
    known, excused = parts(), [name for names in OTHERWISE.values() for name in names]
    differ = set()
    for name, (dimension, multiplier, offset, _) in qudt_units().items():
        unit = make_unit(name, [Factor(*known[part], power) for part, power in parts_of(name)])
        assert unit is not None and unit.qudt == QUDT + name and unit.dimension == dimension
        if abs(unit.factor - Decimal(multiplier)) > abs(unit.factor) * Decimal("1e-6"):
            differ.add(name)
        if unit.offset:
            assert float(unit.offset / unit.factor) == pytest.approx(float(offset))
    assert len(qudt_units()) > 1_700
    unexplained = {n for n in differ if not any(e in p for e in excused for p, _ in parts_of(n))}
    assert not unexplained
    assert len(differ) < 70


def test_the_own_dimension_is_that_of_qudt() -> None:
    """The vector comes from QUDT where it can; where it cannot, it is computed in the same form."""
    for text in ("mA/cm2", "Gyr", "km s−1 Mpc−1", "R⊙"):
        unit = read_unit(text)
        assert unit is not None and unit.qudt is None
        assert unit.dimension in {row[0] for row in qudt_units().values()} or text == "mA/cm2"


def test_all_symbols_and_phrases_are_units() -> None:
    for text in symbols():
        assert read_unit(text) is not None, text
    for code in known_languages():
        for text in phrases(code):
            assert read_unit(text, language=code) is not None, text


def test_the_names_of_languages_are_those_of_units() -> None:
    known = {symbol.pint for symbol, *_ in _rows()}
    for code in known_languages():
        assert set(language(code).table("units", "names")) <= known


@given(st.text(max_size=70))
def test_any_text_is_taken(text: str) -> None:
    unit = read_unit(text)
    assert unit is None or (isinstance(unit, Unit) and unit.factor > 0)


@given(st.lists(st.sampled_from(sorted(symbols())), min_size=1, max_size=4), st.data())
def test_a_compound_is_the_product_of_its_parts(names: list[str], data: st.DataObject) -> None:
    powers = [data.draw(st.sampled_from([1, 2, 3, -1, -2])) for _ in names]
    text = " ".join(
        f"{n}{p if p != 1 else ''}".replace("-", "−") for n, p in zip(names, powers, strict=True)
    )
    unit = read_unit(text)
    if unit is None or len(text) > 60:  # "M" is two factors, "w/w" none; "R p" may be a phrase
        return
    if re.match(r"\w?(?:g|t|mol|eq) (?:[NPCSK]|au?|ae)\b", text):  # nitrogen, not newton
        return
    expected = 1.0
    for name, power in zip(names, powers, strict=True):
        part = read_unit(name)
        assert part is not None
        expected *= float(part.factor) ** power
    assert float(unit.factor) == pytest.approx(expected)


@given(
    st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-1000, max_value=1000)
)
def test_there_and_back(value: Decimal) -> None:
    celsius = read_unit("°C")
    assert celsius is not None
    kelvin = to_si(parse_value(f"{value} °C"), celsius).low
    assert kelvin is not None and kelvin - Decimal("273.15") == value


def test_a_tolerance_alone_is_a_difference() -> None:
    celsius = read_unit("°C")
    assert celsius is not None
    assert to_si(parse_value("±5 °C"), celsius)[:2] == (-5, 5)


@pytest.mark.parametrize(
    ("text", "language", "pint"),
    [
        ("light-years", "en", "light_year"),
        ("electron-volts", "en", "electron_volt"),
        ("millennia", "en", "millennium"),
        ("Kilowattstunden", "de", "hour * kilowatt"),
        ("Stundenkilometern", "de", "kilometer / hour"),
        ("Prozentpunkte", "de", "percent"),
    ],
)
def test_units_in_words_that_the_rules_find(text: str, language: str, pint: str) -> None:
    unit = read_unit(text, language=language)
    assert unit is not None and unit.pint == pint


def test_the_units_of_the_task(data: Path) -> None:
    spans = [
        s
        for name in ("train", "dev")
        for gold in (load(name, data).gold or {}).values()
        for s in gold
    ]
    texts = [span.unit for span in spans if span.type == "Quantity" and span.unit]
    found = [text for text in texts if read_unit(text)]
    assert (len(found), len(texts)) == (842, 905)
    assert sum(unit is not None and unit.qudt is not None for unit in map(read_unit, texts)) > 810


def test_importing_does_not_load_pint() -> None:
    code = (
        "import sys; import marginalia.quantities.units.unit, marginalia.quantities.units.kinds; "
        "sys.exit('pint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# The table

SCRIPT = """
(t=new Unit("http://qudt.org/vocab/unit/KiloM-PER-SEC",void 0,void 0,"http://qudt.org/vocab/dimensionvector/A0E0L1I0M0H0T-1D0",
new Decimal("1000.0"),void 0,void 0,void 0,void 0,"km/s",void 0,void 0,void 0,["http://qudt.org/vocab/sou/SI"],0,!1,!1))
.addLabel(new LangString("Kilometre per Second","en")),t.addQuantityKindIri("http://qudt.org/vocab/quantitykind/Velocity"),
config.units.set("x",t),
(t=new Unit("http://qudt.org/vocab/unit/ARCSEC",void 0,void 0,"http://qudt.org/vocab/dimensionvector/A0E0L0I0M0H0T0D1",
new Decimal("4.8E-6"),void 0,void 0,void 0,void 0,'"',void 0,void 0,void 0,[],0,!1,!1)),config.units.set("x",t),
(t=new Unit("http://qudt.org/vocab/unit/M-PER-WUD",void 0,void 0,"http://qudt.org/vocab/dimensionvector/A0E0L1I0M0H0T0D0",
new Decimal("1"),void 0,void 0,void 0,void 0,"m",void 0,void 0,void 0,[],0,!1,!1)),config.units.set("x",t),
(t=new Unit("http://qudt.org/vocab/unit/M-PER-SEC",void 0,void 0,"http://qudt.org/vocab/dimensionvector/A0E0L1I0M0H0T-1D0",
new Decimal("1"),void 0,void 0,void 0,void 0,"m/s",void 0,void 0,void 0,[],0,!0,!1)),config.units.set("x",t),
(t=new QuantityKind("http://qudt.org/vocab/quantitykind/Velocity","http://qudt.org/vocab/dimensionvector/A0E0L1I0M0H0T-1D0",
void 0,void 0)).addLabel(new LangString("velocity","en")),t.addLabel(new LangString("Geschwindigkeit","de")),
t.addApplicableUnitIri("http://qudt.org/vocab/unit/KiloM-PER-SEC"),config.quantityKinds.set("x",t)
"""


def test_the_table_is_made_from_the_script() -> None:
    units = build_units.build_units(SCRIPT)
    assert units == {
        "ARCSEC": ["A0E0L0I0M0H0T0D1", "4.8E-6", None, ""],
        "KiloM-PER-SEC": ["A0E0L1I0M0H0T-1D0", "1000.0", None, "Velocity"],
    }
    kinds = build_units.build_kinds(SCRIPT, units)
    assert kinds == {"Velocity": ["velocity", "A0E0L1I0M0H0T-1D0", "", 1, "Geschwindigkeit"]}
    text = json.loads(build_units.write_table(units, "units"))
    assert text["units"] == units and "CC BY 4.0" in text["source"]


def test_a_foreign_script_is_refused() -> None:
    with pytest.raises(FormatError, match="not a statement that makes a Unit"):
        build_units.build_units('new Unit("x")')


def test_codes_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "ucum.xml"
    path.write_text('<root><unit Code="m"/></root>', encoding="utf-8")
    with pytest.raises(FormatError, match="is not one of UCUM's"):
        build_units.check_ucum(path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("KiloM-PER-SEC2", (("KiloM", 1), ("SEC", -2))),
        ("PER-CentiM", (("CentiM", -1),)),
        ("W-PER-M2-K", (("K", -1), ("M", -2), ("W", 1))),
        ("MilliM_HG", (("MilliM_HG", 1),)),
    ],
)
def test_names_say_their_factors(name: str, expected: tuple) -> None:
    assert parts_of(name) == expected


@pytest.mark.parametrize(
    ("text", "ucum", "si"),
    [
        ("1.1 kg CO₂e (kg ECM)⁻¹", "kg.kg-1", "dimensionless"),
        ("1.6 Mcal (kg DM)⁻¹", "Mcal.kg-1", "joule / kilogram"),
        ("12 g per 100 g", "g.hg-1", "dimensionless"),
        ("12.3 kg CO2-eq per kg", "kg.kg-1", "dimensionless"),
        ("0.035 W/mK", "W.m-1.K-1", "watt / kelvin / meter"),
        ("1.2 g/cm 3", "g.cm-3", "kilogram / meter ** 3"),
        ("258μgCg-1", "ug.g-1", "dimensionless"),
        (">170m2g-1", "m2.g-1", "meter ** 2 / kilogram"),
        ("1.2 × 10−³ m", "m", "meter"),
        ("24 msec", "ms", "second"),
    ],
)
def test_units_that_name_a_substance_or_lost_their_blanks(text: str, ucum: str, si: str) -> None:
    found = parse_quantity(text)
    assert found.text == text and found.ucum == ucum and found.high in (None, found.low)
    assert found.si is not None and found.si[2] == si


def test_a_million_things_are_no_solution() -> None:
    assert parse_quantity("0.4M nodes").si is None
