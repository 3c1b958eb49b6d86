"""Two documents side by side: what each sentence of one has in the other; and one sentence against a document."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.core.extraction import Tabular
from marginalia.tasks.similarity.search.candidates import Progress
from marginalia.tasks.similarity.search.explain import describe_difference, meaning
from marginalia.tasks.similarity.search.matches import PAIR, PLACE
from marginalia.tasks.similarity.search.neighbours import encode, nearest
from marginalia.tasks.similarity.search.passages import Passage, passages
from marginalia.tasks.similarity.systems.defaults import (
    PAIRS_PER_BATCH,
    card_of,
    encoder_of,
    scores_of,
)
from marginalia.tasks.similarity.systems.differences import differences
from marginalia.tasks.similarity.systems.languages import sentence_language, stated_language

MIN_SAID_SCORE = 4.0
"""From this score on the other document says what the sentence says."""
MIN_ALIKE_SCORE = 3.0
"""From this score on two sentences speak of the same thing, and it is worth saying where they disagree."""
CANDIDATES = 3
"""Candidates by the encoder's cosine, of which the system chooses the best match."""


@dataclass(frozen=True, slots=True)
class Best:
    """A passage, and the one in the other document that is most like it."""

    passage: Passage
    other: Passage
    score: float

    def row(self) -> dict[str, Any]:
        """The pair as a row of a table."""
        data = self.to_dict()
        row: dict[str, Any] = {"score": data["score"], "differs": data["differs"]}
        for side, passage in (("a", data["passage"]), ("b", data["other"])):
            row |= {f"{name}_{side}": passage[name] for name in PLACE}
        return row

    def to_dict(self) -> dict[str, Any]:
        left, right = self.passage.text, self.other.text
        # Where they speak of different things nothing disagrees.
        found = differences(left, right) if self.score >= MIN_ALIKE_SCORE else []
        return {
            "score": round(self.score, 4),
            "passage": self.passage.to_dict(),
            "other": self.other.to_dict(),
            "differs": [describe_difference(one, left, right) for one in found],
        }


@dataclass(frozen=True, slots=True)
class Comparison(Tabular):
    """The best match of each passage, in reading order."""

    columns: ClassVar[Collection[str]] = PAIR
    left: tuple[Best, ...]
    right: tuple[Best, ...]
    system: str

    @property
    def score(self) -> float:
        """From 0 to 5: the mean over the words of both documents of how well the other says their sentence."""
        return (mean(self.left) + mean(self.right)) / 2

    @property
    def meaning(self) -> str:
        """The score in words."""
        return meaning(self.score)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each passage of the first document, then of the second, with its closest match."""
        return [one.row() for one in (*self.left, *self.right)]

    def to_dict(self) -> dict[str, Any]:
        sides = {"left": self.left, "right": self.right}
        return {
            "score": round(self.score, 4),
            "meaning": self.meaning,
            "said": {side: round(said(best), 4) for side, best in sides.items()},
            **{side: [one.to_dict() for one in best] for side, best in sides.items()},
            "system": self.system,
        }


@dataclass(frozen=True, slots=True)
class Found(Tabular):
    """The passages of a document that are most like a sentence, the most similar first."""

    columns: ClassVar[Collection[str]] = PAIR
    sentence: str
    matches: tuple[Best, ...]
    system: str

    def rows(self) -> list[dict[str, Any]]:
        """A row for each passage."""
        return [one.row() for one in self.matches]

    def to_dict(self) -> dict[str, Any]:
        return {
            "sentence": self.sentence,
            "passages": [one.to_dict() for one in self.matches],
            "system": self.system,
        }


def mean(best: Sequence[Best]) -> float:
    """The mean score, each sentence counted by its words."""
    sizes = [len(one.passage.text.split()) for one in best]
    return sum(n * one.score for n, one in zip(sizes, best, strict=True)) / max(1, sum(sizes))


def said(best: Sequence[Best]) -> float:
    """The share of sentences that the other document has too."""
    return sum(one.score >= MIN_SAID_SCORE for one in best) / max(1, len(best))


def compare_documents(
    left: Document,
    right: Document,
    *,
    system: str | None = None,
    cache: str | Path | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """For each sentence of one document the closest match in the other, both ways, and one figure for the whole."""
    card = card_of(system)
    sides = [_passages(doc) for doc in (left, right)]
    lang = _language(left, right)
    encoder = encoder_of(lang, None if cache is None else Path(cache))
    vectors = [encode(encoder, [one.text for one in side], progress) for side in sides]
    ways = []
    for one, other in ((0, 1), (1, 0)):
        near, _ = nearest(vectors[one], vectors[other], CANDIDATES)
        ways.append(_best(sides[one], sides[other], near, card.name, progress))
    return Comparison(ways[0], ways[1], card.name)


def look_up(
    text: str,
    doc: Document,
    *,
    system: str | None = None,
    most: int = 10,
    cache: str | Path | None = None,
) -> Found:
    """Look a sentence up in a document: the passages that are most like it, the most similar first.

    At most so many are given (``most``), by the task's ``system`` for documents or the named one. ``cache`` is a file that
    keeps sentence vectors for the next time.
    """
    if not text.strip():
        raise FormatError("the sentence is empty")
    card = card_of(system)
    there = _passages(doc)
    lang = "en" if _language(doc) == sentence_language(text) == "en" else "de"
    encoder = encoder_of(lang, None if cache is None else Path(cache))
    vectors = encode(encoder, [one.text for one in there])
    near, _ = nearest(encode(encoder, [text]), vectors, CANDIDATES * most)
    asked = Passage(text, "", 0, len(text), 1)
    scores = scores_of([(text, there[place].text) for place in near[0]], card.name)
    found = [Best(asked, there[p], s) for p, s in zip(near[0], scores, strict=True)]
    found.sort(key=lambda best: (-best.score, best.other.start))
    return Found(text, tuple(found[:most]), card.name)


def _passages(doc: Document) -> list[Passage]:
    found = list(passages(doc)) or list(passages(doc, least_words=1))
    if not found:
        raise FormatError("there is no sentence in it", path=str(doc.meta.get("path", doc.id)))
    return found


def _language(*docs: Document) -> str:
    langs = {stated_language(doc) for doc in docs}
    return "en" if langs == {"en"} else "de"


def _best(
    mine: Sequence[Passage],
    theirs: Sequence[Passage],
    near: np.ndarray[Any, Any],
    name: str,
    progress: Progress | None,
) -> tuple[Best, ...]:
    matches = []
    for start in range(0, len(mine), PAIRS_PER_BATCH):
        if progress:
            progress("scoring sentences", start, len(mine))
        places = range(start, min(start + PAIRS_PER_BATCH, len(mine)))
        pairs = [(place, int(other)) for place in places for other in near[place]]
        scores = scores_of([(mine[i].text, theirs[j].text) for i, j in pairs], name)
        best: dict[int, tuple[float, int]] = {}
        for (place, other), score in zip(pairs, scores, strict=True):
            best[place] = max(best.get(place, (-1.0, 0)), (score, -other))
        matches += [Best(mine[i], theirs[-other], score) for i, (score, other) in best.items()]
    if progress:
        progress("scoring sentences", len(mine), len(mine))
    return tuple(matches)
