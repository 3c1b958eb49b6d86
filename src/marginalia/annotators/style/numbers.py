"""Numbers and units that are written in several ways in one text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from marginalia.annotators.style.consistency import Variant, report
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Issue
from marginalia.lang import Language, compile_all
from marginalia.quantities.lexicon import SYMBOL
from marginalia.quantities.numerals import decimal_sign

_NUMBER = r"(?<![\w.,:/#$€£-])\d+(?:[.,]\d+)*"
_GAP = r"[ \u00a0\u2009\u202f]"
_UNITS = rf"(?=[a-zA-Zµμ]{{2}})(?:{SYMBOL})(?:/(?:s|h|min))?"
"""Of two letters and more: a single one behind a number is often something else."""
_QUANTITY = re.compile(rf"{_NUMBER}({_GAP}?)({_UNITS})(?![\w/²³^])")
_PERCENT = re.compile(rf"{_NUMBER}({_GAP}?)%(?!\w)")
_DEGREES = re.compile(rf"{_NUMBER}({_GAP}?)°[CF](?!\w)")
_YEARS = range(1500, 2101)


def check_spacing(draft: Draft) -> Iterator[Issue]:
    """10km beside 10 km: units, per cent and degrees each by themselves."""
    for pattern in (_QUANTITY, _PERCENT, _DEGREES):
        spans: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
        for match in pattern.finditer(draft.text):
            spans[bool(match[1])].append(match.span())
        if spans[True] and spans[False]:
            variants = [
                Variant(draft.text[slice(*spans[one][0])], spans[one]) for one in (True, False)
            ]
            yield from report(draft, variants, _spaced)


def _spaced(quote: str, wanted: Variant) -> str | None:
    number, _, unit = _parts(quote)
    return f"{number}{_parts(wanted.shown)[1]}{unit}" if number else None


def _parts(quote: str) -> tuple[str, str, str]:
    match = re.fullmatch(rf"([\d.,]+)({_GAP}?)(.+)", quote)
    return (match[1], match[2], match[3]) if match else ("", "", quote)


def check_percent(draft: Draft) -> Iterator[Issue]:
    spans = [
        [match.span() for match in pattern.finditer(draft.text)]
        for pattern in (_PERCENT, _patterns(draft.language).percent)
    ]
    if all(spans):
        yield from report(
            draft, [Variant(draft.text[slice(*one[0])], one) for one in spans], _only_a_person
        )


def check_grouping(draft: Draft) -> Iterator[Issue]:
    """12000 pages beside 10,000 pages. Years and numbers that name something have no noun in the plural after them."""
    patterns = _patterns(draft.language)
    plain = [
        match.span()
        for match in patterns.plain.finditer(draft.text)
        if int(match.group()) not in _YEARS
    ]
    marked = [match.span() for match in patterns.grouped.finditer(draft.text)]
    if plain and marked:
        separator = _grouping_sign(draft.language)
        variants = [Variant(draft.text[slice(*one[0])], one) for one in (plain, marked)]
        yield from report(draft, variants, lambda quote, wanted: _grouped(quote, separator, wanted))


def _grouped(quote: str, separator: str, wanted: Variant) -> str:
    digits = quote.replace(separator, "")
    return f"{int(digits):,}".replace(",", separator) if separator in wanted.shown else digits


def check_decimal(draft: Draft) -> Iterator[Issue]:
    """3.5 % beside 3,5 %; only before a unit, where neither is a date, a version or a thousand."""
    places = {
        sign: [match.span() for match in _decimals(sign).finditer(draft.text)] for sign in ".,"
    }
    if all(places.values()):
        variants = {
            sign: Variant(draft.text[slice(*spans[0])], spans) for sign, spans in places.items()
        }
        wanted = variants[decimal_sign(draft.lang)]
        yield from report(draft, list(variants.values()), _other_decimal, wanted=wanted)


def _other_decimal(quote: str, wanted: Variant) -> str:
    return quote.replace(".", ",") if "," in wanted.shown else quote.replace(",", ".")


def _only_a_person(quote: str, wanted: Variant) -> None:
    return None


class Patterns(NamedTuple):
    """How a language writes per cent as a word, and large numbers without and with their digits in groups."""

    percent: re.Pattern[str]
    plain: re.Pattern[str]
    grouped: re.Pattern[str]


@cache
def _patterns(known: Language) -> Patterns:
    group, point = map(re.escape, (_grouping_sign(known), decimal_sign(known.code)))
    return Patterns(
        re.compile(rf"{_NUMBER}\s(?:{known.pattern('style', 'percent')})"),
        re.compile(
            rf"(?<![\w.,:/#$€£+-])[1-9]\d{{3,}}(?=\s(?:{known.pattern('style', 'counted')})\b)"
        ),
        re.compile(rf"(?<![\w.,:/#-])\d{{1,3}}(?:{group}\d{{3}})+(?![\d{group}]|{point}\d{{3}}\b)"),
    )


def _grouping_sign(known: Language) -> str:
    return "," if decimal_sign(known.code) == "." else "."


def _decimals(sign: str) -> re.Pattern[str]:
    """Numbers with this sign before a unit."""
    unit = rf"(?={_GAP}?(?:%|°C|€|{_UNITS}|<ALL>)(?!\w))"
    number = rf"(?<![\w.,:/§#-])\d+[{sign}]\d{{1,2}}(?!\d|[{sign}]\d)"
    return compile_all(number + unit, "style", "measured")
