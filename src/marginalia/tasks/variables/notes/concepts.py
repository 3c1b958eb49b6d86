"""What papers have in common: the concepts that they measure, whichever wave, survey or language the variable is from.

"Trust in institutions" of four waves is one concept. Variables belong together where they ask the same question, or
where their labels mean the same and share a word; a folder of papers is then listed by concept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.tasks.variables.index.stems import stems
from marginalia.tasks.variables.notes.links import Linked

MIN_SAME_COSINE = 0.93
"""From this cosine of their labels on two variables measure one concept, if they share a word too."""


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
    together = _joined(labels, same)
    made = [_concept(members, uses, labels, surveys) for members in together]
    return sorted(made, key=lambda one: (-len(one.documents), -len(one.uses), one.label))


def _concept(
    members: Sequence[str],
    uses: dict[str, list[Use]],
    labels: dict[str, str],
    surveys: dict[str, str],
) -> Concept:
    own = [id for id in members if id in uses]
    every = sorted(
        (one for id in own for one in uses[id]), key=lambda one: (one.document, one.start)
    )
    most = max(own, key=lambda id: (len(uses[id]), -len(labels[id])))
    return Concept(
        label=labels[most],
        variables=tuple(members),
        surveys=tuple(dict.fromkeys(surveys[id] for id in own)),
        documents=tuple(dict.fromkeys(one.document for one in every)),
        uses=tuple(every),
    )


def _joined(labels: dict[str, str], same: Sequence[tuple[str, ...]]) -> list[list[str]]:
    """Ids that belong together: union of the groups and of near labels."""
    parent = {id: id for ids in same for id in ids}

    def root(id: str) -> str:
        while parent[id] != id:
            parent[id] = parent[parent[id]]
            id = parent[id]
        return id

    for first, *others in same:
        for other in others:
            parent[root(other)] = root(first)
    for one, other in near_labels(labels):
        parent[root(other)] = root(one)
    found: dict[str, list[str]] = {}
    for id in parent:
        found.setdefault(root(id), []).append(id)
    return list(found.values())


def near_labels(labels: dict[str, str]) -> list[tuple[str, str]]:
    """Pairs of ids whose labels mean the same and share a word."""
    ids = list(labels)
    if len(ids) < 2:
        return []
    from marginalia.nlp.encoder import multilingual
    from marginalia.tasks.variables.catalogue.casing import spoken

    said = [spoken(labels[id]) for id in ids]
    vectors = multilingual().vectors(said)
    cosines = vectors @ vectors.T
    words = [set(stems(text)) for text in said]
    return [
        (ids[a], ids[b])
        for a in range(len(ids))
        for b in range(a + 1, len(ids))
        if cosines[a, b] >= MIN_SAME_COSINE and words[a] & words[b]
    ]
