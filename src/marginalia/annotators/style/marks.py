"""Punctuation that slipped: brackets left open, commas twice, quotation marks of several kinds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from marginalia.annotators.style.consistency import Variant, report
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.masks import BLOT
from marginalia.annotators.style.rule import Edit, Issue
from marginalia.nlp.prose import SpanSet, paragraphs

_TWICE = re.compile(r"(?<=[^\W\d_])(,[ \t]*,+|;[ \t]*;+|(?<!\.)\.\.(?!\.))(?=\s|\Z)")
_SPACE = re.compile(r"(?<=[^\W\d_]{3})[ ]([,;])(?=\s)")
_LABEL = re.compile(r"(?:^|\s)(?:\w|\d+|[ivx]+)\)")
_SMILEY = re.compile(r"(?<!\S)[:;]-?[()](?=[\s.,!?]|\Z)")
_QUOTATIONS = {
    "„": re.compile(r"„[^„“”\"\n]{2,200}[“”]"),
    '"': re.compile(r"(?<!\w)\"[^\"\n]{2,200}\"(?!\w)"),
    "“": re.compile(r"“[^“”\"\n]{2,200}”"),
    "»": re.compile(r"»[^»«\n]{2,200}«"),
}
"""By the mark that opens them."""
FORMATS_AS_WRITTEN = ("text", "markdown", "rst")
"""In HTML and XML a space or comma may stand where an element without text was."""


def check_brackets(draft: Draft) -> Iterator[Issue]:
    """A paragraph with one round bracket too many, and no paragraph near by that has the other."""
    lost = [(start, end, *_lost(draft.text[start:end])) for start, end in paragraphs(draft.text)]
    for number, (start, end, opened, closed) in enumerate(lost):
        if len(opened) + len(closed) != 1 or draft.headings.touch(start, end):
            continue  # more than one is a notation, not a slip
        if draft.text.count(BLOT, start, end) > 0.3 * (end - start):
            continue
        near = lost[number + 1 : number + 4] if opened else lost[max(0, number - 3) : number]
        if any(one[3] if opened else one[2] for one in near):
            continue  # an example or a page end in between
        place = start + (opened or closed)[0]
        beside = draft.text[place - 1 : place], draft.text[place + 1 : place + 2]
        if BLOT in beside or beside[1] in tuple(",]}"):
            continue  # a bracket that is spoken of
        said = draft.say("not_closed" if opened else "not_opened")
        yield Issue(place, place + 1, said)


@lru_cache(maxsize=2**12)  # a text that is edited has the same paragraphs in each version
def _lost(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The places of brackets that are never closed, and of those that close nothing."""
    if "(" not in text and ")" not in text:
        return (), ()
    text = _SMILEY.sub(lambda match: BLOT * len(match.group()), text)
    labels = {match.end() - 1 for match in _LABEL.finditer(text)}
    opened: list[int] = []
    closed: list[int] = []
    for place, char in enumerate(text):
        if char == "(":
            opened.append(place)
        elif char == ")" and opened:
            opened.pop()
        elif char == ")" and place not in labels:
            closed.append(place)
    return tuple(opened), tuple(closed)


def check_repeated(draft: Draft) -> Iterator[Issue]:
    if draft.doc.meta.get("format") not in FORMATS_AS_WRITTEN:
        return
    prose = SpanSet.merge(draft.paragraphs)
    for match in _TWICE.finditer(draft.text):
        if prose.hold(match.start()):
            sign = match.group()[0]
            said = draft.say("sign_twice", sign=sign)
            yield Issue(*match.span(), said, (Edit(*match.span(), sign),))
    for match in _SPACE.finditer(draft.text):
        said = draft.say("space_before", sign=match[1])
        yield Issue(*match.span(), said, (Edit(*match.span(), match[1]),))


def check_quotes(draft: Draft) -> Iterator[Issue]:
    """Quotations in marks of several kinds; the rarer ones are reported once."""
    opening = draft.listed("quotation_marks")
    quotations = [
        [match.span() for match in pattern.finditer(draft.doc.text) if _is_prose(draft, match)]
        for mark, pattern in _QUOTATIONS.items()
        if mark in opening
    ]
    variants = [
        Variant(f"{draft.doc.text[spans[0][0]]}…{draft.doc.text[spans[0][1] - 1]}", spans)
        for spans in quotations
        if spans
    ]
    if len(variants) > 1:
        yield from report(draft, variants, lambda quote, wanted: None)


def _is_prose(draft: Draft, match: re.Match[str]) -> bool:
    return draft.text[match.start()] != BLOT and draft.text[match.end() - 1] != BLOT
