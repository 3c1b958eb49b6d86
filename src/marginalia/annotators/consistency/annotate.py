"""Passages of a document that repeat or contradict each other become notes that point to each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from marginalia.annotators.consistency.contradictions import contradictions
from marginalia.annotators.consistency.repetition import (
    MIN_SCORE,
    is_summary,
    is_worth_repeating,
    says_the_same,
)
from marginalia.core.document import Annotation, Document
from marginalia.nlp.prose import NO_SPANS, SpanSet, spans_of
from marginalia.tasks.similarity.search.matches import distinct
from marginalia.tasks.similarity.search.neighbours import near_pairs
from marginalia.tasks.similarity.search.passages import Passage, passages, short, where
from marginalia.tasks.similarity.search.search import cosine_floor, encode_some, way
from marginalia.tasks.similarity.systems.defaults import card_of, encoder_of, scores_of
from marginalia.tasks.similarity.systems.differences import Difference
from marginalia.tasks.similarity.systems.languages import MIXED, kind_of, stated_language

if TYPE_CHECKING:
    from marginalia.nlp.prompting.model import LanguageModel

MAX_SCORED_PAIRS = 300
"""Pairs that are scored in one document, the nearest first."""
MAX_COPIES = 4
"""What stands there more often is meant to: a header, a form, a refrain."""
REPETITION_SHARE = 0.5
"""Of the score of a note, from 0 to 1: repetitions have the lower half, contradictions, which help a reader more, all of it."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Two passages, by their places, and what is between them."""

    left: int
    right: int
    score: float
    difference: Difference | None = None
    """What they disagree about; None where they say the same"""


def annotate(doc: Document, *, llm: LanguageModel | None = None) -> Iterator[Annotation]:
    """A note on each sentence that says what an earlier one says, or denies it; a language model may drop what is no
    contradiction."""
    found = list(passages(doc))
    related = relations(found, stated_language(doc), items=spans_of(doc, {"item"}))
    if llm is None:
        return notes(doc, found, related)
    from marginalia.annotators.consistency.asked import review

    return review(doc, found, related, llm)


def relations(found: Sequence[Passage], lang: str, items: SpanSet = NO_SPANS) -> list[Relation]:
    """What the passages of one document repeat and contradict, in reading order; ``items`` are those of its lists."""
    groups = distinct(found)
    firsts = [found[members[0]] for members in groups]
    related = [
        Relation(groups[one][0], groups[other][0], 0.0, difference)
        for one, other, difference in contradictions(firsts, items)
    ]
    disputed = {(one.left, one.right) for one in related}
    worthy = [
        members
        for members in groups
        if len(members) <= MAX_COPIES
        and is_worth_repeating(found[members[0]].text)
        and not items.hold(found[members[0]].start)
    ]
    for members in worthy:
        related += [Relation(members[0], other, 5.0) for other in members[1:]]
    alike = [pair for pair in _alike(found, worthy, lang) if pair not in disputed]
    # Scoring costs most, so it comes last.
    pairs = [(found[one].text, found[other].text) for one, other in alike]
    for (one, other), score in zip(alike, scores_of(pairs, card_of(None).name), strict=True):
        if says_the_same(found[one].text, found[other].text, score):
            related.append(Relation(one, other, score))
    return sorted(related, key=lambda relation: (relation.left, relation.right))


def _alike(
    found: Sequence[Passage], groups: Sequence[Sequence[int]], lang: str
) -> Iterator[tuple[int, int]]:
    """The pairs of passages whose vectors are so near that they may say the same."""
    groups = [members for members in groups if not is_summary(found[members[0]].section)]
    texts = [found[members[0]].text for members in groups]
    encoder = encoder_of(lang)
    floor = cosine_floor(encoder.folder.name, MIN_SCORE)
    chosen, vectors = encode_some(encoder, texts, lang, way(len(texts)))
    first, second, _ = near_pairs(vectors, floor, most=MAX_SCORED_PAIRS).best()
    for i, j in zip(first, second, strict=True):
        one, other = sorted((groups[chosen[i]][0], groups[chosen[j]][0]))
        # A translation is meant to say the same.
        if kind_of(found[one].text, found[other].text) != MIXED:
            yield one, other


def notes(
    doc: Document, found: Sequence[Passage], related: Sequence[Relation]
) -> Iterator[Annotation]:
    """One note for two sentences, at the later one; the earlier one has a mark that belongs to it. A sentence is repeated or
    denied once, by what is nearest to it in meaning."""
    seen: set[int] = set()
    best = sorted(
        related, key=lambda one: (one.difference is None, -one.score, one.left, one.right)
    )
    chosen = []
    for relation in best:
        if relation.right not in seen:
            seen.add(relation.right)
            chosen.append(relation)
    for number, relation in enumerate(sorted(chosen, key=lambda one: one.right), 1):
        id, label = f"consistency-{number}", "repetition"
        if relation.difference is not None:
            label = "contradiction"
        earlier, later = found[relation.left], found[relation.right]
        yield _note(
            doc,
            id,
            label,
            later,
            worth(label, relation.score),
            {
                "why": _why(relation, earlier, later),
                "similarity": round(relation.score, 4),
                "other_start": earlier.start,
                "other_end": earlier.end,
            },
        )
        yield _note(doc, f"{id}-earlier", label, earlier, None, {"part_of": [id]})


def _note(
    doc: Document, id: str, label: str, passage: Passage, score: float | None, attrs: dict[str, Any]
) -> Annotation:
    return Annotation(
        id=id,
        task="consistency",
        label=label,
        start=passage.start,
        end=passage.end,
        quote=doc.text[passage.start : passage.end],
        score=score,
        attrs=attrs,
        system=card_of(None).name,
    )


def worth(label: str, similarity: float) -> float:
    """How much a note helps, from 0 to 1: any contradiction more than any repetition, then by similarity."""
    if label == "contradiction":
        return 1.0
    return round(REPETITION_SHARE * similarity / 5, 4)


def _why(relation: Relation, earlier: Passage, later: Passage) -> str:
    place, said = where(earlier, later), short(earlier.text)
    if relation.difference is None:
        return f"says the same as {place}: “{said}”"
    if relation.difference.kind == "negation":
        verbs = ("denies", "says") if relation.difference.right else ("says", "denies")
        return f"{verbs[0]} what {place} {verbs[1]}: “{said}”"
    spans = ((later, relation.difference.right), (earlier, relation.difference.left))
    mine, theirs = (one.text[slice(*span)] if span else "" for one, span in spans)
    return f"says “{mine}” where {place} says “{theirs}”: “{said}”"
