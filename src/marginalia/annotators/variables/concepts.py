"""What papers have in common: the concepts that they measure, whichever wave, survey or language the variable is from.

"Trust in parliament" of four waves is one concept. Variables belong together where they ask the same question, or
where their labels say the same word by word; a folder of papers is then listed by concept.

What differs between two labels decides, not how much they share: "Links-Rechts: SPD" and "Links-Rechts: CDU" mean nearly the same to an encoder, and so do the second and the fourth child:
a battery's items differ in one word. Labels are the same where every word of each has its counterpart in the other;
where one only says more than the other, the other concept is named as one that may be it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from marginalia.annotators.variables.links import Linked
from marginalia.nlp.stems import stem
from marginalia.tasks.variables.catalogue.parts import spoken
from marginalia.tasks.variables.index.terms import STOP_WORDS

MIN_NEAR_COSINE = 0.93
"""From this cosine on two labels may name one concept, if one has all words of the other."""
MIN_SAME_COSINE = 0.9
"""Labels of the same words that mean something else are none."""
MIN_SHORTENED = 4
"""Letters that a shortened word has at least: "selbsteinst." for "Selbsteinstufung"."""
_PIECE = re.compile(r"[^\W_]+")
_ITEM = re.compile(r"[a-z]{1,2}\d+[a-z]?")
"""The number of a question before its label: "q7g", "d40a"."""
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SAYS_NOTHING = frozenset(
    "befr befragte befragter befragten respondent respondents own item var variable recoded".split()
)
"""Words of a label that do not change what it measures."""


_NEGATIONS = frozenset("not no nicht kein keine never nie without ohne".split())
"""They change what a label says, though a search skips them."""


@lru_cache(maxsize=20_000)
def label_words(label: str) -> tuple[str, ...]:
    """The words of a label that count, function words and the number of the question left out; negations count."""
    pieces = _PIECE.findall(_APOSTROPHE.sub("", spoken(label).lower()))
    if len(pieces) > 1 and _ITEM.fullmatch(pieces[0]):
        pieces = pieces[1:]
    found = [p for p in pieces if p not in _SAYS_NOTHING and not _YEAR.fullmatch(p)]
    counting = [p for p in found if p not in STOP_WORDS or p in _NEGATIONS]
    return tuple(dict.fromkeys(counting))


def has_all(one: str, other: str) -> bool:
    """Whether every word of the other label has its counterpart in the one."""
    words, wanted = label_words(one), label_words(other)
    return bool(wanted) and all(any(_alike(a, b) for a in words) for b in wanted)


@lru_cache(maxsize=100_000)
def _alike(one: str, other: str) -> bool:
    """The same word, another form of it, a shortened one, or one with a slip."""
    if one == other:
        return True
    if any(c.isdigit() for c in one + other):
        return False
    short, long = sorted((one, other), key=len)
    if len(short) < MIN_SHORTENED:
        return False
    if stem(one) == stem(other) or long.startswith(short):
        return True
    from rapidfuzz.distance import OSA

    return len(short) > 6 and OSA.distance(one, other, score_cutoff=1) <= 1


def near_labels(
    ids: Sequence[str], labels: Sequence[str]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Pairs of ids whose labels name the same concept, and pairs that may: one label says more than the other."""
    if len(ids) < 2:
        return [], []
    from marginalia.nlp.encoder import multilingual

    vectors = multilingual().vectors([spoken(label) for label in labels])
    cosines = vectors @ vectors.T
    same, near = [], []
    for a, b in itertools.combinations(range(len(ids)), 2):
        if cosines[a, b] < MIN_SAME_COSINE:
            continue
        more, less = has_all(labels[a], labels[b]), has_all(labels[b], labels[a])
        if more and less:
            same.append((ids[a], ids[b]))
        elif (more or less) and cosines[a, b] >= MIN_NEAR_COSINE:
            near.append((ids[a], ids[b]))
    return same, near


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A sentence that uses a concept."""

    document: str
    page: int | None
    start: int
    end: int
    quote: str
    variable: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """What several variables measure, and the sentences that use it."""

    label: str
    variables: tuple[str, ...]
    surveys: tuple[str, ...]
    documents: tuple[str, ...]
    uses: tuple[Use, ...]
    perhaps: tuple[str, ...] = ()
    """Variables of other concepts that may measure this one: one label says more than the other."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def concepts(found: Sequence[Linked]) -> list[Concept]:
    """The concepts of linked papers: those of most papers first, then the most used."""
    uses: dict[str, list[Use]] = {}
    labels: dict[str, str] = {}
    surveys: dict[str, str] = {}
    same: list[tuple[str, ...]] = []
    for linked in found:
        for note in linked.notes():
            for entry in note.attrs["variables"]:
                id = entry["id"]
                labels.setdefault(id, entry["label"])
                surveys.setdefault(id, entry["survey"])
                same.append((id, *entry["same"]))
                uses.setdefault(id, []).append(
                    Use(
                        document=linked.doc.id,
                        page=linked.doc.page(note.start),
                        start=note.start,
                        end=note.end,
                        quote=" ".join(note.quote.split()),
                        variable=id,
                        score=entry["score"],
                    )
                )
    joined, near = near_labels(list(labels), list(labels.values()))
    together = _joined([*same, *joined])
    made = [_concept(members, uses, labels, surveys, near) for members in together]
    return sorted(made, key=lambda one: (-len(one.documents), -len(one.uses), one.label))


def _concept(
    members: Sequence[str],
    uses: dict[str, list[Use]],
    labels: dict[str, str],
    surveys: dict[str, str],
    near: Sequence[tuple[str, str]],
) -> Concept:
    used = [id for id in members if id in uses]
    every = sorted(
        (one for id in used for one in uses[id]), key=lambda one: (one.document, one.start)
    )
    most = max(used, key=lambda id: (len(uses[id]), -len(labels[id])))
    inside = set(members)
    others = {
        other: None
        for pair in near
        for one, other in (pair, pair[::-1])
        if one in inside and other not in inside
    }
    return Concept(
        label=labels[most],
        variables=tuple(members),
        surveys=tuple(dict.fromkeys(surveys[id] for id in used)),
        documents=tuple(dict.fromkeys(one.document for one in every)),
        uses=tuple(every),
        perhaps=tuple(others),
    )


def _joined(same: Sequence[tuple[str, ...]]) -> list[list[str]]:
    """Ids that belong together, each with all that any of them belongs to."""
    parent = {id: id for ids in same for id in ids}

    def root(id: str) -> str:
        while parent[id] != id:
            parent[id] = parent[parent[id]]
            id = parent[id]
        return id

    for first, *others in same:
        for other in others:
            parent[root(other)] = root(first)
    found: dict[str, list[str]] = {}
    for id in parent:
        found.setdefault(root(id), []).append(id)
    return list(found.values())
