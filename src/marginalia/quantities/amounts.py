"""Amounts of money, which a plain reading misses: "$2.1m", "75 USD million", "3 dollars 50".

Offsets stay true: a currency is masked by as many characters before the number is read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from marginalia.quantities import currencies
from marginalia.quantities.numerals import divide, shift, wide
from marginalia.quantities.values import Number, Value, parse_value

PARTS_OF_MONEY = r"(?i:cents?|pence|ct)"
CENTS_IN_ALL = 100
CENTS = r"(?:[1-9]\d|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ][a-z]+)?|[a-zäöüß]+zig)"
_BEFORE = re.compile(rf"{currencies.BEFORE}(?P<blank>\s?)(?=[\d.]*\d)")
_PAID_FOR = re.compile(
    r"(?<!half)(?<!half\s)(?<!of)(?<!of\s)\s?(?:/|(?:per|pro|je|an?)\s)\s?(?:(?:square|cubic|sq\.?|metric)\s)?[^\W\d_]+|-a-[^\W\d_]+"
)
"""Not in "half a million dollars"."""


class _Patterns(NamedTuple):
    cents: re.Pattern[str]
    """``3 euros and 20 cents``."""
    change: re.Pattern[str]
    """``15 dollars 50``."""
    after: re.Pattern[str]


def _patterns() -> _Patterns:
    return _compiled(currencies.after())


@cache
def _compiled(after: str) -> _Patterns:
    gap = r"(?:\s|,\s|\sand\s|\sund\s)"
    return _Patterns(
        re.compile(
            rf"(?P<first>.+?(?:\s|(?<=\d))(?i:dollars?|euros?|{after})){gap}(?P<second>\S.*?)\s?(?:{PARTS_OF_MONEY})\Z"
        ),
        re.compile(rf"(?P<first>.+?\s(?:{after}))(?:\s|\sand\s|\sund\s)(?P<second>{CENTS})\Z"),
        re.compile(rf"(?<=[\d\s-]){after}"),
    )


def _with_cents(quote: str, language: str) -> Value | None:
    """``15 dollars 50`` and ``3 euros and 20 cents``; else None."""
    match = _patterns().cents.fullmatch(quote) or _patterns().change.fullmatch(quote)
    if match is None:
        return None
    first, second = (parse_value(match[name], language=language) for name in ("first", "second"))
    if first.kind != "number" or second.kind != "number" or first.low is None or second.low is None:
        return None
    if not 0 <= second.low < CENTS_IN_ALL:
        return None
    value = wide(40).add(first.low, divide(second.low, Decimal(CENTS_IN_ALL)))
    return replace(first, numbers=(Number(0, len(quote), value),), low=value, high=value)


def parse_amount(quote: str, *, language: str = "en") -> Value:
    """An amount of money: ``$2.1m``, ``75 USD million``, ``MEUR 5``, ``three quarters billion dollars``."""
    if (both := _with_cents(quote, language)) is not None:
        return both
    millions = False

    def mask(match: re.Match[str]) -> str:
        nonlocal millions
        millions |= currencies.is_millions(match.group().strip())
        return " " * (len(match.group()) - 1) + "$"

    masked = _BEFORE.sub(mask, _PAID_FOR.sub(lambda match: " " * len(match.group()), quote))
    masked = _patterns().after.sub(
        lambda match: mask(match)[:-1] + " " if match.group() != "$" else "$", masked
    )
    value = parse_value(masked, language=language)
    if not millions:
        return value
    low, high = (None if bound is None else shift(bound, 6) for bound in (value.low, value.high))
    return replace(value, low=low, high=high, power=value.power + 6)
