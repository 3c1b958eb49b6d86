"""Notes on the sentences of a document that mention a survey variable: what is claimed, and what else may be meant."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from marginalia.annotators.variables.explain import explain
from marginalia.annotators.variables.memory import Memory, Remembered
from marginalia.annotators.variables.sentences import (
    Sentence,
    detect,
    paper_of,
    papers,
    shipped_reader,
)
from marginalia.annotators.variables.surveys import NamedSurvey, named_surveys
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError
from marginalia.tasks.variables.catalogue.groups import group_key
from marginalia.tasks.variables.catalogue.parts import Parts, label, parts_of
from marginalia.tasks.variables.index.catalogue_index import CatalogueIndex
from marginalia.tasks.variables.official.data import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable
from marginalia.tasks.variables.systems.claims import (
    MIN_CLAIM_PROBABILITY,
    MIN_PERHAPS_PROBABILITY,
    claim_features,
    shipped_claims,
)
from marginalia.tasks.variables.systems.evidence import Evidence, evidence

if TYPE_CHECKING:
    from marginalia.nlp.prompting.model import LanguageModel

CANDIDATES_PER_NOTE = 5
"""Candidates that a note offers by default."""
CANDIDATES_PER_SENTENCE = 10
"""Candidates that the index of a large catalogue gives for a sentence."""
MIN_CHANCE_TO_ASK = 0.3
"""Sentences that are less likely to mention a variable are not looked up in a large catalogue."""
MAX_LABEL_CHARACTERS = 80
"""What is shown of a variable that has no label."""
MAX_PROBABILITY = 0.99

Entry = dict[str, Any]
"""What a note says of a variable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linking:
    """How a document is linked."""

    threshold: float = MIN_CLAIM_PROBABILITY
    """From this probability on a variable is claimed."""
    top: int = CANDIDATES_PER_NOTE
    """Candidates per sentence."""
    surveys: tuple[str, ...] = ()
    """Only variables of these surveys."""
    narrow: bool = True
    """Where the paper names surveys of the catalogue, only their variables."""
    memory: Memory = field(default_factory=Memory)
    llm: LanguageModel | None = None
    """A language model that is asked which candidates a sentence uses."""

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1 or not math.isfinite(self.threshold):
            raise FormatError(f"the threshold {self.threshold} is not between 0 and 1")
        if self.top < 1:
            raise FormatError(f"{self.top} candidates: at least 1 was expected")


DEFAULT = Linking()


def link_document(
    doc: Document, catalogue: Catalogue | CatalogueIndex, linking: Linking = DEFAULT
) -> Document:
    """The document with a note on each sentence that mentions a variable, and the variables it links to."""
    return doc.annotate(linked_notes(doc, catalogue, linking))


def linked_notes(
    doc: Document, catalogue: Catalogue | CatalogueIndex, linking: Linking = DEFAULT
) -> Iterator[Annotation]:
    """Notes with ranked variables. Where none is sure enough the note offers what may be meant."""
    number = 0
    surveys, _ = searched_surveys(doc, catalogue, linking)
    for sentences in papers(doc):
        paper = paper_of(doc, sentences)
        candidates = _candidates(paper, catalogue, surveys)
        if not candidates:
            continue
        size = len(catalogue)
        linked = list(_linked(sentences, paper, candidates, size, linking))
        said: dict[int, dict[str, str]] = {}
        if linking.llm is not None:
            from marginalia.annotators.variables.asked import review

            linked, said = review(linked, candidates, linking.llm)
        for one, chance, entries in linked:
            number += 1
            claimed = [entry for entry in entries if entry["claimed"]]
            attrs = {
                "why": _why(entries),
                "usefulness": max((entry["score"] for entry in entries), default=0.0),
                "variables": claimed,
                "candidates": entries,
                **said.get(one.start, {}),
            }
            yield note(doc, one, number, chance, attrs, _ids(claimed))


def searched_surveys(
    doc: Document, catalogue: Catalogue | CatalogueIndex, linking: Linking
) -> tuple[tuple[str, ...] | None, list[NamedSurvey]]:
    """The surveys whose variables are looked at (None: all), and what the document named of them."""
    titles = survey_titles(catalogue)
    for survey in linking.surveys:
        if survey not in titles:
            from marginalia.core.errors import UnknownNameError

            raise UnknownNameError("survey in this catalogue", survey, list(titles)[:20])
    if linking.surveys or not linking.narrow or len(titles) < 2:
        return linking.surveys or None, []
    named = named_surveys(doc.text, titles)
    return tuple(one.survey for one in named) or None, named


def survey_titles(catalogue: Catalogue | CatalogueIndex) -> dict[str, str]:
    """The surveys of a catalogue with their titles."""
    if isinstance(catalogue, CatalogueIndex):
        return dict(catalogue.titles)
    parts = parts_of(catalogue)
    return {one.survey: parts[one.id].get("study", "") for one in catalogue}


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
        system=f"reader + {attrs['model']}" if "model" in attrs else "reader",
    )


def _linked(
    sentences: Sequence[Sentence], paper: Paper, catalogue: Catalogue, size: int, linking: Linking
) -> Iterator[tuple[Sentence, float, list[Entry]]]:
    """The sentences of a paper that mention a variable, and what a note says of each candidate."""
    found = evidence(paper, catalogue)
    reader = shipped_reader()
    scores = reader.reranker.scores(found)
    chances, _ = reader.detector.chances(paper, catalogue)
    rows = claim_features(paper, catalogue, scores, chances, size)
    sure = shipped_claims().chances([values for _, values in rows])
    groups = _grouped(catalogue)
    fields = parts_of(catalogue)
    for one, mentions in detect(sentences, paper, catalogue):
        place = paper.place(one.text)
        known = linking.memory.recall(one.text)
        if known.none:
            continue
        ranked = _ranked(scores[place], float(sure[place]), groups, catalogue, known)
        entries = []
        for chance, members in ranked[: linking.top]:
            column = max(members, key=lambda column: scores[place][column])
            variable = catalogue[catalogue.ids[column]]
            entry = _entry(one, variable, fields[variable.id], chance)
            ids = [catalogue.ids[other] for other in members]
            entry["same"] = [id for id in ids if id != variable.id]
            entry["decided"] = any(id in known.accepted for id in ids)
            entry["claimed"] = chance >= linking.threshold
            _name_elsewhere(entry, one, paper, found, column, variable, fields[variable.id])
            entries.append(entry)
        yield one, mentions, entries


def _grouped(catalogue: Catalogue) -> list[list[int]]:
    """The columns of the variables that ask the same question."""
    together: dict[str, list[int]] = {}
    for column, variable in enumerate(catalogue):
        together.setdefault(group_key(variable), []).append(column)
    return list(together.values())


def _ranked(
    row: Any, sure: float, groups: list[list[int]], catalogue: Catalogue, known: Remembered
) -> list[tuple[float, list[int]]]:
    """Groups with their probabilities. What was decided comes first, what was rejected not at all."""
    best = {place: max(float(row[column]) for column in each) for place, each in enumerate(groups)}
    order = sorted(best, key=lambda place: (-best[place], place))
    ranked: list[tuple[float, list[int]]] = []
    decided: list[tuple[float, list[int]]] = []
    left = 1.0 - sure
    for rank, place in enumerate(order):
        ids = {catalogue.ids[column] for column in groups[place]}
        # Odds between candidates are the re-ranker's; together they are what the first leaves.
        chance = sure if not rank else min(sure * math.exp(best[place] - best[order[0]]), left)
        if ids & set(known.accepted):
            decided.append((1.0, groups[place]))
        elif ids & set(known.rejected):
            continue
        elif ids & set(known.near):
            decided.append((max(chance, MIN_CLAIM_PROBABILITY), groups[place]))
        else:
            ranked.append((min(chance, MAX_PROBABILITY), groups[place]))
    decided.sort(key=lambda pair: -pair[0])
    return [*decided, *ranked]


def _name_elsewhere(
    entry: Entry,
    one: Sentence,
    paper: Paper,
    found: Evidence,
    column: int,
    variable: Variable,
    fields: Parts,
) -> None:
    """Where a sentence only implies a variable: the sentence of the paper that names it."""
    if entry["kind"] == "implicit" and len(paper) > 1:
        named = paper.sentences[int(found.fused[:, column].argmax())]
        if named != one.text and explain(named, variable, fields).kind == "explicit":
            entry["named_in"] = named


def _candidates(
    paper: Paper, catalogue: Catalogue | CatalogueIndex, surveys: tuple[str, ...] | None
) -> Catalogue:
    """Of a catalogue in memory the variables of these surveys; of an index the candidates of the sentences."""
    if isinstance(catalogue, Catalogue):
        return catalogue if surveys is None else catalogue.within(surveys)
    chances, _ = shipped_reader().detector.chances(paper, Catalogue())
    return index_candidates(paper, chances, catalogue, surveys)


def index_candidates(
    paper: Paper,
    chances: Any,
    index: CatalogueIndex,
    surveys: Sequence[str] | None = None,
) -> Catalogue:
    """What the index offers for the sentences that may mention a variable, by how sure that is without it."""
    found: dict[str, Variable] = {}
    for sentence, chance in zip(paper.sentences, chances, strict=True):
        if chance >= MIN_CHANCE_TO_ASK:
            for variable, _ in index.candidates(sentence, CANDIDATES_PER_SENTENCE, surveys):
                found[variable.id] = variable
    return Catalogue(found.values())


def _entry(one: Sentence, variable: Variable, fields: Parts, chance: float) -> Entry:
    match = explain(one.text, variable, fields)
    return {
        "id": variable.id,
        "survey": variable.survey,
        "label": label(fields) or variable.text[:MAX_LABEL_CHARACTERS],
        "question": fields.get("question", ""),
        "score": round(chance, 4),
        "kind": match.kind,
        "words": [list(span) for span in match.words],
        "fields": list(match.fields),
        "same": [],
    }


def _ids(entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(id for entry in entries for id in (entry["id"], *entry["same"]))


def named_as_guess(score: float, kind: str) -> bool:
    """Whether a candidate that is not claimed is named all the same: likely enough, and the sentence has its words.

    Of guesses that a sentence only implies a judge found fewer than half right, of the others six in seven.
    """
    return score >= MIN_PERHAPS_PROBABILITY and kind == "explicit"


def _why(entries: Sequence[Entry]) -> str:
    claimed = [entry for entry in entries if entry["claimed"]]
    best: Entry = entries[0] if entries else {"score": 0.0, "kind": "implicit"}
    if not claimed and not named_as_guess(best["score"], best["kind"]):
        return "mentions a survey variable, but none of the catalogue fits"
    if not claimed:
        return f"mentions a survey variable, perhaps {best['label']} ({best['score']:.0%})"
    parts = [
        f"{entry['label']} ({entry['kind']}, {'decided' if entry['decided'] else format(entry['score'], '.0%')})"
        for entry in claimed[:2]
    ]
    more = f", and {len(claimed) - 2} more" if len(claimed) > 2 else ""
    return f"mentions {'; '.join(parts)}{more}"
