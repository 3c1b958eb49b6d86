"""What the network learns from: paragraphs of MeasEval and of our own annotation, in one shape.

The annotation is in the folder ``annotation`` of the repository, not in the wheel. A text that stands several times
in a paragraph is right at each of its places, so all of them are given.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Split, uniform
from marginalia.core.files import read_lines
from marginalia.quantities.finder import find_quantities
from marginalia.tasks.measurement.official.spans import Span, by_set
from marginalia.tasks.measurement.systems.inputs import PURPOSES

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LabelledQuantity:
    """Where a quantity and what it is of stand; ``purpose`` only where the annotation says it."""

    place: Place
    entity: tuple[Place, ...] = ()
    property: tuple[Place, ...] = ()
    conditions: tuple[Place, ...] = ()
    purpose: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledParagraph:
    article: str
    text: str
    convention: str
    quantities: tuple[LabelledQuantity, ...]
    others: tuple[Place, ...]
    """Numbers that the rules take for quantities and the annotation does not have."""
    found: Mapping[Place, Place]
    """Annotated quantity -> what the rules find in its stead, where that is one for one."""


def of_measeval(split: Split) -> list[LabelledParagraph]:
    gold = split.require_gold()
    return [
        _paragraph(item.article, item.text, "official", list(_of_sets(gold[id])))
        for id, item in split.items.items()
    ]


def _of_sets(spans: Iterable[Span]) -> Iterator[LabelledQuantity]:
    for members in by_set(list(spans)).values():
        places: dict[str, list[Place]] = {}
        for span in members:
            places.setdefault(span.type, []).append((span.start, span.end))
        if "Quantity" in places:
            yield LabelledQuantity(
                places["Quantity"][0],
                tuple(places.get("MeasuredEntity", ())[:1]),
                tuple(places.get("MeasuredProperty", ())[:1]),
                tuple(places.get("Qualifier", ())),
            )


def of_annotation(folder: Path, *, language: str = "en") -> list[LabelledParagraph]:
    rows: dict[str, list[LabelledQuantity]] = {}
    paragraphs = {
        str(row["id"]): row
        for row in _rows(folder / "paragraphs.jsonl")
        if row.get("lang", "en") == language
    }
    for row in _rows(folder / "quantities.jsonl"):
        if row["id"] in paragraphs:
            own = rows.setdefault(row["id"], [])
            if not row.get("none"):
                own.append(_annotated(paragraphs[row["id"]]["text"], row))
    return [
        _paragraph(
            paragraphs[id]["article"], paragraphs[id]["text"], "margin", own, language=language
        )
        for id, own in rows.items()
    ]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for _, line in read_lines(path))


def _annotated(text: str, row: Mapping[str, Any]) -> LabelledQuantity:
    spans = row["spans"]
    return LabelledQuantity(
        tuple(spans["quantity"]),
        tuple(_occurrences(text, spans.get("entity"))),
        tuple(_occurrences(text, spans.get("property"))),
        tuple((start, end) for start, end in spans.get("conditions", ())),
        row["role"] if row["role"] in PURPOSES else None,
    )


def _occurrences(text: str, place: list[int] | None) -> Iterator[Place]:
    """The place that was annotated, then every other one where the same text stands as a word of its own."""
    if place is None:
        return
    start, end = place
    yield start, end
    quote, at = text[start:end], -1
    while (at := text.find(quote, at + 1)) >= 0:
        edges = text[max(0, at - 1) : at] + text[at + len(quote) : at + len(quote) + 1]
        if at != start and not any(sign.isalnum() for sign in edges):
            yield at, at + len(quote)


def _paragraph(
    article: str,
    text: str,
    convention: str,
    quantities: list[LabelledQuantity],
    *,
    language: str = "en",
) -> LabelledParagraph:
    ruled = [(one.start, one.end) for one in find_quantities(text, language=language, min_score=0)]
    met = {place: [one.place for one in quantities if _meet(place, one.place)] for place in ruled}
    found = {}
    for one in quantities:
        own = [place for place in ruled if one.place in met[place]]
        if len(own) == 1 and len(met[own[0]]) == 1:
            found[one.place] = own[0]
    others = tuple(place for place in ruled if not met[place])
    return LabelledParagraph(article, text, convention, tuple(quantities), others, found)


def _meet(a: Place, b: Place) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def fold_of(article: str, measeval: Mapping[str, int], folds: int) -> int:
    """That of the article in MeasEval's folds, where it has one: no article is learned from and measured on."""
    if article in measeval:
        return measeval[article]
    return int(uniform(article) * folds)
