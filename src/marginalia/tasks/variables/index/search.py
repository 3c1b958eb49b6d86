"""An open catalogue, searched by words, by likeness of strings, by meaning; results are groups.

``candidates`` is the list that the annotators of SV-Ident 2022 worked with: the variables that at least
two of several retrievers put in their first 20.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import UnknownNameError
from marginalia.core.frame import Table
from marginalia.tasks.variables.catalogue.formats import read_catalogue
from marginalia.tasks.variables.catalogue.groups import group_key
from marginalia.tasks.variables.index.catalogue_index import (
    MANIFEST,
    CatalogueIndex,
    index_catalogue,
    open_index,
)
from marginalia.tasks.variables.index.hits import Hit, hits
from marginalia.tasks.variables.index.terms import STOP_WORDS, count_terms
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable

BY = ("both", "words", "fuzzy", "meaning")
DEFAULT_HITS = 20
AGREE = 2
MAX_FUZZY_GROUPS = 20_000
"""Up to this many groups every one is compared as a string; in a larger catalogue those of the FUZZY_SHORTLIST."""
FUZZY_SHORTLIST = 2_000
MANY_SURVEYS = 12

Floats = NDArray[np.float32]


def open_catalogue(path: str | Path, *, columns: Mapping[str, str] | None = None) -> OpenCatalogue:
    """Open a catalogue of survey variables to search it or to link papers to it.

    ``path`` is a folder that ``build_catalogue`` made, or a small source itself: DDI Codebook, the metadata of
    SV-Ident, a table, SPSS or Stata files. ``columns`` says which column of a table holds a field, such as
    ``{"label": "Text"}``, where the guess fails.

    >>> panel = open_catalogue("survey.xml")  # doctest: +SKIP
    >>> panel.search("trust in courts")[0].id  # doctest: +SKIP
    """
    if (Path(path) / MANIFEST).exists() or (Path(path) / "unfinished").exists():
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
        sizes = np.diff(index.starts)
        survey = index.arrays["survey"]
        counts = np.bincount(survey, minlength=len(index.surveys))
        return {
            "variables": len(index),
            "groups": len(sizes),
            "largest_group": int(sizes.max(initial=0)),
            "terms": len(index.lexicon.terms),
            "retrievers": list(index.retrievers),
            "encoder_vectors": "dense" in index.arrays,
            "bytes": sum(array.nbytes for array in index.arrays.values()),
            "notes": dict(index.notes),
            "surveys": dict(zip(index.surveys, map(int, counts), strict=True)),
        }

    def search(
        self, query: str, *, by: str = "both", surveys: Sequence[str] | None = None, k: int = 10
    ) -> Table[Hit]:
        """Variables that words describe, the best ``k`` groups first.

        ``by`` is ``words`` (BM25), ``fuzzy`` (token-set ratio, from 0 to 100), ``meaning`` (vectors) or ``both``,
        words and meaning together (from 0 to 1). ``surveys`` looks in these surveys only.
        """
        if by not in BY:
            raise UnknownNameError("way to search", by, BY)
        if by == "fuzzy":
            scores = self._fuzzy(query, surveys)
        elif by == "both":
            scores = self.index.fuse(self.index.scores(query, surveys=surveys))
        else:
            names = [by] if by in self.index.retrievers else []
            if not names:
                raise UnknownNameError("retriever of this catalogue", by, self.index.retrievers)
            scores = self.index.scores(query, names, surveys)[by]
        mask = self.index.mask(surveys)
        return hits(self._hit(g, float(scores[g]), mask) for g in self.index.best(scores, k))

    def candidates(
        self, sentence: str, *, surveys: Sequence[str] | None = None, k: int | None = None
    ) -> Table[Hit]:
        """What an annotator should look at for a sentence.

        The groups that at least two retrievers have among their first 20, the best on the whole first.
        """
        scores = self.index.scores(sentence, surveys=surveys)
        both = self.index.fuse(scores)
        scores["fuzzy"] = self._fuzzy(sentence, surveys, both)
        votes: dict[int, list[str]] = {}
        for name, found in scores.items():
            for group in self.index.best(found, DEFAULT_HITS):
                votes.setdefault(group, []).append(name)
        agreed = [group for group, names in votes.items() if len(names) >= AGREE]
        agreed.sort(key=lambda group: (-both[group], group))
        mask = self.index.mask(surveys)
        chosen = (
            replace(self._hit(group, float(both[group]), mask), retrievers=tuple(votes[group]))
            for group in agreed[:k]
        )
        return hits(chosen, "retrievers")

    def recommend(self, id: str, *, k: int = 10) -> Table[Hit]:
        """Variables of other surveys that are related to this one, and why."""
        row = self.index.find(id)
        own = self.index.variables[row]
        others = [survey for survey in self.index.surveys if survey != own.survey]
        if not others:
            return hits((), "reason")
        scores = self.index.scores(query_text(own), surveys=others)
        both = self.index.fuse(scores)
        group = self.index.group_of(row)
        mask = self.index.mask(others)
        best = self.index.best(both, k + 1)
        if group not in best and any(s != own.survey for s in self.index.group_surveys(group)):
            best.insert(0, group)
        # The same question comes first, whatever else its variables' studies are called.
        best.sort(key=lambda one: one != group)
        found = []
        for one in best[:k]:
            assert mask is not None  # noqa: S101 - for the type checker
            other = self.index.variables[self.index.speaker(one, mask)]
            meaning = float(scores["meaning"][one]) if "meaning" in scores else 0.0
            reason = self.reason(own, other, same=one == group, meaning=meaning)
            found.append(replace(self._hit(one, float(both[one]), mask), reason=reason))
        return hits(found, "reason")

    def recommend_for(
        self, sentences: Sequence[str], *, known: Sequence[str] = (), k: int = 10
    ) -> Table[Hit]:
        """Variables for a paper, each with the sentence it fits best; of surveys it does not use yet."""
        for survey in known:
            self.index.mask([survey])  # a misspelled name is an error
        others = [survey for survey in self.index.surveys if survey not in known]
        surveys = others if known else None
        best: dict[int, tuple[float, str]] = {}
        times: dict[int, int] = {}
        for sentence in sentences:
            scores = self.index.scores(sentence, ("words", "letters"), surveys)
            # BM25 as it is: a sentence that fits nothing well must not count as much as one that does.
            total = np.float32(0.5) * (scores["words"] + scores["letters"])
            for group in self.index.best(total, 3):
                score = float(total[group])
                times[group] = times.get(group, 0) + 1
                if score > best.get(group, (0.0, ""))[0]:
                    best[group] = score, sentence
        order = sorted(best, key=lambda group: (-best[group][0], group))[:k]
        mask = self.index.mask(surveys)
        found = []
        for group in order:
            score, sentence = best[group]
            variable = self.index.variables[self.index.speaker(group, mask)]
            shared = self.shared_words(sentence, variable.text)
            found.append(
                replace(
                    self._hit(group, score, mask),
                    reason="shared words: " + ", ".join(shared),
                    sentence=sentence,
                    sentences=times[group],
                )
            )
        return hits(found, "reason", "sentence", "sentences")

    def reason(self, own: Variable, other: Variable, *, same: bool, meaning: float) -> str:
        """Why two variables are related, in a few words."""
        said = ["same question"] if same or group_key(own) == group_key(other) else []
        topics = [set(v.fields.get("topic", "").split(";")) - {""} for v in (own, other)]
        if shared := topics[0] & topics[1]:
            said.append("same topic: " + ", ".join(sorted(shared)[:3]))
        words = (
            []
            if said[:1] == ["same question"]
            else self.shared_words(query_text(own), query_text(other))
        )
        if words:
            said.append("shared words: " + ", ".join(words))
        if meaning >= (0.85 if "dense" in self.index.arrays else 0.6) and not same:
            said.append("close meaning")
        return "; ".join(said) or "similar wording"

    def shared_words(self, one: str, other: str, limit: int = 4) -> list[str]:
        """The words both texts have, the rarest in the catalogue first."""
        lexicon = self.index.lexicon
        shared = {
            t: lexicon.terms.find(t) for t in count_terms(one).keys() & count_terms(other).keys()
        }
        rare = {term: lexicon.idf(place) for term, place in shared.items() if place >= 0}
        floor = 0.35 * np.log1p(2 * len(self.index)) if len(self.index) > 50 else 0.0
        rare = {
            term: idf
            for term, idf in rare.items()
            if idf >= floor and len(term) > 2 and term not in STOP_WORDS
        }
        return sorted(rare, key=lambda term: (-rare[term], term))[:limit]

    def variable(self, id: str) -> Variable:
        """A variable by its id."""
        return self.index.variables[self.index.find(id)]

    def _hit(self, group: int, score: float, mask: NDArray[np.bool_] | None) -> Hit:
        variable = self.index.variables[self.index.speaker(group, mask)]
        rows = self.index.rows(group)
        question = variable.fields.get("question", "")
        return Hit(
            id=variable.id,
            survey=variable.survey,
            study=variable.fields.get("study", ""),
            label=variable.fields.get("label", ""),
            question=question or ("" if variable.fields.get("label") else variable.text),
            topic=variable.fields.get("topic", ""),
            score=score,
            group=len(rows),
            surveys=tuple(self.index.group_surveys(group)[:MANY_SURVEYS]),
            variables=tuple(self.index.ids[int(row)] for row in rows[:MANY_SURVEYS]),
        )

    def _fuzzy(
        self, query: str, surveys: Iterable[str] | None, ahead: Floats | None = None
    ) -> Floats:
        """The token-set ratio of query and variable, from 0 to 100; equal ones by their words."""
        from rapidfuzz.fuzz import token_set_ratio
        from rapidfuzz.utils import default_process

        count = len(self.index.starts) - 1
        if ahead is None:
            ahead = self.index.fuse(self.index.scores(query, ("words", "letters"), surveys))
        groups = (
            range(count) if count <= MAX_FUZZY_GROUPS else self.index.best(ahead, FUZZY_SHORTLIST)
        )
        scores = np.zeros(count, dtype=np.float32)
        asked = default_process(query)
        mask = self.index.mask(surveys)
        for group in groups:
            if mask is None or mask[self.index.rows(group)].any():
                scores[group] = token_set_ratio(asked, self._plain(group))
        # A variable all of whose words are in the query has 100, however few they are.
        return scores + ahead * np.float32(0.01) * (scores > 0)

    def _plain(self, group: int) -> str:
        if group not in self._plains:
            from rapidfuzz.utils import default_process

            self._plains[group] = default_process(
                query_text(self.index.variables[self.index.speaker(group)])
            )
        return self._plains[group]

    @cached_property
    def _plains(self) -> dict[int, str]:
        return {}


def query_text(variable: Variable) -> str:
    """What a variable asks: label, question and sub-question; its text where there are no fields."""
    parts = [variable.fields.get(name, "") for name in ("label", "question", "subquestion")]
    return " ".join(part for part in parts if part) or variable.text
