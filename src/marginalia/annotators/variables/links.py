"""A paper linked to a catalogue: rows for each sentence, an index of the variables, and a summary by them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from marginalia.annotators.variables.memory import Memory, memory_of
from marginalia.annotators.variables.surveys import NamedSurvey
from marginalia.annotators.variables.variable_notes import (
    CANDIDATES_PER_NOTE,
    Linking,
    link_document,
    searched_surveys,
)
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import MissingError
from marginalia.core.extraction import Table, Tabular
from marginalia.nlp.prompting import as_model
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.tasks.variables.index.catalogue_index import CatalogueIndex
from marginalia.tasks.variables.index.folder import MANIFEST
from marginalia.tasks.variables.index.search import OpenCatalogue, open_catalogue
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.claims import MIN_CLAIM_PROBABILITY
from marginalia.tasks.variables.systems.reranker import rerank

CENTRAL_SENTENCES = 2
"""Sentences that sum up what a paper says of a variable."""
EXPLICIT_BONUS = 0.25
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


CatalogueSource = str | Path | OpenCatalogue | Catalogue | CatalogueIndex
"""A catalogue: its path, or an open one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedVariable:
    """A variable that a sentence uses or may use, with those of other waves that ask the same."""

    id: str
    survey: str
    label: str
    score: float
    """How often such a link was right, from 0 to 1."""
    kind: str
    """``explicit`` where the sentence names it, ``implicit`` where it takes the rest of the paper to see it."""
    words: tuple[tuple[int, int], ...]
    """Where the sentence has words of the variable."""
    fields: tuple[str, ...]
    """The parts of the variable that have them, the best covered first."""
    same: tuple[str, ...]
    """Further variables that ask the same question."""
    question: str = ""
    decided: bool = False
    """Whether it was decided that the sentence uses it."""
    named_in: str | None = None
    """The sentence of the paper that names an implicit one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedSentence:
    """A sentence that mentions a survey variable; ``variables`` is empty where none is sure enough to claim."""

    start: int
    end: int
    page: int | None
    quote: str
    score: float | None
    why: str
    variables: tuple[LinkedVariable, ...]
    candidates: tuple[LinkedVariable, ...] = ()
    """What it may use, the likeliest first, those in ``variables`` included."""


@dataclass(frozen=True, slots=True)
class Linked(Tabular):
    """A document with its notes, and what they say of the variables."""

    columns: ClassVar[Collection[str]] = COLUMNS
    doc: Document
    named: tuple[NamedSurvey, ...] = ()
    """The surveys that the document names, to which the catalogue was narrowed; empty where it was not."""

    @property
    def sentences(self) -> tuple[LinkedSentence, ...]:
        """The sentences that mention a variable, in reading order."""
        return tuple(
            LinkedSentence(
                start=note.start,
                end=note.end,
                page=self.doc.page(note.start),
                quote=note.quote,
                score=note.score,
                why=note.attrs["why"],
                variables=tuple(map(_variable, note.attrs["variables"])),
                candidates=tuple(map(_variable, note.attrs["candidates"])),
            )
            for note in self.notes()
        )

    def rows(self) -> list[dict[str, Any]]:
        """One row per sentence and variable; a sentence whose variable the catalogue lacks has one without."""
        table = []
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
                table.append({name: row.get(name) for name in COLUMNS})
        return table

    def index(self) -> list[dict[str, Any]]:
        """Each variable with the sentences that use it: the most used first, its most central ones marked."""
        uses: dict[str, list[tuple[Annotation, Mapping[str, Any]]]] = {}
        for note in self.notes():
            for entry in note.attrs["variables"]:
                uses.setdefault(entry["id"], []).append((note, entry))
        entries = []
        for id, each in uses.items():
            central = set(most_central(each))
            first = each[0][1]
            entries.append(
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
        return sorted(entries, key=lambda row: (-len(row["sentences"]), -row["score"], row["id"]))

    def notes(self) -> Iterator[Annotation]:
        """The notes on the sentences."""
        return self.doc.notes("variables")

    def to_dict(self) -> dict[str, Any]:
        """Sentences with their variables, and variables with their sentences, as plain data."""
        return {
            "document": self.doc.id,
            "surveys": [one.to_dict() for one in self.named],
            "sentences": [
                {
                    "start": note.start,
                    "end": note.end,
                    "page": self.doc.page(note.start),
                    "quote": note.quote,
                    "score": note.score,
                    "why": note.attrs["why"],
                    "variables": note.attrs["variables"],
                    "candidates": note.attrs["candidates"],
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
    if len(uses) <= CENTRAL_SENTENCES:
        return list(range(len(uses)))
    from marginalia.nlp.encoder import multilingual

    vectors = multilingual().vectors([" ".join(note.quote.split()) for note, _ in uses])
    near = (vectors @ vectors.T).mean(axis=1)
    scores = [
        entry["score"] + EXPLICIT_BONUS * (entry["kind"] == "explicit") + float(near[place])
        for place, (_, entry) in enumerate(uses)
    ]
    return sorted(range(len(uses)), key=lambda place: (-scores[place], place))[:CENTRAL_SENTENCES]


def link(
    doc: Document,
    catalogue: CatalogueSource,
    *,
    threshold: float = MIN_CLAIM_PROBABILITY,
    top: int = CANDIDATES_PER_NOTE,
    surveys: Sequence[str] = (),
    narrow: bool = True,
    memory: Memory | None = None,
    llm: str | LanguageModel | None = None,
) -> Linked:
    """Link the sentences of a document to the survey variables they use.

    ``catalogue`` is a path (a folder that ``build_catalogue`` made, or a source such as a DDI file) or what
    ``open_catalogue`` gave. A variable is claimed where such claims were right at least as often as ``threshold``
    says; ``top`` candidates come with each sentence. Only variables of ``surveys`` are looked at, or, unless
    ``narrow`` is false, those of the surveys that the document names. ``memory`` holds decisions; with a path it
    is the catalogue's own. A language model (``llm``) says which candidates each sentence uses.

    >>> found = link(read("paper.pdf", notes=[]), "survey.xml")  # doctest: +SKIP
    >>> found.to_frame()[["sentence", "variable", "kind"]]  # doctest: +SKIP
    """
    if memory is None:
        own = isinstance(catalogue, (str, Path))
        memory = memory_of(catalogue) if own else Memory()  # type: ignore[arg-type]
    source = _source(catalogue)
    how = Linking(
        threshold=threshold,
        top=top,
        surveys=tuple(surveys),
        narrow=narrow,
        memory=memory,
        llm=as_model(llm),
    )
    _, named = searched_surveys(doc, source, how)
    return Linked(link_document(doc, source, how), tuple(named))


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedVariable:
    """A variable that may fit a sentence."""

    id: str
    survey: str
    label: str
    question: str
    score: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def rank_variables(
    sentence: str, catalogue: CatalogueSource, *, limit: int = 10
) -> Table[RankedVariable]:
    """The variables of a catalogue that fit one sentence, best first. The catalogue is given as to ``link``."""
    known = _source(catalogue)
    if isinstance(known, Catalogue):
        candidates = list(known)
    else:
        candidates = [variable for variable, _ in known.candidates(sentence)]
    rows = tuple(
        RankedVariable(
            id=variable.id,
            survey=variable.survey,
            label=variable.fields.get("label") or variable.text[:80],
            question=variable.fields.get("question", ""),
            score=round(score, 4),
        )
        for variable, score in rerank(sentence, candidates)[:limit]
    )
    return Table(rows, tuple(RankedVariable.__dataclass_fields__))


def _variable(entry: Mapping[str, Any]) -> LinkedVariable:
    return LinkedVariable(
        id=entry["id"],
        survey=entry["survey"],
        label=entry["label"],
        score=entry["score"],
        kind=entry["kind"],
        words=tuple((start, end) for start, end in entry["words"]),
        fields=tuple(entry["fields"]),
        same=tuple(entry["same"]),
        question=entry["question"],
        decided=entry["decided"],
        named_in=entry.get("named_in"),
    )


def _source(catalogue: CatalogueSource) -> Catalogue | CatalogueIndex:
    if isinstance(catalogue, (str, Path)):
        return open_links(catalogue)
    return catalogue.source if isinstance(catalogue, OpenCatalogue) else catalogue


def open_links(path: str | Path) -> Catalogue | CatalogueIndex:
    """What a path holds, cached while it does not change."""
    path = Path(path)
    if not path.exists():
        raise MissingError(f"{path}: there is no such catalogue")
    stat = (path / MANIFEST if (path / MANIFEST).exists() else path).stat()
    return _open(path.resolve(), stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=4)
def _open(path: Path, *_: int) -> Catalogue | CatalogueIndex:
    return open_catalogue(path).source
