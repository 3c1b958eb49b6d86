"""Intervals that do not hold their estimate, and ranges whose ends are in the wrong order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from marginalia.annotators.statistics.manuscript import SUBJECT, Finding, Manuscript
from marginalia.annotators.statistics.written import Written, number, read, signed
from marginalia.lang import language
from marginalia.quantities.numerals import FRACTIONS

YEARS = range(1500, 2101)
_LEVEL = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉⁄∕", "01234567890123456789//")
_FRACTION = re.compile(r"(?:(\d+)[\s-])?(\d+)\s?/\s?(\d+)")


@cache
def _interval(lang: str) -> re.Pattern[str]:
    known = language(lang)
    named, to = (known.pattern(SUBJECT, name) for name in ("interval", "to"))
    s = signed(lang)
    join = rf"\s?(?:%\s?)?(?:(?:{to})\s|[–—−-]\s?|;\s?|,\s)\s?"
    unit = r"(?:(?P<in_percent>\s?%)|\s?[^\W\d_/]{1,12}(?:/[^\W\d_]{1,6})?(?:\s[^\W\d_]+){0,2})?"
    return re.compile(
        rf"(?<![\w.,·/–−±-])(?<!±\s)(?P<estimate>{s}){unit}(?:\s?[,;(\[:]\s?|\s[(\[])\s?"
        rf"(?P<name>\d\d(?:[.,]\d)?\s?-?%\s?-?(?:CI|C\.I\.|CrI|KI|{named})(?:\s?\(\w+\))?|IQR|Q1[–-]Q3)[\s:,=]*[(\[]?\s?"
        rf"(?P<low>{s}){join}(?P<high>{s})(?![\d/]|[.,·]\d)\s?(?P<percent>%)?"
    )


def find(source: Manuscript) -> Iterator[Finding]:
    yield from _find_intervals(source)
    yield from _find_ranges(source)


def _find_intervals(source: Manuscript) -> Iterator[Finding]:
    for match in source.matches(_interval(source.lang)):
        estimate, low, high = (
            read(match[name], source.lang) for name in ("estimate", "low", "high")
        )
        if estimate is None or low is None or high is None:
            continue
        values = {name: match[name].strip() for name in ("estimate", "low", "high", "name")}
        if low.value > high.value:
            if not _lost_minus(estimate, low, high):
                yield Finding("interval", *match.span(), source.say("interval_order", **values))
        elif not _holds(estimate, low, high) and not _other_scale(match, estimate, low, high):
            side = "below" if estimate.value < low.value else "above"
            yield Finding("interval", *match.span(), source.say(f"interval_{side}", **values))


def _holds(estimate: Written, low: Written, high: Written) -> bool:
    return estimate.high >= low.low and estimate.low <= high.high


def _lost_minus(estimate: Written, low: Written, high: Written) -> bool:
    """A PDF may lose the minus of the first number: ``95 % CI 0.70–0.20`` around 0.1; of both, the order is turned."""
    if low.is_whole and high.is_whole:
        return False  # counts
    turned = Written(-low.value, low.step)
    return _holds(estimate, turned, high) or (
        estimate.value <= 0 and _holds(Written(-estimate.value, estimate.step), high, low)
    )


def _other_scale(match: re.Match[str], estimate: Written, low: Written, high: Written) -> bool:
    """Whether the number before the interval need not be its estimate: a year, a label, a change given as a ratio or without its sign."""
    value = estimate.value
    if estimate.is_whole and (int(value) in YEARS or not (low.is_whole or match["in_percent"])):
        return True
    others = [-value]
    if match["in_percent"] and not match["percent"]:
        others += [value / 100, 1 - value / 100, 1 + value / 100]
    elif match["percent"] and not match["in_percent"]:
        others.append(value * 100)
    return any(low.low <= other <= high.high for other in others)


@cache
def _range(lang: str) -> re.Pattern[str]:
    known = language(lang)
    spanning, aged, to = (
        known.pattern(SUBJECT, name) for name in ("spanning", "aged_from", "to_or_and")
    )
    plain = number(lang)
    fraction = rf"(?:(?:\d+[\s-])?[\d⁰¹²³⁴-⁹]+\s?[⁄∕/]\s?[\d₀-₉]+|\d*\s?[{''.join(FRACTIONS)}])"
    unit = r"(?P<NAME>\s?[^\W\d_]{1,12})?"
    ends = rf"(?P<low>{fraction}|{plain}){unit.replace('NAME', 'one')}\s(?:{to})\s(?P<high>{fraction}|{plain}){unit.replace('NAME', 'other')}"
    return re.compile(rf"\b(?:(?P<aged>{aged})|{spanning})\s{ends}(?![\d/⁄]|[.,·:]\d)", re.I)


def _find_ranges(source: Manuscript) -> Iterator[Finding]:
    """Of fractions, whose order is easily mistaken, and of ages. Others may run downwards: ``from 100 to 10 ms``, ``between 18 and 12 Ma``."""
    for match in source.matches(_range(source.lang)):
        low, high = (_amount(match[name], source.lang) for name in ("low", "high"))
        if (
            low is None
            or high is None
            or low <= high
            or (match["one"] and match["one"] != match["other"])
        ):
            continue
        if match["aged"] or all(_is_fraction(match[name]) for name in ("low", "high")):
            values = {name: match[name].strip() for name in ("low", "high")}
            yield Finding("range", *match.span(), source.say("range", **values))


def _is_fraction(text: str) -> bool:
    return any(sign in text for sign in ("/", "⁄", "∕", *FRACTIONS))


def _amount(text: str, lang: str) -> Fraction | None:
    plain = text.strip().translate(_LEVEL)
    if plain[-1:] in FRACTIONS:
        whole = plain[:-1].strip()
        return Fraction(*FRACTIONS[plain[-1]]) + (int(whole) if whole.isdecimal() else 0)
    if match := _FRACTION.fullmatch(plain):
        below = int(match[3])
        return Fraction(int(match[2]), below) + int(match[1] or 0) if below else None
    found = read(plain, lang)
    return Fraction(found.value) if found else None
