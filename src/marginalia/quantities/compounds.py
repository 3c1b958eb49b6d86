"""Several units in one quantity: "5 feet 2 inches", "38 years, 1 month and 27 days", "2 h 30 min to 3 h"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from marginalia.quantities.numerals import divide, wide
from marginalia.quantities.values import Number, Value, parse_value

_FAMILIES = (
    {
        31_557_600: "year years yr yrs Jahr Jahre Jahren",
        2_629_800: "month months Monat Monate Monaten",
        604_800: "week weeks wk wks Woche Wochen",
        86_400: "day days d Tag Tage Tagen",
        3_600: "hour hours hr hrs h Stunde Stunden Std Std.",
        60: "minute minutes min mins Minute Minuten Min. m",
        1: "second seconds sec secs s Sekunde Sekunden Sek.",
    },
    {63_360: "mile miles", 36: "yard yards yd", 12: "foot feet ft ft.", 1: "inch inches in in."},
    {224: "stone", 16: "pound pounds lb lbs lb. lbs.", 1: "ounce ounces oz oz."},
)
"""What adds up in one quantity: size -> names, in the smallest unit of the family."""
MAX_PARTS = 6
FEET_AND_INCHES = r"['’′][ \u00a0]?(?P<inches>(?:1[01]|\d)(?:\.\d+|[ \u00a0]?[½¼¾⅛⅜⅝⅞]|[ \u00a0-]\d/\d)?)[ \u00a0]?(?:[\"”″]|['’]{2})(?!\w)"
"""What follows the feet of 6'2\"."""
_FEET_AND_INCHES = re.compile(FEET_AND_INCHES)
_MINUTES_BEHIND = frozenset(("h", "hr", "hrs"))
"""Behind these ``m`` is minutes: "2h 30m"; elsewhere it is metres."""


class UnitPart(NamedTuple):
    family: int
    size: int


_KNOWN = {
    name: UnitPart(family, size)
    for family, sizes in enumerate(_FAMILIES)
    for size, names in sizes.items()
    for name in names.split()
}
_NAMES = "|".join(map(re.escape, sorted(_KNOWN, key=len, reverse=True)))
_PIECE = re.compile(
    rf"(?P<number>\S(?:.{{0,30}}?\S)??)(?:[\s-]|(?<=\d))(?P<unit>{_NAMES}|(?i:{_NAMES})(?<=\w{{4}}))(?![^\W_])"
    r"(?P<gap>\Z|,?\s(?:(?:and|und)\s)?)"
)
_TO = re.compile(r"(?<![Uu]p)\s(?:to|bis)\s(?!zu\s)|\s?[–-]\s?(?=\d)")
_OPENED = re.compile(r"(?:from|von)\s", re.IGNORECASE)


def follows(whole: str, part: str, number: str, gap: str) -> bool:
    """Whether ``number`` of the unit ``part`` goes on a quantity in ``whole``: the 2 inches of "5 feet 2 inches".

    Short symbols with a comma between them are two: "24 h, 30 min".
    """
    above, below = _part(whole), _part(part)
    if above is None or below is None or above.family != below.family or above.size <= below.size:
        return False
    if part == "m" and (whole not in _MINUTES_BEHIND or gap.strip()):
        return False
    if "," in gap and not (len(whole.rstrip(".")) > 2 and len(part.rstrip(".")) > 2):
        return above.family > 0
    return not number.isdecimal() or int(number) * below.size < above.size


def parse_compound(quote: str, *, language: str = "en") -> Value | None:
    """The value in the first unit, if the quote has several that add up; else None."""
    ends = _TO.split(quote)
    if len(ends) == 2:
        return _range(quote, *ends, language=language)
    return _sum(quote, language)


def _part(unit: str) -> UnitPart | None:
    return _KNOWN.get(unit) or (_KNOWN.get(unit.lower()) if len(unit) > 3 else None)


def _range(quote: str, first: str, last: str, *, language: str) -> Value | None:
    """``5 ft 2 in to 6 ft``: both ends in the unit of the first."""
    first = _OPENED.sub("", first)
    low, high = _sum(first, language), _sum(last, language)
    if low is None and high is None:
        return None
    units = [_first_unit(side) for side in (first, last)]
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


def _first_unit(text: str) -> UnitPart | None:
    match = _PIECE.match(_spelled(text))
    return _part(match["unit"]) if match else None


def _sum(quote: str, language: str) -> Value | None:
    pieces = list(_pieces(_spelled(quote)))
    if len(pieces) < 2:
        return None
    first = parse_value(" ".join(pieces[0]), language=language)
    if first.kind not in ("number", "bound") or first.uncertainty is not None:
        return None
    sizes = [part.size for _, unit in pieces if (part := _part(unit))]
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


def _pieces(quote: str) -> Iterator[tuple[str, str]]:
    """Number and unit of each part, if they are whole and each unit is smaller than the one before."""
    found: list[tuple[str, str]] = []
    place, gap = 0, ""
    while place < len(quote) and len(found) < MAX_PARTS:
        match = _PIECE.match(quote, place)
        if match is None:
            return
        number, unit = match["number"], match["unit"]
        if found and not follows(found[-1][1], unit, number, gap):
            return
        found.append((number, unit))
        place, gap = match.end(), match["gap"]
    if place == len(quote) and not gap:
        yield from found
