"""Notes on the sentences of a document that mention a survey variable, with the variables they link to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.tasks.variables.catalogue.groups import group_key
from marginalia.tasks.variables.catalogue.parts import label, parts_of
from marginalia.tasks.variables.notes.explain import Match, explain
from marginalia.tasks.variables.notes.sentences import (
    Sentence,
    detect,
    paper_of,
    papers,
    shipped_reader,
)
from marginalia.tasks.variables.official.paper import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable
from marginalia.tasks.variables.systems.evidence import evidence
from marginalia.tasks.variables.systems.reranker import claim_threshold

VARIABLES_PER_NOTE = 5
"""Variables, or groups of them, that a note names."""
CANDIDATES_PER_SENTENCE = 2 * VARIABLES_PER_NOTE
"""Candidates that the index of a large catalogue gives for a sentence."""
MAX_LABEL_CHARACTERS = 80
"""What is shown of a variable that has no label."""

Entry = dict[str, Any]
"""What a note says of a variable."""


def link_document(doc: Document, catalogue: Catalogue | Any) -> Document:
    """The document with a note on each sentence that mentions a variable, and the variables it links to.

    ``catalogue`` is a catalogue in memory, or an index of a large one: then the candidates of all
    sentences together are its variables.
    """
    return doc.annotate(linked_notes(doc, catalogue))


def linked_notes(doc: Document, catalogue: Catalogue | Any) -> Iterator[Annotation]:
    """Notes with ranked variables. Where none is probable enough the note says so."""
    number = 0
    for sentences in papers(doc):
        candidates = _candidates(sentences, catalogue)
        if not candidates:
            continue
        for one, chance, entries in _linked(sentences, paper_of(doc, sentences), candidates):
            number += 1
            attrs = {"why": _why(entries), "variables": entries}
            yield note(doc, one, number, chance, attrs, _ids(entries))


def note(
    doc: Document,
    sentence: Sentence,
    number: int,
    chance: float,
    attrs: dict[str, Any],
    variables: tuple[str, ...] = (),
) -> Annotation:
    """The note on one sentence, linked to these variables."""
    return Annotation(
        id=f"variables-{number}",
        task="variables",
        label="survey variable",
        start=sentence.start,
        end=sentence.end,
        quote=doc.text[sentence.start : sentence.end],
        score=round(chance, 4),
        attrs=attrs,
        links={"variable": variables} if variables else {},
        system="reader",
    )


def _linked(
    sentences: Sequence[Sentence], paper: Paper, catalogue: Catalogue
) -> Iterator[tuple[Sentence, float, list[Entry]]]:
    """The sentences of a paper that mention a variable, and what a note says of each variable."""
    chances = shipped_reader().reranker.chances(paper, catalogue)
    fields = parts_of(catalogue)
    clearest = evidence(paper, catalogue).fused.argmax(axis=0)
    for one, mentions in detect(sentences, paper, catalogue):
        row = chances[paper.place(one.text)]
        order = sorted(range(len(row)), key=lambda column: (-row[column], column))
        threshold = claim_threshold(row[order[0]])
        groups: dict[str, Entry] = {}
        for column in order:
            variable = catalogue[catalogue.ids[column]]
            if row[column] < threshold:
                break
            key = group_key(variable)
            if key in groups:
                groups[key]["same"].append(variable.id)
                continue
            if len(groups) == VARIABLES_PER_NOTE:
                continue
            match = explain(one.text, variable, fields[variable.id])
            groups[key] = _entry(variable, label(fields[variable.id]), float(row[column]), match)
            if match.kind == "implicit" and len(paper) > 1:
                named = paper.sentences[int(clearest[column])]
                there = explain(named, variable, fields[variable.id])
                if named != one.text and there.kind == "explicit":
                    groups[key]["named_in"] = named
        yield one, mentions, list(groups.values())


def _candidates(sentences: Sequence[Sentence], catalogue: Catalogue | Any) -> Catalogue:
    """A catalogue in memory as it is; of an index the candidates of all sentences."""
    if isinstance(catalogue, Catalogue):
        return catalogue
    found: dict[str, Variable] = {}
    for one in sentences:
        for variable, _ in catalogue.candidates(one.text, k=CANDIDATES_PER_SENTENCE):
            found[variable.id] = variable
    return Catalogue(found.values())


def _entry(variable: Variable, name: str, chance: float, match: Match) -> Entry:
    return {
        "id": variable.id,
        "survey": variable.survey,
        "label": name or variable.text[:MAX_LABEL_CHARACTERS],
        "score": round(chance, 4),
        "kind": match.kind,
        "words": [list(span) for span in match.words],
        "fields": list(match.fields),
        "same": [],
    }


def _ids(entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(id for entry in entries for id in (entry["id"], *entry["same"]))


def _why(entries: Sequence[Entry]) -> str:
    if not entries:
        return "mentions a survey variable, but none of the catalogue fits well enough"
    parts = [f"{entry['label']} ({entry['kind']})" for entry in entries[:2]]
    more = f", and {len(entries) - 2} more" if len(entries) > 2 else ""
    return f"mentions {'; '.join(parts)}{more}"
