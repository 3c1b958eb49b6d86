"""What a search in a catalogue gives: groups of variables that ask the same question, and how well each answers, from
0 to 1, a figure that means the same in every catalogue.

A share of the best score, as search engines give it, says .96 of a wrong guess where nothing better is there. This
says how much of the query the variable has, how much of its label the query has, and how near their meaning is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.core.extraction import Table
from marginalia.tasks.variables.index.terms import STOP_WORDS, count_terms
from marginalia.tasks.variables.official.vocabulary import Variable

LABEL_SHARE = 0.25
"""What it counts that the query has the words of the label, beside that the variable has the words of the query."""
MAX_BY_WORDS, MAX_BY_MEANING = 0.9, 0.8
"""What words or meaning alone can reach; 1 is for a label that was typed as it is."""
NEAR_COSINE, EQUAL_COSINE = 0.79, 0.96
"""Cosines of texts that have little to do with each other, and of texts that say the same."""
COLUMNS = ("id", "survey", "study", "label", "question", "topic", "group", "surveys", "variables")
"""What every hit has; the rest only some ways to search tell, and it is None elsewhere."""


def likeness(
    query: str, variable: Variable, rarity: Callable[[str], int], cosine: float | None
) -> float:
    """1 for the label or name itself, else the better of words and meaning."""
    said = plain(query)
    labels = [plain(part) for part in variable.fields.get("label", "").split(" / ")]
    known = {plain(variable.fields.get("label", "")), plain(variable.fields.get("name", ""))}
    if said and said in {*labels, *known, plain(variable.id)}:
        return 1.0
    by_words = MAX_BY_WORDS * _by_words(query, variable, rarity)
    near = 0.0 if cosine is None else (cosine - NEAR_COSINE) / (EQUAL_COSINE - NEAR_COSINE)
    by_meaning = MAX_BY_MEANING * min(max(near, 0.0), 1.0)
    # Where both speak for it, it is more likely than by either alone.
    return 1 - (1 - by_words) * (1 - by_meaning / 2) if by_words >= by_meaning else by_meaning


def plain(text: str) -> str:
    """The words of a text in small letters, without punctuation."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def _by_words(query: str, variable: Variable, rarity: Callable[[str], int]) -> float:
    asked = {t for t in count_terms(query) if t not in STOP_WORDS}
    fields = variable.fields
    core = " ".join(fields.get(name, "") for name in ("label", "question", "subquestion", "topic"))
    has = set(count_terms(core if core.strip() else variable.text))
    label = {t for t in count_terms(fields.get("label", "")) if t not in STOP_WORDS}
    weights = {term: 1 / math.log2(2 + rarity(term)) for term in asked | label}
    if not asked:
        return 0.0
    of_query = _covered(asked, has, weights)
    of_label = _covered(label, asked, weights) if label else of_query
    return (1 - LABEL_SHARE) * of_query + LABEL_SHARE * of_label


def _covered(wanted: set[str], there: set[str], weights: dict[str, float]) -> float:
    """The share of the wanted terms that are there, rare ones counting more, near ones a little less."""
    from rapidfuzz.distance import OSA

    total = hits = 0.0
    for term in sorted(wanted):
        total += weights[term]
        if term in there:
            hits += weights[term]
        elif len(term) > 3 and any(
            abs(len(term) - len(one)) < 2 and OSA.distance(term, one, score_cutoff=1) <= 1
            for one in there
        ):
            hits += 0.8 * weights[term]
    return hits / total if total else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A group of variables that ask the same question, by the one that stands for it."""

    id: str
    survey: str
    study: str
    label: str
    question: str
    topic: str
    group: int
    """How many variables ask it."""
    surveys: tuple[str, ...]
    """The surveys that ask it, the first dozen."""
    variables: tuple[str, ...]
    """The ids of its variables, the first dozen."""
    score: float | None = None
    """Of ``search``: how well it answers. Elsewhere the order is all that is known."""
    retrievers: tuple[str, ...] | None = None
    """Of ``candidates``: those that have it among their first."""
    reason: str | None = None
    """Of recommendations: why."""
    sentence: str | None = None
    """Of recommendations for a paper: the sentence it fits best."""
    sentences: int | None = None
    """... and how many sentences it fits."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain data, without those that this way to search does not tell."""
        data = {name: _plain(value) for name, value in asdict(self).items()}
        return {name: value for name, value in data.items() if name in COLUMNS or value is not None}


def hits(rows: Iterable[Hit], *more: str) -> Table[Hit]:
    """A table of hits, with these further columns."""
    return Table(tuple(rows), (*COLUMNS, *more))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
