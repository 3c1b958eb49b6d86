"""What papers have in common: the concepts that they measure, whichever wave, survey or language the variable is from.

"Trust in parliament" of four waves is one concept. Variables belong together where they ask the same question, or
where their labels say the same word by word; a folder of papers is then listed by concept. Where one label only says
more than another, the other concept is named as one that may be it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.annotators.variables.labels import near_labels
from marginalia.annotators.variables.links import Linked


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
    own = [id for id in members if id in uses]
    every = sorted(
        (one for id in own for one in uses[id]), key=lambda one: (one.document, one.start)
    )
    most = max(own, key=lambda id: (len(uses[id]), -len(labels[id])))
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
        surveys=tuple(dict.fromkeys(surveys[id] for id in own)),
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
