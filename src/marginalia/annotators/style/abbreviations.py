"""Abbreviations that nobody explains, that are explained too late, in two ways, or and then never used."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from marginalia.annotators.style.draft import Draft, Word
from marginalia.annotators.style.rule import Issue
from marginalia.annotators.style.well_known import is_well_known
from marginalia.lang import pattern_of_all
from marginalia.nlp.abbreviations import abbreviations, first_mentions, looks_short, singular
from marginalia.nlp.language import FUNCTION_WORDS

MIN_USES = 3
"""An abbreviation that is used once or twice may be a name; one that comes back is a term of the text."""

MIN_EXPLAINED = 3
"""A text that spells out so many means to spell out all."""

MIN_LATE = 3
"""Letters; of two there are too many that mean something else."""
MIN_SPELLED_OUT = 4
MIN_FAR = 300
"""Characters up to the explanation, from which on a reader has gone on without it."""

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


def check_late(draft: Draft) -> Iterator[Issue]:
    """The first use of an abbreviation that the text explains, or spells out, only afterwards."""
    text = draft.doc.text
    explained = first_mentions(abbreviations(text))
    shouting, seen = _shouting(draft), set[str]()
    for word in draft.words:
        short = singular(word.text)
        if short in seen or len(short) < MIN_LATE or not looks_short(short):
            continue
        if draft.in_heading(word.start):
            continue
        seen.add(short)
        if is_well_known(short) or short.lower() in shouting:
            continue
        found = explained.get(short)
        long = found.long if found else _spelled_out(short, text)
        # A long form nearby, before or behind, explains it in a way of its own.
        if not long or _is_name(short, text):
            continue
        place = text.lower().find(long.lower())
        if place > word.end + MIN_FAR:
            yield Issue(
                word.start, word.start + len(short), draft.say("late", long=_one_line(long))
            )


def check_ambiguous(draft: Draft) -> Iterator[Issue]:
    """The second long form of an abbreviation."""
    first: dict[str, str] = {}
    for one in abbreviations(draft.doc.text):
        short = singular(one.short)
        if _initials(one.long) != short.lower():
            continue  # some of its letters are inside words, which may be chance
        before = first.setdefault(short, one.long)
        if not _stems(before) & _stems(one.long):
            said = draft.say("ambiguous", long=_one_line(before))
            yield Issue(one.start, one.end, said)


def _spelled_out(short: str, text: str) -> str:
    """The words with these initials that stand together first, none of them a small one; of long ones, where that is no chance."""
    if len(short) < MIN_SPELLED_OUT or not short.isalpha() or not short.isupper():
        return ""
    words = r"[\s-]".join(rf"{re.escape(letter)}[a-zäöüß]+" for letter in short)
    found = re.search(rf"(?<!\w){words}", text, re.IGNORECASE)
    small = {word.lower() for word in re.split(r"[\s-]", found[0])} if found else set()
    return found[0] if found and not small & FUNCTION_WORDS else ""


def _initials(long: str) -> str:
    small = pattern_of_all("style", "inside_long_forms")
    words = (word for word in re.split(r"[\s\-‐‑/]+", long) if not re.fullmatch(small, word))
    return "".join(word[:1].lower() for word in words)


def _stems(long: str) -> set[str]:
    """How its words begin, whatever their endings."""
    return {word[:4].lower() for word in re.findall(r"[^\W\d_]{3,}", long)}


def _one_line(long: str) -> str:
    return " ".join(long.split())


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
