"""Numbers as the official programs read them, which are written in Perl.

Perl takes the longest numeric beginning of a text and 0 where there is none: ``3,5`` is 3, ``abc`` is 0.
"""

from __future__ import annotations

import math
import re

_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_SPACE = r"[ \t\n\r\f\v]"
_BEGINS = re.compile(rf"{_SPACE}*({_NUMBER})")
_SPECIAL = re.compile(rf"{_SPACE}*([+-]?)(nan|inf)", re.IGNORECASE)
_WHOLE = re.compile(
    rf"{_SPACE}*(?:{_NUMBER}|[+-]?(?i:nan|inf|infinity)){_SPACE}*",
)
_SPACES = re.compile(rf"{_SPACE}+")


def number(text: str) -> float:
    """What Perl makes of a text in arithmetic."""
    special = _SPECIAL.match(text)
    if special:
        sign, name = special.groups()
        return math.nan if name.lower() == "nan" else math.copysign(math.inf, float(f"{sign}1"))
    begins = _BEGINS.match(text)
    return float(begins[1]) if begins else 0.0


def looks_like_number(text: str) -> bool:
    """Whether the whole text is a number, with white space around it or without."""
    return _WHOLE.fullmatch(text) is not None


def fields(text: str) -> list[str]:
    """A line cut at white space: a leading blank makes an empty first field, a trailing one nothing."""
    cells = _SPACES.split(text)
    while cells and not cells[-1]:
        cells.pop()
    return cells
