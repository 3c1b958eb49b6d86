"""Candidates for quantities: the numbers of a text, each with the unit after it.

Whatever else has digits is read by the same regular expression, so that it is passed over: figures and
sections, references, names, formulae, telephone numbers, times of day, web addresses.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from marginalia.tasks.measurement.quantities.lexicon import (
    BLANK,
    DASH,
    GREAT,
    LABELS,
    MONTHS,
    NUMBER_WORDS,
    NUMERAL,
    POWER,
    UNIT,
    VAGUE,
)


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


_YEAR = r"(?:1[5-9]\d\d|20[0-4]\d)(?!\d)"
_ADDRESS = r"https?://\S+|www\.\S+|\b10\.\d{4,}/\S+"
_REFERENCE = (
    r"\[\d{1,3}[a-z]?(?:\s?[,;–-]\s?\d{1,3}[a-z]?){0,40}\]"
    r"|\(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,40}\)"
    rf"|(?:et{BLANK}al\.?,?|\b[A-Z][^\W\d_]+,){BLANK}\(?{_YEAR}[a-z]?"
    rf"(?:,{BLANK}?(?:{_YEAR}[a-z]?|[a-z]\b)){{0,9}}|\({_YEAR}[a-z]?\)"
)
_TELEPHONE = (
    r"\+\d{1,3}(?:[ /.()-]{1,2}\d{2,}){2,6}"
    r"|\(\d{3}\)[ ]?\d{3}-\d{4}"
    r"|\b(?:[Tt]el|[Pp]hone|[Ff]ax|Telefon)\b[.:]?\s?[\d ()/+.-]{5,30}"
    r"|\(?\b0\d{2,5}\)?[ /-]\d{3,}(?:[ -]\d{2,}){0,4}"
)
_TIME_OF_DAY = (
    r"\b\d{1,2}(?:[.:]\d\d){0,2}\s?(?:[ap]m\b|[ap]\.m\.|Uhr\b|o['’]clock)"
    r"|\b(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:])"
)
_VERSION = r"\b\d+(?:\.\d+){2,}"
_PAGES = r"\b\d+\(\d+\)[,:]\s?\d+(?:[–-]\d+)?"  # 12(3), 45–67
_INDEX = r"[A-Z]?\d+(?:\.\d+)*[a-zA-Z]?"
_NEXT_INDEX = r"[A-Z]?\d{1,2}(?:\.\d+)*[a-zA-Z]?"
_LABEL = (
    rf"\b(?:{LABELS})s?\.?{BLANK}?(?:(?P<index>{_INDEX})|\({_INDEX}\))"
    rf"(?:{DASH}{_INDEX}(?!\w)|(?:,?{BLANK}?(?:{DASH}|and|or|to|und|oder|bis|&){BLANK}?|,{BLANK}?)\(?{_NEXT_INDEX}\)?(?!\w)){{0,9}}"
    r"(?!\w|[./]\d)"
)
_NAME = (
    r"(?<![^\W_])[^\W\d_]+[-‐–_]?\d\w*(?:[-–/.+][^\W_]*\d\w*){0,9}|[^\W\d_]\^[({]?[-−–+]?\d+"  # CO2, NBS-18, Ktzi202/2007
    r"|\b\d+/\d+[A-Za-z]\w*(?:-\d+)*|[^\W\d_]\([\d., ;–-]+\)|\b0\d[\d–-]*"  # 22/10a-4, F(1, 3.95), 001
)
_DATE = (
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th|\.)?{BLANK}(?:of{BLANK})?)?(?:{MONTHS})"
    rf"(?:{BLANK}\d{{1,2}}(?:st|nd|rd|th)?,?)?{BLANK}\d{{4}}(?!\w)"
    rf"|\b\d{{1,2}}\.\d{{1,2}}\.\d{{4}}(?!\w)|\b\d{{4}}-\d\d-\d\d(?!\w)"
    rf"|\b(?:{MONTHS}){BLANK}\d{{1,2}}(?!\w)|\b\d{{1,2}}\.?{BLANK}(?:{MONTHS})\b"
)
_ANGLE = r"\d{1,3}°\d{1,2}[’'′](?:\d{1,2}(?:\.\d+)?[”\"″])?[NSEW]?"
_PASSED = frozenset({"over", "label", "name", "rest"})
_UNIT = re.compile(rf"(?:{BLANK}{{0,2}}|-)(?P<unit>{UNIT})")
_TIED = re.compile(r"[-‐]?[^\W\d_]|_")  # "3D", "12-lead", "two-dimensional"
_AMOUNT = re.compile(r"(?:[kKmM]|[mb]n)(?!\w)")  # "£2.1m" is money
_RANGE = re.compile(  # in "100 keV–1 MeV" the dash is no minus
    rf"{BLANK}?(?P<unit>[fpnuµμmcdhkMG]?(?P<base>[^\W\d_]{{1,3}})){DASH}"
    rf"(?=[1-9]{BLANK}?[fpnuµμmcdhkMGT]?(?P=base)(?![^\W_]))"
)
_PLUS_MINUS = re.compile(rf"{BLANK}?±")
_IS_YEAR = re.compile(_YEAR)


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """What is passed over comes first; atomic groups keep "12" from being read out of "123D"."""
    number = rf"(?:\d+(?:[:/]\d+)+|{NUMERAL[language]}(?:{POWER})?(?:{BLANK}(?:{GREAT})(?!\w))?)"
    word = rf"(?i:{NUMBER_WORDS})"
    return re.compile(
        rf"(?P<clock>\b\d{{1,2}}:\d\d(?::\d\d)?(?={BLANK}(?:UT|GMT)))|(?P<date>{_DATE})"
        rf"|(?P<over>{_ADDRESS}|{_TELEPHONE}|{_PAGES}|{_REFERENCE}|{_TIME_OF_DAY}|{_VERSION})"
        rf"|(?P<label>{_LABEL})|(?P<place>{_ANGLE}(?:[,;]?\s{_ANGLE})?)|(?P<name>{_NAME})"
        rf"|(?P<digits>(?<![\w.,)\]∆Δ])(?>{number}))"
        rf"|(?P<bracketed>\({number}{BLANK}?[–±-]{BLANK}?{number}\)(?:{POWER})?)"
        rf"|(?P<vague>\b(?:{VAGUE})\b)|(?P<word>(?<![\w-]){word}(?:-{word})?(?:{BLANK}(?:{GREAT}))*\b)"
        r"|(?P<fixed>\b(?:[Rr]oom|[Aa]mbient)[ ]temperature\b|\b(?:Raum|Zimmer)temperatur\b)"
        r"|(?P<rest>\d[\w.,]*)"
    )


def read_candidates(text: str, language: str) -> list[Candidate]:
    """Single numbers in reading order; ``joints.join`` puts together those that are one quantity."""
    pattern, found, place = _pattern(language), [], 0
    while match := pattern.search(text, place):
        kind, (start, place) = str(match.lastgroup), match.span()
        unit = (
            None if kind in ("over", "name", "rest") else _unit_after(text, place, kind, language)
        )
        money = start > 0 and text[start - 1] in "$€£¥" and _AMOUNT.match(text, place)
        if money and kind == "digits":
            place = money.end()
            found.append(Candidate(kind, start - 1, place, (start - 1, start), place))
        elif kind == "label" and unit and match["index"]:
            place = match.start("index")  # "sample 20 g" is a weight, "sample 20" a name
        elif kind in _PASSED:
            continue
        elif unit:
            place = unit[1]
            found.append(Candidate(kind, start, place, unit, place))
        elif kind in ("digits", "word") and _TIED.match(text, place):
            continue
        elif kind == "bracketed" and not _PLUS_MINUS.match(text, place):
            place = start + 1  # only brackets around numbers
        elif start and text[start - 1] in "$€£¥":
            found.append(Candidate(kind, start - 1, place, (start - 1, start), place))
        elif kind == "digits" and _IS_YEAR.fullmatch(match.group()):
            found.append(Candidate("year", start, place, None, place))
        else:
            found.append(Candidate(kind, start, place, None, place))
    return found


def _unit_after(text: str, place: int, kind: str, language: str) -> tuple[int, int] | None:
    match = _UNIT.match(text, place)
    if match is None:
        return None
    if kind in ("date", "clock") and match["unit"] not in ("UT", "UTC"):
        return None
    if language == "de" and match["unit"] == "um":  # a preposition there
        return None
    if (ranged := _RANGE.match(text, place)) and ranged.start("unit") == match.start("unit"):
        unit = _UNIT.match(text, place, ranged.end("unit"))
        return unit.span("unit") if unit else None
    return match.span("unit")
