"""Values that a plain reading misses: amounts of money, and two units in one ("5 feet 2 inches").

Offsets stay true: a currency is masked by as many characters before the number is read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from marginalia.tasks.measurement.quantities import currencies
from marginalia.tasks.measurement.quantities.numerals import divide, shift, wide
from marginalia.tasks.measurement.quantities.values import Number, Value, parse_value

_HOUR, _MINUTE = r"hours?|hrs?|h|Stunden?|Std\.?", r"minutes?|mins?|Minuten?|Min\."
PARTS = (
    (r"feet|foot|ft\.?", r"inches|inch|in\.?", 12),
    (r"pounds?|lbs?\.?", r"ounces?|oz\.?", 16),
    (r"stone", r"pounds?|lbs?\.?", 14),
    (rf"dollars?|euros?|{currencies.AFTER}", r"cents?|pence|ct", 100),
    (_HOUR, _MINUTE, 60),
    (_MINUTE, r"seconds?|secs?|s|Sekunden?|Sek\.", 60),
)
"""A unit, its part, and how many of these it has."""
COMMA_PARTS = 4
"""So many of them may have a comma between: "5 feet, 2 inches"; "24 h, 30 min" are two times."""
_PAIRS = [
    (
        re.compile(
            rf"(?P<first>.+?(?:\s|(?<=\d))(?i:{whole}))(?:\s|,\s|\sand\s|\sund\s)(?P<second>\S.*?)\s?(?P<part>(?i:{part}))\Z"
        ),
        many,
    )
    for whole, part, many in PARTS
]
CENTS = r"(?:[1-9]\d|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ][a-z]+)?|[a-zäöüß]+zig)"
_CHANGE = re.compile(
    rf"(?P<first>.+?\s(?:{currencies.AFTER}))(?:\s|\sand\s|\sund\s)(?P<second>{CENTS})\Z"
)
"""``15 dollars 50``."""
_BEFORE = re.compile(rf"{currencies.BEFORE}(?P<blank>\s?)(?=[\d.]*\d)")
_AFTER = re.compile(rf"(?<=[\d\s-]){currencies.AFTER}")
_PAID_FOR = re.compile(
    r"(?<!half)(?<!half\s)(?<!of)(?<!of\s)\s?(?:/|(?:per|pro|je|an?)\s)\s?[^\W\d_]+|-a-[^\W\d_]+"
)
"""Not in "half a million dollars"."""


def parse_pair(quote: str, *, language: str = "en") -> Value | None:
    """The value in the first unit, if the quote has one unit and its part; else None."""
    for pattern, many in [*_PAIRS, (_CHANGE, 100)]:
        match = pattern.fullmatch(quote)
        if match is None:
            continue
        first, second = (
            parse_value(match[name], language=language) for name in ("first", "second")
        )
        if (
            first.kind != "number"
            or second.kind != "number"
            or first.low is None
            or second.low is None
        ):
            return None
        if not 0 <= second.low < many:
            return None
        value = wide(40).add(first.low, divide(second.low, Decimal(many)))
        return replace(first, numbers=(Number(0, len(quote), value),), low=value, high=value)
    return None


def parse_amount(quote: str, *, language: str = "en") -> Value:
    """An amount of money: ``$2.1m``, ``75 USD million``, ``MEUR 5``, ``three quarters billion dollars``."""
    if (pair := parse_pair(quote, language=language)) is not None:
        return pair
    millions = False

    def mask(match: re.Match[str]) -> str:
        nonlocal millions
        millions |= currencies.is_millions(match.group().strip())
        return " " * (len(match.group()) - 1) + "$"

    masked = _BEFORE.sub(mask, _PAID_FOR.sub(lambda match: " " * len(match.group()), quote))
    masked = _AFTER.sub(
        lambda match: mask(match)[:-1] + " " if match.group() != "$" else "$", masked
    )
    value = parse_value(masked, language=language)
    if not millions:
        return value
    low, high = (None if bound is None else shift(bound, 6) for bound in (value.low, value.high))
    return replace(value, low=low, high=high, power=value.power + 6)
