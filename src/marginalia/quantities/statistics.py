"""What is said of an estimate right behind it: standard deviation, interval, p-value and number of cases.

``hazard ratio 0.81 (95 % CI 0.70 to 0.94, p = .004)`` is one result: the numbers in the bracket say how sure
the first one is, and measure nothing of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import NamedTuple

from marginalia import lang
from marginalia.quantities.lexicon import lexicon

NAME_WINDOW = 60
"""Characters before an estimate in which its name stands."""


class Patterns(NamedTuple):
    """What is looked for behind an estimate, with the numbers of a language."""

    interval: re.Pattern[str]
    bare: re.Pattern[str]
    """An interval in brackets that nothing names: "odds ratio 2.3 [1.2, 4.5]"."""
    deviation: re.Pattern[str]
    kind: re.Pattern[str]
    """What the tolerance before it is: "12 ± 2 kg (SEM)"."""
    spread: re.Pattern[str]
    """What ± stands for in the whole text: "values are mean ± SD"."""
    p: re.Pattern[str]
    between: re.Pattern[str]
    """Before each of them."""


@cache
def _patterns(language: lang.Language) -> Patterns:
    words = lexicon(language.code)
    intervals, quartiles, ranges, deviations, errors, means, of_mean, values, ages = (
        words.pattern("numbers", name, table="statistics")
        for name in ("interval", "interquartile", "range", "deviation", "error", "mean", "of_the_mean", "value", "age")
    )  # fmt: skip
    to = rf"\s?(?:\b(?:{words.any_of('numbers', 'to')}|and)\b|[–—,;-])\s?"
    point = "[.,·]" if words.decimal == "," else "[.·]"
    number = rf"[-−]?(?:\d+(?:{point}\d+)?|\.\d+)"
    ends = rf"(?P<low>{number})\s?%?{to}(?P<high>{number})(?!{point}?\d)\s?%?"
    kinds = rf"(?:(?P<error>SEM|SE|s\.e\.m\.|s\.e\.|{errors})|SD|s\.d\.|{deviations})"
    return Patterns(
        re.compile(
            rf"(?:(?P<level>\d\d(?:\.\d)?)\s?-?%\s?-?(?:CI|C\.I\.|CrI|{intervals})"
            rf"|(?P<quartiles>IQR|Q1[–-]Q3|{quartiles})|(?:{ranges}))[\s:,=]*[\[(]?\s?{ends}[\])]?",
            re.IGNORECASE,
        ),
        re.compile(rf"(?<=[\[(]){ends}(?=[\])])"),
        re.compile(rf"{kinds}[\s:=,]*(?:of\s|±\s?)?(?P<size>{number})(?!{point}?\d|%)"),
        re.compile(rf"(?:(?:{means})\s?±\s?)?{kinds}(?:{of_mean})?(?=\s?[,;)\]])"),
        re.compile(rf"(?:±|\+/-)\s?(?:the\s|one\s|1\s)?{kinds}(?!\w)", re.IGNORECASE),
        re.compile(
            rf"[pP](?:[- ]?(?:{values}))?\s?(?P<sign>[=<>≤≥])\s?(?P<size>{number})(?!{point}?\d)"
        ),
        re.compile(rf"(?:\s(?:{ages})\b)?\s?[,;:]?\s?[(\[]?\s?"),
    )


_N = re.compile(r"[nN]\s?=\s?(?P<size>\d{1,3}(?:,\d{3})+|\d+)(?!\.?\d)")
_CLOSE = re.compile(r"\s?[)\]]")
_BLANK_BEHIND = re.compile(r"(?<=[)\]])\s")
_NAMES = re.compile(
    r"(?<![^\W_])(?P<name>(?i:hazard ratios?|odds ratios?|risk ratios?|rate ratios?|relative risks?|mean differences?|correlations?|correlation coefficients?)|"
    r"Cohen[’']s d|a?HR|a?OR|a?RR|IRR|SMD|MD|AUC|Pearson[’']s r|R2|R²|[rtFβ]|χ2|χ²)"
    r"(?:\s?\[[^\]]{0,12}\]|\s?\([^)]{0,12}\))?\s?(?:was|is|of|for [\w -]{1,30}? was|=|:|,)?\s?\Z"
)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What stands behind an estimate; ``end`` is where it ends in the text."""

    end: int
    name: str | None = None
    """Of the estimate: ``hazard ratio``."""
    deviation: Decimal | None = None
    deviation_kind: str | None = None
    """``SD`` or ``SE``."""
    low: Decimal | None = None
    high: Decimal | None = None
    interval_kind: str | None = None
    """``CI``, ``IQR`` or ``range``."""
    level: Decimal | None = None
    """Of a confidence interval, in per cent."""
    p: str | None = None
    """As a bound: ``< 0.001``, ``= 0.004``."""
    n: int | None = None
    unit: tuple[int, int] | None = None
    """Behind the bracket: "12.3 (SD 2.1) years"."""

    def holds(self, value: Decimal | None) -> bool:
        """Whether the value lies in the interval, where there are both, and that is in order."""
        if value is None or self.low is None or self.high is None:
            return True
        return self.low <= value <= self.high


def read_statistics(text: str, start: int, end: int, language: str = "en") -> Statistics | None:
    """What is said of the estimate ``text[start:end]``; None if nothing is."""
    found: dict[str, object] = {}
    place, patterns = end, _patterns(lang.language(language))
    name = _NAMES.search(text, max(0, start - NAME_WINDOW), start)
    while between := patterns.between.match(text, place):
        at = between.end()
        if at == place:
            break
        if (match := patterns.interval.match(text, at)) and "low" not in found:
            low, high = _decimal(match["low"]), _decimal(match["high"])
            found |= {"low": low, "high": high, "interval_kind": _interval(match)}
            found["level"] = Decimal(match["level"]) if match["level"] else None
        elif name and "low" not in found and (match := patterns.bare.match(text, at)):
            low, high = _decimal(match["low"]), _decimal(match["high"])
            if low >= high:
                break
            found |= {"low": low, "high": high}
        elif (match := patterns.deviation.match(text, at)) and "deviation" not in found:
            found |= {"deviation": _decimal(match["size"]), "deviation_kind": _deviation(match)}
        elif (match := patterns.kind.match(text, at)) and "deviation_kind" not in found:
            found["deviation_kind"] = _deviation(match)
        elif (match := patterns.p.match(text, at)) and "p" not in found:
            found["p"] = f"{match['sign']} {_decimal(match['size'])}"
        elif (match := _N.match(text, at)) and "n" not in found:
            found["n"] = int(match["size"].replace(",", ""))
        else:
            break
        place = match.end()
    if not found:
        return None
    if (closed := _CLOSE.match(text, place)) and text.count("(", end, place) + text.count(
        "[", end, place
    ):
        place = closed.end()
    blank = _BLANK_BEHIND.match(text, place)
    unit = lexicon(language).unit.match(text, blank.end()) if blank else None
    return Statistics(
        place,
        name=name["name"] if name else None,
        unit=unit.span() if unit else None,
        **found,  # type: ignore[arg-type] # one name for each field
    )


@lru_cache(maxsize=2)
def read_spread(text: str, language: str = "en") -> str | None:
    """``SD`` or ``SE`` where a text says what ± stands for in it, and says nothing else elsewhere."""
    found = {
        _deviation(match) for match in _patterns(lang.language(language)).spread.finditer(text)
    }
    return found.pop() if len(found) == 1 else None


def _interval(match: re.Match[str]) -> str:
    if match["level"]:
        return "CI"
    return "IQR" if match["quartiles"] else "range"


def _deviation(match: re.Match[str]) -> str:
    return "SE" if match["error"] else "SD"


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace("−", "-").replace("·", ".").replace(",", "."))
