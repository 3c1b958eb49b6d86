"""Sentences with their code-point offsets, for English and German."""

from __future__ import annotations

import re
from collections.abc import Iterator

from marginalia.nlp.language import english_or_german

# What a full stop after a word means. Words are lower-cased and without their last full stop.
_NEVER_LAST = frozenset(
    "approx bspw bzw ca cf dr ed eds evtl exkl fa fr geb ggf ggfs hrsg i.e e.g inkl insb loc mr mrs ms op "
    "prof resp sog st vgl vs z.b d.h i.d.r s.o s.u z.t v.a b.w zzgl".split()
)
_BEFORE_NUMBERS = frozenset(
    "abb abs anm apr art aug bd ch chap dec dez eq eqs feb fig figs jan jg kap max mind nr no nos "
    "nov oct okt p pp ref refs sec sect sep sept tab tel vol vols ziff".split()
)
_SOMETIMES_LAST = frozenset("al co corp etc inc jr ltd sr usw u.a o.ä u.ä a.m p.m m.e".split())

# Words that open sentences but seldom follow an abbreviation, initial or ordinal within one.
_OPENERS = {
    "en": frozenset(
        "a after all although an and as at both but by during each finally first for from he her "
        "here his how however i if in it its many most my no not on one our several she since so "
        "some such that the their then there therefore these they this those thus to we what when "
        "where which while who why with you your".split()
    ),
    "de": frozenset(
        "aber alle als am an auch auf aus außerdem bei beide da dabei dadurch daher damit danach "
        "dann darum das dass dazu dem den denn der deren des deshalb die dies diese dieser dieses "
        "doch dort durch ein eine einer einige er es für hier hinter ich ihr ihre im in insgesamt "
        "ja jede jeder jedoch kein keine man mit nach nicht noch nun nur ob obwohl ohne sehr seit "
        "sie so sobald sowohl trotz um und unter viele vielleicht vom von vor was weil wenn wer "
        "wie wir wo zu zudem zuerst zum zur zwischen".split()
    ),
}

_GAP = re.compile(r"\n[^\S\n]*\n")
# After the mark that ends a sentence: closing quotes and brackets, footnote marks, or references [3, 4].
_BREAK = re.compile(
    r"\n[^\S\n]*\n\s*|(?<=[.!?…])(?:[\"'”’“‘»«›‹)\]¹²³⁰⁴-⁹]|\[\d[\d,;–\- ]*\])*\s+",
)
_LAST_WORD = re.compile(r"([^\W_][\w.]*)\.\Z")
_SPACED = re.compile(r"\b(?:z\.\s?B|d\.\s?h|i\.\s?d\.\s?R|z\.\s?T|v\.\s?a|i\.\s?e|e\.\s?g)\.\Z")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_OPENING = re.compile(r"[\"'“‘„‚«»‹›(\[]*([^\W_]+)")
_NUMBER = re.compile(r"\w*\d\w*|[A-Z]|[IVXLC]+")


def sentences(text: str, lang: str | None = None) -> Iterator[tuple[int, int]]:
    """The offsets of each sentence, without the white space around it.

    A blank line always ends a sentence. Without ``lang`` the language is guessed; it decides what a
    full stop after a number means ("am 20. November") and which words open a sentence.
    """
    lang = lang or english_or_german(text)
    start = len(text) - len(text.lstrip())
    for match in _BREAK.finditer(text, start):
        if _GAP.search(match.group()) or _ends(text, start, match, lang):
            yield from trimmed(text, start, match.end())
            start = match.end()
    yield from trimmed(text, start, len(text))


def _ends(text: str, start: int, match: re.Match[str], lang: str) -> bool:
    """Whether the mark before this white space ends the sentence that began at ``start``."""
    mark = match.start()
    low = max(start, mark - 24)
    before = _LAST_WORD.search(text, low, mark)
    word = before.group(1).lower() if before else ""
    if word in _NEVER_LAST or _SPACED.search(text, low, mark):
        return False
    opening = _OPENING.match(text, match.end())
    if opening is None:
        return not text.startswith((".", "…"), match.end())  # an ellipsis whose dots are apart
    following = opening.group(1)
    if following[0].islower():
        return False
    if before is None:
        return True
    if word in _BEFORE_NUMBERS:
        return _NUMBER.fullmatch(following) is None
    is_ordinal = word.isdigit() and len(word) <= 2
    is_initial = _INITIALS.fullmatch(word) is not None
    # "1. Wash the jars" and "a. Wash them": a label of what follows, not a sentence.
    if (is_ordinal or len(word) == 1) and before.start() == start:
        return False
    opens = following.lower() in _OPENERS.get(lang, _OPENERS["en"])
    if word in _SOMETIMES_LAST or is_initial:
        # Nouns have capitals in German only: elsewhere a capital after "etc." is a new sentence.
        return opens or (word == "etc" and lang != "de")
    if is_ordinal and lang == "de":
        return opens or following[0].isdigit()
    return True


def trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span without the white space around it; nothing where it has nothing else."""
    piece = text[start:end]
    body = piece.strip()
    if body:
        offset = start + piece.index(body)
        yield offset, offset + len(body)
