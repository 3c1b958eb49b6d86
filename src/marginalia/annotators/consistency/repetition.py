"""Which sentences a writer would wonder to see said twice: no lead-ins, page furniture, licences, talk or summaries.

``benchmarks/consistency.py`` has a row for each of these conditions.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from marginalia.annotators.consistency.contradictions import find_negations
from marginalia.lang import compile_all
from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import lower_words

MIN_WORDS = 10
"""Shorter sentences are said again because there is one way to say them: ``See the table below.``"""
MIN_FUNCTION_WORDS = 0.15
"""Share of small words; less is a list, a name, a heading, or neither English nor German."""
MIN_SCORE = 3.5
"""Similarity of sentences that say the same, from 0 to 5."""
MIN_REWORDED_SCORE, MAX_COPIED = 4.0, 0.6
"""The same where words were replaced by others, and the share of words in their old order above which it is another thing."""

_END = re.compile(r"[.!?…][\"'”’“‘»«›‹)\]\d¹²³⁰⁴-⁹,\[]*\Z")
_TALK = re.compile(r"\A\W*[\"“”„«»‘']|[\"“”«»]\s*\Z|\?\W*\Z")
_FURNITURE = r"\b(?:<ALL>)\b|©|https?://|www\."
_POINTER = r"\A\W*(?:<ALL>)\b"
_SUMMARY = r"\b(?:<ALL>)\b"


def is_worth_repeating(text: str) -> bool:
    """Whether a reader would wonder to see this sentence twice."""
    said = lower_words(text)
    if len(said) < MIN_WORDS or not _END.search(text) or _TALK.search(text):
        return False
    if compile_all(_FURNITURE, "repetitions", "furniture", re.IGNORECASE).search(text):
        return False
    if compile_all(_POINTER, "repetitions", "pointers", re.IGNORECASE).search(text):
        return False
    return sum(word in FUNCTION_WORDS for word in said) >= MIN_FUNCTION_WORDS * len(said)


def says_the_same(left: str, right: str, score: float) -> bool:
    """Whether sentences of this similarity say the same of the same thing.

    Neither denies something that the other does not. Where a word that says something stands in the place of another, two things are spoken of (``the left arrow key``, ``the
    right arrow key``), unless all of the sentence is put in other words.
    """
    if score < MIN_SCORE or len(find_negations(left)) != len(find_negations(right)):
        return False
    sides = [[stem(word) for word in lower_words(text)] for text in (left, right)]
    content = [
        {stem(word) for word in lower_words(text) if word not in FUNCTION_WORDS}
        for text in (left, right)
    ]
    only = content[0] - content[1], content[1] - content[0]
    matcher = SequenceMatcher(None, sides[0], sides[1], autojunk=False)
    replaced = any(
        only[0].intersection(sides[0][i:j]) and only[1].intersection(sides[1][k:m])
        for kind, i, j, k, m in matcher.get_opcodes()
        if kind == "replace"
    )
    return not replaced or (score >= MIN_REWORDED_SCORE and matcher.ratio() < MAX_COPIED)


def is_summary(section: str) -> bool:
    """Whether a section of this title says what the others say."""
    pattern = compile_all(_SUMMARY, "repetitions", "summaries", re.IGNORECASE)
    return pattern.search(section) is not None
