"""Numbers and units that are written in several ways in one text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from marginalia.annotators.style.consistency import Variant, report
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Example, Issue, Rule
from marginalia.quantities.lexicon import SYMBOL

_NUMBER = r"(?<![\w.,:/#$€£-])\d+(?:[.,]\d+)*"
_GAP = r"[ \u00a0\u2009\u202f]"
_UNITS = rf"(?=[a-zA-Zµμ]{{2}})(?:{SYMBOL})(?:/(?:s|h|min))?"
"""Of two letters and more: a single one behind a number is often something else."""
_QUANTITY = re.compile(rf"{_NUMBER}({_GAP}?)({_UNITS})(?![\w/²³^])")
_PERCENT = re.compile(rf"{_NUMBER}({_GAP}?)%(?!\w)")
_DEGREES = re.compile(rf"{_NUMBER}({_GAP}?)°[CF](?!\w)")
_PERCENT_SIGN = re.compile(rf"{_NUMBER}{_GAP}?%(?!\w)")
_PERCENT_WORD = {
    "en": re.compile(rf"{_NUMBER}\s(?:percent|per cent)\b"),
    "de": re.compile(rf"{_NUMBER}\s(?:Prozent|v\.\s?H\.)"),
}
_NOUN = {"en": r"[a-z]{3,}s|people", "de": r"[A-ZÄÖÜ][a-zäöü]{2,}|EUR"}
_PLAIN = {
    lang: re.compile(rf"(?<![\w.,:/#$€£+-])[1-9]\d{{3,}}(?=\s(?:{noun})\b)")
    for lang, noun in _NOUN.items()
}
_GROUPED = {
    "en": re.compile(r"(?<![\w.,:/#-])\d{1,3}(?:,\d{3})+(?![\d,]|\.\d{3}\b)"),
    "de": re.compile(r"(?<![\w.,:/#-])\d{1,3}(?:\.\d{3})+(?![\d.]|,\d{3}\b)"),
}
_YEARS = range(1500, 2101)
_MEASURE = rf"(?={_GAP}?(?:%|°C|{_UNITS}|Prozent|percent|per cent|Euro|EUR|€)(?!\w))"
_DECIMAL = {
    "point": re.compile(rf"(?<![\w.,:/§#-])\d+\.\d{{1,2}}(?!\d|\.\d){_MEASURE}"),
    "comma": re.compile(rf"(?<![\w.,:/§#-])\d+,\d{{1,2}}(?!\d|,\d){_MEASURE}"),
}


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
    words = _PERCENT_WORD.get(draft.lang)
    if words is None:
        return
    spans = [
        [match.span() for match in pattern.finditer(draft.text)]
        for pattern in (_PERCENT_SIGN, words)
    ]
    if all(spans):
        yield from report(
            draft, [Variant(draft.text[slice(*one[0])], one) for one in spans], _only_a_person
        )


def check_grouping(draft: Draft) -> Iterator[Issue]:
    """12000 pages beside 10,000 pages. Years and numbers that name something have no noun in the plural after them."""
    grouped = _GROUPED.get(draft.lang)
    if grouped is None:
        return
    plain = [
        match.span()
        for match in _PLAIN[draft.lang].finditer(draft.text)
        if int(match.group()) not in _YEARS
    ]
    marked = [match.span() for match in grouped.finditer(draft.text)]
    if plain and marked:
        separator = "," if draft.lang == "en" else "."
        variants = [Variant(draft.text[slice(*one[0])], one) for one in (plain, marked)]
        yield from report(draft, variants, lambda quote, wanted: _grouped(quote, separator, wanted))


def _grouped(quote: str, separator: str, wanted: Variant) -> str:
    digits = quote.replace(separator, "")
    return f"{int(digits):,}".replace(",", separator) if separator in wanted.shown else digits


def check_decimal(draft: Draft) -> Iterator[Issue]:
    """3.5 % beside 3,5 %; only before a unit, where neither is a date, a version or a thousand."""
    found = {
        name: [match.span() for match in pattern.finditer(draft.text)]
        for name, pattern in _DECIMAL.items()
    }
    if all(found.values()):
        variants = [Variant(draft.text[slice(*spans[0])], spans) for spans in found.values()]
        wanted = variants[1] if draft.lang == "de" else variants[0]
        yield from report(draft, variants, _other_decimal, wanted=wanted)


def _other_decimal(quote: str, wanted: Variant) -> str:
    return quote.replace(".", ",") if "," in wanted.shown else quote.replace(",", ".")


def _only_a_person(quote: str, wanted: Variant) -> None:
    return None


def rules() -> Iterable[Rule]:
    yield Rule(
        code="numbers.spacing",
        summary="Units stand with and without a space",
        reason="10km and 10 km in one text. The International System of Units (SI) wants the space; the rule only wants one way. Units, per cent and degrees are "
        "looked at apart.",
        check=check_spacing,
        fixes=True,
        examples=(
            Example(
                "en",
                "Walk 10 km north, then 3km east, then 5 km back.",
                "Walk 10 km north, then 3 km east; 5% are lost.",
            ),
            Example(
                "de",
                "Erst 10 km nach Norden, dann 3km nach Osten, dann 5 km zurück.",
                "Erst 10 km nach Norden, dann 3 km nach Osten.",
            ),
        ),
    )
    yield Rule(
        code="numbers.percent",
        summary="“%” and “per cent” are mixed",
        reason="After figures a text should have either the sign or the word.",
        check=check_percent,
        examples=(
            Example(
                "en",
                "Of the sheets 5% tore and 3 percent stuck.",
                "Of the sheets 5% tore and 3% stuck; three percent is little.",
            ),
            Example(
                "de",
                "Von den Blättern rissen 5 %, und 3 Prozent klebten.",
                "Von den Blättern rissen 5 %, und 3 % klebten.",
            ),
        ),
    )
    yield Rule(
        code="numbers.grouping",
        summary="Thousands are and are not separated",
        reason="12000 and 10,000 in one text. Years, and numbers that name something (ports, codes), are left alone.",
        check=check_grouping,
        fixes=True,
        examples=(
            Example(
                "en",
                "The index has 10,000 pages and 12000 entries.",
                "The index has 10,000 pages since 2019, on port 65000.",
            ),
            Example(
                "de",
                "Das Verzeichnis hat 10.000 Seiten und 12000 Einträge.",
                "Das Verzeichnis hat 10.000 Seiten und 12.000 Einträge.",
            ),
        ),
    )
    yield Rule(
        code="numbers.decimal",
        summary="Decimal comma and decimal point are mixed",
        reason="Is 1,50 m one and a half, or a hundred and fifty? A text should use the sign of its language. Only numbers before a unit are "
        "looked at.",
        check=check_decimal,
        fixes=True,
        examples=(
            Example(
                "en",
                "It is 2.5 cm wide and 3,5 cm high.",
                "It is 2.5 cm wide and 1,200 m long; version 3,5 is out.",
            ),
            Example(
                "de",
                "Es ist 2,5 cm breit und 3.5 cm hoch.",
                "Es ist 2,5 cm breit und 3,5 cm hoch, siehe 3.5.",
            ),
        ),
    )
