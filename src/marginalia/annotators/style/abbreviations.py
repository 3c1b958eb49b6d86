"""Abbreviations that nobody explains, or that are explained and never used."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from marginalia.annotators.style.draft import Draft, Word
from marginalia.annotators.style.rule import Issue
from marginalia.annotators.style.well_known import is_well_known
from marginalia.lang import pattern_of_all
from marginalia.nlp.abbreviations import abbreviations, singular

MIN_USES = 3
"""An abbreviation that is used once or twice may be a name; one that comes back is a term of the text."""

MIN_EXPLAINED = 3
"""A text that spells out so many means to spell out all."""

_CAPITALS = re.compile(r"([A-ZÄÖÜ]{3,5})s?(?=-[A-ZÄÖÜa-zäöü]|\Z)")
"""Longer ones are names of systems and projects, or words in capitals."""
_BASES = re.compile(r"[ACGTU]+")


def check_undefined(draft: Draft) -> Iterator[Issue]:
    text = draft.doc.text
    explained = {singular(one.short) for one in abbreviations(text)}
    if len(explained) < draft.limit("abbreviations.undefined", MIN_EXPLAINED):
        return  # a text that spells out none relies on readers who know them
    uses: dict[str, list[Word]] = defaultdict(list)
    for word in draft.words:
        capitals = _CAPITALS.match(word.text)
        if capitals and not draft.in_heading(word.start):
            uses[capitals[1]].append(word)
    shouting = _shouting(draft)
    for short, words in uses.items():
        if len(words) < MIN_USES or short in explained or is_well_known(short):
            continue
        if short.lower() in shouting or _is_spelled_out(short, text) or _is_name(short, text):
            continue
        first = words[0]
        said = draft.say("undefined", count=len(words))
        yield Issue(first.start, first.start + len(short), said)


def check_unused(draft: Draft) -> Iterator[Issue]:
    text = draft.doc.text
    for one in abbreviations(text):
        uses = len(re.findall(rf"(?<!\w){re.escape(singular(one.short))}(?:s|’s|'s)?(?!\w)", text))
        if uses == 1 and draft.text[one.start : one.end] == one.short:
            yield Issue(one.start, one.end, draft.say("unused"))


def _shouting(draft: Draft) -> frozenset[str]:
    """Words that the text also writes in small letters: capitals are an emphasis there, or a key word."""
    return frozenset(word.text.lower() for word in draft.words if not word.text.isupper())


def _is_spelled_out(short: str, text: str) -> bool:
    """Whether words with these initials stand together somewhere, with or without capitals."""
    small = pattern_of_all("style", "inside_long_forms")
    letters = rf"[\w-]*\W{{1,3}}(?:(?:{small})\W)?".join(map(re.escape, short))
    return re.search(rf"(?<!\w){letters}[a-zäöüß]+", text, re.IGNORECASE) is not None


def _is_name(short: str, text: str) -> bool:
    """A model number, a work that is cited, a firm, a variable, a stretch of DNA: nothing to spell out."""
    if _BASES.fullmatch(short):
        return True
    named = rf"(?<!\w){short}(?:[- ]?\d|\s?[=\[]|\s\((?:[A-Z][\w’'-]+,? (?:et al|and|&|\d))|,? (?:International|Inc|LLC|Ltd|GmbH|AG)\b)|[$%]{short}\b"
    return re.search(named, text) is not None
