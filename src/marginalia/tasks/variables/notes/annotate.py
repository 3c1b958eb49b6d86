"""Sentences of a document that mention survey variables become notes; with a catalogue, linked to them.

A document that does not speak of surveys gets no notes: the detector was trained on papers that do, and
finds its share of sentences in any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from marginalia.core.document import SILENT, Annotation, Document
from marginalia.nlp.language import guess
from marginalia.nlp.prose import prose_sentences
from marginalia.tasks.variables.catalogue.groups import group_key
from marginalia.tasks.variables.catalogue.parts import label, parts_of
from marginalia.tasks.variables.notes.explain import Match, explain
from marginalia.tasks.variables.official.paper import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable
from marginalia.tasks.variables.systems.evidence import evidence
from marginalia.tasks.variables.systems.ours import Reader
from marginalia.tasks.variables.systems.reranker import least
from marginalia.tasks.variables.task import TASK

SURVEY = re.compile(
    r"respondent|questionnaire|survey|interviewee|poll\b|polls\b|barometer|allbus|\bissp\b"
    r"|befragte|befragung|umfrage|fragebogen|interview",
    re.IGNORECASE,
)
ENOUGH = 2
"""So many sentences must speak of a survey."""
SHORTEST, LONGEST = 20, 1000
"""Characters of a sentence that is read: shorter ones are headings, longer ones no sentences."""
TOGETHER = 1000
"""Sentences that are read as one paper; a book is read as several, since their cost grows with the square."""
SURE = 0.7
"""From here on a sentence is marked without a catalogue: of the train documents, each left out in turn, 75 % of
such sentences mention a variable, and 41 % of those that do are such."""
SHOWN = 5
"""Variables, or groups of them, that a note names."""

Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of a document, and the probability that it mentions a variable."""

    start: int
    end: int
    text: str
    chance: float
    threshold: float

    @property
    def found(self) -> bool:
        return self.chance >= max(self.threshold, 0.5)


def annotate(doc: Document, *, catalogue: str = "") -> Iterator[Annotation]:
    """A note on each sentence that mentions a variable; which one it is needs the path of a catalogue."""
    if catalogue:
        from marginalia.tasks.variables.notes.links import open_links

        yield from links(doc, open_links(catalogue))
        return
    places = (place for spans in papers(doc) for place in read(doc, spans, Catalogue()))
    sure = (place for place in places if place.found and place.chance >= SURE)
    for number, place in enumerate(sure, start=1):
        why = "which one it is needs a catalogue: --catalogue PATH"
        yield _note(doc, place, number, {"why": why}, {})


def link_document(doc: Document, catalogue: Catalogue | Any) -> Document:
    """The document with a note on each sentence that mentions a variable, and the variables it links to.

    ``catalogue`` is a catalogue in memory, or an index of a large one: then the candidates of all
    sentences together are its variables.
    """
    return doc.annotate(links(doc, catalogue))


def links(doc: Document, catalogue: Catalogue | Any) -> Iterator[Annotation]:
    """Notes with ranked variables. Where none is probable enough the note says so."""
    number = 0
    for spans in papers(doc):
        known = _in_memory(doc, spans, catalogue)
        for place, attrs, targets in _linked(doc, spans, known) if known else ():
            number += 1
            yield _note(doc, place, number, attrs, targets)


def _linked(
    doc: Document, spans: Spans, catalogue: Catalogue
) -> Iterator[tuple[Place, dict[str, Any], dict[str, Any]]]:
    """The sentences of a paper that mention a variable, and which."""
    places = read(doc, spans, catalogue)
    paper = Paper((place.text for place in places), _language(doc))
    chances = _reader().reranker.chances(paper, catalogue)
    fields = parts_of(catalogue)
    first = evidence(paper, catalogue).fused.argmax(axis=0)
    for place in places:
        if not place.found:
            continue
        row = chances[paper.place(place.text)]
        order = sorted(range(len(row)), key=lambda column: (-row[column], column))
        groups: dict[str, dict[str, Any]] = {}
        floor = least(row[order[0]])
        for column in order:
            variable = catalogue[catalogue.ids[column]]
            if row[column] < floor:
                break
            key = group_key(variable)
            if key in groups:
                groups[key]["same"].append(variable.id)
                continue
            if len(groups) == SHOWN:
                continue
            match = explain(place.text, variable, fields[variable.id])
            groups[key] = _entry(variable, label(fields[variable.id]), float(row[column]), match)
            if match.kind == "implicit" and len(paper) > 1:
                named = paper.sentences[int(first[column])]
                there = explain(named, variable, fields[variable.id])
                if named != place.text and there.kind == "explicit":
                    groups[key]["named_in"] = named
        entries = list(groups.values())
        attrs = {"why": _why(entries), "variables": entries}
        ids = tuple(id for entry in entries for id in (entry["id"], *entry["same"]))
        yield place, attrs, {"variable": ids} if ids else {}


def papers(doc: Document) -> Iterator[Spans]:
    """The sentences of a document that speaks of surveys, as many at a time as a paper may have; else none."""
    spans = list(_spans(doc))
    if sum(bool(SURVEY.search(doc.text, *span)) for span in spans) < ENOUGH:
        return
    count = -(-len(spans) // TOGETHER)
    for part in range(count):
        yield spans[part * len(spans) // count : (part + 1) * len(spans) // count]


def read(doc: Document, spans: Spans, catalogue: Catalogue) -> list[Place]:
    """These sentences, each with its probability."""
    texts = [_line(doc.text[start:end]) for start, end in spans]
    paper = Paper(texts, _language(doc))
    chances, threshold = _reader().detector.chances(paper, catalogue)
    return [
        Place(*span, text, float(chances[paper.place(text)]), threshold)
        for span, text in zip(spans, texts, strict=True)
    ]


def _reader() -> Reader:
    """The task's system: what notes need of it is the probabilities of its two parts."""
    return cast(Reader, TASK.ready().loaded())


def _language(doc: Document) -> str:
    return str(doc.meta.get("lang") or guess(doc.text))


def _line(text: str) -> str:
    return " ".join(text.split())


def _spans(doc: Document) -> Iterator[tuple[int, int]]:
    """Sentences of prose: neither headings, code, formulas nor tables."""
    without = {*SILENT, "heading", "table"}
    for start, end in prose_sentences(doc, without=without, lang=_language(doc)):
        if SHORTEST <= end - start <= LONGEST:
            yield start, end


def _in_memory(doc: Document, spans: Spans, catalogue: Catalogue | Any) -> Catalogue:
    if isinstance(catalogue, Catalogue):
        return catalogue
    found: dict[str, Variable] = {}
    for start, end in spans:
        for variable, _ in catalogue.candidates(_line(doc.text[start:end]), k=SHOWN * 2):
            found[variable.id] = variable
    return Catalogue(found.values())


def _entry(variable: Variable, name: str, chance: float, match: Match) -> dict[str, Any]:
    return {
        "id": variable.id,
        "survey": variable.survey,
        "label": name or variable.text[:80],
        "score": round(chance, 4),
        "kind": match.kind,
        "words": [list(span) for span in match.words],
        "fields": list(match.fields),
        "same": [],
    }


def _why(entries: Sequence[dict[str, Any]]) -> str:
    if not entries:
        return "mentions a survey variable, but none of the catalogue fits well enough"
    parts = [f"{entry['label']} ({entry['kind']})" for entry in entries[:2]]
    more = f", and {len(entries) - 2} more" if len(entries) > 2 else ""
    return f"mentions {'; '.join(parts)}{more}"


def _note(
    doc: Document, place: Place, number: int, attrs: dict[str, Any], targets: dict[str, Any]
) -> Annotation:
    return Annotation(
        id=f"variables-{number}",
        task="variables",
        label="survey variable",
        start=place.start,
        end=place.end,
        quote=doc.text[place.start : place.end],
        score=round(place.chance, 4),
        attrs=attrs,
        links=targets,
        system="reader",
    )
