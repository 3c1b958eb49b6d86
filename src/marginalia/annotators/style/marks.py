"""Punctuation that slipped: brackets left open, commas twice, quotation marks of several kinds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from marginalia.annotators.style.consistency import Variant, report
from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.masks import BLOT
from marginalia.annotators.style.rule import Edit, Example, Issue, Rule
from marginalia.nlp.prose import SpanSet, paragraphs

_TWICE = re.compile(r"(?<=[^\W\d_])(,[ \t]*,+|;[ \t]*;+|(?<!\.)\.\.(?!\.))(?=\s|\Z)")
_SPACE = re.compile(r"(?<=[^\W\d_]{3})[ ]([,;])(?=\s)")
_LABEL = re.compile(r"(?:^|\s)(?:\w|\d+|[ivx]+)\)")
_SMILEY = re.compile(r"(?<!\S)[:;]-?[()](?=[\s.,!?]|\Z)")
_LOW = re.compile(r"„[^„“”\"\n]{2,200}[“”]")
_STRAIGHT = re.compile(r"(?<!\w)\"[^\"\n]{2,200}\"(?!\w)")
_CURLY = re.compile(r"“[^“”\"\n]{2,200}”")
_ANGLE = re.compile(r"»[^»«\n]{2,200}«")
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
        said = (
            draft.say(
                "this bracket is not closed in its paragraph",
                "diese Klammer wird in ihrem Absatz nicht geschlossen",
            )
            if opened
            else draft.say(
                "this bracket closes what was not opened",
                "diese Klammer schließt, was nicht geöffnet wurde",
            )
        )
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
            said = draft.say(f"“{sign}” stands twice", f"„{sign}“ steht doppelt")
            yield Issue(*match.span(), said, (Edit(*match.span(), sign),))
    for match in _SPACE.finditer(draft.text):
        said = draft.say(f"a space before “{match[1]}”", f"ein Leerzeichen vor „{match[1]}“")
        yield Issue(*match.span(), said, (Edit(*match.span(), match[1]),))


def check_quotes(draft: Draft) -> Iterator[Issue]:
    """Quotations in marks of several kinds; the rarer ones are reported once."""
    kinds = (_LOW, _STRAIGHT, _CURLY, _ANGLE) if draft.lang == "de" else (_STRAIGHT, _CURLY)
    found = [
        [match.span() for match in pattern.finditer(draft.doc.text) if _is_prose(draft, match)]
        for pattern in kinds
    ]
    variants = [
        Variant(f"{draft.doc.text[spans[0][0]]}…{draft.doc.text[spans[0][1] - 1]}", spans)
        for spans in found
        if spans
    ]
    if len(variants) > 1:
        yield from report(draft, variants, lambda quote, wanted: None)


def _is_prose(draft: Draft, match: re.Match[str]) -> bool:
    return draft.text[match.start()] != BLOT and draft.text[match.end() - 1] != BLOT


def rules() -> Iterable[Rule]:
    yield Rule(
        code="marks.brackets",
        summary="A round bracket is left open or closes nothing",
        reason="Reported where a paragraph has just one bracket too many; labels such as a) and smileys are none.",
        check=check_brackets,
        examples=(
            Example(
                "en",
                "Fold the sheet (along the grain and press it.",
                "Fold the sheet (along the grain): a) once, b) twice :)",
            ),
            Example(
                "de",
                "Das Blatt falten (mit der Faser und pressen.",
                "Das Blatt falten (mit der Faser) und pressen.",
            ),
        ),
    )
    yield Rule(
        code="marks.repeated",
        summary="A comma, semicolon or full stop stands twice, or after a space",
        reason="What is left behind when a sentence was changed. Three dots are no slip.",
        check=check_repeated,
        fixes=True,
        examples=(
            Example(
                "en",
                "Fold the sheet,, then press it ,gently. Wait..",
                "Fold the sheet, then press it... and wait.",
            ),
            Example("de", "Das Blatt falten,, dann pressen.", "Das Blatt falten, dann pressen ..."),
        ),
    )
    yield Rule(
        code="marks.quotes",
        summary="Quotation marks of several kinds",
        reason='„so“, "so" and »so« in one German text, or straight and curly marks in an English one. Code does not count.',
        check=check_quotes,
        examples=(
            Example(
                "en",
                'They call it “the long fold” and "the short fold" here.',
                "They call it “the long fold” and “the short fold” here.",
            ),
            Example(
                "de",
                'Er heißt „langer Falz“ oder "kurzer Falz" bei uns.',
                "Er heißt „langer Falz“ oder „kurzer Falz“ bei uns.",
            ),
        ),
    )
