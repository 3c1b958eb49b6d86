"""Find quantities by rule: numbers with their unit and the words that modify them, by their offsets in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from marginalia import lang
from marginalia.quantities.candidates import Candidate, read_candidates
from marginalia.quantities.lexicon import BLANK, SIGNS, lexicon
from marginalia.quantities.quantity import Quantity
from marginalia.quantities.ranges_and_lists import join

KIND_SCORES = {
    "unit": 0.98,
    "equal": 0.95,
    "count": 0.95,
    "date": 0.95,
    "decimal": 0.9,
    "place": 0.9,
    "fixed": 0.8,
    "vague": 0.8,
    "words": 0.75,
    "year": 0.65,
    "loose": 0.5,
    "one": 0.45,
    "cell": 0.2,
    "pronoun": 0.1,
    "name": 0.1,
}
"""Kind -> how often such a candidate is a quantity in the train split, roughly.

``equal`` follows a sign such as =, ``count`` and ``words`` stand in digits or words before a noun, ``one`` is that
word before a noun and ``pronoun`` without, ``name`` follows a name, ``cell`` fills a cell of a table, ``loose`` is any other number.
"""
MIN_SCORE = 0.3
"""Candidates with a lower score are left out."""
MODIFIER_WINDOW = 60
"""Characters before a number that are searched for words that modify it."""


MEAN_WINDOW = 70
"""Characters before a quantity that are searched for a mean or median."""
# No number and no end of a sentence may stand between the word and the quantity.
_TO_HERE = r"(?![^\d.;]*[\d.;])"
_SIGNS_BEFORE = re.compile(rf"{SIGNS}\Z")
_EQUALS = re.compile(r"\s?=")
_WORD = re.compile(rf"{BLANK}([^\W\d_][\w/‐–-]*)")
_FRACTION = {".": re.compile(r"\."), ",": re.compile(r",|\.(?!\d{3}(?!\d))")}
"""By the decimal sign."""
_CONTAINER = re.compile(r"[^\W\d_]\sof\s\Z")
_COMPARED = re.compile(r"[<>≤≥~∼≈]")
_COUNTED = re.compile(rf"{BLANK}(?:were|are|had|have|of|out|\(\d+(?:\.\d+)?%)")


class FinderCues(NamedTuple):
    """What stands around a number, in the words of a language."""

    before: re.Pattern[str]
    opened: re.Pattern[str]
    period: re.Pattern[str]
    or_more: re.Pattern[str]
    countable: re.Pattern[str]
    """A plural noun: after a number, it is what is counted."""
    no_bound: re.Pattern[str]


@cache
def _cues(language: lang.Language) -> FinderCues:
    words = lexicon(language.code)
    further, period = (words.any_of("numbers", name) for name in ("further", "period"))
    return FinderCues(
        re.compile(
            rf"(?:(?<![\w-])(?:{words.approximate}|{words.bound}|{words.spread}|{further}){BLANK}(?:(?<=over )(?:an?|the){BLANK})?)*"
            rf"(?:(?<!\w)pH)?{SIGNS}\Z",
            re.IGNORECASE,
        ),
        re.compile(rf".*(?<![\w-])(?:{words.spread}){BLANK}", re.IGNORECASE | re.DOTALL),
        re.compile(rf"(?:(?:{period}){BLANK})+", re.IGNORECASE),
        re.compile(words.or_more),
        re.compile(words.pattern("numbers", "countable", borrowed=False)),
        re.compile(words.pattern("numbers", "no_bound")),
    )


def find_quantities(
    text: str, *, language: str = "en", min_score: float = MIN_SCORE, lists: bool = True
) -> list[Quantity]:
    """The quantities in reading order, none overlapping another, those with a score of at least ``min_score``.

    "5, 10 and 15 mg" is one quantity, or without ``lists`` three.
    """
    candidates = join(text, read_candidates(text, language), language, lists=lists)
    found = [_describe(text, candidate, language) for candidate in candidates]
    return [quantity for quantity in found if quantity is not None and quantity.score >= min_score]


def _describe(text: str, candidate: Candidate, language: str) -> Quantity | None:
    unit = candidate.unit
    if unit is None and _EQUALS.match(text, candidate.end):
        return None
    start, more = (
        _lead(text, candidate, language),
        _cues(lang.language(language)).or_more.match(text, candidate.end),
    )
    end = more.end() if more else candidate.end
    after = _noun_phrase(text, end, lexicon(language).stop)
    kind = _kind(text, candidate, start, after, language)
    if kind == "count" and len(after) == 1 and _CONTAINER.match(text, max(0, start - 5), start):
        # "a sample of 530 participants": the sample is what is measured, in participants.
        unit, kind = (end + 1, end + 1 + len(after[0])), "unit"
        end = unit[1]
    modifiers = _modifiers(
        text,
        start,
        end,
        candidate.joints,
        count=_counts(text, candidate, kind, end, language),
        language=language,
    )
    return Quantity(start, end, unit, modifiers, KIND_SCORES[kind])


def _lead(text: str, candidate: Candidate, language: str) -> int:
    """Where the modifying words before the first number begin."""
    number, cues = candidate.start, _cues(lang.language(language))
    signs = _SIGNS_BEFORE.search(text, max(0, number - 6), number)
    start = signs.start() if signs else number
    word = text[max(0, start - 2) : start].strip()
    if word == "." or word.isalpha():  # columns of numbers are spared the search
        before = cues.before.search(text, max(0, number - MODIFIER_WINDOW), number)
        start = before.start() if before else start
    if no_bound := cues.no_bound.match(text, start):  # "unter 64-Bit Linux": German for on
        start = no_bound.end()
    if "range" not in candidate.joints:
        opened = cues.opened.match(text, start, number)
        start = opened.end() if opened else start
    if candidate.unit is None:  # "after 56 iterations" says when, "after 5 minutes" how long
        period = cues.period.match(text, start, number)
        start = period.end() if period else start
    return start


def _noun_phrase(text: str, place: int, stop: frozenset[str]) -> list[str]:
    """Up to five words after a quantity, up to the first that ends a noun phrase."""
    found: list[str] = []
    while len(found) < 5 and (match := _WORD.match(text, place)) and match[1].lower() not in stop:
        found.append(match[1])
        place = match.end()
    return found


def _kind(text: str, candidate: Candidate, start: int, after: Sequence[str], language: str) -> str:
    """The key of its score in ``KIND_SCORES``."""
    number = text[candidate.start : candidate.first_end]
    before = (text[max(0, start - MODIFIER_WINDOW) : start].split() or [""])[-1]
    known = lang.language(language)
    named = before[:1].isupper() and before[-1:].isalnum()
    named = named and not known.data("numbers").get("nouns_have_capitals")
    named = named and before.lower() not in lexicon(language).stop
    if candidate.unit:
        return "unit"
    if candidate.kind == "year" and named:
        return "name"
    if candidate.kind in KIND_SCORES:
        return candidate.kind
    if before.endswith(("=", "≡")) or _COMPARED.search(text, start, candidate.start):
        return "equal"
    if number.lower() == "one":
        return "one" if after else "pronoun"
    if candidate.kind == "word":
        return "words"
    if before.isupper() and len(before) > 1 and candidate.joints <= {"list"} and named:
        return "name"  # "TAS 2 and 3"
    if _is_cell(text, candidate.start, candidate.end):
        return "cell"
    if _FRACTION[lexicon(language).decimal].search(number) or candidate.joints:
        return "decimal"
    if named:
        return "name"
    return "count" if any(map(_cues(known).countable.fullmatch, after)) else "loose"


def _counts(text: str, candidate: Candidate, kind: str, end: int, language: str) -> bool:
    """Whether the quantity is a count; what is counted need not follow: "26 (72%) were found"."""
    number = text[candidate.start : candidate.first_end]
    if number.lower() in ("zero", "null") or _FRACTION[lexicon(language).decimal].search(number):
        return False
    return kind in ("count", "words", "one") or (
        kind == "loose" and _COUNTED.match(text, end) is not None
    )


def _is_cell(text: str, start: int, end: int) -> bool:
    """Whether it is alone between tabs or bars: what a cell of a table measures is said elsewhere."""
    left = text[max(0, start - 4) : start].rstrip(" ")[-1:]
    edges = left + text[end : end + 4].lstrip(" ")[:1]
    return edges.strip("\n\r\t|") == "" and edges.strip("\n\r") != ""


class ModifierCues(NamedTuple):
    """What says that a quantity is rough, a bound or a mean."""

    approximate: re.Pattern[str]
    bound: re.Pattern[str]
    mean: re.Pattern[str]
    median: re.Pattern[str]
    deviation: re.Pattern[str]
    inside: re.Pattern[str]


@cache
def _modifier_cues(language: lang.Language) -> ModifierCues:
    words = lexicon(language.code)
    mean, median, deviation, inside = (
        words.pattern("numbers", name, table="modifiers")
        for name in ("mean", "median", "deviation", "inside")
    )
    return ModifierCues(
        re.compile(rf"[~∼≈≃≅≲≳]|\b(?:{words.approximate})(?!\w)", re.IGNORECASE),
        re.compile(rf"[<>≤≥⩽⩾≲≳≪≫]|\b(?:{words.bound})(?!\w)|{words.or_more}", re.IGNORECASE),
        re.compile(rf"(?:{mean}){_TO_HERE}", re.IGNORECASE),
        re.compile(rf"(?:{median}){_TO_HERE}", re.IGNORECASE),
        re.compile(deviation),
        re.compile(inside, re.IGNORECASE),
    )


def _modifiers(
    text: str, start: int, end: int, joints: frozenset[str], *, count: bool, language: str
) -> tuple[str, ...]:
    """The modifiers of ``text[start:end]``, whose numbers are joined by ``joints``."""
    quote, before = text[start:end], text[max(0, start - MEAN_WINDOW) : start]
    mods, cues = set(), _modifier_cues(lang.language(language))
    spread = "range" in joints or cues.bound.search(quote) is not None
    tolerance = "tolerance" in joints or "±" in quote
    mean = not count and cues.mean.search(before) is not None
    if cues.approximate.search(quote):
        mods.add("IsApproximate")
    if count:
        mods.add("IsCount")
    if "list" in joints:
        mods.add("IsList")
    if cues.median.search(before):
        mods.add("IsMedian")
    if tolerance and mean:
        mods.add("IsMeanHasSD" if cues.deviation.search(before) else "IsMeanHasTolerance")
    elif tolerance:
        mods.add("IsRangeHasTolerance" if spread else "HasTolerance")
    elif spread:
        mods.add("IsMeanIsRange" if cues.inside.search(quote) else "IsRange")
    elif mean or cues.inside.search(quote):
        mods.add("IsMean")
    return tuple(sorted(mods))
