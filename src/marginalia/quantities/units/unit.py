"""Units as written, normalised: pint's name, the factor to SI, the UCUM code and the QUDT unit.

``notation`` reads the text with a list of known symbols; pint only gets names from that list. It computes in
decimals, so that factors are exact where their definitions are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from marginalia import lang
from marginalia.core.resources import read_resource
from marginalia.quantities.numerals import divide, shift, wide
from marginalia.quantities.units.notation import MAX_UNIT_LENGTH, Factor, read_factors
from marginalia.quantities.units.symbols import PREFIXES
from marginalia.quantities.values import Number, Value, scale

QUDT = "http://qudt.org/vocab/unit/"
DIMENSIONLESS = "A0E0L0I0M0H0T0D1"
_DIMENSIONS = {
    "[substance]": "A", "[current]": "E", "[length]": "L", "[luminosity]": "I", "[mass]": "M",
    "[temperature]": "H", "[time]": "T",
}  # fmt: skip
_MICRO = {"μ": "u"}
_UNPREFIXED = re.compile(r"a|deg|''?|mm\[Hg\]|b|atm|\[(?!iU|g\]).*")
"""UCUM codes that take no prefix; a power of ten stands before them."""
POWERS = {
    "T": 12, "G": 9, "M": 6, "k": 3, "h": 2, "d": -1, "c": -2, "m": -3, "μ": -6, "n": -9, "p": -12,
    "f": -15, "a": -18, "P": 15, "E": 18,
}  # fmt: skip
_DIFFERENCES = {"Cel": "K", "[degF]": "[degR]"}
"""Per degree: in a compound, UCUM has differences of temperature only."""
_AFFINE = {"degree_Celsius": "delta_degree_Celsius", "degree_Fahrenheit": "delta_degree_Fahrenheit"}


@dataclass(frozen=True, slots=True)
class Unit:
    """``si value = value · factor + offset``; scales such as pH and dB stay on their own."""

    text: str
    """As written."""
    pint: str
    si: str
    """The coherent SI unit that people use: ``volt``, ``kilogram / meter ** 3``, ``watt / kelvin / meter``."""
    factor: Decimal
    offset: Decimal
    ucum: str | None
    qudt: str | None
    """IRI; None for a compound that QUDT lacks."""
    dimension: str
    """QUDT's dimension vector: ``A0E0L1I0M0H0T-1D0``."""


NONE_DEFINED: Mapping[str, Unit] = MappingProxyType({})
"""Where the user has no units of their own."""


class Si(NamedTuple):
    """A value in SI units without prefixes."""

    low: Decimal | None
    high: Decimal | None
    uncertainty: Decimal | None
    unit: str
    values: tuple[Decimal, ...] = ()
    """Of a list or size, one for each of its numbers."""


def read_unit(
    text: str, *, language: str = "en", defined: Mapping[str, Unit] = NONE_DEFINED
) -> Unit | None:
    """The unit, or None if it is unknown: counted things such as ``passages`` are not units.

    ``defined`` has the units of the user by name; they come before those that are known here.
    """
    if text in defined:
        return defined[text]
    if not text or len(text) > MAX_UNIT_LENGTH:
        return None
    return _read_unit(text, lang.language(language))


def to_si(
    value: Value,
    unit: Unit,
    *,
    quote: str = "",
    language: str = "en",
    difference: bool = False,
    defined: Mapping[str, Unit] = NONE_DEFINED,
) -> Si:
    """The bounds and the uncertainty in SI base units; of a ``difference``, where no scale has its zero.

    With the ``quote`` that was parsed, the numbers of a range or list keep units of their own, as in
    ``27 keV to 21 MeV``; those without one have ``unit``.
    """
    if difference or (value.numbers and all(number.tolerance for number in value.numbers)):
        unit = replace(unit, offset=Decimal(0))  # "±5 °C" is a difference, too
    off = None if value.uncertainty is None else scale(value.uncertainty, unit.factor)
    own = _own_units(value, unit, quote, language, defined, difference=difference)
    each = tuple(_convert(shift(number.value, value.power), one) for number, one in own)
    if value.kind == "size":
        return Si(None, None, None, unit.si, each)
    if value.kind == "list" or not _alike(own, unit):
        listed = each if value.kind == "list" else ()
        return Si(min(each), max(each), off if _alike(own, unit) else None, unit.si, listed)
    low = None if value.low is None else _convert(value.low, unit)
    high = None if value.high is None else _convert(value.high, unit)
    return Si(low, high, off, unit.si)


def in_unit(
    value: Value,
    unit: Unit,
    *,
    quote: str,
    language: str = "en",
    defined: Mapping[str, Unit] = NONE_DEFINED,
) -> Value:
    """The value in the one unit: ``500 g to 2 kg`` is from 0.5 to 2, ``10 mm × 2 m`` is 0.01 × 2."""
    own = _own_units(value, unit, quote, language, defined)
    if _alike(own, unit):
        return value
    each = [
        Decimal(f"{_in(number.value, one, unit).normalize(wide(60)):f}")  # 0.1 and not 0.100000
        for number, one in own
    ]
    if value.kind != "range":
        numbers = tuple(
            replace(number, value=amount) for (number, _), amount in zip(own, each, strict=True)
        )
        value = replace(value, numbers=numbers)
    if value.kind == "size":
        return value
    low, high = (shift(bound, value.power) for bound in (min(each), max(each)))
    return replace(value, low=low, high=high, uncertainty=None)


def _in(value: Decimal, own: Unit, unit: Unit) -> Decimal:
    """A number of one unit in another."""
    return divide(wide(60).subtract(_convert(value, own), unit.offset), unit.factor)


@cache
def _join(language: lang.Language) -> re.Pattern[str]:
    words = " ".join(
        str(known.data("units").get("join", "")) for known in language.with_borrowed("units")
    )
    return re.compile(rf"\s(?:{'|'.join(words.split())})\b|[–—,;(±×]|\s[-−]\s")


def _own_units(
    value: Value,
    unit: Unit,
    quote: str,
    language: str,
    defined: Mapping[str, Unit],
    *,
    difference: bool = False,
) -> list[tuple[Number, Unit]]:
    """The numbers of a range, list or size, each with the unit behind it if that is of the same dimension."""
    if value.kind not in ("range", "list", "size"):
        return []
    main = [number for number in value.numbers if not number.tolerance]  # of "±5" none
    found = []
    for number, after in zip(main, [*main[1:], None], strict=True) if main else ():
        behind = quote[number.end : after.start if after else number.end + MAX_UNIT_LENGTH]
        written = _join(lang.language(language)).split(behind.strip(), maxsplit=1)[0]
        own = read_unit(written, language=language, defined=defined)
        own = own if own and own.dimension == unit.dimension else unit
        found.append((number, replace(own, offset=Decimal(0)) if difference else own))
    return found


def _alike(own: Sequence[tuple[Number, Unit]], unit: Unit) -> bool:
    """Whether all numbers are in the one unit."""
    return all(one.factor == unit.factor and one.offset == unit.offset for _, one in own)


def _convert(value: Decimal, unit: Unit) -> Decimal:
    return wide(60).add(scale(value, unit.factor), unit.offset)


@lru_cache(maxsize=20_000)
def _read_unit(text: str, language: lang.Language) -> Unit | None:
    factors = read_factors(text, language.code)
    return make_unit(text, factors) if factors else None


def make_unit(text: str, factors: Sequence[Factor]) -> Unit | None:
    """The unit that the factors make; None if they cancel each other out."""
    from pint.util import UnitsContainer

    registry = _registry()
    alone = len(factors) == 1 and factors[0].power == 1 and not factors[0].prefix
    powers: dict[str, int] = {}
    for factor in factors:
        name = factor.symbol.pint if alone else _AFFINE.get(factor.symbol.pint, factor.symbol.pint)
        name = registry.get_name(PREFIXES.get(factor.prefix, "") + name)
        powers[name] = powers.get(name, 0) + factor.power
    named = UnitsContainer({name: power for name, power in powers.items() if power})
    size, _ = registry.get_base_units(named)
    offset = Decimal(0)
    if alone and factors[0].symbol.pint in _AFFINE:
        zero = registry.Quantity(Decimal(0), factors[0].symbol.pint)
        offset = Decimal(zero.to("kelvin").magnitude)
    qudt = find_qudt(factors)
    vector = _dimension(registry.get_dimensionality(named))
    return Unit(
        text=text,
        pint=str(registry.Unit(named)),
        si=_si_name(powers),
        factor=Decimal(size),
        offset=offset,
        ucum=write_ucum(factors),
        qudt=None if qudt is None else QUDT + qudt,
        dimension=qudt_units()[qudt][0] if qudt else vector,
    )


def _si_name(powers: Mapping[str, int]) -> str:
    """Each factor in its own SI unit: kV cm−1 is V/m, not kg·m·A⁻¹·s⁻³; none of them has a factor of its own."""
    from pint.util import UnitsContainer

    registry = _registry()
    made: dict[str, Any] = {}
    for name, power in powers.items():
        _, base = registry.get_base_units(UnitsContainer({name: 1}))
        own = _derived().get(str(base)) or _OWN_NAMES.get(name.removeprefix("delta_"))
        parts = {own: 1} if own else dict(registry.Unit(base)._units)
        for part, exponent in parts.items():
            made[part] = made.get(part, 0) + exponent * power
    for factors, product in _PRODUCTS:
        if all(made.get(part) == 1 for part in factors):
            made = {part: power for part, power in made.items() if part not in factors}
            made[product] = made.get(product, 0) + 1
    return str(
        registry.Unit(UnitsContainer({name: power for name, power in made.items() if power}))
    )


_DERIVED = "newton pascal joule watt coulomb volt ohm farad siemens tesla weber henry".split()
_OWN_NAMES = {
    name: name for name in "hertz becquerel gray sievert katal lumen lux".split()
} | {f"{prefix}hertz": "hertz" for prefix in PREFIXES.values()} | {
    f"{prefix}{name}": name
    for prefix in PREFIXES.values()
    for name in ("becquerel", "gray", "sievert", "katal", "lumen", "lux")
}  # fmt: skip
"""Units that share their dimension with others, so that only their own name makes them."""
_PRODUCTS = (
    (("watt", "second"), "joule"),
    (("ampere", "second"), "coulomb"),
    (("volt", "second"), "weber"),
    (("volt", "ampere"), "watt"),
)
"""kWh are joules; N m stays, since a torque is no energy."""


@cache
def _derived() -> dict[str, str]:
    """Base units -> the derived unit with a name."""
    from pint.util import UnitsContainer

    registry = _registry()
    return {str(registry.get_base_units(UnitsContainer({name: 1}))[1]): name for name in _DERIVED}


def write_ucum(factors: Sequence[Factor]) -> str | None:
    """``kg.m-3``: exponents instead of slashes, which UCUM allows everywhere."""
    if not all(factor.symbol.ucum for factor in factors):
        return None
    parts = []
    for factor in factors:
        code, prefix = factor.symbol.ucum, factor.prefix
        if len(factors) > 1 or factor.power != 1 or prefix:
            code = _DIFFERENCES.get(code, code)
        power = str(factor.power) if factor.power != 1 else ""
        if prefix and _UNPREFIXED.fullmatch(code):
            exponent = POWERS[prefix] * factor.power
            parts += [f"10*{exponent}", code + power]
        elif power and ("." in code or not (code[-1].isalpha() or code.endswith(("]", "'", "%")))):
            parts.append(f"({code}){power}")
        else:
            parts.append(_MICRO.get(prefix, prefix) + code + power)
    return ".".join(parts)


def find_qudt(factors: Sequence[Factor]) -> str | None:
    """The name of the QUDT unit with just these factors."""
    if not all(factor.symbol.qudt for factor in factors):
        return None
    key = sorted(
        (PREFIXES.get(factor.prefix, "").capitalize() + factor.symbol.qudt, factor.power)
        for factor in factors
    )
    return _qudt_names().get(tuple(key))


def parts_of(name: str) -> tuple[tuple[str, int], ...]:
    """The factors that the name of a QUDT unit says: ``KiloM-PER-SEC2`` is KiloM and SEC to the power −2."""
    above, _, below = f"-{name}".partition("-PER-")
    parts = []
    for sign, listed in ((1, above), (-1, below)):
        for part in filter(None, listed.split("-")):
            power = part[-1] if part[-1].isdecimal() and part[:-1] else "1"
            parts.append((part.removesuffix(power) if power != "1" else part, sign * int(power)))
    return tuple(sorted(parts))


@cache
def qudt_units() -> Any:
    """Name -> dimension vector, multiplier, offset and quantity kinds; ``build.py`` made the file."""
    return read_resource(__package__, "units.json")["units"]


@cache
def _qudt_names() -> dict[tuple[tuple[str, int], ...], str]:
    return {parts_of(name): name for name in qudt_units()}


def _dimension(powers: Any) -> str:
    """QUDT's vector; what has none of the seven, such as an angle, is dimensionless."""
    found = {letter: int(powers.get(name, 0)) for name, letter in _DIMENSIONS.items()}
    text = "".join(f"{letter}{found[letter]}" for letter in "AELIMHT")
    return f"{text}D{int(not any(found.values()))}"


@cache
def _registry() -> Any:
    """Pint's own units and ours; there is one for all threads, and nothing is defined later."""
    import pint

    registry: Any = pint.UnitRegistry(
        non_int_type=Decimal, on_redefinition="ignore", cache_folder=None
    )
    for line in read_resource(__package__, "symbols.json")["define"]:
        registry.define(line)
    return registry
