"""A quantity's text as exact numbers with both bounds.

Numbers stay as they are written and keep their place in the text; what is concluded from them (bounds,
uncertainty) stands beside them. Some readings are choices:

- ``1:10`` and ``80/20`` are a ``ratio`` of two numbers with the quotient as both bounds; ``3/4`` is one
  number, 0.75. Percentages keep their number: the unit says per cent.
- ``2–3 × 10−4`` and ``2 to 3 million``: the power belongs to both. The numbers are 2 and 3, ``power`` is −4,
  and the bounds have it applied. ``3 × 10−4`` alone is one number, 0.0003.
- ``±5`` is the range from −5 to 5. ``hundreds`` is 100, roughly.
- ``48 × 22 × 31`` is a ``size``: its numbers in their order, and no bounds, since it is no range.
- Numbers in brackets behind another number are an aside and left out: ``1.4 Rp (0.5 nbar)``.
- A year alone, or anything with a month, an era or a time of day, is a ``date``: its numbers are years.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import pairwise

from marginalia import lang
from marginalia.quantities.dates import (
    OLD_YEARS,
    YEARS,
    Date,
    announce,
    bare_year,
    find_dates,
)
from marginalia.quantities.lexicon import lexicon
from marginalia.quantities.number_reader import (
    BOUNDS,
    NumberSequence,
    ParsedNumber,
    parse_numbers,
)
from marginalia.quantities.numerals import SIDES, divide, shift, wide
from marginalia.quantities.value_tokens import tokenize
from marginalia.quantities.value_writer import write_value

__all__ = ["KINDS", "Number", "Value", "parse_value", "write_value"]

KINDS = ("number", "range", "list", "size", "ratio", "bound", "date", "none")


@dataclass(frozen=True, slots=True)
class Number:
    """One number as written: ``quote[start:end]`` read alone gives the same value."""

    start: int
    end: int
    value: Decimal
    tolerance: bool = False
    """Whether it says how far another one may be off: 0.2 of ``5 ± 0.2``."""


@dataclass(frozen=True, slots=True)
class Value:
    """``kind`` is one of ``KINDS``; ``none`` if no number could be read."""

    kind: str
    numbers: tuple[Number, ...] = ()
    """In reading order; of a list, its members; of a size, one for each direction."""
    low: Decimal | None = None
    high: Decimal | None = None
    """Equal for a single number; None for an open end and of a size; of a date, the years."""
    low_open: bool = False
    high_open: bool = False
    """Whether the bound itself is excluded: ``<`` and ``more than`` do, ``≤`` and ``up to`` do not."""
    uncertainty: Decimal | None = None
    approximate: bool = False
    power: int = 0
    """Of ten, for all the numbers together; already applied to the bounds and the uncertainty."""
    dates: tuple[str, ...] = ()
    """Of a date, as XML Schema writes it: ``2004-03-12``."""


NOTHING = Value("none")
_CONCISE = re.compile(r"(?<![\d.,])(?P<number>\d+[.,](?P<digits>\d+))(?P<off>\(\d{1,2}\))")
_BRACKETED = re.compile(r"\(\s*[\d.,±+−-]")
_FRACTION = re.compile(r"[\d⁰¹²³⁴-⁹]+\s?[⁄∕]\s?[\d₀-₉]+|[⁰¹²³⁴-⁹]+/[\d₀-₉]+")
_LEVEL = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉⁄∕", "01234567890123456789//")
_SIDES = re.compile(rf"(?<![\w.,]){SIDES}")


@cache
def _roughly(language: lang.Language) -> re.Pattern[str]:
    return re.compile(rf"(?:{lexicon(language.code).approximate}|[~∼≈])\s?\Z", re.IGNORECASE)


@cache
def _one_in(language: lang.Language) -> re.Pattern[str]:
    return re.compile(language.pattern("numbers", "one_in"), re.IGNORECASE)


@cache
def _times(language: lang.Language) -> re.Pattern[str]:
    words = lexicon(language.code)
    by = f"{words.any_of('numbers', 'by')}|{words.any_of('numbers', 'times')}"
    return re.compile(rf"[^\d,;×]{{0,12}}?(?:\s?[×✕x]\s?|\s(?:{by})\s)")


def parse_value(quote: str, *, language: str = "en") -> Value:
    """The value of the quantity, without its unit; no text raises an error."""
    quote = quote.replace("-by-", " by ")
    if _FRACTION.search(quote):  # ¹⁄₄, ¹⁄4, 1⁄4, 1 ∕ 4
        quote = _FRACTION.sub(lambda match: match.group().translate(_LEVEL), quote)
    known = lang.language(language)
    if (share := _one_in(known).fullmatch(quote.strip())) is not None:
        parts = [parse_value(share[name], language=language).low for name in ("part", "whole")]
        ratio = parse_value(f"{parts[0]}:{parts[1]}")
        return replace(ratio, approximate=share["about"] is not None)
    if (sides := _SIDES.search(quote)) is not None:
        return Value(
            "size",
            tuple(
                Number(
                    sides.start() + side.start(), sides.start() + side.end(), Decimal(side.group())
                )
                for side in re.finditer(r"\d+", sides.group())
            ),
            approximate=_roughly(known).search(quote, 0, sides.start()) is not None,
        )
    # Another bracket may hold units, as in W/(m·K); one that holds a number says something else.
    if (short := _CONCISE.search(quote)) is not None and len(_BRACKETED.findall(quote)) == 1:
        return _concise(quote, short, language)
    dates = find_dates(quote, language)
    tokens = tokenize(quote, language, [(date.start, date.end) for date in dates])
    parsed = parse_numbers(quote, tokens, language)
    if parsed.numbers and not (years := _years(quote, parsed, language)):
        return _value(quote, parsed, known)
    dates = sorted([*dates, *(years if parsed.numbers else ())], key=lambda date: date.start)
    return _date(dates, parsed) if dates else NOTHING


def _concise(quote: str, short: re.Match[str], language: str) -> Value:
    """``11.5(3)``: the digits in brackets say how far the last digits of the number may be off."""
    masked = quote[: short.start("off")] + " " * len(short["off"]) + quote[short.end("off") :]
    value = parse_value(masked, language=language)
    if value.kind != "number" or len(value.numbers) != 1:
        return value
    places = len(short["digits"])
    off = shift(Decimal(short["off"].strip("()")), -places)
    number = value.numbers[0]
    factor = divide(number.value, Decimal(short["number"].replace(",", "."))) if number.value else 1
    off = scale(off, Decimal(factor)).normalize(wide(28)).copy_abs()
    written = Number(short.start("off"), short.end("off"), off, tolerance=True)
    return replace(value, numbers=(number, written), uncertainty=shift(off, value.power))


def scale(value: Decimal, factor: Decimal) -> Decimal:
    """The product to 60 digits, whatever the thread's context is."""
    return wide(60).multiply(value, factor)


def _value(quote: str, parsed: NumberSequence, language: lang.Language) -> Value:
    seen = parsed.numbers
    main = [one for one in seen if not one.tolerance]
    value = Value(
        "list",
        tuple(Number(one.start, one.end, one.value, one.tolerance) for one in seen),
        uncertainty=_uncertainty(quote, parsed),
        approximate=parsed.approximate,
        power=parsed.power,
    )
    if not main:
        widest = max(shift(one.value.copy_abs(), parsed.power) for one in seen)
        return replace(value, kind="range", low=widest.copy_negate(), high=widest)
    amounts = [shift(one.value, parsed.power) for one in main]
    if len(main) == 1:
        return _single(value, main[0], amounts[0], parsed.trailing)
    if all(one.compared for one in main[1:]) and (signs := _signs(main[1:])):
        return _chain(value, main, amounts, signs)
    if len(main) == len(seen) and _is_size(quote, main, language):
        return replace(value, kind="size")
    joined = main[1].roles
    if len(seen) == 2 and "ratio" in joined and main[1].value:
        quotient = shift(divide(main[0].value, main[1].value), parsed.power)
        return replace(value, kind="ratio", low=quotient, high=quotient)
    ranged = len(main) == 2 and ("to" in joined or "between" in main[0].roles)
    kind = "range" if ranged else "list"
    return replace(value, kind=kind, low=min(amounts), high=max(amounts))


def _single(value: Value, one: ParsedNumber, amount: Decimal, trailing: Sequence[str]) -> Value:
    bound = one.bound
    if "or less" in trailing or "or more" in trailing:
        bound = "most" if "or less" in trailing else "least"
    if bound in ("less", "most"):
        return replace(value, kind="bound", high=amount, high_open=bound == "less")
    if bound in ("more", "least"):
        return replace(value, kind="bound", low=amount, low_open=bound == "more")
    return replace(value, kind="number", low=amount, high=amount)


def _is_size(quote: str, main: Sequence[ParsedNumber], language: lang.Language) -> bool:
    """Whether only × or "by" stands between the numbers, and perhaps a unit: ``10 cm × 20 cm``."""
    return all(_times(language).fullmatch(quote, a.end, b.start) for a, b in pairwise(main))


def _signs(seen: Sequence[ParsedNumber]) -> list[str]:
    """The signs between the numbers, if all point in one direction."""
    found = [role for one in seen for role in one.roles if role in BOUNDS]
    same = set(found) <= {"less", "most"} or set(found) <= {"more", "least"}
    return found if same else []


def _chain(
    value: Value, main: Sequence[ParsedNumber], amounts: Sequence[Decimal], signs: Sequence[str]
) -> Value:
    """``5 ≤ 2θ ≤ 80``: from the first to the last; numbers between them are part of the name."""
    numbers = tuple(Number(one.start, one.end, one.value) for one in (main[0], main[-1]))
    first, last = (sign in ("less", "more") for sign in (signs[0], signs[-1]))
    if amounts[0] > amounts[-1]:
        first, last = last, first
    low, high = sorted((amounts[0], amounts[-1]))
    value = replace(value, kind="range", numbers=numbers, uncertainty=None, low=low, high=high)
    return replace(value, low_open=first, high_open=last)


def _uncertainty(quote: str, parsed: NumberSequence) -> Decimal | None:
    """What stands behind ±; the greater of two; none where the numbers have different ones."""
    seen = parsed.numbers
    if len(seen) == 2 and seen[1].tolerance and _is_share(quote, *seen):
        share = scale(seen[1].value.copy_abs(), Decimal("0.01"))
        return shift(scale(seen[0].value.copy_abs(), share), parsed.power)
    found: list[list[Decimal]] = [[]]
    for one in seen:
        if one.tolerance:
            found[-1].append(one.value.copy_abs())
        else:
            found.append([])
    widest = {max(amounts) for amounts in found if amounts}
    return shift(widest.pop(), parsed.power) if len(widest) == 1 else None


def _is_share(quote: str, number: ParsedNumber, tolerance: ParsedNumber) -> bool:
    """``100 mm ± 5%``: the tolerance is a share of the number, which is itself no percentage."""
    behind = quote[tolerance.end : tolerance.end + 3].lstrip()
    return (
        behind[:1] == "%" and not tolerance.bare and "%" not in quote[number.end : tolerance.start]
    )


def _years(quote: str, parsed: NumberSequence, language: str) -> list[Date]:
    """The numbers as years, if all of them can be and nothing else is counted or measured."""
    if not parsed.plain or parsed.approximate or parsed.power:
        return []
    words = set(quote.lower().split()) if len(quote) < 200 else set()
    first, last = OLD_YEARS if words & announce(language) else YEARS
    years = []
    for one in parsed.numbers:
        text = quote[one.start : one.end]
        if (one.bound and "until" not in one.roles) or one.tolerance or "ratio" in one.roles:
            return []
        if not (len(text) == 4 and text.isdecimal() and first <= int(text) <= last):
            return []
        years.append(bare_year(one.start, one.end, int(text)))
    return years


def _date(dates: Sequence[Date], parsed: NumberSequence) -> Value:
    """Of dates, the years are the numbers and bounds."""
    numbers = tuple(
        Number(*date.year, Decimal(abs(date.first)))
        for date in dates
        if date.year and date.first is not None
    )
    years = [year for date in dates for year in (date.first, date.last) if year is not None]
    value = Value("date", numbers, dates=tuple(date.text for date in dates))
    value = replace(value, approximate=parsed.approximate)
    if not years:
        return value
    low, high = Decimal(min(years)), Decimal(max(years))
    roles = {role for one in parsed.numbers for role in one.roles} | set(parsed.trailing)
    if len(dates) == 1 and {"since", "after"} & roles:
        return replace(value, low=low, low_open="since" not in roles)
    if len(dates) == 1 and {"until", "before"} & roles:
        return replace(value, high=high, high_open="until" not in roles)
    return replace(value, low=low, high=high)
