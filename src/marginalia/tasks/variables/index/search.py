"""An open catalogue, searched by words, by likeness of strings, by meaning; results are groups.

``candidates`` is the list that the annotators of SV-Ident 2022 worked with: the variables that at least
two of several retrievers put in their first 20.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from marginalia.core.errors import UnknownNameError
from marginalia.core.extraction import Table
from marginalia.tasks.variables.catalogue.formats import read_catalogue
from marginalia.tasks.variables.catalogue.groups import group_key
from marginalia.tasks.variables.index.catalogue_index import (
    CatalogueIndex,
    Scores,
    best,
    fuse,
    index_catalogue,
    open_index,
)
from marginalia.tasks.variables.index.folder import MANIFEST, UNFINISHED
from marginalia.tasks.variables.index.hits import Hit, hits, likeness
from marginalia.tasks.variables.index.terms import STOP_WORDS, count_terms
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable

BY = ("both", "words", "fuzzy", "meaning")
DEFAULT_HITS = 20
AGREE = 2
MAX_FUZZY_GROUPS = 20_000
"""Up to this many groups every one is compared as a string; in a larger catalogue those of the FUZZY_SHORTLIST."""
FUZZY_SHORTLIST = 2_000
MANY_SURVEYS = 12
COMPARED = 50
"""Groups of each retriever that are compared with a query one by one."""
MIN_LIKENESS = 0.05
"""What answers less of a query is no answer."""
CLOSE_COSINE = 0.85
MIN_SHARED_RARITY = 0.35


def open_catalogue(path: str | Path, *, columns: Mapping[str, str] | None = None) -> OpenCatalogue:
    """Open a catalogue of survey variables to search it or to link papers to it.

    ``path`` is a folder that ``build_catalogue`` made, or a small source itself: DDI, the metadata of
    SV-Ident, a table, SPSS or Stata files. ``columns`` says which column of a table holds a field, such as
    ``{"label": "Text"}``, where the guess fails.

    >>> panel = open_catalogue("survey.xml")  # doctest: +SKIP
    >>> panel.search("trust in courts")[0].id  # doctest: +SKIP
    """
    if (Path(path) / MANIFEST).exists() or (Path(path) / UNFINISHED).exists():
        return OpenCatalogue(open_index(path))
    return OpenCatalogue(read_catalogue([path], columns))


class OpenCatalogue:
    """A catalogue of survey variables: an index on disk, or the variables of a source in memory.

    ``search``, ``candidates``, ``recommend`` and ``recommend_for`` give a table with a row per group of
    variables, wave after wave of the same question.
    """

    def __init__(self, source: Catalogue | CatalogueIndex) -> None:
        self.source = source

    def __len__(self) -> int:
        return len(self.source)

    def __repr__(self) -> str:
        return f"OpenCatalogue({len(self)} variables of {len(self.source.surveys)} surveys)"

    @property
    def surveys(self) -> tuple[str, ...]:
        """The ids of its surveys."""
        return tuple(sorted(self.source.surveys))

    @property
    def notes(self) -> Mapping[str, int]:
        """What was odd in the sources, and how often."""
        return dict(self.source.notes)

    @cached_property
    def index(self) -> CatalogueIndex:
        """What is searched; for a source in memory it is made when it is first needed."""
        source = self.source
        return source if isinstance(source, CatalogueIndex) else index_catalogue(source)

    def info(self) -> dict[str, Any]:
        """How much of what the catalogue holds."""
        index = self.index
        files = index.manifest.get("files", {})
        sizes = [len(index.members(group)) for group in range(min(index.groups, 20_000))]
        return {
            "variables": len(index),
            "groups": index.groups,
            "largest_group": max(sizes, default=0),
            "retrievers": list(index.retrievers),
            "encoder_vectors": bool(index.width),
            "bytes": sum(one["bytes"] for one in files.values()),
            "notes": dict(index.notes),
            "surveys": dict(index.manifest["surveys"]),
        }

    def variables(self, *, survey: str | None = None) -> Iterator[Variable]:
        """All its variables, or those of one survey."""
        if survey is not None:
            self.index.known_surveys([survey])
        each = self.source if isinstance(self.source, Catalogue) else self.index
        return (one for one in each if survey is None or one.survey == survey)

    def search(
        self, query: str, *, by: str = "both", surveys: Sequence[str] | None = None, k: int = 10
    ) -> Table[Hit]:
        """Variables that words describe, the best ``k`` groups first.

        ``by`` is ``words`` (BM25), ``fuzzy`` (token-set ratio, from 0 to 100), ``meaning`` (cosine) or ``both``: how
        well a variable answers, from 0 to 1, where 1 is a label as it was typed. ``surveys`` looks in these only.
        """
        if by not in BY:
            raise UnknownNameError("way to search", by, BY)
        wanted = self.index.known_surveys(surveys)
        if by == "fuzzy":
            scores = self._fuzzy(query, wanted)
        elif by == "both":
            scores = self._alike(query, wanted)
        elif by in self.index.retrievers:
            scores = self.index.scores(query, [by], wanted, max(k, COMPARED))[by]
        else:
            raise UnknownNameError("retriever of this catalogue", by, self.index.retrievers)
        found = (replace(self._hit(g, wanted), score=scores[g]) for g in best(scores, k))
        return hits(found, "score")

    def _alike(self, query: str, surveys: Sequence[str] | None) -> Scores:
        """How well each group that some retriever found answers the query."""
        found = self.index.scores(query, surveys=surveys, k=COMPARED)
        both = fuse(found)
        cosines = found.get("meaning", {})
        scores = {
            group: likeness(
                query,
                self.index.speaker(group, surveys),
                self.index.engine.rarity,
                cosines.get(group),
            )
            for group in both
        }
        # Of those that answer equally well the one that the retrievers prefer comes first.
        return {
            group: score * (0.99 + 0.01 * both[group])
            for group, score in scores.items()
            if score >= MIN_LIKENESS
        }

    def candidates(
        self, sentence: str, *, surveys: Sequence[str] | None = None, k: int | None = None
    ) -> Table[Hit]:
        """What an annotator should look at for a sentence.

        The groups that at least two retrievers have among their first 20, the best on the whole first.
        """
        wanted = self.index.known_surveys(surveys)
        scores = self.index.scores(sentence, surveys=wanted)
        both = fuse(scores)
        scores["fuzzy"] = self._fuzzy(sentence, wanted, both)
        votes: dict[int, list[str]] = {}
        for name, found in scores.items():
            for group in best(found, DEFAULT_HITS):
                votes.setdefault(group, []).append(name)
        agreed = [group for group, names in votes.items() if len(names) >= AGREE]
        agreed.sort(key=lambda group: (-both.get(group, 0.0), group))
        chosen = (
            replace(self._hit(group, wanted), retrievers=tuple(votes[group]))
            for group in agreed[:k]
        )
        return hits(chosen, "retrievers")

    def recommend(self, id: str, *, k: int = 10) -> Table[Hit]:
        """Variables of other surveys that are related to this one, and why."""
        group, variable = self.index.find(id)
        others = tuple(survey for survey in self.index.surveys if survey != variable.survey)
        if not others:
            return hits((), "reason")
        scores = self.index.scores(query_text(variable), surveys=others)
        both = fuse(scores)
        order = best(both, k + 1)
        if group not in order and any(
            s != variable.survey for s in self.index.group_surveys(group)
        ):
            order.insert(0, group)
        # The same question comes first, whatever else its variables' studies are called.
        order.sort(key=lambda one: one != group)
        found = []
        for one in order[:k]:
            other = self.index.speaker(one, others)
            meaning = scores.get("meaning", {}).get(one, 0.0)
            reason = self.reason(variable, other, same=one == group, meaning=meaning)
            found.append(replace(self._hit(one, others), reason=reason))
        return hits(found, "reason")

    def recommend_for(
        self, sentences: Sequence[str], *, known: Sequence[str] = (), k: int = 10
    ) -> Table[Hit]:
        """Variables for a paper, each with the sentence it fits best; of surveys it does not use yet.

        An order without a figure: the first are hardly more often of use than the tenth.
        """
        self.index.known_surveys(known)  # a misspelled name is an error
        others = tuple(survey for survey in self.index.surveys if survey not in known)
        surveys = others if known else None
        top: dict[int, tuple[float, str]] = {}
        times: dict[int, int] = {}
        for sentence in sentences:
            # BM25 as it is: a sentence that fits nothing well must not count as much as one that does.
            scores = self.index.scores(sentence, ("words", "letters"), surveys, COMPARED)
            total = {
                group: sum(found.get(group, 0.0) for found in scores.values()) / 2
                for group in scores["letters"].keys() | scores["words"].keys()
            }
            for group in best(total, 3):
                times[group] = times.get(group, 0) + 1
                if total[group] > top.get(group, (0.0, ""))[0]:
                    top[group] = total[group], sentence
        found = []
        for group in sorted(top, key=lambda group: (-top[group][0], group))[:k]:
            _, sentence = top[group]
            shared = self.shared_words(sentence, self.index.speaker(group, surveys).text)
            found.append(
                replace(
                    self._hit(group, surveys),
                    reason="shared words: " + ", ".join(shared),
                    sentence=sentence,
                    sentences=times[group],
                )
            )
        return hits(found, "reason", "sentence", "sentences")

    def reason(self, own: Variable, other: Variable, *, same: bool, meaning: float) -> str:
        """Why two variables are related, in a few words."""
        reasons = ["same question"] if same or group_key(own) == group_key(other) else []
        topics = [set(v.fields.get("topic", "").split(";")) - {""} for v in (own, other)]
        if shared := topics[0] & topics[1]:
            reasons.append("same topic: " + ", ".join(sorted(shared)[:3]))
        words = (
            []
            if reasons[:1] == ["same question"]
            else self.shared_words(query_text(own), query_text(other))
        )
        if words:
            reasons.append("shared words: " + ", ".join(words))
        if meaning >= CLOSE_COSINE and not same:
            reasons.append("close meaning")
        return "; ".join(reasons) or "similar wording"

    def shared_words(self, one: str, other: str, limit: int = 4) -> list[str]:
        """The words both texts have, the rarest in the catalogue first."""
        size = self.index.groups
        shared = count_terms(one).keys() & count_terms(other).keys()
        rare = {term: math.log1p(size / (1 + self.index.engine.rarity(term))) for term in shared}
        floor = MIN_SHARED_RARITY * math.log1p(size) if size > 50 else 0.0
        kept = (t for t in rare if rare[t] >= floor and len(t) > 2 and t not in STOP_WORDS)
        return sorted(kept, key=lambda term: (-rare[term], term))[:limit]

    def variable(self, id: str) -> Variable:
        """A variable by its id."""
        return self.index.find(id)[1]

    def same(self, id: str) -> tuple[Variable, ...]:
        """The variables that ask the same question, in other waves and surveys, this one included."""
        return self.index.members(self.index.find(id)[0])

    def _hit(self, group: int, surveys: Sequence[str] | None) -> Hit:
        variable = self.index.speaker(group, surveys)
        members = self.index.members(group)
        question = variable.fields.get("question", "")
        return Hit(
            id=variable.id,
            survey=variable.survey,
            study=variable.fields.get("study", ""),
            label=variable.fields.get("label", ""),
            question=question or ("" if variable.fields.get("label") else variable.text),
            topic=variable.fields.get("topic", ""),
            group=len(members),
            surveys=tuple(self.index.group_surveys(group)[:MANY_SURVEYS]),
            variables=tuple(one.id for one in members[:MANY_SURVEYS]),
        )

    def _fuzzy(
        self, query: str, surveys: Sequence[str] | None, ahead: Scores | None = None
    ) -> Scores:
        """The token-set ratio of query and variable, from 0 to 100; equal ones by their words."""
        from rapidfuzz.fuzz import token_set_ratio
        from rapidfuzz.utils import default_process

        if ahead is None:
            names = ("words", "letters")
            ahead = fuse(self.index.scores(query, names, surveys, FUZZY_SHORTLIST))
        every = range(self.index.groups)
        groups: Iterable[int] = every if len(every) <= MAX_FUZZY_GROUPS else ahead
        asked = default_process(query)
        scores: Scores = {}
        for group in groups:
            if surveys is None or not set(surveys).isdisjoint(self.index.group_surveys(group)):
                ratio = token_set_ratio(asked, self._plain(group))
                if ratio > 0:
                    # A variable all of whose words are in the query has 100, however few they are.
                    scores[group] = ratio + 0.01 * ahead.get(group, 0.0)
        return scores

    def _plain(self, group: int) -> str:
        if group not in self._plains:
            from rapidfuzz.utils import default_process

            self._plains[group] = default_process(query_text(self.index.speaker(group)))
        return self._plains[group]

    @cached_property
    def _plains(self) -> dict[int, str]:
        return {}


def query_text(variable: Variable) -> str:
    """What a variable asks: label, question and sub-question; its text where there are no fields."""
    parts = [variable.fields.get(name, "") for name in ("label", "question", "subquestion")]
    return " ".join(part for part in parts if part) or variable.text
