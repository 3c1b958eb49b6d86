"""What the words around a quantity say of its value: that it is a bound, that it is rough, how often it recurs.

The shared task's spans end before such words, so that a value read from the span alone would be exact: "must not
exceed 45 °C", "45 °C nicht übersteigen", "ab 6 Jahren". Read the wrong way round, "no larger than 20 MB" would be more
than that. The spans stay as they are; only the value of the record changes.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from marginalia import lang
from marginalia.quantities.lexicon import lexicon
from marginalia.quantities.values import Value

SURROUNDINGS = 60
"""Characters before and behind a quantity that are looked at."""
_AMOUNT = r"(?P<amount>[\d.,]+[\s-]?(?P<unit>[^\s\d]+))"
_WHAT = re.compile(r"\b(?:what|how)\s\Z", re.IGNORECASE)
"""Before "about": no approximation."""

BLANKS = r"\s?"

Cue = tuple[str, re.Pattern[str]]
"""The part that it plays, and how it is said."""


class Cues(NamedTuple):
    """What may stand around a quantity."""

    before: list[Cue]
    behind: list[Cue]
    shared: list[Cue]
    """A bound of the quantity before that holds for this one too: "at least 2 GB of memory and 10 GB of disk"."""
    own: re.Pattern[str]
    """A bound that belongs to the quantity itself."""
    denied: re.Pattern[str]
    roughly: re.Pattern[str]
    at_or: re.Pattern[str]
    until: re.Pattern[str]
    ago: re.Pattern[str]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


@cache
def _cues(language: lang.Language) -> Cues:
    table = language.table("numbers", "around")
    up, down, than, no, over, above, below, until, at_or, ago, about, and_, no_verb = (
        table.get(name) or "(?!)"
        for name in (
            "up", "down", "than", "not", "over", "above", "below", "until", "at_or", "ago", "about", "and", "no_verb",
        )
    )  # fmt: skip
    # What is denied comes first.
    before = [
        ("most", rf"{no}\s(?:(?:be|to|ever)\s)?(?:{over}|(?:{up})\s{than}|{above})"),
        ("least", rf"{no}\s(?:be\s)?(?:(?:{down})\s{than}|{below})"),
        *table.get("before", {}).items(),
        ("more", rf"\b(?:{over}|(?:{up})\s{than})"),
        ("less", rf"\b(?:{down})\s{than}"),
    ]
    words = rf"(?P<words>(?:\s(?!(?:{no_verb})\b)[^\W\d_][\w-]*){{0,6}})"
    return Cues(
        [(role, _pattern(rf"(?:{said}){table.get('link', BLANKS)}\Z")) for role, said in before],
        [
            (role, _pattern(rf"(?:{said})(?!\w|\s?\d)"))
            for role, said in table.get("behind", {}).items()
        ],
        [
            (role, _pattern(rf"(?:{said})\s(?:(?:{about})\s)?{_AMOUNT}{words},?\s(?:{and_})\s\Z"))
            for role, said in table.get("shared", {}).items()
        ],
        _pattern(rf"(?:(?:{up}|{down})\s{than}|{above}|{below})\s"),
        _pattern(rf"{no}\s(?:(?:be|take|last|get|become)\s)?\Z"),
        _pattern(rf"(?:{table.get('roughly') or '(?!)'}|[~∼≈˜]\s?)\Z"),
        _pattern(rf"(?:{at_or})\Z"),
        _pattern(until),
        re.compile(ago),
    )


def with_surroundings(value: Value, text: str, start: int, end: int, language: str = "en") -> Value:
    """The value as the words around ``text[start:end]`` make it; one that is no single number stays."""
    plain = value.kind in ("number", "bound") and sum(not n.tolerance for n in value.numbers) == 1
    if not plain:
        return value
    cues = _cues(lang.language(language))
    around = text[max(0, start - 2 * SURROUNDINGS) : start].replace("\u00a0", " ")
    before = around[-SURROUNDINGS:]
    if value.kind == "bound":
        if cues.at_or.search(before):
            return replace(value, low_open=False, high_open=False)
        denied = cues.denied.search(before) and cues.own.match(text, start)
        return _turned(value) if denied else value
    if value.approximate and _WHAT.search(before):
        value = replace(value, approximate=False)
    if cues.roughly.search(before):
        value = replace(value, approximate=True)
    behind = text[end : end + SURROUNDINGS].replace("\u00a0", " ")
    role = next((role for role, cue in cues.before if cue.search(before)), None)
    role = role or next((role for role, cue in cues.behind if cue.match(behind)), None)
    role = role or next(
        (
            role
            for role, cue in cues.shared
            if (shared := cue.search(around))
            and (not shared["words"] or text[start:end].endswith(shared["unit"]))
        ),
        None,
    )
    if cues.until.match(text, start) and not cues.ago.match(behind):
        role = role or "most"
    return _bounded(value, role) if role else value


@cache
def _recurrence(language: lang.Language) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How often, behind a quantity and before it."""
    words = lexicon(language.code)
    often, behind = (
        words.pattern("numbers", name, table="around") for name in ("recurs", "recurs_behind")
    )
    return (
        re.compile(rf"\s(?P<how>{behind}|(?:{often})(?!\w))"),
        re.compile(rf"(?<!\w)(?P<how>(?i:{often}))\s(?:\S{{2,12}}\s)?\Z"),
    )


def recurrence(text: str, start: int, end: int, language: str = "en") -> str | None:
    """How often the quantity recurs, as written: "5 mg **täglich**", "three days **a week**"."""
    recurs, recurring = _recurrence(lang.language(language))
    if match := recurs.match(text, end):
        return match["how"]
    match = recurring.search(text, max(0, start - SURROUNDINGS), start)
    return match["how"] if match else None


def _bounded(value: Value, role: str) -> Value:
    open_ = role in ("more", "less")
    if role in ("most", "less"):
        return replace(value, kind="bound", low=None, high_open=open_)
    return replace(value, kind="bound", high=None, low_open=open_)


def _turned(value: Value) -> Value:
    """``no larger than 20`` is 20 or less."""
    if value.high is None and value.low_open:
        return replace(value, low=None, high=value.low, low_open=False)
    if value.low is None and value.high_open:
        return replace(value, high=None, low=value.high, high_open=False)
    return value
