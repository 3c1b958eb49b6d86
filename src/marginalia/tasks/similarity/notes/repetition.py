"""Which repeated sentences a writer would want to know of: no lead-ins, page furniture, licences or talk."""

from __future__ import annotations

import re

from marginalia.nlp.function_words import FUNCTION_WORDS
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import lower_words

MIN_WORDS = 8
"""Shorter sentences are said again because there is one way to say them: ``See the table below.``"""
MIN_FUNCTION_WORDS = 0.15
"""Share of small words; less is a list, a name, or neither English nor German."""
MIN_CAPITALS = 0.6
"""Share of letters that are capitals, from which on it is a heading."""
MAX_COPIES = 4
"""What stands there more often is meant to: a header, a form, a refrain."""
MIN_SHARED_STEMS = 0.6
"""Share of the content words of the longer sentence that the shorter must have too."""

_END = re.compile(r"[.!?…][\"'”’“‘»«›‹)\]\d¹²³⁰⁴-⁹,\[]*\Z")
_FURNITURE = re.compile(
    r"\b(?:copyright|licen[cs]ed?|licen[cs]es|warrant\w*|liab\w*|rights reserved|cookies?|subscrib\w*|newsletter|sign up|log in|click here"
    r"|privacy|terms of|disclaimer|advertisement|lorem ipsum|docket|pursuant|hereby|herein\w*|project gutenberg|ebook"
    r"|lizenz\w*|haftung\w*|datenschutz\w*|urheberrecht\w*|impressum)\b|©|https?://|www\.",
    re.IGNORECASE,
)
_TALK = re.compile(r"\A\W*[\"“”„«»‘']|[\"“”«»]\s*\Z")


def is_worth_repeating(text: str) -> bool:
    """Whether a reader would wonder to see this sentence twice."""
    said = lower_words(text)
    if (
        len(said) < MIN_WORDS
        or not _END.search(text)
        or _FURNITURE.search(text)
        or _TALK.search(text)
    ):
        return False
    letters = [letter for letter in text if letter.isalpha()]
    if sum(letter.isupper() for letter in letters) >= MIN_CAPITALS * len(letters):
        return False
    return sum(word in FUNCTION_WORDS for word in said) >= MIN_FUNCTION_WORDS * len(said)


def repeats(left: str, right: str) -> bool:
    """Whether hardly anything is said on one side alone: what the vectors call near may have another subject."""
    a, b = (
        {stem(word) for word in lower_words(text) if word not in FUNCTION_WORDS}
        for text in (left, right)
    )
    return len(a & b) >= MIN_SHARED_STEMS * max(1, len(a), len(b))
