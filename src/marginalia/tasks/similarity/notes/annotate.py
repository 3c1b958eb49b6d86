"""Passages of a document that repeat or contradict each other become notes that point to each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.tasks.similarity.notes.contradiction import contradiction
from marginalia.tasks.similarity.search.matches import distinct
from marginalia.tasks.similarity.search.neighbours import near_pairs
from marginalia.tasks.similarity.search.passages import Passage, passages, short, where
from marginalia.tasks.similarity.search.search import cosine_floor, encode_some, way
from marginalia.tasks.similarity.systems.defaults import card_of, encoder_of, scores_of
from marginalia.tasks.similarity.systems.differences import Difference, differences
from marginalia.tasks.similarity.systems.languages import MIXED, kind_of, stated_language

MIN_REPETITION_SCORE = 4.25
"""From this score on, and without a disagreement, a sentence repeats another."""
MIN_CLOSE_SCORE = 3.0
"""Sentences as near as people rate this are looked at for a contradiction."""
MIN_CONTRADICTION_SCORE = 2.0
"""The lowest score of a contradiction: to a system that minds numbers and negations they cost much."""
MIN_SENTENCES_APART = 3
"""Sentences nearer to each other than this contrast two things rather than contradict."""
MAX_SCORED_PAIRS = 4_000
"""Pairs that are scored in one document."""
MAX_LINKS = 5
"""Notes that one note points to."""
REPETITION_SHARE = 0.5
"""Of the score of a note, from 0 to 1: repetitions have the lower half, contradictions, which help a
reader more, the upper one."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Two passages, by their places, and what is between them."""

    left: int
    right: int
    score: float
    difference: Difference | None = None
    """What they disagree about; None where they say the same"""


def annotate(doc: Document) -> Iterator[Annotation]:
    """A note on each sentence that says what another says, and on each number, date or negation that another denies."""
    found = list(passages(doc))
    lang = stated_language(doc)
    return notes(doc, found, relations(found, lang))


def relations(found: Sequence[Passage], lang: str) -> list[Relation]:
    """What the passages of one document repeat and contradict, in reading order."""
    groups = distinct(found)
    texts = [found[members[0]].text for members in groups]
    related = [Relation(members[0], other, 5.0) for members in groups for other in members[1:]]
    encoder = encoder_of(lang)
    floor = cosine_floor(encoder.folder.name, MIN_CLOSE_SCORE)
    chosen, vectors = encode_some(encoder, texts, lang, way(len(texts)))
    first, second, cosines = near_pairs(vectors, floor, most=MAX_SCORED_PAIRS).best()
    likely: list[tuple[int, int, Difference | None]] = []
    for i, j, cosine in zip(first, second, cosines, strict=True):
        one, other = sorted((groups[chosen[i]][0], groups[chosen[j]][0]))
        left, right = found[one].text, found[other].text
        denied = contradiction(left, right)
        if denied is not None:
            if found[other].number - found[one].number >= MIN_SENTENCES_APART:
                likely.append((one, other, denied))
        elif cosine >= cosine_floor(encoder.folder.name, MIN_REPETITION_SCORE) and _repeats(
            left, right
        ):
            likely.append((one, other, None))
    # Scoring costs most, so it comes last.
    pairs = [(found[one].text, found[other].text) for one, other, _ in likely]
    for (one, other, denied), score in zip(
        likely, scores_of(pairs, card_of(None).name), strict=True
    ):
        if score >= (MIN_REPETITION_SCORE if denied is None else MIN_CONTRADICTION_SCORE):
            related.append(Relation(one, other, score, denied))
    return sorted(related, key=lambda relation: (relation.left, relation.right))


def _repeats(left: str, right: str) -> bool:
    """Whether nothing disagrees; and a translation is meant to say the same, so it is no repetition."""
    return not differences(left, right) and kind_of(left, right) != MIXED


def notes(
    doc: Document, found: Sequence[Passage], related: Sequence[Relation]
) -> Iterator[Annotation]:
    """One note for a sentence and all that repeat it, one for each value that others contradict."""
    system = card_of(None).name
    told: dict[tuple[str, int, int], list[tuple[Relation, int, int]]] = {}
    for relation in related:
        for here, there in ((relation.left, relation.right), (relation.right, relation.left)):
            told.setdefault(_place(found, relation, here), []).append((relation, here, there))
    places = sorted(told, key=lambda key: (key[1], key[2], key[0]))
    names = {key: f"similarity-{number}" for number, key in enumerate(places, 1)}
    for key in places:
        role, start, end = key
        about = told[key]
        linked = [names[_place(found, relation, there)] for relation, _, there in about]
        yield Annotation(
            id=names[key],
            task="similarity",
            label="repetition" if role == "same-as" else "contradiction",
            start=start,
            end=end,
            quote=doc.text[start:end],
            score=worth(role, max(relation.score for relation, _, _ in about)),
            attrs=_attributes(doc, found, about),
            links={role: tuple(dict.fromkeys(linked))[:MAX_LINKS]},
            system=system,
        )


def worth(role: str, similarity: float) -> float:
    """How much a note helps, from 0 to 1: any contradiction more than any repetition, then by similarity."""
    return round(
        (0.0 if role == "same-as" else REPETITION_SHARE) + REPETITION_SHARE * similarity / 5, 4
    )


def _place(found: Sequence[Passage], relation: Relation, here: int) -> tuple[str, int, int]:
    """Role and span of the note at this end of a relation: the sentence, or the value that is contradicted."""
    passage = found[here]
    if relation.difference is None:
        return "same-as", passage.start, passage.end
    span = _span(relation, here)
    if span is None:
        return "contradicts", passage.start, passage.end
    return "contradicts", passage.start + span[0], passage.start + span[1]


def _span(relation: Relation, here: int) -> tuple[int, int] | None:
    assert relation.difference is not None  # noqa: S101 - for the type checker
    return relation.difference.left if here == relation.left else relation.difference.right


def _attributes(
    doc: Document, found: Sequence[Passage], about: Sequence[tuple[Relation, int, int]]
) -> dict[str, Any]:
    relation, here, there = about[0]
    other = found[there]
    place = where(other, found[here])
    more = f" (and {len(about) - 1} more)" if len(about) > 1 else ""
    if relation.difference is None:
        why = f"says the same as {place}: “{short(other.text)}”{more}"
    else:
        why = f"{_against(found, relation, here, there, place)}{more}"
    similarity = max(relation.score for relation, _, _ in about)
    return {
        "why": why,
        "similarity": round(similarity, 4),
        "other_start": other.start,
        "other_end": other.end,
    }


def _against(
    found: Sequence[Passage], relation: Relation, here: int, there: int, place: str
) -> str:
    mine, theirs = _span(relation, here), _span(relation, there)
    quotes = [
        " ".join(found[which].text[slice(*span)].split()) if span else ""
        for which, span in ((here, mine), (there, theirs))
    ]
    if relation.difference is not None and relation.difference.kind == "negation":
        if mine is not None:
            return f"denies what {place} says: “{short(found[there].text)}”"
        return f"says what {place} denies: “{short(found[there].text)}”"
    return f"gives {quotes[0]} where {place} gives {quotes[1]}: “{short(found[there].text)}”"
