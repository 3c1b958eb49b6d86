"""Abbreviations with the long form that a text gives them.

The rule is that of Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation definitions in biomedical
text": read from right to left, each letter of the short form is found in the long form, and its first letter begins a word
there. Beyond the paper: what says "for short" (``hereafter``, ``kurz``, ``im Folgenden``), plurals (``CNNs``), ``X stands for
…``, and a short form has the look of one, because any word may stand in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from marginalia.lang import compile_all

MAX_SHORT = 10
MAX_INSIDE = 120
"""Characters between brackets; what is longer is a sentence of its own."""

_BRACKETS = re.compile(rf"[(\[]([^()\[\]\n\t]{{2,{MAX_INSIDE}}})[)\]]")
_QUOTES = "\"'“”„‚‘’«»‹›"
_WORD = re.compile(r"[^\s/]+")
_SHORT_BEFORE = re.compile(rf"([\w&/-]{{2,{MAX_SHORT}}})[{_QUOTES}]?\s?\Z")
_FOR_SHORT = r"(?:<ALL>)\s*[:,]?\s+"
_STANDS_FOR = r"(?<!\w)([\w&/-]{2,10})\s+(?:<ALL>)\s+([^.;:()\n]{3,100})"
_CODE = re.compile(r"[|_{}<>=\\*`]")
# Behind these the long form cannot reach back.
_STOP = re.compile(r"[.!?;:]\s|\n\s*\n|[\t()\[\]]")


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form and its long form where the text brings them together, as offsets into the text."""

    short: str
    long: str
    start: int
    end: int
    long_start: int
    long_end: int


def abbreviations(text: str) -> Iterator[Abbreviation]:
    """Each place where a text says what a short form stands for, in reading order."""
    found = [*_in_brackets(text), *_stands_for(text)]
    yield from sorted(found, key=lambda one: (min(one.start, one.long_start), one.start))


def first_mentions(places: Iterable[Abbreviation]) -> dict[str, Abbreviation]:
    """By short form, in the singular, the first of these places."""
    first: dict[str, Abbreviation] = {}
    for one in places:
        first.setdefault(singular(one.short), one)
    return first


def looks_short(word: str) -> bool:
    """Whether a word is written as abbreviations are: two capitals or more, or a capital after a small letter (NLP, mRNA, GmbH)."""
    if not 2 <= len(word) <= MAX_SHORT or not word[0].isalnum() or "_" in word:
        return False
    base = singular(word)
    capitals = sum(char.isupper() for char in base)
    letters = sum(char.isalpha() for char in base)
    return (capitals >= 2 and 2 * capitals >= letters) or bool(re.match(r"[a-zµ][A-ZÄÖÜ]", base))


def singular(short: str) -> str:
    """``CNN`` for ``CNNs`` and ``CNN's``; what is all capitals stays as it is."""
    match = re.fullmatch(r"(.*[A-ZÄÖÜ0-9])['’]?s", short)
    return match[1] if match else short


def _in_brackets(text: str) -> Iterator[Abbreviation]:
    for match in _BRACKETS.finditer(text):
        inside, at = match[1], match.start(1)
        said = compile_all(_FOR_SHORT, "definitions", "for_short", re.I).match(inside)
        offset = said.end() if said else 0
        # (NLP; Smith 2003), (NLP, see below)
        stop = re.search(r"[;,]", inside[offset:])
        head = inside[offset : offset + stop.start() if stop else None]
        low = len(head) - len(head.lstrip(f" {_QUOTES}"))
        short = head.strip(f" {_QUOTES}")
        if looks_short(short) and len(short.split()) <= 2:
            span = _long_before(text, match.start(), short)
            if span:
                begin = at + offset + low
                yield Abbreviation(short, text[slice(*span)], begin, begin + len(short), *span)
                continue
        window = max(0, match.start() - 24)
        before = _SHORT_BEFORE.search(text[window : match.start()])
        if before is None or not looks_short(before[1]):
            continue
        begin = window + before.start(1)
        # PDF (portable document format), NRW (kurz für …): all of it, from its first word on
        low, high = at + offset, at + offset + len(head)
        span = _long_in(text, low, high, before[1])
        if span and span[0] - low <= 4:
            yield Abbreviation(before[1], text[slice(*span)], begin, begin + len(before[1]), *span)


def _stands_for(text: str) -> Iterator[Abbreviation]:
    for match in compile_all(_STANDS_FOR, "definitions", "stands_for").finditer(text):
        short = match[1]
        if not looks_short(short):
            continue
        low = match.start(2)
        for high in _ends(text, low, match.end(2), short):
            span = _long_in(text, low, high, short)
            if span:
                yield Abbreviation(short, text[slice(*span)], *match.span(1), *span)
                break


def _ends(text: str, low: int, high: int, short: str) -> Iterator[int]:
    """Where the long form may end: after as many words as the short form has letters, then one word more or less."""
    ends = [low + match.end() for match in _WORD.finditer(text[low:high].rstrip(" ,"))]
    count = sum(char.isalnum() for char in singular(short))
    for words in (count, count + 1, count - 1, count + 2, count - 2):
        if 1 <= words <= len(ends):
            yield ends[words - 1]


def _long_before(text: str, end: int, short: str) -> tuple[int, int] | None:
    """The long form that ends before the bracket, as a span."""
    high = end
    while high > 0 and text[high - 1] in f" {_QUOTES}\n":
        high -= 1
    low = max(0, high - 160)
    for stop in _STOP.finditer(text, low, end):
        low = stop.end()
    if low >= high:
        return None
    letters = len(singular(short))
    starts = [low + match.start() for match in _WORD.finditer(text[low:high])]
    starts = starts[-min(letters + 5, 2 * letters) :]
    if not starts:
        return None
    return _match(text, starts[0], high, short)


def _long_in(text: str, low: int, high: int, short: str) -> tuple[int, int] | None:
    body = text[low:high].rstrip(f" {_QUOTES}")
    body_low = low + len(body) - len(body.lstrip(f" {_QUOTES}"))
    return _match(text, body_low, low + len(body), short)


def _match(text: str, low: int, high: int, short: str) -> tuple[int, int] | None:
    """The shortest long form that ends at ``high``, or None; the loop of the paper."""
    place = high
    letters = [char.lower() for char in singular(short) if char.isalnum()]
    for number in range(len(letters) - 1, -1, -1):
        place -= 1
        while place >= low and (
            text[place].lower() != letters[number]
            or (number == 0 and place > low and text[place - 1].isalnum())
        ):
            place -= 1
        if place < low:
            return None
    start = _word_start(text, place, low)
    long = text[start:high]
    words = long.split()
    enough = len(long) > len(short) + 2 and len(words) <= min(len(letters) + 5, 2 * len(letters))
    # A long form is in words: no link or code, not another short form, nor one that holds this one.
    if not enough or short.lower() in [word.lower() for word in words] or _CODE.search(long):
        return None
    if len(words) == 1 and looks_short(long):
        return None
    return start, high


def _word_start(text: str, place: int, low: int) -> int:
    """Where the word begins that holds this character: a hyphen does not begin one (so: T-helper)."""
    while place > low and not text[place - 1].isspace() and text[place - 1] not in f"({_QUOTES}/":
        place -= 1
    return place
