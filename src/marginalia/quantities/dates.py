"""Dates and times of day, so that they are not taken for measures.

A date is written as XML Schema writes it: ``2004-03-12``, ``2004-03``, ``2004``, ``--12-16`` for a day of
any year, ``05:28:00`` for a time; and beyond it ``1990s``, and ``-0300`` for 300 BC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

YEARS = (1800, 2049)
"""Four digits in these bounds with no unit or noun are a year."""
OLD_YEARS = (1000, 2199)
"""The same after a word that announces a year: ``in 1543``."""
MONTHS = (
    ("January Januar", "Jan"), ("February Februar", "Feb"), ("March März", "Mar"), ("April", "Apr"),
    ("May Mai", ""), ("June Juni", "Jun"), ("July Juli", "Jul"), ("August", "Aug"),
    ("September", "Sept Sep"), ("October Oktober", "Oct Okt"), ("November", "Nov"),
    ("December Dezember", "Dec Dez"),
)  # fmt: skip
"""Names and abbreviations, English and German."""
_NUMBER = {
    name.lower(): i for i, names in enumerate(MONTHS, start=1) for name in " ".join(names).split()
}
_MONTH = "|".join(
    name
    for known in sorted(_NUMBER, key=len, reverse=True)
    for name in (known.title(), known.upper())
)
_YEAR = r"[12]\d{3}(?!\d|[.,]\d)"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_CLOCK = r"(?:[01]?\d|2[0-4])"
_PATTERN = rf"""
  (?<![\w.])(?:
    (?P<iso>[12]\d{{3}})-(?P<isom>0[1-9]|1[0-2])(?:-(?P<isod>[0-3]\d))?(?![\d-])
  | (?P<dd>{_DAY})[./](?P<dm>0?[1-9]|1[0-2])[./](?P<dy>[12]\d{{3}})(?![\d.])
  | (?P<day>{_DAY})(?:st|nd|rd|th|\.)?\s?(?:of\s)?(?P<month>{_MONTH})\b\.?,?(?:\s?(?P<year>{_YEAR}))?
  | (?P<hour>{_CLOCK}):(?P<minute>[0-5]\d)
      (?::(?P<second>[0-5]\d)|\s?(?P<half>[apAP]\.?[mM]\b)|(?=\s?(?:UTC?|GMT|hr?s?|Uhr)\b))
  | (?P<hour2>{_CLOCK})\.(?P<minute2>[0-5]\d)(?:\s?(?P<half2>[apAP]\.?[mM]\b)|(?=\s?Uhr\b))
  | (?P<clock>0\d):(?P<past>[0-5]\d)(?!\d)
  | (?P<oclock>{_CLOCK})\s?(?:(?P<ampm>[apAP]\.?[mM])\b\.?|Uhr\b)
  | (?P<bc>\d{{1,5}})\s?(?:BCE?|v\.\s?Chr\.)(?!\w)
  | (?P<ce>\d{{1,4}})\s?(?:AD|CE|n\.\s?Chr\.)(?!\w)
  | (?P<decade>1[5-9]\d0|20\d0)(?:s|er)\b
  )
  | \b(?P<month2>{_MONTH})\b\.?\s?(?:(?P<year2>{_YEAR})
      |(?P<day2>{_DAY})(?:st|nd|rd|th)?(?!\d|[.,:]\d)(?:,?\s?(?P<year3>{_YEAR}))?)
  | \b(?:AD|CE)\s?(?P<ad>\d{{1,4}})(?!\d)
  | (?<![\w-])--(?P<anym>0[1-9]|1[0-2])-(?P<anyd>[0-3]\d)(?!\d)
"""


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


def find_dates(quote: str) -> list[Date]:
    """Everything with a month, a time, an era or three parts; not years alone."""
    return [_read(match) for match in _compiled().finditer(quote)]


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


def _read(match: re.Match[str]) -> Date:
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
        month, day = str(_NUMBER[name.lower()]), found.get("day") or found.get("day2")
    if "bc" in found:
        year = -int(found["bc"])
        return Date(start, end, f"-{-year:04d}", match.span("bc"), year, year)
    if "decade" in found:
        year = int(found["decade"])
        return Date(start, end, f"{year}s", match.span("decade"), year, year + 9)
    if month or year is not None:
        head = f"{year:04d}" if year is not None else "-"
        text = head + "".join(f"-{int(part):02d}" for part in (month, day) if part)
        return Date(start, end, text, place, year, year)
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


@cache
def _compiled() -> re.Pattern[str]:
    return re.compile(_PATTERN, re.X)


ANNOUNCE = frozenset(
    "in im the year years since during from until till by before after ad ce bc early late mid circa jahr jahre "
    "jahren seit vor nach ab anfang ende mitte ca ca. c.".split()
)
"""Words that may stand with a year that has nothing else."""
