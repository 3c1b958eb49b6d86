"""Numbers and dates in a text, with their offsets and values, in English and German."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from marginalia.nlp.tokens import words

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january januar jan", "february februar feb", "march märz mar", "april apr", "may mai",
         "june juni jun", "july juli jul", "august aug", "september sept sep",
         "october oktober oct okt", "november nov", "december dezember dec dez"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_WEEKDAYS = {
    name: number
    for number, names in enumerate(
        ("monday montag", "tuesday dienstag", "wednesday mittwoch", "thursday donnerstag",
         "friday freitag", "saturday samstag sonnabend", "sunday sonntag"),
    )
    for name in names.split()
}  # fmt: skip


def _names(known: dict[str, int]) -> str:
    # Only with a capital: "may" and "march" are verbs too.
    return "|".join(name.capitalize() for name in sorted(known, key=len, reverse=True))


_YEAR = r"(?:1[0-9]\d\d|20\d\d)"
_DATE = re.compile(
    rf"""
    (?<![\w.,])(?:
      (?P<y1>{_YEAR})-(?P<m1>\d\d)-(?P<d1>\d\d)
    | (?P<d2>\d\d?)\.(?P<m2>\d\d?)\.(?P<y2>{_YEAR})
    | (?P<d3>\d\d?)(?:st|nd|rd|th|\.)?\ (?:of\ )?(?P<m3>{_names(_MONTHS)})\b\.?(?:,?\ (?P<y3>{_YEAR})\b)?
    | (?P<m4>{_names(_MONTHS)})\b\.?(?:\ (?P<d4>\d\d?)(?:st|nd|rd|th)?(?!\d))?(?:,?\ (?P<y4>{_YEAR})\b)?
    | (?P<w5>{_names(_WEEKDAYS)})s?\b
    | (?P<y6>{_YEAR})(?P<s6>s?)(?![\w]|[.,]\d|\s?(?:%|percent|million|billion|[$€£]))
    )""",
    re.VERBOSE,
)
_DIGITS = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?:(?P<th>st|nd|rd|th)\b)?", re.IGNORECASE)
_BEFORE = re.compile(r"(?:US\$|[$€£¥]|EUR|USD)\s?$")
_AFTER = re.compile(
    r"[\s-]?(?:(?P<percent>%|(?:percent|per cent|prozent)\b)"
    r"|(?P<unit>[$€£¥]|°\s?[CF]|(?:dollars?|euros?|pounds?|[kmcµ]?m|[kmµ]?g|[mk]?l|km/h|mph|kwh|mw)\b))",
    re.IGNORECASE,
)
_CURRENCIES = {"US$": "$", "USD": "$", "EUR": "€", "dollar": "$", "euro": "€", "pound": "£"}
_SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "mln": 1e6, "billion": 1e9, "bn": 1e9,
    "trillion": 1e12, "hundert": 1e2, "tausend": 1e3, "mio": 1e6, "millionen": 1e6, "mrd": 1e9,
    "milliarde": 1e9, "milliarden": 1e9, "billionen": 1e12,
}  # fmt: skip
_SCALE = re.compile(rf"[ -](?P<scale>{'|'.join(sorted(_SCALES, key=len, reverse=True))})\b", re.I)

_CARDINALS = (
    # "one" and "eins" are left out: they are pronouns more often than numbers.
    *((word, n) for n, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split(), 2)),
    *((word, n) for n, word in enumerate(
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
        "siebzehn achtzehn neunzehn zwanzig".split(), 2)),
    *((word, 10 * n) for n, word in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)),
    *((word, 10 * n) for n, word in enumerate("dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split(), 3)),
    ("zero", 0), ("null", 0), ("dozen", 12), ("dutzend", 12),
)  # fmt: skip
NUMBER_WORDS = {word: float(value) for word, value in _CARDINALS}
ORDINAL_WORDS = {
    word: float(number)
    for number, forms in enumerate(
        ("first erste ersten erster", "second zweite zweiten zweiter", "third dritte dritten dritter",
         "fourth vierte vierten vierter", "fifth fünfte fünften fünfter"),
        start=1,
    )
    for word in forms.split()
}  # fmt: skip
_TENS = {word: value for word, value in NUMBER_WORDS.items() if value >= 20 and value % 10 == 0}
_ONES = {word: value for word, value in NUMBER_WORDS.items() if 1 < value < 10} | {"one": 1.0}


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
    found = list(_dates(text))
    taken = [(one.start, one.end) for one in found]
    for one in (*_figures(text, lang), *_words(text)):
        if all(one.end <= start or one.start >= end for start, end in taken):
            found.append(one)
            taken.append((one.start, one.end))
    return tuple(sorted(found, key=lambda one: one.start))


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


def _dates(text: str) -> Iterator[Numeral]:
    for match in _DATE.finditer(text):
        part = {name: value for name, value in match.groupdict().items() if value}
        if "w5" in part:
            weekday = float(_WEEKDAYS[part["w5"].lower()])
            yield Numeral(*match.span(), "date", (None, None, None, weekday))
            continue
        fields = {name[0]: each for name, each in part.items()}
        month = fields.get("m", "").lower()
        number = _MONTHS.get(month) or (int(month) if month.isdigit() else None)
        day = int(fields["d"]) if "d" in fields else None
        if (number or 1) > 12 or (day or 1) > 31:
            continue
        year = float(fields["y"]) if "y" in fields else None
        value = (year, None if number is None else float(number), day and float(day), None)
        yield Numeral(*match.span(), "date", value, fields.get("s", ""))


def _figures(text: str, lang: str) -> Iterator[Numeral]:
    for match in _DIGITS.finditer(text):
        ordinal = bool(match["th"])
        digits = match.group()[:-2] if ordinal else match.group()
        yield _whole(text, match.start(), match.end(), read(digits, lang), "th" if ordinal else "")


def _words(text: str) -> Iterator[Numeral]:
    for match in words(text):
        word = match.group().lower()
        if word in ORDINAL_WORDS:
            yield Numeral(*match.span(), "number", (ORDINAL_WORDS[word],), "th")
            continue
        value = NUMBER_WORDS.get(word)
        if value is None and "-" in word:
            ten, _, one = word.partition("-")
            value = _TENS[ten] + _ONES[one] if ten in _TENS and one in _ONES else None
        if value is not None:
            yield _whole(text, *match.span(), value, "")


def _whole(text: str, start: int, end: int, value: float, unit: str) -> Numeral:
    """With the word for thousands or millions after it, and its unit."""
    scale = _SCALE.match(text, end)
    if scale:
        value, end = value * _SCALES[scale["scale"].lower()], scale.end()
    before, after = _BEFORE.search(text[max(0, start - 4) : start]), _AFTER.match(text, end)
    if after and not unit:
        unit = "%" if after["percent"] else after["unit"].lower().rstrip("s")
        end = after.end()
    elif before and not unit:
        unit = before.group().strip()
        start -= len(before.group())
    return Numeral(start, end, "number", (value,), _CURRENCIES.get(unit, unit))


def read(digits: str, lang: str = "en") -> float:
    """The value of a number in digits: ``2,000`` is 2000 in English, ``2.000`` in German."""
    thousands, point = (".", ",") if lang == "de" else (",", ".")
    if re.fullmatch(rf"\d{{1,3}}(?:\{thousands}\d{{3}})+(?:\{point}\d+)?", digits):
        digits = digits.replace(thousands, "")
    digits = digits.replace(",", ".")
    if digits.count(".") > 1:  # 1.2.3 is no number; its digits still compare
        digits = digits.replace(".", "")
    return float(digits[:300])
