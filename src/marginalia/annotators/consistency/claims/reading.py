"""A sentence taken apart for comparison: what it speaks of, and the values, names and negations that it claims.

Two sentences with the same key speak of the same thing in the same words but for what is claimed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from marginalia.annotators.consistency.claims.amounts import Amount, amounts
from marginalia.annotators.consistency.claims.modality import Modality, modality
from marginalia.annotators.consistency.claims.opposites import family, positive
from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import words
from marginalia.tasks.similarity.systems.languages import sentence_language
from marginalia.tasks.similarity.systems.numerals import Numeral, numerals

Span = tuple[int, int]

# What may be said on one side only without changing what the sentence is about.
_FILLERS = frozenset(
    stem(word, "en")
    for word in (
        "about accordingly actually almost already altogether always amount approximately around average being circa comprise "
        "consist contain ensure equal exactly finally found further give given however indeed just measured nearly "
        "note now overall reach report respectively result roughly show shown still study therefore thus total "
        "totally value yield account together have there say said state stated see seen"
    ).split()
) | frozenset(
    stem(word, "de")
    for word in (
        "also betragen beträgt betrug circa daher damit dabei etwa fast gesamt immer jedoch knapp lag "
        "liegt nahezu rund somit ungefähr zudem zeigt ergab ergibt studie untersuchung ca lang"
    ).split()
)
# Small words that say which things are meant.
_TELLING = frozenset(
    "some other another most few several same own only both one each former latter certain many any or if unless "
    "without until while when andere anderen anderer nur manche einige viele wenige ohne wenn falls oder".split()
)
_NEGATION = re.compile(
    r"\b(?:not|no(?!\.?\s?\d)|never|none|nobody|nothing|nor|neither|\w+n['’]t|cannot"
    r"|nicht|kein\w{0,2}|nie|niemals|niemand\w{0,2}|nichts|weder)\b",
    re.IGNORECASE,
)
_SWITCHED = re.compile(
    r"\b(?:is|are|was|were|be|been|stays?|stayed|remains?|remained|turned|switched|set to)\s+(on|off)\b(?!\s+(?:the|an?|this|its?)\b)"
)
_NAME = r"[A-ZÄÖÜ][\w'’.-]*\w(?:\s(?:(?:of|de|van|von|der)\s)?[A-ZÄÖÜ][\w'’.-]*\w)*"
_ROLES = re.compile(
    rf"""
    \b(?P<done>led|founded|written|directed|invented|designed|built|translated|discovered|composed|edited|chaired|owned
      |headed|created|painted|established|coined|commissioned|headquartered|born|buried|based|named)
      \s(?:by|in|after|at)\s(?P<by>{_NAME})
    | \b(?P<role>capital|director|headquarters|president|chair\w*|author|mayor|founder|editor|maintainer|owner|inventor|leader
      |winner|birthplace|seat|language|name|king|queen)\b[^.;:,]*?\s(?:is|was|in)\s(?P<is>{_NAME})
    | \bvon\s(?P<von>{_NAME})\s(?P<getan>geleitet|gegründet|geschrieben|entworfen|erfunden|gebaut|erbaut|übersetzt|entdeckt
      |komponiert|herausgegeben|gemalt)\b
    | \b(?P<amt>Hauptstadt|Direktor\w*|Präsident\w*|Sitz|Hauptsitz|Autor\w*|Leiter\w*|Gründer\w*|Bürgermeister\w*|Vorsitzende\w?)\b
      [^.;:,]*?\s(?:ist|war|in)\s(?P<ist>{_NAME})
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Claim:
    """A sentence, and what can be denied of it."""

    text: str
    lang: str
    key: tuple[str, ...]
    """The stems of what it speaks of, in one order; opposites count as the same word."""
    size: int
    """Stems of the key that say something."""
    content: int
    """How many words of it say something."""
    amounts: tuple[Amount, ...]
    dates: tuple[Numeral, ...]
    negations: tuple[Span, ...]
    modality: Modality | None
    opposites: tuple[tuple[str, str, Span], ...]
    """The family, the word, and where it stands."""
    name: Span | None = None
    """A name in a role that one alone can have: ``was led by …``."""

    @cached_property
    def named_key(self) -> tuple[str, ...]:
        """The key without that name."""
        assert self.name is not None  # noqa: S101 - for the type checker
        own = [part for part, _ in _stems(self.text[slice(*self.name)], self.lang)]
        rest = list(self.key)
        for part in own:
            if part in rest:
                rest.remove(part)
        return ("a name", *rest)


def read_claim(text: str, lang: str | None = None) -> Claim:
    """Take a sentence apart; ``lang`` spares asking which language it is in."""
    lang = lang or sentence_language(text)
    dates = tuple(
        date for date in numerals(text, lang) if date.kind == "date" and _is_date(text, date)
    )
    taken = [(date.start, date.end) for date in dates]
    found = tuple(amounts(text, lang, taken))
    modal = modality(text)
    spans = [*taken, *((one.start, one.end) for one in found)]
    if modal:
        spans += [(modal.start, modal.end), *([modal.denial] if modal.denial else [])]
    negations = tuple(m.span() for m in _NEGATION.finditer(text) if not _touch(m.span(), spans))
    spans += negations
    opposites: list[tuple[str, str, Span]] = []
    for match in _SWITCHED.finditer(text):
        opposites.append(("on", match[1].lower(), match.span(1)))
        spans.append(match.span(1))
    key: list[str] = [name for name, _, _ in opposites]
    content = len(key)
    for match in words(text):
        word = match.group().lower().replace("’", "'")
        if _touch(match.span(), spans):
            continue
        group = family(word, lang)
        if group is not None:
            opposites.append((group, word, match.span()))
            key.append(group)
            content += 1
        elif word in _TELLING:
            key.append(word)
        elif word not in FUNCTION_WORDS:
            bare = positive(word)
            if bare != word:
                opposites.append((stem(bare, lang), word, match.span()))
            content += 1
            if {stem(word, "en"), stem(word, "de")} & _FILLERS:
                continue
            key.append(stem(bare, lang))
    role = _ROLES.search(text)
    name = None
    if role:
        name = next(role.span(group) for group in ("by", "is", "von", "ist") if role[group])
    return Claim(
        text,
        lang,
        tuple(sorted(key)),
        len({part for part in key if part not in _TELLING}),
        content,
        found,
        dates,
        negations,
        modal,
        tuple(opposites),
        name,
    )


def _stems(text: str, lang: str) -> list[tuple[str, Span]]:
    return [(stem(match.group().lower(), lang), match.span()) for match in words(text)]


def _touch(span: Span, spans: list[Span]) -> bool:
    return any(low < span[1] and span[0] < high for low, high in spans)


def _is_date(text: str, one: Numeral) -> bool:
    """Not the year-like number of things: ``2000 households``."""
    year, month, _, weekday = one.value
    if year is None or month is not None or weekday is not None:
        return True
    after = re.match(r"\s([^\W\d_]+)", text[one.end :])
    if after is None or after[1].lower() in FUNCTION_WORDS:
        return True
    before = re.search(r"(\w+)\W*\Z", text[: one.start])
    opens = before and before[1].lower() in (
        "in",
        "since",
        "im",
        "jahr",
        "seit",
        "of",
        "year",
        "from",
        "until",
        "bis",
    )
    return bool(opens) or not (after[1].endswith("s") or after[1][0].isupper())
