"""Means and standard deviations that no whole numbers can have: GRIM and GRIMMER.

The mean of n whole numbers is a multiple of 1/n (Brown and Heathers 2017, Social Psychological and Personality Science 8). The sum of
their squares is a whole number, odd if and only if their sum is (Anaya 2016; Allard 2018).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache

from marginalia.annotators.statistics.manuscript import Finding, Manuscript
from marginalia.annotators.statistics.written import Written, decimals, number, read, show


def sums(mean: Written, n: int, items: int = 1) -> range:
    """The whole numbers that, divided by n and by the number of items, are written as this mean."""
    low, high = (Fraction(end) * n * items for end in (mean.low, mean.high))
    return range(math.ceil(low), math.floor(high) + 1)


def is_mean(mean: Written, n: int, items: int = 1) -> bool:
    return len(sums(mean, n, items)) > 0


def is_deviation(mean: Written, deviation: Written, n: int, items: int = 1) -> bool:
    """Whether n whole numbers can have this mean and this standard deviation (that of a sample)."""
    for total in sums(mean, n, items):
        centre = Fraction(total) ** 2 / n
        ends = [
            (n - 1) * Fraction(max(end, Decimal(0)) * items) ** 2 + centre
            for end in (deviation.low, deviation.high)
        ]
        first = math.ceil(ends[0])
        first += (first - total) % 2  # the squares' sum is odd where the sum is
        if first <= ends[1]:
            return True
    return False


@cache
def _pattern(lang: str) -> re.Pattern[str]:
    n = number(lang)
    size = r"[Nn]\s?=\s?(?P<NAME>\d{1,4})(?![\d.,]\d)"
    mean = rf"(?<!\w)M\s?=\s?(?P<mean>{n})(?![\d%]|\s?%)(?:\s?[,;]\s?SD\s?=\s?(?P<sd>{n})(?!\d))?"
    return re.compile(
        rf"(?:{size.replace('NAME', 'n')}\s?[,;)]\s?\(?)?{mean}(?:\s?[,;]\s?{size.replace('NAME', 'later')})?"
    )


def find(source: Manuscript) -> Iterator[Finding]:
    """Means with their number of cases beside them, in a sentence that says they are of whole numbers."""
    whole = re.compile(source.pattern("whole_numbers"), re.I)
    averaged = re.compile(source.pattern("averaged"), re.I)
    for match, start, end in source.within(_pattern(source.lang)):
        said = source.text[start:end]
        given = match["n"] or match["later"]
        if not given or not whole.search(said) or averaged.search(said):
            continue
        n, mean = int(given), read(match["mean"], source.lang)
        if n < 2 or mean is None or mean.is_whole:
            continue
        digits, lang = decimals(mean), source.lang
        if not is_mean(mean, n):
            near = round(mean.value * n)
            shown = [
                f"{one}/{n} = {show(Fraction(one, n), digits, lang)}" for one in _around(mean, n)
            ]
            yield Finding(
                "mean", *match.span(), source.say("mean", n=n, near=near, sums=", ".join(shown))
            )
        elif match["sd"]:
            deviation = read(match["sd"], lang)
            if (
                deviation is not None
                and not deviation.is_whole
                and not is_deviation(mean, deviation, n)
            ):
                yield Finding(
                    "mean",
                    *match.span(),
                    source.say("deviation", n=n, mean=match["mean"], sd=match["sd"]),
                )


def _around(mean: Written, n: int) -> tuple[int, int]:
    below = math.floor(Fraction(mean.value) * n)
    return below, below + 1
