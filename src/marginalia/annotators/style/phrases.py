"""Phrases that say less than they seem to, or say it at length; for the genres that ask for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Issue
from marginalia.lang import Language


def check_vague(draft: Draft) -> Iterator[Issue]:
    for start, end in draft.sentences:
        for pattern, asked in _vague(draft.language):
            for match in pattern.finditer(draft.text, start, end):
                yield Issue(*match.span(), asked)


def check_wordy(draft: Draft) -> Iterator[Issue]:
    for start, end in draft.sentences:
        for pattern, word in _wordy(draft.language):
            said = draft.say("plainer", word=word) if word else draft.say("left_out")
            for match in pattern.finditer(draft.text, start, end):
                yield Issue(*match.span(), said)


@cache
def _vague(known: Language) -> list[tuple[re.Pattern[str], str]]:
    flag = re.NOFLAG if known.nouns_have_capitals else re.IGNORECASE
    listed = known.table("style", "vague").items()
    return [(re.compile(phrase, flag), asked) for phrase, asked in listed]


@cache
def _wordy(known: Language) -> list[tuple[re.Pattern[str], str]]:
    listed = known.table("style", "wordy").items()
    return [
        (re.compile(rf"(?<![\w-]){phrase}(?![\w-])".replace(" ", r"\s+"), re.IGNORECASE), word)
        for phrase, word in listed
    ]
