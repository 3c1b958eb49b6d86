"""Currencies: their signs, codes and names in English and German, and the ISO 4217 code of each.

A sign or name that several countries use has a code only where one reading is the usual one: ``$`` and "dollars" are
US dollars unless a country is named, "francs" and "rupees" stay open.
"""

from __future__ import annotations

import re
from functools import cache

_CODES = (
    "USD EUR GBP JPY CNY CHF CAD AUD NZD HKD SGD TWD INR LKR PKR BRL MXN ARS CLP COP PEN CRC ZAR KRW THB IDR MYR PHP "
    "VND LAK KHR SEK NOK DKK ISK PLN CZK HUF RON BGN RUB UAH TRY GEL ILS AED SAR QAR EGP NGN KES GHS FIM DEM "
    "FRF ESP ITL ATS NLG BEF IEP PTE GRD BTC RMB"
).split()
_COUNTRIES = {
    "USD": "us u.s. u.s american united_states amerikanische us-",
    "CAD": "canadian kanadische",
    "AUD": "australian australische",
    "NZD": "new_zealand neuseeländische neuseeland-",
    "HKD": "hong_kong hongkong-",
    "SGD": "singapore singapur-",
    "TWD": "taiwan taiwan-",
}
_NAMES = {
    "EUR": "euro euros",
    "GBP": "pounds_sterling pound_sterling british_pounds british_pound uk_pounds britische_pfund britischen_pfund pfund_sterling quid",
    "JPY": "yen japanese_yen japanische_yen",
    "CNY": "yuan yuans renminbi rmb kuai chinese_yuan chinesische_yuan",
    "CHF": "swiss_francs swiss_franc schweizer_franken franken",
    "FRF": "french_francs french_franc französische_francs",
    "BEF": "belgian_francs belgian_franc belgische_francs",
    "DEM": "deutschmarks deutschmark deutsche_mark d-mark german_marks german_mark",
    "FIM": "finnish_markka finnish_markkas finnish_marks markka finnische_mark",
    "ESP": "pesetas peseta spanish_pesetas",
    "ITL": "italian_lire italian_lira",
    "NLG": "dutch_guilders guilders guilder dutch_guilder holländische_gulden niederländische_gulden",
    "ATS": "schillings austrian_schillings österreichische_schilling",
    "SEK": "swedish_kronor swedish_krona swedish_crowns schwedische_kronen",
    "NOK": "norwegian_kroner norwegian_krone norwegische_kronen",
    "DKK": "danish_kroner danish_krone dänische_kronen",
    "CZK": "czech_koruna czech_crowns tschechische_kronen",
    "PLN": "zloty zlotys złoty",
    "HUF": "forint forints",
    "RUB": "roubles rubles rouble ruble russian_roubles russian_rubles rubel",
    "UAH": "hryvnia hryvnias",
    "TRY": "turkish_lira turkish_liras türkische_lira",
    "GEL": "lari georgian_lari",
    "ILS": "shekels shekel",
    "INR": "indian_rupees indian_rupee indische_rupien indischen_rupien",
    "LKR": "sri_lankan_rupees sri_lankan_rupee",
    "PKR": "pakistani_rupees pakistani_rupee",
    "MXN": "mexican_pesos mexican_peso mexikanische_pesos",
    "ARS": "argentine_pesos argentinian_pesos",
    "CLP": "chilean_pesos",
    "COP": "colombian_pesos",
    "PHP": "philippine_pesos",
    "BRL": "reais brazilian_reais",
    "CRC": "costa_rican_colones costa_rican_colón colones colón",
    "ZAR": "south_african_rand",
    "KRW": "south_korean_won korean_won",
    "THB": "baht",
    "IDR": "indonesian_rupiah rupiah",
    "MYR": "ringgit malaysian_ringgit",
    "VND": "vietnamese_dong",
    "LAK": "kip lao_kip",
    "KHR": "riel riels cambodian_riel",
    "BTC": "bitcoin bitcoins",
}
_OPEN = "francs franc rupees rupee rupien pesos peso kronor kroner kronen marks lire lira liras"
"""Names of several currencies: no code is written."""
_PARTS = (
    "cent cents penny pennies pence dime dimes nickels pfennig rappen centimes sen satoshi satoshis"
)
"""Parts of a unit: a hundredth, nearly always; of which currency, the words around must say."""
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


_DOLLAR = "dollars?|dollar"
_COUNTRY = _alternatives([word for words in _COUNTRIES.values() for word in words.split()])
_NAMED = _alternatives(
    [
        *(word for words in _NAMES.values() for word in words.split()),
        *_OPEN.split(),
        *_PARTS.split(),
    ]
)
_COMMON = "usd|eur|gbp|jpy|cny|rmb|chf|cad|aud|nzd|hkd|sgd|mxn|inr|brl|btc"
_CODE = rf"(?:{'|'.join(_CODES)}|(?i:{_COMMON}))"
"""Small letters only of the common ones: ``Myr`` and "try" are no money."""
AFTER = (
    rf"(?:(?i:(?:(?:{_COUNTRY})[nrs]?[ \u00a0]?)?(?:{_DOLLAR})|{_NAMED})|(?:M(?=[A-Z]{{3}}\b))?{_CODE}"
    rf"|(?:{_alternatives([sign for sign in _SIGNS if '$' not in sign or sign == '$'])}))(?![^\W_])"
)
"""What names a currency behind a number; a regular expression."""
_GLUED = rf"(?i:u\.?s\.?|c(?:an?)?|a|au|nz|hk|s|nt|mx|r|{_COMMON})"
_APART = rf"(?i:u\.?s\.?|c|au|nz|hk|can|{_COMMON})"
BEFORE = (
    rf"(?:(?<![^\W_])(?:{_GLUED}|{_APART}[ \u00a0])[$]|(?<![^\W_])(?:M(?=[A-Z]{{3}}))?(?i:{_COMMON}|dollar)"
    rf"|{_alternatives(list(_SIGNS))})"
)
"""The same in front of a number: ``$``, ``US$``, ``c $``, ``EUR``, ``MAUD``; in "a $ 5 note" the a is an article."""


@cache
def _known() -> dict[str, str]:
    found = dict.fromkeys([*_OPEN.split(), *_PARTS.split()], "")
    for code, names in _NAMES.items():
        found |= {name.replace("_", " "): code for name in names.split()}
    for code in _CODES:
        found[code.lower()] = found[f"{code.lower()}$"] = "CNY" if code == "RMB" else code
    for sign, code in _SIGNS.items():
        found[sign.lower()] = code
    for code, countries in _COUNTRIES.items():
        for country in countries.split():
            for dollar in ("dollar", "dollars"):
                place = country.replace("_", " ")
                found[f"{place} {dollar}"] = found[f"{place}{dollar}"] = code
    return found | {"dollar": "USD", "dollars": "USD", "us$": "USD", "u.s.$": "USD", "u.s$": "USD"}


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"(?:{AFTER}|{BEFORE})")


def is_money(text: str) -> bool:
    """Whether the text begins with a currency."""
    return _pattern().match(text) is not None


def currency_code(text: str) -> str | None:
    """The ISO 4217 code of a sign, code or name; None where several currencies are called so."""
    low = " ".join(text.lower().split())
    low = re.sub(r"\s(?=[$])", "", low)
    if re.fullmatch(rf"m(?:{_COMMON})", low):  # MEUR: millions of them
        low = low[1:]
    known = _known()
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
