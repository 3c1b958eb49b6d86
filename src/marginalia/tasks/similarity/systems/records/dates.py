"""When a catalogue record says that something was made or happened: intervals of years.

``1889``, ``c. 1889``, ``1890s``, ``1853-1854``, ``between 1840 and 1850``, ``early 19th century``,
``1st-2nd century``, ``24 July 1812``, ``19. Jahrhundert``, ``um 1900``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Interval = tuple[float, float]
"""First and last year"""

CIRCA_YEARS = 5
"""Years by which ``c.`` widens an interval to both sides."""
_PARTS = {
    "early": (0.0, 0.34), "frühes": (0.0, 0.34), "first half": (0.0, 0.5), "mid": (0.33, 0.67),
    "middle": (0.33, 0.67), "lazy": (0.66, 1.0), "spätes": (0.66, 1.0), "second half": (0.5, 1.0),
}  # fmt: skip
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th|\.)?"
_CENTURY = re.compile(
    rf"(?:\b({'|'.join(_PARTS)})[ -])?(?:of the )?\b{_ORDINAL}(?:\s?(?:-|–|to|bis)\s?{_ORDINAL})?"
    r"[ -](?:centur(?:y|ies)|c\.|jahrhunderts?|jh\.?)",
    re.IGNORECASE,
)
_YEARS = re.compile(
    r"(?P<about>\b(?:c\.|ca\.?|circa|about|around|um)\s?)?"
    r"(?<![\d.])(?P<first>\d{3,4})(?P<decade>0?s\b)?"
    r"(?:\s?(?:-|–|to|and|bis|und)\s?(?P<last>\d{2,4})(?!\d))?(?!\d)",
    re.IGNORECASE,
)


def intervals(text: str, *, short: bool = False) -> list[Interval]:
    """The intervals a text names. With ``short``, numbers of three digits are years too, as in a date field."""
    found = list(_centuries(text))
    rest = _CENTURY.sub(" ", text)
    rest = re.sub(r"\b\d{1,2}[./]\d{1,2}[./](?=\d{4}\b)", " ", rest)
    rest = re.sub(r"(?<=\d{4})-\d{2}(?:-\d{2})?\b(?!\d)", _day, rest)
    return found + list(_years(rest, short))


def _day(match: re.Match[str]) -> str:
    """A month and day after a year are no second year, two digits from 13 are: ``1853-54``."""
    month = match.group()[1:]
    return match.group() if len(month) == 2 and int(month) > 12 else " "


def _centuries(text: str) -> Iterator[Interval]:
    for match in _CENTURY.finditer(text):
        part, first, last = match.groups()
        start, end = 100.0 * (int(first) - 1) + 1, 100.0 * int(last or first)
        low, high = _PARTS.get((part or "").lower(), (0.0, 1.0))
        yield start + low * (end - start), start + high * (end - start)


def _years(text: str, short: bool) -> Iterator[Interval]:
    for match in _YEARS.finditer(text):
        first, last = match["first"], match["last"]
        if not (short or 1000 <= int(first) < 2100):
            continue
        start = float(first)
        end = start + 9 if match["decade"] else start
        if last:  # 1853-54
            whole = (
                float(first[: len(first) - len(last)] + last)
                if len(last) < len(first)
                else float(last)
            )
            end = max(end, whole)
        wider = CIRCA_YEARS if match["about"] else 0
        yield start - wider, end + wider


def apart(a: Interval, b: Interval) -> float:
    """The years that lie between a year of one interval and one of the other, on average."""
    steps = [step / 4 for step in range(5)]
    years = [[low + step * (high - low) for step in steps] for low, high in (a, b)]
    return sum(abs(x - y) for x in years[0] for y in years[1]) / 25
