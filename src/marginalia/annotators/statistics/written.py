"""Numbers as they are written: what their last digit leaves open is part of them, and all arithmetic is exact."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache

from marginalia.quantities.numerals import decimal_sign, is_plain, read_plain

SIGNS = "-−–"
MINUS = r"\-−–"
"""What may be a minus, as it is written in a class of characters."""
_AMBIGUOUS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""In German a thousand, but a decimal number of three digits where a result was copied from an English program."""

_COMMA = re.compile(r"\d{1,3},\d{1,2}")
"""In English no thousand: written by who is used to a decimal comma."""


@cache
def number(lang: str) -> str:
    """A regular expression for a number without its sign."""
    if decimal_sign(lang) == ",":
        return r"(?:[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?(?!\d)|\d*[,.·]\d+|\d+)"
    return (
        r"(?:[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?(?!\d)|0,\d+|\d{1,3},\d{1,2}(?=\s?%)|\d*[.·]\d+|\d+)"
    )


def signed(lang: str) -> str:
    return rf"[{MINUS}]?\s?{number(lang)}"


@dataclass(frozen=True, slots=True)
class Written:
    """A number as it stands in the text, and a step of its last digit."""

    value: Decimal
    step: Decimal

    @property
    def low(self) -> Decimal:
        """The smallest number that is rounded to it."""
        return self.value - self.step / 2

    @property
    def high(self) -> Decimal:
        return self.value + self.step / 2

    @property
    def is_whole(self) -> bool:
        return self.step >= 1

    def rounds(self, exact: Fraction) -> bool:
        """Whether the exact value is written so: rounded either way at a half, or cut off."""
        value, step = Fraction(self.value), Fraction(self.step)
        return abs(exact - value) <= step / 2 or 0 <= exact - value < step

    def holds(self, low: Decimal, high: Decimal) -> bool:
        """Whether it may stand for a number from ``low`` to ``high``."""
        return self.low <= high and low <= self.high


def read(text: str, lang: str, *, is_count: bool = False) -> Written | None:
    """The number that ``signed`` matched; None where a point may part thousands or decimals, which it does not in a count."""
    digits = re.sub(r"\s", "", text).lstrip(SIGNS)
    if not is_count and decimal_sign(lang) == "," and _AMBIGUOUS.fullmatch(digits):
        return None
    plain = f"0{digits}" if digits[0] in ".,·" else digits
    if _COMMA.fullmatch(plain) and decimal_sign(lang) == ".":
        plain = plain.replace(",", ".")
    if not is_plain(plain, lang):
        return None
    value = read_plain(plain, lang)
    exponent = value.as_tuple().exponent
    step = Decimal(1).scaleb(min(0, exponent if isinstance(exponent, int) else 0))
    return Written(-value if text.strip()[0] in SIGNS else value, step)


def read_whole(text: str, lang: str) -> int | None:
    """A count."""
    found = read(text, lang, is_count=True)
    return int(found.value) if found is not None and found.is_whole else None


def show(value: float | Decimal | Fraction, digits: int, lang: str) -> str:
    """A computed number with so many decimals, in the language's way."""
    return f"{float(value):.{digits}f}".replace(".", decimal_sign(lang))


def decimals(written: Written) -> int:
    return -int(written.step.log10())
