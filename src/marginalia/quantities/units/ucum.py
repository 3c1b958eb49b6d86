"""UCUM codes read back: what the column ``ucum`` has, ``mg.kg-1``, is the same unit again."""

from __future__ import annotations

import re
from functools import lru_cache

from marginalia.quantities.units.notation import MAX_UNIT_LENGTH, Factor
from marginalia.quantities.units.symbols import Known, ucum_codes
from marginalia.quantities.units.unit import POWERS, Unit, make_unit, write_ucum

_POWER = re.compile(r"-?[1-9](?=\.|\Z)")
_TENS = re.compile(r"10\*(-?\d{1,3})\.(?=[^\d])")


@lru_cache(maxsize=5_000)
def read_ucum(code: str) -> Unit | None:
    """The unit of a code as ``write_ucum`` writes it; None for any other text."""
    if not 0 < len(code) <= MAX_UNIT_LENGTH:
        return None
    factors: list[Factor] = []
    at = 0
    while at < len(code):
        found = _factor(code, at)
        if found is None:
            return None
        factor, at = found
        factors.append(factor)
        if at < len(code) and code[at] != ".":
            return None
        at += 1
    return make_unit(code, factors) if write_ucum(factors) == code else None


def _factor(code: str, at: int) -> tuple[Factor, int] | None:
    """The factor at this place and where it ends; the longest code wins: ``10.a`` is a decade."""
    tens = _TENS.match(code, at)
    start = tens.end() if tens else at
    for end in range(len(code), start, -1):
        text = code[start:end]
        known = ucum_codes().get(text.strip("()") if text[0] == "(" else text)
        if known is None:
            continue
        power = _POWER.match(code, end)
        exponent = int(power.group()) if power else 1
        prefixed = _prefixed(known, int(tens[1]), exponent) if tens else known
        if prefixed is not None:
            return Factor(*prefixed, exponent), power.end() if power else end
    return None


def _prefixed(known: Known, tens: int, power: int) -> Known | None:
    """The symbol with the prefix that a power of ten stands for: ``10*6.a`` are a million years."""
    symbol, prefix = known
    sign = next((sign for sign, exponent in POWERS.items() if exponent * power == tens), None)
    return None if prefix or sign is None else (symbol, sign)
