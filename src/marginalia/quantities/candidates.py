"""Candidates for quantities: the numbers of a text, each with the unit after it.

Whatever else has digits is read by the same regular expression, so that it is skipped: figures and
sections, references, names, formulae, telephone numbers, times of day, web addresses.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import NamedTuple

from marginalia import lang
from marginalia.quantities import currencies
from marginalia.quantities.compounds import FEET_AND_INCHES
from marginalia.quantities.dates import months
from marginalia.quantities.lexicon import BLANK, DASH, POWER, lexicon
from marginalia.quantities.non_quantities import NAME, YEAR, label, non_quantities
from marginalia.quantities.numerals import SIDES


class Candidate(NamedTuple):
    """``text[start:end]`` is a number with its unit, or several that are joined; ``unit`` says where that is."""

    kind: str
    """Of the first number: the group of the pattern that read it, or ``year``."""
    start: int
    end: int
    unit: tuple[int, int] | None
    first_end: int
    """Where the first number ends; ``end``, if it is the only one."""
    joints: frozenset[str] = frozenset()
    """How the numbers are joined: ``range``, ``list``, ``tolerance``, ``size``."""


_ANGLE = r"\d{1,3}°\d{1,2}[’'′](?:\d{1,2}(?:\.\d+)?(?:[”\"″]|[’'′]{2}))?[NSEW]?"
_SLASH = rf"{BLANK}?[/⁄∕]{BLANK}?"
_FRACTION = (
    rf"\d{{1,3}}{BLANK}[1-9]\d?{_SLASH}[1-9]\d?(?!{_SLASH}\d|\d)"
    rf"|\d{{1,2}}{DASH}[1-9]\d?{_SLASH}(?:2|3|4|8|16|32|64)(?!{_SLASH}\d|\d)"
    rf"|(?:\d{{1,3}}{BLANK}?)?[¹²³⁴-⁹]{{1,2}}[/⁄∕][\d₁-₉]{{1,2}}"
    rf"|\d{{1,2}}{BLANK}[/⁄∕]{BLANK}\d{{1,3}}(?!{_SLASH}\d|[\d.,]*\d)"
)
"""``2 1/2``, ``1-1/2``, ``2 ¹⁄₄``, ``1 / 4``."""
_BY = r"\d+(?:\.\d+)?(?:-by-\d+(?:\.\d+)?){1,2}"
"""``4-by-6``-foot."""
_SKIPPED = frozenset({"over", "label", "name", "rest"})
_GAP = re.compile(rf"{BLANK}{{1,2}}|-|")
"""What may stand between a number and its unit."""
_TIED = re.compile(r"[-‐]?[^\W\d_]|_")  # "3D", "12-lead", "two-dimensional"
_AMOUNT = re.compile(
    rf"{BLANK}?(?i:{'|'.join(sorted(currencies.SCALE_LETTERS, key=len, reverse=True))})(?![\w.]\w)(?!\w)"
)
"""``£2.1m`` is money."""
_MONEY = re.compile(rf"{currencies.BEFORE}{BLANK}?\Z")
_MONEY_WINDOW = 10
"""Characters before a number that may name its currency."""
_CODED = re.compile(r"(?:M?[A-Z]{3})(?=\d)")
_PER = re.compile(
    rf"{BLANK}?(?:/|(?:per|pro|je|a|an){BLANK}){BLANK}?(?:(?:square|cubic|sq\.?|metric){BLANK})?[^\W\d_]+(?![^\W_]|{BLANK}(?:earlier|ago|later|before)\b)|-a-[^\W\d_]+"
)
"""What an amount of money is paid for: "$350 per kg", "€ 3/kg", "98 cents a share"."""
_RANGE = re.compile(  # in "100 keV–1 MeV" the dash is no minus
    rf"{BLANK}?(?P<unit>[fpnuµμmcdhkMG]?(?P<base>[^\W\d_]{{1,3}})){DASH}"
    rf"(?=[1-9]{BLANK}?[fpnuµμmcdhkMGT]?(?P=base)(?![^\W_]))"
)
DOUBT_WINDOW = 60
"""Characters before a number that are searched for words which speak for a doubtful unit; half as many behind it."""
_BRACKET = re.compile(rf"{BLANK}?(?P<open>[(\[])(?=\w\w|%[)\]])")
_MAX_BRACKETED, _MAX_CLOSED = 120, 3
"""Characters and closing brackets among which the end of a bracketed unit is looked for."""
_DOUBTFUL = re.compile(
    rf"(?:{BLANK}?(?P<unit>[CFb](?![\w'’+-])|(?<={BLANK})am(?!\w)|(?<=\d)[\"″](?!\w)|(?<={BLANK})in(?=\.?\s*(?:\Z|[,;)x×]|[–-]\s?\d|to\s\d|and\s\d|by\b|long|wide|deep|high|thick|tall|in\b))))"
)
_HEAT = re.compile(
    r"(?i:temperatur|weather|\b(?:cold|hot|warm|cool|heat|freez|boil|melt|oven|fever|room temp|kalt|heiß)|°)|(?<![\w)–-])[-−]\d+(?:\.\d+)?[CF]"
)
_SPEAKS_FOR = {
    "C": _HEAT,
    "F": _HEAT,
    "in": re.compile(
        r"(?i)\b(?:ft|feet|foot|length|long|wide|width|height|high|tall|diameter|thick\w*|deep|depth|size|measur\w+|distance|screen|pipe)\b"
    ),
    "am": re.compile(r"(?i)\b(?:length|size|distance|radius|displacement)\b"),
    "b": re.compile(
        r"(?i)\b(?:packets?|data|information|memory|server|byte|bits?|cross[- ]sections?|nuclear|neutrons?|physics|scattering)\b"
    ),
}
_SINGULAR = re.compile(
    rf"{BLANK}(?:foot|year|day|hour|inch|mile|week|month|minute|century|decade|pound|ton|yard)(?:-old{BLANK}|{BLANK}|-old{BLANK}[a-z]+{BLANK})(?!(?:across|as|is|was|has|its|less|plus|this|thus|towards|versus|perhaps|always)\b)[a-z]+s\b"
)
"""After "two" these belong to the noun: "two foot nodes", "four century-old schooners"."""
_AND_A_HALF = re.compile(rf"{BLANK}and{BLANK}a{BLANK}(?:half|quarter)(?![\w-])")
"""Behind a unit: "a mile and a half"."""
_SHARE_OF = re.compile(
    rf"(?:thirds?|quarters?|half|fifths?|tenths?|eighths?){BLANK}of{BLANK}an?{BLANK}"
)
_PLUS_MINUS = re.compile(rf"{BLANK}?±")
_IS_YEAR = re.compile(YEAR)
_GLUED = {
    "H": re.compile(r"\d\Z"),
    "d": re.compile(r"(?:\.\d|(?<!\d)[1-4])\Z"),
    "s": re.compile(
        r"\b(?:the|mid|early|late|low|high|upper|lower|his|her|their)[ -]\d0\Z|\b(?:all|only|[01]s (?:and|or|to|by))[ -][01]\Z"
        r"|\b(?:column|row|vector|matrix|string|sequence|series|number|pattern|mask|block|lot|bunch|list)s?[ ]of[ ][01]\Z|\b[01]\Z(?=s (?:and|or) [01]s\b)"
    ),
}
_FEET = re.compile(r"\d['’′]\s?[\d.]+\Z")
_FEET_AND_INCHES = re.compile(FEET_AND_INCHES)


def _date(language: str) -> str:
    names = "|".join(map(re.escape, sorted(months(language, short=False), key=len, reverse=True)))
    return (
        rf"\b(?:\d{{1,2}}(?:st|nd|rd|th|\.)?{BLANK}(?:of{BLANK})?)?(?:{names})"
        rf"(?:{BLANK}\d{{1,2}}(?:st|nd|rd|th)?,?)?{BLANK}\d{{4}}(?!\w)"
        rf"|\b\d{{1,2}}\.\d{{1,2}}\.\d{{4}}(?!\w)|\b\d{{4}}-\d\d-\d\d(?!\w)"
        rf"|\b(?:{names}){BLANK}\d{{1,2}}(?!\w)|\b\d{{1,2}}\.?{BLANK}(?:{names})\b"
    )


@cache
def _number(language: lang.Language) -> re.Pattern[str]:
    words = lexicon(language.code)
    return re.compile(rf"{words.numeral}(?:{BLANK}(?:{words.scales})(?!\w))?")


@cache
def _more_money(language: lang.Language) -> re.Pattern[str]:
    """``75 USD million``."""
    return re.compile(rf"{BLANK}(?:{lexicon(language.code).scales})(?!\w)")


@cache
def _pattern(language: lang.Language) -> re.Pattern[str]:
    """What is no quantity comes first; atomic groups keep "12" from being read out of "123D"."""
    words = lexicon(language.code)
    number = rf"(?:{_FRACTION}|{_BY}|{SIDES}|\d+(?:[:/⁄∕]\d+)+|{words.numeral}(?:{POWER})?(?:{BLANK}(?:{words.scales})(?!\w))?)"
    word = rf"(?i:{words.number_words})"
    return re.compile(
        rf"(?P<clock>\b\d{{1,2}}:\d\d(?::\d\d)?(?={BLANK}(?:UT|GMT)))|(?P<date>{_date(language.code)})"
        rf"|(?P<over>{non_quantities(words)})"
        rf"|(?P<label>{label(words)})|(?P<place>{_ANGLE}(?:[,;]?\s{_ANGLE})?)|(?P<name>{NAME})"
        rf"|(?P<digits>(?<![\w.,)\]∆Δ])(?>{number}))"
        rf"|(?P<bracketed>\({number}{BLANK}?[–±-]{BLANK}?{number}\)(?:{POWER})?)"
        rf"|(?P<vague>\b(?:{words.vague})\b)|(?P<word>(?<![\w-])(?>{word})(?![^\W_]))|(?P<article>(?<![\w-]){words.article})"
        rf"|(?P<fixed>{words.pattern('units', 'fixed')})"
        r"|(?P<rest>\d[\w.,]*)"
    )


def read_candidates(text: str, language: str) -> list[Candidate]:
    """Single numbers in reading order; ``ranges_and_lists.join`` puts together those that are one quantity."""
    pattern, found, place = _pattern(lang.language(language)), [], 0
    while match := pattern.search(text, place):
        kind, (start, place) = str(match.lastgroup), match.span()
        if kind == "name" and (coded := _coded(text, match, language)):
            found.append(coded)
            place = coded.end
            continue
        money = _money_before(text, start) if kind in ("digits", "year", "word") else None
        if money is not None and not (found and money[0] < found[-1].end):
            found.append(_amount(text, kind, money, start, place))
            place = found[-1].end
            continue
        unit = (
            None if kind in ("over", "name", "rest") else _unit_after(text, place, kind, language)
        )
        start = _minus(text, start) if kind in ("digits", "word") else start
        if kind == "label" and unit and match["index"]:
            place = match.start("index")  # "sample 20 g" is a weight, "sample 20" a name
        elif kind in _SKIPPED or (kind == "article" and not unit):
            continue
        elif unit:
            place = _past_unit(text, unit, language)
            found.append(Candidate(kind, start, place, unit, place))
        elif kind in ("digits", "word") and _TIED.match(text, place):
            continue
        elif kind == "bracketed" and not _PLUS_MINUS.match(text, place):
            place = start + 1  # only brackets around numbers
        elif kind == "digits" and _IS_YEAR.fullmatch(match.group()):
            found.append(Candidate("year", start, place, None, place))
        else:
            found.append(Candidate(kind, start, place, None, place))
    return found


def _money_before(text: str, start: int) -> tuple[int, int] | None:
    """Where the currency in front of a number stands."""
    before = text[start - 1 : start]
    if not start or not (before in currencies.SIGNS_AND_BLANKS or before.isalpha()):
        return None
    match = _MONEY.search(text, max(0, start - _MONEY_WINDOW), start)
    return (match.start(), match.start() + len(match.group().rstrip())) if match else None


def _amount(text: str, kind: str, money: tuple[int, int], start: int, end: int) -> Candidate:
    """An amount whose currency stands before it, with its scale and what it is paid for."""
    if scaled := _AMOUNT.match(text, end):
        end = scaled.end()
    if paid := _PER.match(text, end):
        end = paid.end()
    return Candidate(kind, money[0], end, money, end)


def _coded(text: str, match: re.Match[str], language: str) -> Candidate | None:
    """``USD50`` is an amount, ``COVID19`` a name."""
    code = _CODED.match(text, match.start())
    if code is None or currencies.currency_code(code.group()) is None:
        return None
    number = _number(lang.language(language)).match(text, code.end())
    if number is None or number.end() < match.end():
        return None
    return _amount(text, "digits", code.span(), code.end(), number.end())


def _minus(text: str, start: int) -> int:
    """Where a minus in words before the number begins; in "10 minus 3" it is none."""
    if text[start - 1 : start] != " " or text[max(0, start - 6) : start - 1].lower() != "minus":
        return start
    before = text[max(0, start - 8) : start - 6]
    return (
        start
        if start > 6 and (before[-1:].isalnum() or before[:1] in "0123456789)%")
        else start - 6
    )


def _past_unit(text: str, unit: tuple[int, int], language: str) -> int:
    """The end of a quantity: behind the bracket of ``20 (kg)`` and what a price is paid for."""
    end = unit[1] + (
        text[unit[0] - 1 : unit[0]] in ("(", "[") and text[unit[1] : unit[1] + 1] in (")", "]")
    )
    if half := _AND_A_HALF.match(text, end):
        return half.end()
    if inches := _FEET_AND_INCHES.match(text, unit[0]):
        return inches.end()
    if currencies.is_money(text[slice(*unit)]):
        if more := _more_money(lang.language(language)).match(text, end):
            end = more.end()
        if paid := _PER.match(text, end):
            end = paid.end()
    return end


def _unit_after(text: str, place: int, kind: str, language: str) -> tuple[int, int] | None:
    match = _unit_at(text, place, language)
    if kind == "word" and (share := _SHARE_OF.match(text, max(0, text.rfind(" ", 0, place) + 1))):
        match = lexicon(language).unit.match(text, share.end())  # "three quarters of an hour"
    if match is None:
        return _uncertain_unit(text, place, language)
    unit = match.group()
    if len(unit) == 1 and unit.isalpha():
        if kind == "word":  # "two y-axes": who writes the number in words does so with its unit
            return None
        if (
            unit in _GLUED
            and match.start() == place
            and _GLUED[unit].search(text, max(0, place - 16), place)
        ):
            return None  # "(3H, s)": protons; "3d", ".3d"; "into the 50s"
    if kind == "word" and _SINGULAR.match(text, place):
        return None
    if kind in ("date", "clock") and unit not in ("UT", "UTC"):
        return None
    if unit in lexicon(language).no_symbols:  # "um" is a preposition in German
        return None
    if (ranged := _RANGE.match(text, place)) and ranged.start("unit") == match.start():
        match = _unit_at(text, place, language, ranged.end("unit"))
    return match.span() if match else None


def _unit_at(text: str, place: int, language: str, end: int = sys.maxsize) -> re.Match[str] | None:
    gap = _GAP.match(text, place)
    return lexicon(language).unit.match(text, gap.end(), end) if gap else None


def _bracketed_unit(text: str, place: int, language: str) -> tuple[int, int] | None:
    """``20 (kg)``; of the closing brackets the last with which it is a unit, since ``dB(A)`` and ``kg/(m s)`` have their own."""
    opened = _BRACKET.match(text, place)
    if opened is None:
        return None
    start, close = opened.end(), ")" if opened["open"] == "(" else "]"
    ends: list[int] = []
    end = text.find(close, start, start + _MAX_BRACKETED)
    while end >= 0 and len(ends) < _MAX_CLOSED:
        ends.append(end)
        end = text.find(close, end + 1, start + _MAX_BRACKETED)
    fits = (end for end in reversed(ends) if lexicon(language).unit.fullmatch(text, start, end))
    return next(((start, end) for end in fits), None)


def _feet(text: str, place: int) -> tuple[int, int] | None:
    """The mark of feet where inches follow: 6'2\"."""
    return (place, place + 1) if _FEET_AND_INCHES.match(text, place) else None


def _uncertain_unit(text: str, place: int, language: str) -> tuple[int, int] | None:
    """Units that only their surroundings make units: ``20 (kg)``, ``-10C``, ``8"``, "2 in long"."""
    after = text[place : place + 2].lstrip()[:1]
    if after in ("'", "’", "′"):
        return _feet(text, place)
    if after in ("(", "["):
        return _bracketed_unit(text, place, language)
    if after not in ("C", "F", "a", "b", "i", '"', "″"):
        return None
    match = _DOUBTFUL.match(text, place)
    if match is None:
        return None
    start, end = match.span("unit")
    before = text[max(0, place - DOUBT_WINDOW) : place].rpartition("\n\n")[2]
    around = before + text[place : end + DOUBT_WINDOW // 2].partition("\n\n")[0]
    if match["unit"] in ('"', "″"):
        if _FEET.search(text, max(0, place - 8), place):  # of 6'2" the 2 is no length
            return None
        return (
            (start, end)
            if text.count('"', 0, place) % 2 == 0 and text[place - 1].isdigit()
            else None
        )
    return (start, end) if _SPEAKS_FOR[match["unit"]].search(around) else None
