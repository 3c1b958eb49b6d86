"""Scores by words and by letters, from arrays that may be memory-mapped.

Words are scored by BM25 (Lucene's variant, k1 = 1.5, b = 0.75). By letters a word also meets the words
that look like it, ``trust`` and ``trustful``: those share groups of four letters with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.tasks.variables.index.strings import Strings
from marginalia.tasks.variables.index.terms import MIN_GRAM_LETTERS, STOP_WORDS, grams, query_terms

Floats = NDArray[np.float32]

K1, B = 1.5, 0.75
MAX_COMMON_SHARE = 0.25
"""A term of more than this share of the variables says little and is passed over, if a rarer one is there."""
MIN_VARIABLES_TO_SKIP = 1000
"""Catalogues of fewer variables pass over nothing: there it costs nothing."""
MAX_RELATIVES = 10
MIN_RELATIVE_DICE = 0.38
"""From this share of letter groups on (Dice) two words are relatives."""
MAX_POSTINGS = 6_000_000
"""Postings that one sentence may look at, the rarest terms first."""


class Lexicon:
    """Term -> the variables that have it, and letter group -> the terms that have it."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], size: int) -> None:
        self.size = size
        self.terms = Strings(arrays["term_text"], arrays["term_starts"])
        self.starts, self.rows, self.weights = (
            arrays["posting_starts"], arrays["posting_rows"], arrays["posting_weights"],
        )  # fmt: skip
        self.idfs = arrays["term_idf"]
        self.grams = Strings(arrays["gram_text"], arrays["gram_starts"])
        self.gram_starts, self.gram_terms = arrays["gram_term_starts"], arrays["gram_terms"]
        self.gram_counts = arrays["gram_counts"]

    def idf(self, place: int) -> float:
        return float(self.idfs[place])

    def known(self, text: str) -> dict[int, float]:
        """The terms of a query that the index knows, with what they count."""
        found = {self.terms.find(term): count for term, count in query_terms(text).items()}
        found.pop(-1, None)
        return found

    def by_words(self, sentence: str) -> Floats:
        """BM25 of every variable."""
        scores = np.zeros(self.size, dtype=np.float32)
        found = [(self.idf(place), count, place) for place, count in self.known(sentence).items()]
        for idf, count, place in self._affordable(found):
            low, high = self.starts[place], self.starts[place + 1]
            np.add.at(scores, self.rows[low:high], self.weights[low:high] * np.float32(idf * count))
        return scores

    def by_letters(self, sentence: str) -> Floats:
        """The same with each word's relatives, of which a variable's best counts."""
        scores = np.zeros(self.size, dtype=np.float32)
        best = np.zeros(self.size, dtype=np.float32)
        asked = []
        for term, count in query_terms(sentence).items():
            place = self.terms.find(term)
            ceiling = self.idf(place) if place >= 0 else np.inf
            family = {place: 1.0} if place >= 0 else {}
            family |= {} if term in STOP_WORDS else self.relatives(term)
            worth = {one: min(self.idf(one), ceiling) for one in family}
            if family:
                asked.append((max(worth.values()), count, (family, worth)))
        for _, count, (family, worth) in self._affordable(asked):
            touched = []
            for one, alike in family.items():
                low, high = self.starts[one], self.starts[one + 1]
                rows = self.rows[low:high]
                np.maximum.at(
                    best, rows, self.weights[low:high] * np.float32(worth[one] * alike * count)
                )
                touched.append(rows)
            for rows in touched:
                # A term has a variable once; what two terms share is 0 for the second.
                scores[rows] += best[rows]
                best[rows] = 0
        return scores

    def relatives(self, term: str) -> dict[int, float]:
        """The terms most like this one with their share of common letter groups, itself included."""
        if len(term) < MIN_GRAM_LETTERS:
            return {}
        own = grams(term)
        lists = []
        for gram in own:
            place = self.grams.find(gram)
            if place >= 0:
                lists.append(self.gram_terms[self.gram_starts[place] : self.gram_starts[place + 1]])
        if not lists:
            return {}
        found, shared = np.unique(np.concatenate(lists), return_counts=True)
        alike = 2 * shared / (len(own) + self.gram_counts[found])
        order = np.argsort(-alike, kind="stable")[: MAX_RELATIVES + 1]
        return {int(found[i]): float(alike[i]) for i in order if alike[i] >= MIN_RELATIVE_DICE}

    def _affordable(
        self, found: Iterable[tuple[float, float, Any]]
    ) -> Iterator[tuple[float, float, Any]]:
        """Rarest first, until the budget is used; common terms only where there is nothing rarer."""
        spent = 0
        for entry in sorted(found, key=lambda one: -one[0]):
            what = entry[2]
            places = [what] if isinstance(what, int) else list(what[0])
            count = sum(int(self.starts[one + 1] - self.starts[one]) for one in places)
            common = self.size >= MIN_VARIABLES_TO_SKIP and count > MAX_COMMON_SHARE * self.size
            if spent and (common or spent + count > MAX_POSTINGS):
                continue
            spent += count
            yield entry
