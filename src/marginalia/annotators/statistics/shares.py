"""Counts against the percentage that is given with them: ``57 of 62 (91.8 %)``, ``Of 46 chips, 30 (65 %) …``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from marginalia.annotators.statistics.manuscript import SUBJECT, Finding, Manuscript
from marginalia.annotators.statistics.written import (
    Written,
    decimals,
    number,
    read,
    read_whole,
    show,
)
from marginalia.lang import language

MAX_WORDS_BETWEEN = 3
"""Of what is counted, between the counts and the percentage: ``57 of 62 ear effusions (91.8 %)``."""


@cache
def _patterns(lang: str) -> tuple[re.Pattern[str], ...]:
    known = language(lang)
    of, hedge = (known.pattern(SUBJECT, name) for name in ("of", "hedges"))
    whole = rf"(?:{number(lang)})(?![.,·]?\d)"
    free = r"(?<![\w.,·/<>=≤≥±+~≈–−-])"
    percent = rf"(?P<percent>{number(lang)})\s?%"
    ends = r"(?=\s?[)\],;])"
    counts = rf"{free}(?P<n>{whole})\s?(?:/\s?|\s(?:{of})\s)(?P<all>{whole})(?!\s?/)"
    noun = rf"(?:\s[^\W\d_][\w’'-]*){{0,{MAX_WORDS_BETWEEN}}}"
    hedged = rf"(?P<hedge>(?:\b(?:{hedge})|[~≈<>≤≥])\s?)?"
    return (
        re.compile(
            rf"{counts}{noun}\s?(?:[(\[,;:=]|[(\[][^()\[\]\d]{{0,12}})\s?{hedged}{percent}{ends}",
            re.I,
        ),
        re.compile(
            rf"(?P<hedge>(?:\b(?:{hedge})|[~≈<>≤≥])\s?)?{free}{percent}\s?[(\[;,]\s?(?:n\s?=\s?)?(?P<n>{whole})\s?(?:/\s?|\s(?:{of})\s)(?P<all>{whole})(?=\s?[)\];,])",
            re.I,
        ),
    )


@cache
def _listed(lang: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """``Of 46 chips, …`` and each ``30 (65 %)`` behind it."""
    opening = language(lang).pattern(SUBJECT, "of_all")
    whole = number(lang)
    return (
        re.compile(
            rf"(?:\A|(?<=[.;:]\s))\W{{0,3}}(?:{opening})\s(?P<all>{whole})(?![.,·]?\d)(?:\s[^\W\d_][\w’'-]*){{1,6}},",
            re.I,
        ),
        re.compile(rf"(?<![\w.,·/<>=≤≥±+~≈–−-])(?P<n>{whole})\s[(\[](?P<percent>{whole})\s?%[)\]]"),
    )


def find(source: Manuscript) -> Iterator[Finding]:
    done: set[int] = set()
    for pattern in _patterns(source.lang):
        for match in source.matches(pattern):
            if not match["hedge"]:
                done.add(match.start("n"))
                yield from _check(source, match, match["all"])
    opening, each = _listed(source.lang)
    for match, _, end in source.within(opening):
        rest = source.text[match.end() : end]
        if re.search(r"[;:]", rest) or opening.search(rest):
            continue  # another total may have been named
        for one in each.finditer(source.text, match.end(), end):
            if one.start("n") not in done:
                yield from _check(source, one, match["all"])


def _check(source: Manuscript, match: re.Match[str], all: str) -> Iterator[Finding]:
    n, total = read_whole(match["n"], source.lang), read_whole(all, source.lang)
    percent = read(match["percent"], source.lang)
    if n is None or not total or n > total or percent is None or percent.value > 100:
        return
    exact = Fraction(100 * n, total)
    if percent.rounds(exact) or _is_of_the_rest(n, total, percent):
        return
    shown = show(exact, max(1, decimals(percent)), source.lang)
    why = source.say("percentage", n=match["n"], all=all, exact=shown, percent=match["percent"])
    yield Finding("percentage", *match.span(), why)


def _is_of_the_rest(n: int, total: int, percent: Written) -> bool:
    """``12 of 46 (74 %)`` may give the share of the others, ``12/46`` the ratio of two counts."""
    return percent.rounds(Fraction(100 * (total - n), total)) or percent.rounds(
        Fraction(100 * n, n + total)
    )
