"""What a text itself says a word means: "viscosity, that is, the resistance to flow".

Patterns after Hearst (1992) and what manuals and papers use, kept to those that are seldom anything else: ``is a`` counts only
as "An X is a Y that …" at the start of a sentence. The term is the words before the pattern, without function words. What
follows *i.e.* mostly says which one or how (*by legal means, i.e. by a vote*): it defines only a noun with its article by another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from marginalia.lang import Language, compile_all, language, words_of_all
from marginalia.nlp.language import english_or_german
from marginalia.nlp.sentences import sentences

SUBJECT = "definitions"
MAX_TERM_WORDS = 4
MAX_MEANING = 200
MIN_MEANING_WORDS = 2

_TERM = r"[\w’'-]+(?: [\w’'-]+){0,5}"
# What tells terms and meanings from their surroundings, in all languages: a text may quote another.
_NAMED = r"(?:\A|(?<!\w)(?:<ALL>) )[\"“”„‚‘’]?\Z"
"""The viscosity, that is, …; “viscosity” (i.e. …)"""
_BOUND = r"[_\[\]{}=<>\\]|[.!?]\s+[A-ZÄÖÜ]|\b(?i:<ALL>)\b"
"""What a meaning that holds elsewhere has not: code, the next sentence, words that point to its surroundings."""
_FINITE = r"\A[^,]*?(?<!that )(?<!which )(?<!who )(?<!what )\b(?:<ALL>)\b"


class Patterns(NamedTuple):
    """How a language defines, and what every sentence has that one of its patterns matches."""

    definitions: tuple[re.Pattern[str], ...]
    trigger: re.Pattern[str]


@cache
def _patterns(known: Language) -> Patterns:
    data = known.data(SUBJECT)
    parts = {name.upper(): str(data.get(name, "")) for name in ("article", "noun", "differentia")}
    compiled = []
    for pattern in data.get("patterns", ()):
        for name, part in {"TERM": _TERM, **parts}.items():
            pattern = pattern.replace(f"<{name}>", part)
        compiled.append(re.compile(pattern))
    return Patterns(tuple(compiled), re.compile(known.pattern(SUBJECT, "trigger")))


@dataclass(frozen=True, slots=True)
class Definition:
    """A term and what the text says it means, as offsets into the text."""

    term: str
    meaning: str
    start: int
    end: int
    meaning_start: int
    meaning_end: int


def definitions(text: str, lang: str | None = None) -> Iterator[Definition]:
    """Each place where a text explains a word or expression of its own, in reading order."""
    lang = lang or english_or_german(text)
    known = language(lang)
    if known.code != lang:
        return
    for low, high in sentences(text, lang):
        if _patterns(known).trigger.search(text, low, high):
            yield from in_sentence(text, low, high, lang)


def in_sentence(text: str, low: int, high: int, lang: str) -> Iterator[Definition]:
    sentence = text[low:high]
    seen: set[int] = set()
    named = compile_all(_NAMED, SUBJECT, "named", re.IGNORECASE)
    finite = compile_all(_FINITE, SUBJECT, "finite")
    for pattern in _patterns(language(lang)).definitions:
        again = "again" in pattern.groupindex
        for match in pattern.finditer(sentence):
            term = _term(sentence, *match.span("again" if again else "term"), verbs=not again)
            meaning = _meaning(sentence, match)
            if term is None or meaning is None or term[1] in seen:
                continue
            said = sentence[slice(*meaning)]
            if again and (not named.search(sentence[: term[0]]) or finite.match(said)):
                continue
            if sentence[slice(*term)].lower() in said.lower().split():
                continue  # it explains itself
            seen.add(term[1])
            yield Definition(
                sentence[slice(*term)],
                said,
                low + term[0],
                low + term[1],
                low + meaning[0],
                low + meaning[1],
            )


def _term(sentence: str, low: int, high: int, *, verbs: bool) -> tuple[int, int] | None:
    """The last words of the span up to a function word, ``verbs`` before the pattern left out; None where there is none."""
    words = list(re.finditer(r"[\w’'-]+", sentence[low:high]))
    while verbs and words and words[-1].group().lower() in words_of_all(SUBJECT, "verbs"):
        words.pop()
    first = len(words)
    while first > max(0, len(words) - MAX_TERM_WORDS) and not _ends_term(words[first - 1].group()):
        first -= 1
    if 0 < first < len(words) - 1 and words[first - 1].group().lower() in words_of_all(
        SUBJECT, "pronouns"
    ):
        first += 1  # we measured turbidity
    if first == len(words) or not any(char.isalpha() for char in words[-1].group()):
        return None
    return low + words[first].start(), low + words[-1].end()


def _ends_term(word: str) -> bool:
    return word.lower() in words_of_all(SUBJECT, "begins_after") or word.isdigit()


def _meaning(sentence: str, match: re.Match[str]) -> tuple[int, int] | None:
    low, high = match.span("meaning")
    while high > low and (sentence[high - 1].isspace() or sentence[high - 1] in '.,:!?–—"“”'):
        high -= 1
    if compile_all(_BOUND, SUBJECT, "bound").search(sentence, low, high):
        return None
    words = sentence[low:high].split()
    named = compile_all("<ALL>", SUBJECT, "called").search(match.group())
    if len(words) < (1 if named else MIN_MEANING_WORDS) or high - low > MAX_MEANING:
        return None
    return low, high
