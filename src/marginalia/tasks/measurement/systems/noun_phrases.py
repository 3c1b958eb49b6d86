"""Noun phrases without a tagger: what stands between function words, verbs, punctuation and numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from marginalia.quantities.lexicon import stop_words


class Phrase(NamedTuple):
    """``text[start:end]``; ``head`` is where its last word begins."""

    start: int
    end: int
    head: int


VERBS = frozenset(
    "show shows showed shown find finds found give gives gave given yield yields make makes made take takes "
    "took taken lead leads led become becomes became remain remains remained appear appears seem seems "
    "occur occurs occurred contain contains contained include includes included involve involves involved "
    "consist consists consisted comprise comprises represent represents represented indicate indicates "
    "indicated suggest suggests suggested reveal reveals revealed demonstrate demonstrates demonstrated "
    "report reports reported observe observes observed obtain obtains obtained produce produces produced "
    "provide provides provided require requires required allow allows allowed cause causes caused result "
    "results resulted result resulting correspond corresponds corresponding depend depends exhibit exhibits "
    "exhibited display displays displayed reach reaches reached exceed exceeds exceeded vary varies varied "
    "varying range ranges ranged ranging lie lies lay span spans spanned cover covers covered account "
    "accounts accounted weigh weighs weighed last lasts lasted use uses using based according due set sets "
    "kept held known seen see made done put run runs ran get gets got go goes went come comes came let lets "
    "begin begins began begun grow grows grew grown rise rises rose risen fall falls fell fallen drop drops "
    "dropped describe describes described assume assumes assumed estimate estimates estimated calculate "
    "calculated predict predicts predicted compare compares compared define defines defined measured measure "
    "performed carried following followed considered having being doing increases decreases "
    "wurde wurden hat haben hatte hatten beträgt betrug betragen liegt lag liegen zeigt zeigen ergab "
    "ergibt enthält enthalten wird werden kann können misst wiegt dauert dauerte".split()
)
_TOKEN = re.compile(r"[^\W_](?:[\w'’/+.‐–-]*[\w+])?|\S")
_FIGURE = re.compile(r"\d[\d.,/–-]*[a-z]?")
_PAST = re.compile(r"[a-z]+ed")
_ADVERB = re.compile(r"[a-z]{3,}ly")


def find_phrases(text: str, start: int, end: int, taken: Sequence[tuple[int, int]]) -> list[Phrase]:
    """The noun phrases of ``text[start:end]`` in reading order; none shares a character with ``taken``."""
    found: list[Phrase] = []
    place = 0
    tokens = [match.span() for match in _TOKEN.finditer(text, start, end)]
    for number, (a, b) in enumerate(tokens):
        while place < len(taken) and taken[place][1] <= a:
            place += 1
        if place < len(taken) and taken[place][0] < b:
            continue
        within = bool(found) and found[-1].end == a - 1 and text[a - 1] == " "
        follows = tokens[number + 1] if number + 1 < len(tokens) else (b, b)
        if _is_content(text[a:b], text[slice(*follows)], within):
            begin = found.pop().start if within else a
            found.append(Phrase(begin, b, a))
    return found


def _is_content(word: str, follows: str, within: bool) -> bool:
    """Whether the word can be in a noun phrase; ``within`` says that one is open before it."""
    low = word.lower()
    if not word[0].isalnum() or _FIGURE.fullmatch(word) or _ADVERB.fullmatch(low):
        return False
    if low in stop_words() or low in VERBS:
        return False
    if _PAST.fullmatch(low):  # "modified epoxy", but "was modified by", "cells survived"
        return not within and follows[:1].isalpha() and follows.lower() not in stop_words()
    return True
