"""The organisers' baselines for CORE and TYPED, and random floors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Self

from marginalia.core.benchmark import Split, uniform
from marginalia.nlp.frequency import zipf
from marginalia.nlp.tokens import lower_words
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.official.programs import fields
from marginalia.tasks.similarity.official.typed import TYPES, Record, RecordPair, Scores
from marginalia.tasks.similarity.systems.records.mentions import dates, people, places, verbs


class TokenCosine:
    """Cosine of binary vectors of the tokens between white space, times 5: the organisers' baseline.

    Case and punctuation count, and a leading blank makes an empty token, as a split in Perl does.
    """

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        return {id: Score(5 * overlap(item.s1, item.s2)) for id, item in items.items()}


def overlap(s1: str, s2: str) -> float:
    """|A & B| / sqrt(|A| |B|) over the sets of tokens; 0 when a sentence has none."""
    a, b = set(fields(s1)), set(fields(s2))
    return len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0.0


class TypedTfidf:
    """Cosine of TF-IDF vectors per type, times 5, as the organisers' baseline.

    General takes the words of all fields; author, subject and description those of their field; people, time
    and location the names and dates in all fields; event the verbs. The organisers' IDF came from a
    collection outside the task; ours comes from general word frequencies, or from the records
    that ``fit`` is given.
    """

    def __init__(self) -> None:
        self.idf: dict[str, float] = {}
        self.unseen = 0.0

    def fit(self, split: Split) -> Self:
        """Document frequencies over the distinct records of a TYPED split; no label is used."""
        records = {record for item in split.items.values() for record in (item.left, item.right)}
        counts = Counter(word for record in records for word in set(lower_words(record.text())))
        self.idf = {word: 1 + math.log(len(records) / n) for word, n in counts.items()}
        self.unseen = 1 + math.log(len(records) + 1)
        return self

    def weigh(self, term: str) -> float:
        """IDF: ln(records / records with the term) + 1; unfitted, log10 of 1 / relative frequency."""
        if self.idf:
            return self.idf.get(term, self.unseen)
        return 9.0 - zipf(term)

    def predict(self, items: Mapping[str, RecordPair]) -> dict[str, Scores]:
        pred = {}
        for id, item in items.items():
            left, right = terms(item.left), terms(item.right)
            pred[id] = tuple(5 * self.cosine(left[name], right[name]) for name in TYPES)
        return pred

    def cosine(self, left: Iterable[str], right: Iterable[str]) -> float:
        a, b = self._vector(left), self._vector(right)
        # fsum gives the same sum in any order, so left and right may be exchanged.
        dot = math.fsum(value * b[term] for term, value in a.items() if term in b)
        norms = [math.fsum(value * value for value in vector.values()) for vector in (a, b)]
        return min(1.0, dot / math.sqrt(norms[0] * norms[1])) if all(norms) else 0.0

    def _vector(self, found: Iterable[str]) -> dict[str, float]:
        return {term: count * self.weigh(term) for term, count in Counter(found).items()}


def terms(record: Record) -> dict[str, list[str]]:
    """What each type compares."""
    text = record.text()
    others = replace(record, creator="").text()
    return {
        "general": lower_words(text),
        "author": lower_words(record.creator),
        "people involved": lower_words(record.creator) + people(others),
        "time": dates(text),
        "location": places(text),
        "event": verbs(text),
        "subject": lower_words(record.subject),
        "description": lower_words(record.description),
    }


class Random:
    """A score from 0 to 5 that depends on the id and the seed only."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        return {id: Score(5 * uniform(f"{self.seed}:{id}")) for id in items}


class TypedRandom:
    """Eight scores from 0 to 5 that depend on the id and the seed only."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def predict(self, items: Mapping[str, RecordPair]) -> dict[str, Scores]:
        return {
            id: tuple(5 * uniform(f"{self.seed}:{id}:{name}") for name in TYPES) for id in items
        }
