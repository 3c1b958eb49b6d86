"""Several units in one quantity: "5 feet 2 inches", "38 years, 1 month and 27 days", "2 h 30 min to 3 h"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from marginalia import lang
from marginalia.quantities.lexicon import lexicon
from marginalia.quantities.numerals import divide, wide
from marginalia.quantities.values import Number, Value, parse_value

MAX_PARTS = 6
FEET_AND_INCHES = r"['’′][ \u00a0]?(?P<inches>(?:1[01]|\d)(?:\.\d+|[ \u00a0]?[½¼¾⅛⅜⅝⅞]|[ \u00a0-]\d/\d)?)[ \u00a0]?(?:[\"”″]|['’]{2})(?!\w)"
"""What follows the feet of 6'2\"."""
_FEET_AND_INCHES = re.compile(FEET_AND_INCHES)
_MINUTES_BEHIND = frozenset(("h", "hr", "hrs"))
"""Behind these ``m`` is minutes: "2h 30m"; elsewhere it is metres."""


class UnitPart(NamedTuple):
    family: str
    """``time``, ``length`` or ``mass``: what adds up in one quantity."""
    size: int
    """In the smallest unit of the family."""


class Words(NamedTuple):
    """The units of a language that add up, and what stands between them."""

    units: dict[str, UnitPart]
    piece: re.Pattern[str]
    to: re.Pattern[str]
    opened: re.Pattern[str]


def _words(language: str) -> Words:
    return _compiled(lang.language(language))


@cache
def _compiled(language: lang.Language) -> Words:
    words = lexicon(language.code)
    units = {
        name: UnitPart(family, int(size))
        for known in language.with_borrowed("units")
        for family, sizes in known.table("units", "sums").items()
        for size, names in sizes.items()
        for name in names.split()
    }
    listed = "|".join(map(re.escape, sorted(units, key=len, reverse=True)))
    and_ = "|".join(
        known.data("numbers").get("and", "(?!)") for known in language.with_borrowed("numbers")
    )
    return Words(
        units,
        re.compile(
            rf"(?P<number>\S(?:.{{0,30}}?\S)??)(?:[\s-]|(?<=\d))(?P<unit>{listed}|(?i:{listed})(?<=\w{{4}}))(?![^\W_])"
            rf"(?P<gap>\Z|,?\s(?:(?:{and_})\s)?)"
        ),
        re.compile(rf"(?<![Uu]p)\s(?:{words.any_of('numbers', 'to')})\s(?!zu\s)|\s?[–-]\s?(?=\d)"),
        re.compile(rf"(?:{words.any_of('numbers', 'opening')})\s", re.IGNORECASE),
    )


def follows(whole: str, part: str, number: str, gap: str, language: str) -> bool:
    """Whether ``number`` of the unit ``part`` goes on a quantity in ``whole``: the 2 inches of "5 feet 2 inches".

    Short symbols with a comma between them are two: "24 h, 30 min".
    """
    units = _words(language).units
    above, below = _part(whole, units), _part(part, units)
    if above is None or below is None or above.family != below.family or above.size <= below.size:
        return False
    if part == "m" and (whole not in _MINUTES_BEHIND or gap.strip()):
        return False
    if "," in gap and not (len(whole.rstrip(".")) > 2 and len(part.rstrip(".")) > 2):
        return above.family != "time"
    return not number.isdecimal() or int(number) * below.size < above.size


def parse_compound(quote: str, *, language: str = "en") -> Value | None:
    """The value in the first unit, if the quote has several that add up; else None."""
    ends = _words(language).to.split(quote)
    if len(ends) == 2:
        return _range(quote, *ends, language=language)
    return _sum(quote, language)


def _part(unit: str, units: dict[str, UnitPart]) -> UnitPart | None:
    return units.get(unit) or (units.get(unit.lower()) if len(unit) > 3 else None)


def _range(quote: str, first: str, last: str, *, language: str) -> Value | None:
    """``5 ft 2 in to 6 ft``: both ends in the unit of the first."""
    first = _words(language).opened.sub("", first)
    low, high = _sum(first, language), _sum(last, language)
    if low is None and high is None:
        return None
    units = [_first_unit(side, language) for side in (first, last)]
    if units[0] is None or units[0] != units[1]:
        return None
    low, high = (
        low or parse_value(first, language=language),
        high or parse_value(last, language=language),
    )
    if low.kind != "number" or high.kind != "number" or low.low is None or high.low is None:
        return None
    at = quote.find(first)
    numbers = (
        Number(at, at + len(first), low.low),
        Number(len(quote) - len(last), len(quote), high.low),
    )
    bounds = sorted((low.low, high.low))
    return replace(low, kind="range", numbers=numbers, low=bounds[0], high=bounds[1])


def _spelled(text: str) -> str:
    """6'2\" with the names of its units."""
    return _FEET_AND_INCHES.sub(r" ft \g<inches> in", text)


def _first_unit(text: str, language: str) -> UnitPart | None:
    words = _words(language)
    match = words.piece.match(_spelled(text))
    return _part(match["unit"], words.units) if match else None


def _sum(quote: str, language: str) -> Value | None:
    pieces = list(_pieces(_spelled(quote), language))
    if len(pieces) < 2:
        return None
    first = parse_value(" ".join(pieces[0]), language=language)
    if first.kind not in ("number", "bound") or first.uncertainty is not None:
        return None
    units = _words(language).units
    sizes = [part.size for _, unit in pieces if (part := _part(unit, units))]
    more = Decimal(0)
    for (number, unit), size in zip(pieces[1:], sizes[1:], strict=True):
        value = parse_value(f"{number} {unit}", language=language)
        if value.kind != "number" or value.low is None or value.low < 0:
            return None
        more = wide(40).add(more, wide(40).multiply(value.low, Decimal(size)))
    if more >= sizes[0]:
        return None
    more = divide(more, Decimal(sizes[0]))
    low, high = (
        None if bound is None else wide(40).add(bound, more) for bound in (first.low, first.high)
    )
    total = low if low is not None else high
    if total is None:
        return None
    return replace(first, numbers=(Number(0, len(quote), total),), low=low, high=high)


def _pieces(quote: str, language: str) -> Iterator[tuple[str, str]]:
    """Number and unit of each part, if they are whole and each unit is smaller than the one before."""
    found: list[tuple[str, str]] = []
    place, gap = 0, ""
    while place < len(quote) and len(found) < MAX_PARTS:
        match = _words(language).piece.match(quote, place)
        if match is None:
            return
        number, unit = match["number"], match["unit"]
        if found and not follows(found[-1][1], unit, number, gap, language):
            return
        found.append((number, unit))
        place, gap = match.end(), match["gap"]
    if place == len(quote) and not gap:
        yield from found
