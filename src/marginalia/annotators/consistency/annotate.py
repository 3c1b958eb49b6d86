"""Passages of a document that repeat or contradict each other become notes that point to each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from marginalia.annotators.consistency.claims.within import contradictions
from marginalia.annotators.consistency.copies import Copies, are_entries, is_manual_page
from marginalia.annotators.consistency.repetition import (
    MAX_COPIES,
    MAX_REPEATED,
    MIN_REPEATED_SHARE,
    depends_on_place,
    is_worth_repeating,
    repeats,
)
from marginalia.core.document import Annotation, Document
from marginalia.nlp.prose import NO_SPANS, SpanSet, paragraphs, spans_of
from marginalia.tasks.similarity.search.matches import distinct
from marginalia.tasks.similarity.search.neighbours import near_pairs
from marginalia.tasks.similarity.search.passages import Passage, passages, short, where
from marginalia.tasks.similarity.search.search import cosine_floor, encode_some, way
from marginalia.tasks.similarity.systems.defaults import card_of, encoder_of, scores_of
from marginalia.tasks.similarity.systems.differences import Difference, differences
from marginalia.tasks.similarity.systems.languages import MIXED, kind_of, stated_language

if TYPE_CHECKING:
    from marginalia.nlp.prompting.model import LanguageModel

MIN_REPETITION_SCORE = 4.4
"""From this score on, and without a disagreement, a sentence repeats another."""
MAX_SCORED_PAIRS = 4_000
"""Pairs that are scored in one document."""
SAID = frozenset({"opposite", "modal", "name"})
"""Differences that are words, not values."""
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


def annotate(doc: Document, *, llm: LanguageModel | None = None) -> Iterator[Annotation]:
    """A note on each sentence that says what another says, and on each claim that another denies; a language model may
    drop what is no contradiction."""
    found = list(passages(doc))
    related = relations(
        found,
        stated_language(doc),
        items=spans_of(doc, {"item"}),
        blocks=SpanSet(tuple(paragraphs(doc.text))),
    )
    if is_manual_page(doc.text):
        related = [relation for relation in related if relation.difference is not None]
    if llm is None:
        return notes(doc, found, related)
    from marginalia.annotators.consistency.asked import review

    return review(doc, found, related, llm)


def relations(
    found: Sequence[Passage], lang: str, items: SpanSet = NO_SPANS, blocks: SpanSet = NO_SPANS
) -> list[Relation]:
    """What the passages of one document repeat and contradict, in reading order.

    ``items`` are those of its lists, ``blocks`` its paragraphs.
    """
    groups = distinct(found)
    denied = [
        (groups[one][0], groups[other][0], difference)
        for one, other, difference in contradictions(
            [found[members[0]] for members in groups], items
        )
        if not are_entries(found[groups[one][0]], found[groups[other][0]])
    ]
    disputed = {(one, other) for one, other, _ in denied}
    worthy = [
        members
        for members in groups
        if is_worth_repeating(found[members[0]].text) and not items.hold(found[members[0]].start)
    ]
    again = [members for members in groups if len(members) > 1]
    copies = Copies(found, groups, blocks)
    related = []
    if len(again) <= MAX_REPEATED or sum(map(len, again)) >= MIN_REPEATED_SHARE * len(found):
        related = [
            Relation(members[0], other, 5.0)
            for members in worthy
            if len(members) <= MAX_COPIES
            for other in members[1:]
            if copies.are_copied(members[0], other)
        ]
    said = [
        (one, other, None)
        for one, other in _alike(found, worthy, lang)
        if (one, other) not in disputed
        and not are_entries(found[one], found[other])
        and not (depends_on_place(found[one].text) or depends_on_place(found[other].text))
    ]
    # Scoring costs most, so it comes last.
    likely = [*denied, *said]
    pairs = [(found[one].text, found[other].text) for one, other, _ in likely]
    for (one, other, difference), score in zip(
        likely, scores_of(pairs, card_of(None).name), strict=True
    ):
        if difference is not None or score >= MIN_REPETITION_SCORE:
            related.append(Relation(one, other, score, difference))
    return sorted(related, key=lambda relation: (relation.left, relation.right))


def _alike(
    found: Sequence[Passage], groups: Sequence[Sequence[int]], lang: str
) -> Iterator[tuple[int, int]]:
    """The pairs of passages whose vectors are so near that they may say the same, and nothing in them disagrees."""
    texts = [found[members[0]].text for members in groups]
    encoder = encoder_of(lang)
    floor = cosine_floor(encoder.folder.name, MIN_REPETITION_SCORE)
    chosen, vectors = encode_some(encoder, texts, lang, way(len(texts)))
    first, second, _ = near_pairs(vectors, floor, most=MAX_SCORED_PAIRS).best()
    for i, j in zip(first, second, strict=True):
        one, other = sorted((groups[chosen[i]][0], groups[chosen[j]][0]))
        left, right = found[one].text, found[other].text
        # A translation is meant to say the same.
        if not differences(left, right) and kind_of(left, right) != MIXED and repeats(left, right):
            yield one, other


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
    names = {key: f"consistency-{number}" for number, key in enumerate(places, 1)}
    for key in places:
        role, start, end = key
        about = told[key]
        linked = [names[_place(found, relation, there)] for relation, _, there in about]
        yield Annotation(
            id=names[key],
            task="consistency",
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
    verb = "says" if relation.difference and relation.difference.kind in SAID else "gives"
    marks = "“{}”" if verb == "says" else "{}"
    mine_said, theirs_said = (marks.format(quote) for quote in quotes)
    return f"{verb} {mine_said} where {place} {verb} {theirs_said}: “{short(found[there].text)}”"
