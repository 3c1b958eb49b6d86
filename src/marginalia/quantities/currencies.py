"""Currencies: their signs, codes and names, and the ISO 4217 code of each.

A sign or name that several countries use has a code only where one reading is the usual one: ``$`` and "dollars" are
US dollars unless a country is named, "francs" and "rupees" stay open.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from marginalia import lang

_CODES = (
    "USD EUR GBP JPY CNY CHF CAD AUD NZD HKD SGD TWD INR LKR PKR BRL MXN ARS CLP COP PEN CRC ZAR KRW THB IDR MYR PHP "
    "VND LAK KHR SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH TRY GEL ILS AED SAR QAR EGP NGN KES GHS FIM DEM "
    "FRF ESP ITL ATS NLG BEF IEP PTE GRD BTC RMB"
).split()
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "₤": "GBP", "¥": "", "￥": "", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY",
          "₪": "ILS", "฿": "THB", "₫": "VND", "₴": "UAH", "₱": "PHP", "₦": "NGN", "₡": "CRC", "₿": "BTC", "₾": "GEL", "₭": "LAK",
          "៛": "KHR", "ரூ": "LKR", "R$": "BRL", "US$": "USD", "U.S.$": "USD", "C$": "CAD", "CA$": "CAD", "CAN$": "CAD", "A$": "AUD",
          "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "NT$": "TWD", "MX$": "MXN"}  # fmt: skip
SIGNS = "$€£¥₹₩₽₺₪₿"
"""One character that makes the m or k behind its number a million or a thousand."""
SIGNS_AND_BLANKS = frozenset("".join(_SIGNS) + " \u00a0")
SCALE_LETTERS = {
    "k": 3,
    "m": 6,
    "mn": 6,
    "mm": 6,
    "mio": 6,
    "b": 9,
    "bn": 9,
    "mrd": 9,
    "t": 12,
    "tn": 12,
}
"""Behind an amount of money: ``$2.1m``, ``€3bn``, ``$2.174T``."""


def _alternatives(words: list[str]) -> str:
    order = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace("_", "[ \u00a0]") for word in order)


_COMMON = "usd|eur|gbp|jpy|cny|rmb|chf|cad|aud|nzd|hkd|sgd|mxn|inr|brl|btc"
_CODE = rf"(?:{'|'.join(_CODES)}|(?i:{_COMMON}))"
"""Small letters only of the common ones: ``Myr`` and "try" are no money."""
_GLUED = rf"(?i:u\.?s\.?|c(?:an?)?|a|au|nz|hk|s|nt|mx|r|{_COMMON})"
_APART = rf"(?i:u\.?s\.?|c|au|nz|hk|can|{_COMMON})"
BEFORE = (
    rf"(?:(?<![^\W_])(?:{_GLUED}|{_APART}[ \u00a0])[$]|(?<![^\W_])(?:M(?=[A-Z]{{3}}))?(?i:{_COMMON}|dollar)"
    rf"|{_alternatives(list(_SIGNS))})"
)
"""The same in front of a number: ``$``, ``US$``, ``c $``, ``EUR``, ``MAUD``; in "a $ 5 note" the a is an article."""


class _Names(NamedTuple):
    """What currencies are called in all known languages."""

    codes: dict[str, str]
    """Name -> code; empty where several countries have it."""
    after: str
    """What names a currency behind a number; a regular expression."""
    pattern: re.Pattern[str]


def after() -> str:
    """What names a currency behind a number; a regular expression."""
    return _names().after


def _names() -> _Names:
    return _named(tuple(lang.language(code) for code in lang.known_languages()))


@cache
def _named(languages: tuple[lang.Language, ...]) -> _Names:
    codes: dict[str, str] = {}
    countries: dict[str, str] = {}
    dollars: list[str] = []
    for known in languages:
        for code, listed in known.table("units", "currencies").items():
            if code == "dollar":
                dollars += listed.split()
            else:
                codes |= dict.fromkeys(listed.split(), code if code.isupper() else "")
        for code, listed in known.table("units", "dollars").items():
            countries |= dict.fromkeys(listed.split(), code)
    named, dollar = _alternatives(list(codes)), _alternatives(dollars)
    signs = _alternatives([sign for sign in _SIGNS if "$" not in sign or sign == "$"])
    after = (
        rf"(?:(?i:(?:(?:{_alternatives(list(countries))})[nrs]?[ \u00a0]?)?(?:{dollar})|{named})|(?:M(?=[A-Z]{{3}}\b))?{_CODE}"
        rf"|(?:{signs}))(?![^\W_])"
    )
    found = {name.replace("_", " "): code for name, code in codes.items()}
    for code in _CODES:
        found[code.lower()] = found[f"{code.lower()}$"] = "CNY" if code == "RMB" else code
    for sign, code in _SIGNS.items():
        found[sign.lower()] = code
    for country, code in countries.items():
        place = country.replace("_", " ")
        for name in dollars:
            found[f"{place} {name}"] = found[f"{place}{name}"] = code
    found |= dict.fromkeys(dollars, "USD") | {"us$": "USD", "u.s.$": "USD", "u.s$": "USD"}
    return _Names(found, after, re.compile(rf"(?:{after}|{BEFORE})"))


def is_money(text: str) -> bool:
    """Whether the text begins with a currency."""
    return _names().pattern.match(text) is not None


def currency_code(text: str) -> str | None:
    """The ISO 4217 code of a sign, code or name; None where several currencies are called so."""
    low = " ".join(text.lower().split())
    low = re.sub(r"\s(?=[$])", "", low)
    if re.fullmatch(rf"m(?:{_COMMON})", low):  # MEUR: millions of them
        low = low[1:]
    known = _names().codes
    for form in (
        low,
        re.sub(r"([a-zäöü]{4,}?)e[nrs]? (dollar|pfund|rupien|franken)", r"\1e \2", low),
    ):
        if form in known:
            return known[form] or None
    return None


def is_millions(text: str) -> bool:
    """``MEUR`` and ``MAUD`` are millions."""
    return re.fullmatch(rf"M(?:{_COMMON.upper()})", text) is not None
