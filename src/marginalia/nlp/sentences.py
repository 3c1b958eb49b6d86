"""Sentences with their code-point offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category

from marginalia.lang import compile_all, language, words_of_all
from marginalia.nlp.language import english_or_german

_GAP = re.compile(r"\n[^\S\n]*\n")
# After the mark that ends a sentence: closing quotes and brackets, footnote marks, or references [3, 4].
_BREAK = re.compile(
    r"\n[^\S\n]*\n\s*|(?<=[.!?…])(?:[\"'”’“‘»«›‹)\]¹²³⁰⁴-⁹⁻]|\[\d[\d,;–\- ]*\])*\s+",
)
_LAST_WORD = re.compile(r"([^\W_][\w.]*)\.\Z")
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
    if word in _abbreviations("never_last") or _spaced().search(text, low, mark):
        return False
    opening = _OPENING.match(text, match.end())
    if opening is None:
        after = text[
            match.end() : match.end() + 1
        ]  # an ellipsis whose dots are apart, or between signs
        return after not in (".", "…") and category(after or " ") != "Sm"
    following = opening.group(1)
    if following[0].islower():
        return False
    if before is None:
        return True
    if word in _abbreviations("before_numbers"):
        return _NUMBER.fullmatch(following) is None
    is_ordinal = word.isdigit() and len(word) <= 2
    is_initial = _INITIALS.fullmatch(word) is not None
    # "1. Wash the jars" and "a. Wash them": a label of what follows, not a sentence.
    if (is_ordinal or len(word) == 1) and before.start() == start:
        return False
    own = language(lang)
    rules = own.data("sentences")
    opens = following.lower() in own.words("sentences", "openers")
    if word in _abbreviations("sometimes_last") or is_initial:
        # Where nouns have no capitals, one after "etc." is a new sentence.
        return opens or (word == "etc" and not rules.get("nouns_have_capitals"))
    if is_ordinal and rules.get("ordinals_have_stops"):
        return opens or following[0].isdigit()
    return True


def _abbreviations(kind: str) -> frozenset[str]:
    return words_of_all("sentences", kind)


def _spaced() -> re.Pattern[str]:
    """Abbreviations that are written with a space inside."""
    return compile_all(r"\b(?:<ALL>)\.\Z", "sentences", "spaced")


def trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span without the white space around it; nothing where it has nothing else."""
    piece = text[start:end]
    body = piece.strip()
    if body:
        offset = start + piece.index(body)
        yield offset, offset + len(body)
