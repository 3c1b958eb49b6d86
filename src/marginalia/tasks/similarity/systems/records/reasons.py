"""The evidence for the eight similarities of two catalogue records, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from marginalia.nlp.encoder import Encoder
from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import words
from marginalia.tasks.similarity.official.typed import TYPES, Record
from marginalia.tasks.similarity.systems.records.measures import (
    capitals,
    cosine,
    dated,
    people_of,
    said,
    terms,
    whole,
)
from marginalia.tasks.similarity.systems.records.mentions import (
    TITLES,
    Interval,
    alike,
    apart,
    names_of,
    places,
    verbs,
)

MAX_NAMED = 8
"""Words or names in one reason; more are counted."""
MIN_NEAR_COSINE = 0.5
"""From this cosine on, above that of any two, two subject terms are near."""
MIN_SAME_NAME = 0.5
"""From here on two names may be of one person, written otherwise."""

Reasons = dict[str, list[str]]


def record_reasons(a: Record, b: Record, encoder: Encoder) -> Reasons:
    """For each type the reasons, a line each; none is without one."""
    reasons: dict[str, Iterable[str]] = {
        "general": _words(whole(a), whole(b)),
        "author": _names(names_of(a.creator), names_of(b.creator), "creator"),
        "people involved": _people(people_of(a), people_of(b)),
        "time": _time(dated(a), dated(b)),
        "location": _places(a, b),
        "event": _both("both tell", sorted({*verbs(whole(a))} & {*verbs(whole(b))}), "no verb"),
        "subject": _subject(terms(a.subject), terms(b.subject), encoder),
        "description": _words(a.description, b.description, "description"),
    }
    return {name: list(reasons[name]) for name in TYPES}


def _both(what: str, shared: Sequence[str], otherwise: str) -> Iterator[str]:
    more = f" and {len(shared) - MAX_NAMED} more" if len(shared) > MAX_NAMED else ""
    if shared:
        yield f"{what}: {', '.join(shared[:MAX_NAMED])}{more}"
    else:
        yield f"{otherwise} in both"


def _missing(a: object, b: object, what: str) -> Iterator[str]:
    """Where a record does not tell, there is nothing to compare."""
    if a or b:
        yield f"the {'second' if a else 'first'} record has no {what}"
    else:
        yield f"neither record has a {what}"


def _words(a: str, b: str, what: str = "title or description") -> Iterator[str]:
    if not (a and b):
        yield from _missing(a, b, what)
        return
    there = {stem(match.group().lower()) for match in words(b)}
    own = dict.fromkeys(match.group().lower() for match in words(a))
    shared = [word for word in own if word not in FUNCTION_WORDS and stem(word) in there]
    yield from _both("words in both", shared, "no word")


def _names(a: Sequence[str], b: Sequence[str], what: str) -> Iterator[str]:
    if not (a and b):
        yield from _missing(a, b, what)
        return
    same = [name for name in a if name in b]
    if same:
        yield from _both("in both", [name.title() for name in same], "")
    left, right = ([name for name in side if name not in same] for side in (a, b))
    for name in left:
        best = max(right, key=lambda other: alike(name, other), default="")
        if best and alike(name, best) >= MIN_SAME_NAME:
            yield f"{name.title()} and {best.title()} may be the same"
        elif best and not same:
            yield f"{name.title()} against {best.title()}"


def _people(a: Sequence[str], b: Sequence[str]) -> Iterator[str]:
    if not (a and b):
        yield from _missing(a, b, "name of a person")
        return
    found = [why for why in _names(a, b, "") if " against " not in why]
    yield from found or ["nobody in both"]


def _time(a: Sequence[Interval], b: Sequence[Interval]) -> Iterator[str]:
    if not (a and b):
        yield from _missing(a, b, "date")
        return
    one, other = min(((x, y) for x in a for y in b), key=lambda pair: apart(*pair))
    years = max(one[0], other[0]) - min(one[1], other[1])
    if one == other:
        yield f"both {_years(one)}"
    elif years <= 0:
        yield f"{_years(one)} and {_years(other)} overlap"
    else:
        yield f"{_years(one)} and {_years(other)}: {years:.0f} year{'s' * (round(years) != 1)} apart"


def _years(one: Interval) -> str:
    first, last = (f"{year:.0f}" for year in one)
    return first if first == last else f"{first}–{last}"


def _places(a: Record, b: Record) -> Iterator[str]:
    shared = {*places(whole(a))} & {*places(whole(b))}
    shared |= (capitals(a) | capitals(b)) & said(a) & said(b) - TITLES
    yield from _both("both name", [name.title() for name in sorted(shared)], "no place or name")
    if a.source and a.source.lower() == b.source.lower():
        yield f"the same source: {a.source}"


def _subject(a: Sequence[str], b: Sequence[str], encoder: Encoder) -> Iterator[str]:
    if not (a and b):
        yield from _missing(a, b, "subject")
        return
    same = [term for term in a if term in b]
    near = [
        f"{x} ~ {y}"
        for x in a
        for y in b
        if x not in same and y not in same and cosine(x, y, encoder) >= MIN_NEAR_COSINE
    ]
    if near:
        yield from _both("near in meaning", near, "")
    if same or not near:
        yield from _both("in both", same, "no term")
