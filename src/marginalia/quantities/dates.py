"""Dates and times of day, so that they are not taken for measures.

A date is written as XML Schema writes it: ``2004-03-12``, ``2004-03``, ``2004``, ``--12-16`` for a day of
any year, ``05:28:00`` for a time; and beyond it ``1990s``, and ``-0300`` for 300 BC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from marginalia import lang
from marginalia.quantities.number_words import counted

YEARS = (1800, 2049)
"""Four digits in these bounds with no unit or noun are a year."""
OLD_YEARS = (1000, 2199)
"""The same after a word that announces a year: ``in 1543``."""
_YEAR = r"[12]\d{3}(?!\d|[.,]\d)"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_CLOCK = r"(?:[01]?\d|2[0-4])"


def months(language: str, *, short: bool = True) -> dict[str, int]:
    """The names of the months as they are written, and their abbreviations, with their numbers."""
    known = lang.language(language)
    return (_numbered(known, "months_short") if short else {}) | _numbered(known, "months")


def weekdays(language: str) -> dict[str, int]:
    """The names of the days of the week; Monday is 0."""
    named = _numbered(lang.language(language), "weekdays")
    return {name: number - 1 for name, number in named.items()}


def ordinals(language: str) -> dict[str, int]:
    """The first few ordinals in words."""
    return _numbered(lang.language(language), "ordinals")


@cache
def _numbered(language: lang.Language, name: str) -> dict[str, int]:
    """Words in their order from 1 on; those that share a place have a comma between them."""
    found: dict[str, int] = {}
    for known in reversed(language.with_borrowed("numbers")):
        found |= counted(known, name, start=1)
    return found


def _either(language: lang.Language, name: str) -> str:
    """What the language and those it borrows from call something in dates, as alternatives."""
    listed = [
        re.escape(word).replace("_", r"\s?")
        for known in language.with_borrowed("numbers")
        for word in str(known.table("numbers", "dates").get(name, "")).split()
    ]
    return "|".join(sorted(set(listed), key=len, reverse=True)) or "(?!)"


def any_month(language: str) -> str:
    """The names of months as alternatives of a regular expression; in capitals, too."""
    names = sorted(months(language), key=len, reverse=True)
    return "|".join(re.escape(form) for name in names for form in (name, name.upper()))


@cache
def _compiled(language: lang.Language) -> re.Pattern[str]:
    month, endings, of = (
        any_month(language.code),
        _either(language, "day_endings"),
        _either(language, "of"),
    )
    oclock = _either(language, "oclock")
    return re.compile(
        rf"""
  (?<![\w.])(?:
    (?P<iso>[12]\d{{3}})-(?P<isom>0[1-9]|1[0-2])(?:-(?P<isod>[0-3]\d))?(?![\d-])
  | (?P<dd>{_DAY})[./](?P<dm>0?[1-9]|1[0-2])[./](?P<dy>[12]\d{{3}})(?![\d.])
  | (?P<day>{_DAY})(?:{endings}|\.)?\s?(?:(?:{of})\s)?(?P<month>{month})\b\.?,?(?:\s?(?P<year>{_YEAR}))?
  | (?P<hour>{_CLOCK}):(?P<minute>[0-5]\d)
      (?::(?P<second>[0-5]\d)|\s?(?P<half>[apAP]\.?[mM]\b)|(?=\s?(?:UTC?|GMT|hr?s?|{oclock})\b))
  | (?P<hour2>{_CLOCK})\.(?P<minute2>[0-5]\d)(?:\s?(?P<half2>[apAP]\.?[mM]\b)|(?=\s?(?:{oclock})\b))
  | (?P<clock>0\d):(?P<past>[0-5]\d)(?!\d)
  | (?P<oclock>{_CLOCK})\s?(?:(?P<ampm>[apAP]\.?[mM])\b\.?|(?:{oclock})\b)
  | (?P<bc>\d{{1,5}})\s?(?:{_either(language, "before_our_era")})(?!\w)
  | (?P<ce>\d{{1,4}})\s?(?:{_either(language, "our_era")})(?!\w)
  | (?P<decade>1[5-9]\d0|20\d0)(?:{_either(language, "decade_ending")})\b
  )
  | \b(?P<month2>{month})\b\.?\s?(?:(?P<year2>{_YEAR})
      |(?P<day2>{_DAY})(?:{endings})?(?!\d|[.,:]\d)(?:,?\s?(?P<year3>{_YEAR}))?)
  | \b(?:{_either(language, "our_era")})\s?(?P<ad>\d{{1,4}})(?!\d)
  | (?<![\w-])--(?P<anym>0[1-9]|1[0-2])-(?P<anyd>[0-3]\d)(?!\d)
""",
        re.X,
    )


@dataclass(frozen=True, slots=True)
class Date:
    start: int
    end: int
    text: str
    """As XML Schema writes it."""
    year: tuple[int, int] | None
    """Where the year stands, if one does."""
    first: int | None = None
    last: int | None = None
    """The first and the last year that are meant."""
    month: int | None = None
    day: int | None = None


def find_dates(quote: str, language: str) -> list[Date]:
    """Everything with a month, a time, an era or three parts; not years alone."""
    pattern, known = _compiled(lang.language(language)), months(language)
    return [_read(match, known) for match in pattern.finditer(quote)]


def announce(language: str) -> frozenset[str]:
    """Words that may stand with a year that has nothing else."""
    listed = (
        known.table("numbers", "dates").get("announce", "")
        for known in lang.language(language).with_borrowed("numbers")
    )
    return frozenset(" ".join(listed).split())


def find_times(text: str, language: str) -> Iterator[tuple[int, int, int]]:
    """Times of day: start, end and the minutes since midnight."""
    for match in _times(lang.language(language)).finditer(text):
        parts = {name: value for name, value in match.groupdict().items() if value}
        hour, minute, _ = _time(parts).split(":")
        yield *match.span(), 60 * int(hour) + int(minute)


@cache
def _times(language: lang.Language) -> re.Pattern[str]:
    oclock = _either(language, "oclock")
    return re.compile(
        rf"(?<![\w.,:])(?P<hour>{_CLOCK})(?:(?:[:.](?P<minute>[0-5]\d))?\s?(?:(?P<half>[ap]\.?m\b\.?)|(?:{oclock})\b)|:(?P<past>[0-5]\d))(?![:\d])",
        re.IGNORECASE,
    )


def bare_year(start: int, end: int, year: int) -> Date:
    return Date(start, end, f"{year:04d}", (start, end), year, year)


def write_date(text: str, *, approximate: bool = False) -> str:
    """A date so that it is read again: ``-0300``, ``0850`` and ``~1850`` look like numbers."""
    if re.fullmatch(r"-\d{4,}", text):
        return f"{int(text[1:])} BC"
    plain = YEARS[0] <= int(text) <= YEARS[1] if re.fullmatch(r"\d{4}", text) else None
    if plain is False or (plain and approximate):
        return f"AD {int(text)}"
    return text


def _read(match: re.Match[str], months: dict[str, int]) -> Date:
    found = {name: value for name, value in match.groupdict().items() if value}
    start, end = match.span()
    years = [name for name in ("iso", "dy", "year", "year2", "year3", "ad", "ce") if name in found]
    place = match.span(years[0]) if years else None
    year = int(found[years[0]]) if years else None
    month = day = None
    if "iso" in found:
        month, day = found["isom"], found.get("isod")
    elif "anym" in found:
        month, day = found["anym"], found["anyd"]
    elif (
        "dy" in found
    ):  # day and month cannot be told apart where both are small, except by their dots
        if int(found["dd"]) > 12 or "." in match.group():
            month, day = found["dm"], found["dd"]
    elif name := found.get("month") or found.get("month2"):
        number = months.get(name) or months[name.title()]
        month, day = str(number), found.get("day") or found.get("day2")
    if "bc" in found:
        year = -int(found["bc"])
        return Date(start, end, f"-{-year:04d}", match.span("bc"), year, year)
    if "decade" in found:
        year = int(found["decade"])
        return Date(start, end, f"{year}s", match.span("decade"), year, year + 9)
    if month or year is not None:
        head = f"{year:04d}" if year is not None else "-"
        text = head + "".join(f"-{int(part):02d}" for part in (month, day) if part)
        numbers = (int(part) if part else None for part in (month, day))
        return Date(start, end, text, place, year, year, *numbers)
    return Date(start, end, _time(found), None)


def _time(found: dict[str, str]) -> str:
    hour = int(next(found[name] for name in ("hour", "hour2", "clock", "oclock") if name in found))
    half = next((found[name].lower() for name in ("half", "half2", "ampm") if name in found), "")
    if half.startswith("p") and hour < 12:
        hour += 12
    elif half.startswith("a") and hour == 12:
        hour = 0
    minute = next((found[name] for name in ("minute", "minute2", "past") if name in found), "00")
    return f"{hour:02d}:{minute}:{found.get('second') or '00'}"
