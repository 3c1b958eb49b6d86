"""Numbers written in digits: signs, separators, powers of ten, fractions; exactly, never as floats.

Where papers lose their superscripts the reading is a choice, made here once:

- ``3 × 106`` is 3 · 10⁶: nobody multiplies by 106. ``20 × 100`` and ``60 × 10 × 3`` are sizes.
- ``10−4`` is 10⁻⁴, since a range does not begin with its greater end; ``10−20`` is a range.
- ``109`` alone stays 109, though 10⁹ may have been meant: nothing in the text says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from functools import cache

from marginalia import lang

MINUS = "-−–‐‑‒—"
"""Hyphens, dashes and the minus sign: each is used for minus, and each for ranges."""
THIN = "\u00a0\u2002-\u200a\u202f\u205f"
SPACES = f" {THIN}"
TIMES = "×✕✖⨯·⋅∙•*xX"
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
QUOTIENT_DIGITS = 28
"""Significant digits of a quotient that has no finite decimal, such as a third."""
FRACTIONS = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5),
    "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8),
    "⅝": (5, 8), "⅞": (7, 8), "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip

_PLAIN = str.maketrans(
    dict.fromkeys(MINUS + "⁻", "-") | {char: str(i) for i, char in enumerate(SUPERSCRIPTS)}
)
_GROUPED = (
    rf"\d{{1,3}}(?:[{THIN}'’]\d{{3}})+(?!\d)"
    r"|[1-9]\d?(?:\ \d{3})+(?!\d)|[1-9]\d\d(?:\ 000)+(?!\d)"  # "100 200" is two numbers of a table
)
_MIDDLE = rf"·(?!10\s?[\^⁺⁻{SUPERSCRIPTS}{MINUS}])\d+"  # "0·05" in medical journals
_MANTISSA = {
    ".": rf"(?:(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|{_GROUPED}|\d+)(?:\.\d+|{_MIDDLE})?"
    r"|(?<![\d.])\.\d+)",
    ",": rf"(?:(?:[1-9]\d{{0,2}}(?:\.\d{{3}})+(?!\d|\.\d)|{_GROUPED}|\d+)(?:,\d+)?"
    r"|(?<![\d,]),\d+)",
}
"""By the decimal sign of the language."""
# A comma that cannot part thousands, and a point that cannot, are decimal where the other one is, too.
_FOREIGN = {
    ".": r"0,\d+(?!\d|,\d)",
    ",": rf"(?![1-9]\d{{0,2}}\.\d{{3}}(?!\d))\d+\.\d+(?!\d|[.,]\d)|\d+{_MIDDLE}",
}
_EXPONENT = (
    rf"(?:\s?\^\s?[({{]?\s?(?P<caret>[+{MINUS}]?\s?\d{{1,3}})\s?[)}}]?"
    rf"|(?P<raised>[⁺⁻{MINUS}]?[{SUPERSCRIPTS}]{{1,3}})"
    rf"|\s?(?P<lowered>[{MINUS}]\s?\d{{1,2}})(?!\d|[.,]\d)"
    rf"|(?P<lost>[1-9]\d?)(?!\d|[.,]\d|\s?[{TIMES}]\s?\d))"
)
SIDES = r"(?!\d{1,2}[xX×]10\d)\d{2,5}(?:[xX×]\d{2,5}){1,2}(?![\d^⁺⁻¹²³⁴-⁹−-])"
"""Of a picture, ``1920x1080``: no power of ten, which ``12x106`` has."""
_NAMES = re.compile(r"\(\?P<\w+>")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number without its sign: ``mantissa · 10**power``."""

    start: int
    end: int
    mantissa: Decimal
    mantissa_end: int
    power: int | None = None
    """None where none was written apart: ``1e-5`` and ``10−5`` are one piece."""

    @property
    def value(self) -> Decimal:
        return shift(self.mantissa, self.power or 0)


def decimal_sign(language: str) -> str:
    """Comma or point; the other one may part thousands."""
    return "," if lang.language(language).data("numbers").get("decimal") == "," else "."


def pattern(language: str) -> str:
    """A regular expression (not verbose) for numbers in digits."""
    sign = decimal_sign(language)
    mantissa = f"(?:{_FOREIGN[sign]}|{_MANTISSA[sign]})"
    exponent = _NAMES.sub("(?:", _EXPONENT)
    signs = "".join(FRACTIONS)
    return (
        rf"10(?:\^\s?[({{]?\s?[+{MINUS}]?\s?\d{{1,3}}\s?[)}}]?|[⁺⁻{MINUS}]?[{SUPERSCRIPTS}]{{1,3}}"
        rf"|[{MINUS}](?:10|[1-9])(?!\d|[.,]\d))"
        rf"|{mantissa}(?:\s?[{TIMES}]\s?10{exponent}|[eE][+{MINUS}]?\d{{1,5}}(?!\w|\.\d)"
        rf"|[{SPACES}]?[{signs}])?"
        rf"|[{signs}]"
    )


POWER = rf"[{TIMES}]\s?10{_NAMES.sub('(?:', _EXPONENT)}"
"""A power of ten for all numbers before it: ``(2–3) × 10−4``."""


def read_numeral(text: str, start: int, end: int, language: str) -> Numeral:
    """The number at a place where ``pattern`` matched."""
    quote = text[start:end]
    if quote[-1] in FRACTIONS:
        whole = quote[:-1].strip(SPACES) or "0"
        part = divide(*map(Decimal, FRACTIONS[quote[-1]]))
        value = add(read_plain(whole, language), part)
        return Numeral(start, end, value, end)
    if match := _bare().fullmatch(quote):
        return Numeral(start, end, shift(Decimal(1), _exponent(match)), end)
    match = _parts(decimal_sign(language)).fullmatch(quote)
    assert match is not None  # noqa: S101 - the same expression has matched before
    mantissa, power = read_plain(match["mantissa"], language), None
    if match["letter"]:
        return Numeral(start, end, shift(mantissa, _exponent(match)), end)
    if match.end("mantissa") < len(quote):
        power = _exponent(match)
    return Numeral(start, end, mantissa, start + match.end("mantissa"), power)


def read_power(quote: str) -> int:
    """The exponent of a text that ``POWER`` matched."""
    match = re.fullmatch(rf"[{TIMES}]\s?10{_EXPONENT}", quote)
    assert match is not None  # noqa: S101
    return _exponent(match)


def is_plain(quote: str, language: str) -> bool:
    """Whether ``read_plain`` can read it: ``1.2.3`` is no number."""
    sign = decimal_sign(language)
    return re.fullmatch(f"{_FOREIGN[sign]}|{_MANTISSA[sign]}", quote) is not None


def read_plain(quote: str, language: str) -> Decimal:
    """Digits with separators, without sign or power."""
    point = decimal_sign(language)
    if re.fullmatch(_FOREIGN[point], quote):
        point = "," if point == "." else "."
    whole, _, rest = quote.replace("·", point).partition(point)
    digits = re.sub(r"\D", "", whole)
    return Decimal(f"{digits or 0}.{rest}" if rest else digits)


def shift(value: Decimal, power: int) -> Decimal:
    """``value · 10**power`` with every digit kept, whatever the context's precision."""
    sign, digits, exponent = value.as_tuple()
    if not power or not isinstance(exponent, int):
        return value
    return Decimal((sign, digits, exponent + power))


def divide(a: Decimal, b: Decimal) -> Decimal:
    """The quotient; exact if it is a finite decimal of at most 28 digits."""
    return wide(QUOTIENT_DIGITS).divide(a, b)


def add(a: Decimal, b: Decimal) -> Decimal:
    return wide(len(a.as_tuple().digits) + QUOTIENT_DIGITS).add(a, b)


def wide(digits: int) -> Context:
    """A decimal context of that precision without limits to exponents, whatever the thread's own is."""
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)


def _exponent(match: re.Match[str]) -> int:
    found = next(value for name, value in match.groupdict().items() if value and name != "mantissa")
    return int(re.sub(r"[^\d-]", "", found.translate(_PLAIN)))


@cache
def _bare() -> re.Pattern[str]:
    return re.compile(
        rf"10(?:\^\s?[({{]?\s?(?P<caret>[+{MINUS}]?\s?\d{{1,3}})\s?[)}}]?"
        rf"|(?P<raised>[⁺⁻{MINUS}]?[{SUPERSCRIPTS}]{{1,3}})|(?P<lowered>[{MINUS}](?:10|[1-9])))"
    )


@cache
def _parts(sign: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<mantissa>{_FOREIGN[sign]}|{_MANTISSA[sign]})"
        rf"(?:\s?[{TIMES}]\s?10{_EXPONENT}|[eE](?P<letter>[+{MINUS}]?\d{{1,5}}))?"
    )
