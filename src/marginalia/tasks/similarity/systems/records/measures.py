"""What two catalogue records have in common, field by field; each measure from 0 to 1."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import lru_cache

from marginalia.nlp.encoder import Encoder, Floats
from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import words
from marginalia.tasks.similarity.official.typed import Record
from marginalia.tasks.similarity.systems.features import dice
from marginalia.tasks.similarity.systems.records.mentions import (
    Interval,
    apart,
    intervals,
    matched,
    named,
    names_of,
    places,
    shares,
    verbs,
)

Compared = dict[str, float]

MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)

UNRELATED_COSINE = 0.72
"""The cosine that texts have which have nothing to do with each other."""
YEARS = {"time": 8.0, "age": 60.0, "era": 400.0}
"""Years after which each of these likenesses has fallen to a third."""


def compare(a: Record, b: Record, encoder: Encoder) -> Compared:
    """The measures by name; ``has`` and a type says whether both records tell of it at all."""
    texts = [
        (f"{a.title}. {a.description}", f"{b.title}. {b.description}"),
        (a.title, b.title),
        (a.description, b.description),
    ]
    meaning, title, description = (cosine(x, y, encoder) for x, y in texts)
    left, right = whole(a), whole(b)
    subject = terms_matched(terms(a.subject), terms(b.subject), encoder)
    makers = names_of(a.creator), names_of(b.creator)
    known = people_of(a), people_of(b)
    when = dated(a), dated(b)
    years = min((apart(x, y) for x in when[0] for y in when[1]), default=math.inf)
    years_apart = min((apart(x, y) for x in all_dates(a) for y in all_dates(b)), default=math.inf)
    where = places(left), places(right)
    doing = verbs(left), verbs(right)
    return {
        "meaning": meaning,
        "title": title,
        "description": description,
        "subject": subject,
        "words": dice(stems(left), stems(right)),
        "terms": dice(terms(a.subject), terms(b.subject)),
        "author": matched(*makers),
        "best author": shares(*makers),
        "people": matched(*known),
        "best person": shares(*known),
        **{name: math.exp(-years / scale) for name, scale in YEARS.items()},
        "time told": math.exp(-years_apart / YEARS["time"]),
        "place": dice(where[0], where[1]),
        "capitals": found_both(a, b),
        "source": float(bool(a.source) and a.source.lower() == b.source.lower()),
        "verbs": dice(doing[0], doing[1]),
        "actions": cosine(" ".join(doing[0]), " ".join(doing[1]), encoder),
        "has general": 1.0,
        "has author": float(bool(makers[0] and makers[1])),
        "has people involved": float(bool(known[0] and known[1])),
        "has time": float(bool(when[0] and when[1])),
        "has location": 1.0,
        "has event": 1.0,
        "has subject": float(bool(a.subject and b.subject)),
        "has description": float(bool(a.description and b.description)),
    }


def cosine(a: str, b: str, encoder: Encoder) -> float:
    """The cosine of two texts above what any two have; 0 where one is empty."""
    if not a.strip(" .") or not b.strip(" ."):
        return 0.0
    product: Floats = vector(a, encoder) * vector(b, encoder)
    value: float = product.sum().item()
    return min(1.0, max(0.0, (value - UNRELATED_COSINE) / (1 - UNRELATED_COSINE)))


@lru_cache(maxsize=4096)
def vector(text: str, encoder: Encoder) -> Floats:
    """A field is often the same in many records."""
    made: Floats = encoder.vectors([text])[0]
    return made


def terms(field: str) -> list[str]:
    return [term for term in re.split(r"\s*[;|]\s*", field.lower()) if term]


def terms_matched(a: list[str], b: list[str], encoder: Encoder) -> float:
    """How well the terms of either side are matched by the other's, on average."""
    if not a or not b:
        return 0.0
    near = [[1.0 if x == y else cosine(x, y, encoder) for y in b] for x in a]
    there = sum(max(row) for row in near) / len(a)
    back = sum(max(row[place] for row in near) for place in range(len(b))) / len(b)
    return (there + back) / 2


def stems(text: str) -> list[str]:
    found = (match.group().lower() for match in words(text))
    return [stem(word) for word in found if word not in FUNCTION_WORDS]


def people_of(record: Record) -> list[str]:
    """The creators, and who else is named."""
    people = named(whole(replace(record, creator="")), "person")
    return list(dict.fromkeys([*names_of(record.creator), *people]))


def dated(record: Record) -> list[Interval]:
    """The intervals of the date field; without any, those in the other texts."""
    return intervals(record.date, short=True) or intervals(whole(record))


def all_dates(record: Record) -> list[Interval]:
    """The intervals of all texts: when something was made, and when what it shows happened."""
    return intervals(record.date, short=True) + intervals(whole(record))


def found_both(a: Record, b: Record) -> float:
    """The share of the names, other than people's, that are words of both records."""
    names = capitals(a) | capitals(b)
    return len(names & said(a) & said(b)) / len(names) if names else 0.0


def said(record: Record) -> set[str]:
    """All words of a record."""
    text = f"{whole(record)} {record.subject} {record.source}"
    return {match.group().lower().removesuffix("'s") for match in words(text)}


def capitals(record: Record) -> set[str]:
    """Words that have a capital where it means something, other than those of people's names."""
    names = {
        match.group().lower().removesuffix("'s")
        for text in (record.title, record.description)
        for match in words(text)
        if match.group()[0].isupper() and text[: match.start()].rstrip(" \"'")[-1:] not in ("", ".")
    }
    makers = names_of(record.creator) if "," in record.creator else []
    people = {part for name in (*makers, *named(whole(record), "person")) for part in name.split()}
    return names - people - MONTHS


def whole(record: Record) -> str:
    """Title and description."""
    return "\n".join(text for text in (record.title, record.description) if text)
