"""A dictionary made for margins: a SQLite file for each language, opened read-only, beside it the vectors of its senses."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HOME = Path(__file__).parent
GAP = "*"
"""Stands in the pattern of an expression for up to ``MAX_GAP_WORDS`` words: "take * to task"."""
MAX_GAP_WORDS = 3


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a word or expression, with the shares of people who know it."""

    id: int
    part: str
    """noun, verb, adj, adv, phrase or other"""
    gloss: str
    """At most twelve plain words, to be read after "means:"."""
    easier: str
    """What can stand in the word's place in its example; empty where nothing fits."""
    example: str
    field: str
    register: str
    native: float
    """Share of adult native speakers who know it."""
    learner: float
    """Share of learners at level B2 who know it."""
    long: str
    """The long form of an abbreviation."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A word, expression, term or abbreviation with its senses, the commonest first."""

    word: str
    kinds: frozenset[str]
    native: float
    learner: float
    senses: tuple[Sense, ...]


@dataclass(frozen=True, slots=True)
class Expression:
    """How an expression stands in text: lower-case words, each as the set of forms that fit, and gaps."""

    word: str
    parts: tuple[frozenset[str], ...]
    """An empty set is a gap."""

    def match(self, words: Sequence[str], start: int) -> int | None:
        """Where the expression ends that begins at this place of the words of a sentence; None where it does not stand there."""
        place = start
        for number, forms in enumerate(self.parts):
            if forms:
                if place >= len(words) or words[place] not in forms:
                    return None
                place += 1
                continue
            following = self.parts[number + 1]
            ends = range(place, min(len(words), place + MAX_GAP_WORDS + 1))
            found = next((end for end in ends if words[end] in following), None)
            if found is None:
                return None
            place = found
        return place


class Dictionary:
    """The entries of one language by any of their forms."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entry = lru_cache(maxsize=2**14)(self._entry)

    @property
    def lang(self) -> str:
        return self.path.stem

    @cached_property
    def _rows(self) -> sqlite3.Connection:
        # Never written to, so that threads may share it and a read-only folder will do.
        address = f"{self.path.resolve().as_uri()}?mode=ro&immutable=1"
        return sqlite3.connect(address, uri=True, check_same_thread=False)

    def _entry(self, form: str) -> Entry | None:
        """What a form means: as it is written, else in lower case (``AIDS`` is not ``aids``), else without a genitive's ending."""
        query = (
            "SELECT entries.id, word, kinds, native, learner FROM forms JOIN entries ON entries.id = entry "
            "WHERE form = ? ORDER BY rank"
        )
        bare = form.removesuffix("'s").removesuffix("’s")
        for written in dict.fromkeys((form, form.lower(), bare, bare.lower())):
            rows = self._rows.execute(query, (written,)).fetchall()
            if rows:
                numbers, words, kinds, natives, learners = zip(*rows, strict=True)
                senses = (sense for number in numbers for sense in self._senses(number))
                return Entry(
                    words[0],
                    frozenset(kinds[0].split()),
                    max(natives),
                    max(learners),
                    tuple(senses),
                )
        return None

    def _senses(self, entry: int) -> Iterator[Sense]:
        rows = self._rows.execute(
            "SELECT id, part, gloss, easier, example, field, register, native, learner, long "
            "FROM senses WHERE entry = ? ORDER BY id",
            (entry,),
        )
        return (Sense(*values) for values in rows)

    @cached_property
    def expressions(self) -> dict[str, tuple[Expression, ...]]:
        """The expressions by each form of their first word, longest first."""
        found: dict[str, list[Expression]] = {}
        for word, pattern in self._rows.execute("SELECT word, pattern FROM expressions"):
            parts = tuple(
                frozenset() if part == GAP else frozenset(part.split("|"))
                for part in pattern.split(" ")
            )
            for form in parts[0]:
                found.setdefault(form, []).append(Expression(word, parts))
        return {
            form: tuple(sorted(each, key=lambda one: -len(one.parts)))
            for form, each in found.items()
        }

    @cached_property
    def vectors(self) -> SenseVectors | None:
        """Vectors of glosses and examples; None where the language has none."""
        path = self.path.with_suffix(".npz")
        return SenseVectors.read(path) if path.is_file() else None


@dataclass(frozen=True, slots=True)
class SenseVectors:
    """The senses as the shared encoder sees them, in fewer dimensions and whole numbers."""

    senses: NDArray[np.int8]
    """Gloss and example together."""
    mean: NDArray[np.float32]
    axes: NDArray[np.float32]
    """From the encoder's dimensions to ours."""
    fields: tuple[str, ...]
    field_weights: NDArray[np.float32]
    """A column for each field, learned from the examples of the senses; the last row is added."""

    @classmethod
    def read(cls, path: Path) -> SenseVectors:
        with np.load(path, allow_pickle=False) as file:
            mean, axes, weights = (
                file[name].astype(np.float32) for name in ("mean", "axes", "field_weights")
            )
            fields = tuple(map(str, file["fields"]))
            return cls(file["senses"], mean, axes, fields, weights)

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Sentence vectors of the encoder as unit vectors of this space."""
        return unit((vectors - self.mean) @ self.axes)

    def likeness(
        self, senses: Sequence[Sense], context: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """For each sense the cosine of what it says with a projected context."""
        rows = self.senses[[sense.id for sense in senses]].astype(np.float32)
        cosines: NDArray[np.float32] = unit(rows) @ context
        return cosines

    def field_chances(self, context: NDArray[np.float32]) -> dict[str, float]:
        """How probably a projected context speaks of each field."""
        scores = context @ self.field_weights[:-1] + self.field_weights[-1]
        chances = np.exp(scores - scores.max())
        return dict(zip(self.fields, (chances / chances.sum()).tolist(), strict=True))


def unit(vectors: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    found: NDArray[np.float32] = (vectors / np.maximum(length, 1e-9)).astype(np.float32)
    return found


@cache
def dictionary(lang: str) -> Dictionary | None:
    """The dictionary of a language; None where there is none."""
    path = HOME / f"{lang}.sqlite"
    return Dictionary(path) if path.is_file() else None
