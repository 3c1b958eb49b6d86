"""Find quantities by rule: numbers, the unit after them, the words that modify them, with true offsets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from marginalia.tasks.measurement.quantities.candidates import Candidate, read_candidates
from marginalia.tasks.measurement.quantities.joints import Joined, join
from marginalia.tasks.measurement.quantities.lexicon import (
    APPROXIMATE,
    BLANK,
    BOUND,
    FURTHER,
    OR_MORE,
    SIGNS,
    SPREAD,
    STOP,
)
from marginalia.tasks.measurement.quantities.modifiers import read_modifiers

SCORES = {
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
"""Kind -> how often such a find is a quantity in the train split, roughly.

``equal`` follows a sign such as =, ``count`` and ``words`` stand in digits or words before a noun, ``one`` is that
word before a noun and ``pronoun`` without, ``name`` follows a name, ``cell`` fills a cell of a table, ``loose`` is any other number.
"""
LEAST = 0.3
REACH = 60
"""Characters before a number in which words that modify it are looked for."""


@dataclass(frozen=True, slots=True)
class Found:
    """A quantity ``text[start:end]``, where its unit stands, its official modifiers, and how sure we are."""

    start: int
    end: int
    unit: tuple[int, int] | None
    mods: tuple[str, ...]
    score: float


_SIGNS_BEFORE = re.compile(rf"{SIGNS}\Z")
_BEFORE = re.compile(
    rf"(?:(?<![\w-])(?:{APPROXIMATE}|{BOUND}|{SPREAD}|{FURTHER}){BLANK}(?:(?<=over )(?:an?|the){BLANK})?)*"
    rf"(?:(?<!\w)pH)?{SIGNS}\Z",
    re.IGNORECASE,
)
_OPENED = re.compile(rf".*(?<![\w-])(?:{SPREAD}){BLANK}", re.IGNORECASE | re.DOTALL)
_PERIOD = re.compile(rf"(?:(?:within|over|after|nach|über){BLANK})+", re.IGNORECASE)
_OR_MORE = re.compile(OR_MORE)
_EQUALS = re.compile(r"\s?=")
_WORD = re.compile(rf"{BLANK}([^\W\d_][\w/‐–-]*)")
_FRACTION = {"en": re.compile(r"\."), "de": re.compile(r",|\.(?!\d{3}(?!\d))")}
_CONTAINER = re.compile(r"[^\W\d_]\sof\s\Z")
_COMPARED = re.compile(r"[<>≤≥~∼≈]")
_COUNTABLE = {
    "en": re.compile(r".*[^suSU]s|\w*(?:species|people|[mM]en|data|[^i]ia|mice|children|ae)"),
    "de": re.compile(r"[A-ZÄÖÜ].*"),
}
"""A word that, after a number, is or ends in what is counted."""
_COUNTED = re.compile(rf"{BLANK}(?:were|are|had|have|of|out|\(\d+(?:\.\d+)?%)")


def find_quantities(text: str, *, language: str = "en", least: float = LEAST) -> list[Found]:
    """The quantities in reading order, none overlapping another, those with a score of at least ``least``."""
    joined = join(text, read_candidates(text, language))
    found = [_describe(text, one, language) for one in joined]
    return [quantity for quantity in found if quantity is not None and quantity.score >= least]


def _describe(text: str, joined: Joined, language: str) -> Found | None:
    last = joined.members[-1]
    unit = next((member.unit for member in reversed(joined.members) if member.unit), None)
    if unit is None and _EQUALS.match(text, last.end):
        return None
    start, more = _lead(text, joined, unit), _OR_MORE.match(text, last.end)
    end = more.end() if more else last.end
    after = _noun_phrase(text, end)
    kind = _kind(text, joined, unit, start, after, language)
    if kind == "count" and len(after) == 1 and _CONTAINER.match(text, max(0, start - 5), start):
        # "a sample of 530 participants": the sample is what is measured, in participants.
        unit, kind = (end + 1, end + 1 + len(after[0])), "unit"
        end = unit[1]
    mods = read_modifiers(
        text, start, end, joined.joints, count=_counts(text, joined, kind, end, language)
    )
    return Found(start, end, unit, mods, SCORES[kind])


def _lead(text: str, joined: Joined, unit: tuple[int, int] | None) -> int:
    """Where the modifying words before the first number begin."""
    number = joined.members[0].start
    signs = _SIGNS_BEFORE.search(text, max(0, number - 6), number)
    start = signs.start() if signs else number
    word = text[max(0, start - 2) : start].strip()
    if word == "." or word.isalpha():  # columns of numbers are spared the search
        before = _BEFORE.search(text, max(0, number - REACH), number)
        start = before.start() if before else start
    if "range" not in joined.joints:
        opened = _OPENED.match(text, start, number)
        start = opened.end() if opened else start
    if unit is None:  # "after 56 iterations" says when, "after 5 minutes" how long
        period = _PERIOD.match(text, start, number)
        start = period.end() if period else start
    return start


def _noun_phrase(text: str, place: int) -> list[str]:
    """Up to five words after a quantity, to the first that can be in no noun phrase."""
    found: list[str] = []
    while len(found) < 5 and (match := _WORD.match(text, place)) and match[1].lower() not in STOP:
        found.append(match[1])
        place = match.end()
    return found


def _kind(
    text: str,
    joined: Joined,
    unit: tuple[int, int] | None,
    start: int,
    after: Sequence[str],
    language: str,
) -> str:
    """Which of ``SCORES`` says how sure we are."""
    first = joined.members[0]
    number = text[first.start : first.end]
    before = (text[max(0, start - REACH) : start].split() or [""])[-1]
    # In German every noun has a capital.
    named = language == "en" and before[:1].isupper() and before[-1:].isalnum()
    named = named and before.lower() not in STOP
    if unit:
        return "unit"
    if first.kind == "year" and named:
        return "name"
    if first.kind in SCORES:
        return first.kind
    if before.endswith(("=", "≡")) or _COMPARED.search(text, start, first.start):
        return "equal"
    if number.lower() == "one":
        return "one" if after else "pronoun"
    if first.kind == "word":
        return "words"
    if _is_cell(text, first, joined.members[-1]):
        return "cell"
    if _FRACTION[language].search(number) or joined.joints:
        return "decimal"
    if named:
        return "name"
    return "count" if any(map(_COUNTABLE[language].fullmatch, after)) else "loose"


def _counts(text: str, joined: Joined, kind: str, end: int, language: str) -> bool:
    """Whether the quantity is the number of some things, which need not follow: "26 (72%) were found"."""
    number = text[joined.members[0].start : joined.members[0].end]
    if number.lower() in ("zero", "null") or _FRACTION[language].search(number):
        return False
    return kind in ("count", "words", "one") or (
        kind == "loose" and _COUNTED.match(text, end) is not None
    )


def _is_cell(text: str, first: Candidate, last: Candidate) -> bool:
    """A number alone between tabs or bars; what it measures is said elsewhere, if at all."""
    left = text[max(0, first.start - 4) : first.start].rstrip(" ")[-1:]
    edges = left + text[last.end : last.end + 4].lstrip(" ")[:1]
    return edges.strip("\n\r\t|") == "" and edges.strip("\n\r") != ""
