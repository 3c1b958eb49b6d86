"""Numbers and dates in a text, with their offsets and values, so that two texts can be compared.

What a number word, a month or a unit is, ``quantities`` says. Read here is more than quantities: ordinals, single years,
names of months and weekdays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from marginalia.lang import Language, language
from marginalia.nlp.tokens import words
from marginalia.quantities.currencies import currency_code, is_money
from marginalia.quantities.dates import find_dates, months, ordinals, weekdays
from marginalia.quantities.lexicon import lexicon
from marginalia.quantities.number_words import number_words
from marginalia.quantities.numerals import is_plain, read_plain
from marginalia.quantities.units.symbols import symbols

_YEAR = re.compile(
    r"(?<![\w.,])(?P<year>1[0-9]\d\d|20\d\d)(?P<s>s?)(?![\w]|[.,]\d|\s?(?:%|percent|million|billion|[$€£]))"
)
_DIGITS = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?:(?P<th>st|nd|rd|th)\b)?", re.IGNORECASE)
_CURRENCY = re.compile(r"(?:US\$|[$€£¥]|EUR|USD)\s?\Z")
_GAP = re.compile(r"[\s-]?")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number or date: what it is worth, in what unit, and where it stands."""

    start: int
    end: int
    kind: str
    """``number`` or ``date``"""
    value: tuple[float | None, ...]
    """The number; of a date year, month, day and weekday, each where it is given"""
    unit: str = ""
    """``%``, ``th`` of an ordinal, ``s`` of a decade, a currency or a measure, where it is given"""


@lru_cache(maxsize=512)
def numerals(text: str, lang: str = "en") -> tuple[Numeral, ...]:
    """The numbers and dates of a text in their order; none of them overlap."""
    kept: list[Numeral] = []
    for numeral in (*_dates(text, lang), *_figures(text, lang), *_words(text, lang)):
        if all(numeral.end <= other.start or numeral.start >= other.end for other in kept):
            kept.append(numeral)
    return tuple(sorted(kept, key=lambda numeral: numeral.start))


def same(a: Numeral, b: Numeral) -> bool | None:
    """Whether they say the same; None where they cannot be compared (``May`` and ``1998``, 3 % and 3 kg)."""
    if a.kind != b.kind:
        return None
    if a.kind == "number":
        if a.unit != b.unit and ((a.unit and b.unit) or "th" in (a.unit, b.unit)):
            return None
        return a.value == b.value
    if (a.unit == "s") != (b.unit == "s"):
        return None
    both = [(x, y) for x, y in zip(a.value, b.value, strict=True) if None not in (x, y)]
    return all(x == y for x, y in both) if both else None


def _dates(text: str, lang: str) -> Iterator[Numeral]:
    for date in find_dates(text, lang):
        parts = (date.first, date.month, date.day)
        if any(parts) and (date.first or 0) >= 0:
            value = tuple(None if part is None else float(part) for part in parts)
            decade = "s" if date.first != date.last else ""
            yield Numeral(date.start, date.end, "date", (*value, None), decade)
    for match in _named(language(lang)).finditer(text):
        named = (months(lang).get(match["month"]), None, weekdays(lang).get(match["day"]))
        told = (None if part is None else float(part) for part in named)
        yield Numeral(*match.span(), "date", (None, *told))
    for match in _YEAR.finditer(text):
        year = float(match["year"])
        yield Numeral(*match.span(), "date", (year, None, None, None), match["s"])


@cache
def _named(known: Language) -> re.Pattern[str]:
    """A month or weekday alone; only with a capital: "may" and "march" are verbs too."""
    month, day = (
        "|".join(sorted(named(known.code), key=len, reverse=True)) for named in (months, weekdays)
    )
    return re.compile(rf"(?<![\w.,])(?:(?P<month>{month})\b\.?|(?P<day>{day})s?\b)")


def _figures(text: str, lang: str) -> Iterator[Numeral]:
    for match in _DIGITS.finditer(text):
        ordinal = bool(match["th"])
        digits = match.group()[:-2] if ordinal else match.group()
        value = _read(digits, lang)
        yield _whole(text, match.start(), match.end(), value, "th" if ordinal else "", lang)


def _read(digits: str, lang: str) -> float:
    if is_plain(digits, lang):
        return float(read_plain(digits, lang))
    return float(re.sub(r"\D", "", digits)[:300])  # 1.2.3 is no number; its digits still compare


def _words(text: str, lang: str) -> Iterator[Numeral]:
    known, ranked = number_words(lang), ordinals(lang)
    for match in words(text):
        word = match.group().lower()
        if word in ranked:
            yield Numeral(*match.span(), "number", (float(ranked[word]),), "th")
        elif (value := known.value(word)) is not None and value != 1:  # a pronoun more often
            yield _whole(text, *match.span(), float(value), "", lang)


def _whole(text: str, start: int, end: int, value: float, unit: str, lang: str) -> Numeral:
    """With the word for thousands or millions after it, and its unit."""
    scale = _scale(language(lang)).match(text, end)
    if scale:
        value, end = value * 10.0 ** number_words(lang).scales[scale["scale"].lower()], scale.end()
    gap = _GAP.match(text, end)
    after = lexicon(lang).unit.match(text, gap.end()) if gap and not unit else None
    if after and (known := _unit(after.group())):
        return Numeral(start, after.end(), "number", (value,), known)
    before = None if unit else _CURRENCY.search(text, max(0, start - 4), start)
    if before:
        start, unit = before.start(), currency_code(before.group().strip()) or ""
    return Numeral(start, end, "number", (value,), unit)


def _unit(written: str) -> str:
    """The symbol of a unit or the code of a currency; nothing for other units: the words of those are compared themselves."""
    if is_money(written):
        return currency_code(written) or written.lower()
    if written in ("%", "percent", "per cent", "Prozent"):
        return "%"
    return written if written in symbols() else ""


@cache
def _scale(known: Language) -> re.Pattern[str]:
    scales = sorted(number_words(known.code).scales, key=len, reverse=True)
    return re.compile(rf"[ -](?P<scale>{'|'.join(map(re.escape, scales))})(?!\w)", re.IGNORECASE)
