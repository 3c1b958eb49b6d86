"""A paper linked to a catalogue: rows for each sentence, an index of the variables, and a summary by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import MissingError
from marginalia.tasks.variables.catalogue.formats import read_catalogue
from marginalia.tasks.variables.index.catalogue_index import MANIFEST, CatalogueIndex, open_index
from marginalia.tasks.variables.notes.variable_notes import link_document
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.reranker import rerank

CENTRAL = 2
"""Sentences that sum up what a paper says of a variable."""
NAMED = 0.25
"""What an explicit mention counts more than an implicit one when sentences are chosen."""
COLUMNS: Mapping[str, type] = {
    "document": str,
    "page": int,
    "start": int,
    "end": int,
    "sentence": str,
    "sentence_score": float,
    "variable": str,
    "survey": str,
    "label": str,
    "score": float,
    "kind": str,
    "words": list,
    "fields": list,
    "same": list,
    "named_in": str,
}


@dataclass(frozen=True, slots=True)
class Linked:
    """A document with its notes, and what they say of the variables."""

    doc: Document

    @property
    def columns(self) -> Mapping[str, type]:
        return COLUMNS

    def rows(self) -> list[dict[str, Any]]:
        """One row per sentence and variable; a sentence whose variable the catalogue lacks has one without."""
        found = []
        for note in self.notes():
            fixed = {
                "document": self.doc.id,
                "page": self.doc.page(note.start),
                "start": note.start,
                "end": note.end,
                "sentence": note.quote,
                "sentence_score": note.score,
            }
            for entry in note.attrs["variables"] or [{}]:
                row = {**entry, **fixed, "variable": entry.get("id")}
                found.append({name: row.get(name) for name in COLUMNS})
        return found

    def index(self) -> list[dict[str, Any]]:
        """Each variable with the sentences that use it: the most used first, its most central ones marked."""
        uses: dict[str, list[tuple[Annotation, Mapping[str, Any]]]] = {}
        for note in self.notes():
            for entry in note.attrs["variables"]:
                uses.setdefault(entry["id"], []).append((note, entry))
        found = []
        for id, each in uses.items():
            central = set(most_central(each))
            first = each[0][1]
            found.append(
                {
                    "id": id,
                    "survey": first["survey"],
                    "label": first["label"],
                    "same": first["same"],
                    "score": max(entry["score"] for _, entry in each),
                    "sentences": [
                        {
                            "start": note.start,
                            "end": note.end,
                            "page": self.doc.page(note.start),
                            "quote": note.quote,
                            "score": entry["score"],
                            "kind": entry["kind"],
                            "central": place in central,
                        }
                        for place, (note, entry) in enumerate(each)
                    ],
                }
            )
        return sorted(found, key=lambda row: (-len(row["sentences"]), -row["score"], row["id"]))

    def notes(self) -> Iterator[Annotation]:
        return self.doc.notes("variables")

    def to_json(self) -> dict[str, Any]:
        return {
            "document": self.doc.id,
            "sentences": [
                {
                    "start": note.start,
                    "end": note.end,
                    "page": self.doc.page(note.start),
                    "quote": note.quote,
                    "score": note.score,
                    "why": note.attrs["why"],
                    "variables": note.attrs["variables"],
                }
                for note in self.notes()
            ],
            "variables": self.index(),
        }


def most_central(uses: Sequence[tuple[Annotation, Mapping[str, Any]]]) -> list[int]:
    """The places of the sentences that best stand for all that use a variable.

    A sentence counts by how sure its link is, whether it names the variable, and how near it is to the
    other sentences on it.
    """
    if len(uses) <= CENTRAL:
        return list(range(len(uses)))
    from marginalia.nlp.encoder import multilingual

    vectors = multilingual().vectors([" ".join(note.quote.split()) for note, _ in uses])
    near = (vectors @ vectors.T).mean(axis=1)
    scores = [
        entry["score"] + NAMED * (entry["kind"] == "explicit") + float(near[place])
        for place, (_, entry) in enumerate(uses)
    ]
    return sorted(range(len(uses)), key=lambda place: (-scores[place], place))[:CENTRAL]


def link(doc: Document, catalogue: str | Path | Catalogue | CatalogueIndex) -> Linked:
    """Link the sentences of a document to the variables of a catalogue, or of the file or folder that holds one."""
    if isinstance(catalogue, (str, Path)):
        catalogue = open_links(catalogue)
    return Linked(link_document(doc, catalogue))


def rank(
    sentence: str, catalogue: str | Path | Catalogue | CatalogueIndex, *, limit: int = 10
) -> list[dict[str, Any]]:
    """The variables that fit one sentence, best first."""
    if isinstance(catalogue, (str, Path)):
        catalogue = open_links(catalogue)
    if isinstance(catalogue, Catalogue):
        candidates = list(catalogue)
    else:
        candidates = [variable for variable, _ in catalogue.candidates(sentence)]
    return [
        {
            "id": variable.id,
            "survey": variable.survey,
            "label": variable.fields.get("label") or variable.text[:80],
            "question": variable.fields.get("question", ""),
            "score": round(score, 4),
        }
        for variable, score in rerank(sentence, candidates)[:limit]
    ]


def open_links(path: str | Path) -> Catalogue | CatalogueIndex:
    """What a path holds: a built catalogue, or a source such as a DDI file; kept while it does not change."""
    path = Path(path)
    if not path.exists():
        raise MissingError(f"{path}: there is no such catalogue")
    stat = (path / MANIFEST if (path / MANIFEST).exists() else path).stat()
    return _open(path.resolve(), stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=4)
def _open(path: Path, *_: int) -> Catalogue | CatalogueIndex:
    if (path / MANIFEST).exists() or (path / "unfinished").exists():
        return open_index(path)
    return read_catalogue([path])
