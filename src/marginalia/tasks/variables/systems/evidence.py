"""What the words and the meaning of a paper's sentences say about each variable of a catalogue.

All numbers are relative to the paper: how similar a sentence is to a variable, compared with how similar
its other sentences are to all variables. What the whole paper says about a variable is there too, so that
a sentence that only implies a variable inherits it from those that name it.

The weights are those of scikit-learn's ``TfidfVectorizer(sublinear_tf=True)``, to which the tests compare
them; without it a paper's first sentence is read two seconds earlier, since that package imports half of SciPy.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.own_weights import own_digest, own_folder
from marginalia.core.resources import read_resource
from marginalia.nlp.encoder import Encoder, encoder_in, multilingual
from marginalia.nlp.language import english_or_german
from marginalia.nlp.tokens import lower_words
from marginalia.tasks.variables.catalogue.parts import core, label, parts_of, spoken
from marginalia.tasks.variables.index.terms import stems
from marginalia.tasks.variables.official.data import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue

Floats = NDArray[np.float64]

MIN_ALIKE_COSINE = 0.92
"""From this cosine of their labels on two variables of a survey are alike; numbers do not count. With 0.9 one's
own occupation is alike with that of one's father, a word that many labels have."""
HALF_BELIEF_SENTENCES = 100
"""What a paper of this many sentences is about counts half as much as for an endless one."""
SHARPNESS = 2.0
"""How much more a variable counts that fits a sentence one standard deviation better."""
NEAREST_USUAL = 5
"""Of the sentences that any paper may have, those that count for a label."""
_NUMBER = re.compile(r"\d+")
MAX_CACHED_VECTORS = 20_000
"""Texts whose vectors are cached: 1.5 kB each."""


class Vectors:
    """Sentence vectors of the shared encoder, or of one that came with weights which were named; each text is encoded
    once. Threads may share it."""

    def __init__(self) -> None:
        self.known: dict[str, NDArray[np.float32]] = {}
        self.encoder: Encoder | None = None

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Unit vectors; zeros for an empty text."""
        encoder = reading_encoder()
        if len(self.known) > MAX_CACHED_VECTORS or self.encoder is not encoder:
            self.known, self.encoder = {}, encoder
        known = self.known
        new = [text for text in dict.fromkeys(texts) if text and text not in known]
        if new:
            known.update(zip(new, encoder.vectors(new), strict=True))
        zero = np.zeros(encoder.width, dtype=np.float32)
        rows = [known[text] if text else zero for text in texts]
        return np.array(rows, dtype=np.float64).reshape(len(rows), encoder.width)


def reading_encoder() -> Encoder:
    """The encoder that sentences and variables are read with."""
    folder = own_folder("variables", "reader")
    return (folder and encoder_in(folder)) or multilingual()


VECTORS = Vectors()


class Evidence:
    """Arrays with one row per sentence of the paper and one column per variable."""

    def __init__(self, paper: Paper, catalogue: Catalogue) -> None:
        self.paper, self.catalogue = paper, catalogue
        self.parts = [parts_of(catalogue)[id] for id in catalogue.ids]
        self.cores = [core(parts) or variable.text for parts, variable in self._pairs()]
        self.labels = [label(parts) for parts in self.parts]

    def _pairs(self) -> Any:
        return zip(self.parts, self.catalogue, strict=True)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.paper), len(self.catalogue)

    @cached_property
    def vectors(self) -> Floats:
        return VECTORS(self.paper.sentences)

    @cached_property
    def words(self) -> Floats:
        """Cosine of TF-IDF over stems, sentence against core."""
        return cosines(self.paper.sentences, self.cores)

    @cached_property
    def label_words(self) -> Floats:
        return cosines(self.paper.sentences, self.labels)

    @cached_property
    def meaning(self) -> Floats:
        found: Floats = self.vectors @ VECTORS(self.cores).T
        return found

    @cached_property
    def label_meaning(self) -> Floats:
        """The same with the label alone, which says in a few words what a long question asks."""
        found: Floats = self.vectors @ self.label_vectors.T
        return found

    @cached_property
    def label_vectors(self) -> Floats:
        short = (spoken(name or text) for name, text in zip(self.labels, self.cores, strict=True))
        return VECTORS(list(short))

    @cached_property
    def usual(self) -> Floats:
        """Of each variable: how near its label is to what any paper on a survey says, in the language of the paper.

        Some labels are near to every sentence; that a sentence is near to them says little.
        """
        near = VECTORS(usual_sentences(self.paper.lang)) @ self.label_vectors.T
        return standard(np.sort(near, axis=0)[-NEAREST_USUAL:].mean(axis=0))

    @cached_property
    def fused(self) -> Floats:
        each = (self.words, self.meaning, self.label_meaning)
        return standard(np.sum([standard(values) for values in each], axis=0))

    @cached_property
    def best(self) -> Floats:
        """Of each variable: how well the sentence fits that fits it best."""
        return standard(self.fused.max(axis=0)) if len(self.paper) else np.zeros(self.shape[1])

    @cached_property
    def share(self) -> Floats:
        """Of each variable: how much of the paper is about it, when each sentence chooses for itself."""
        if not self.fused.size:
            return np.zeros(self.shape[1])
        own = standard(self.fused - self.fused.mean(axis=1, keepdims=True))
        weights = np.exp(SHARPNESS * own)
        weights /= weights.sum(axis=1, keepdims=True)
        return standard(np.log(weights.mean(axis=0) * self.shape[1]))

    @cached_property
    def study(self) -> Floats:
        """Of each variable: how much of its study's title, numbers and all, one sentence has at most."""
        titles = [set(lower_words(parts.get("study", ""))) for parts in self.parts]
        known = {frozenset(title): None for title in titles}
        seen = Counter(word for title in known for word in title)
        weights = {word: math.log(1 + len(known) / count) for word, count in seen.items()}
        words = [set(lower_words(sentence)) for sentence in self.paper.sentences]

        def share(title: frozenset[str]) -> float:
            total = sum(weights[word] for word in sorted(title))
            best = max((sum(weights[w] for w in sorted(title & own)) for own in words), default=0.0)
            return best / total if total else 0.0

        shares = {title: share(title) for title in known}
        return standard(np.array([shares[frozenset(title)] for title in titles]))

    @cached_property
    def language(self) -> Floats:
        """Of each variable: 1 if it is in the language of the paper."""
        return np.array([float(english_or_german(text) == self.paper.lang) for text in self.cores])

    @cached_property
    def alike(self) -> Floats:
        """Of each variable: log of how many labels of its survey differ in numbers only, itself included.

        The third child's age or a ninth answer is seldom what a paper speaks of.
        """
        surveys = np.array([variable.survey for variable in self.catalogue])
        plain = [_NUMBER.sub(" ", text) for text in self.labels]
        near = cosines(plain, plain) >= MIN_ALIKE_COSINE
        np.fill_diagonal(near, True)
        counts: Floats = (near & (surveys[:, None] == surveys)).sum(axis=1)
        return np.log(counts)

    @property
    def belief(self) -> float:
        """How much what the paper is about counts: a few sentences say little."""
        return len(self.paper) / (len(self.paper) + HALF_BELIEF_SENTENCES)

    @property
    def studies(self) -> float:
        """How open it is of which study the paper speaks: log of how many surveys the variables come from."""
        return math.log(max(1, len({variable.survey for variable in self.catalogue})))


@cache
def usual_sentences(lang: str) -> tuple[str, ...]:
    """Sentences of ours, as papers on any survey have them."""
    found = read_resource(__package__, "usual_sentences.json")
    return tuple(found["de" if lang == "de" else "en"])


def evidence(paper: Paper, catalogue: Catalogue) -> Evidence:
    """The evidence for a paper, cached while few other papers are read."""
    return _evidence(paper, catalogue, own_digest("variables"))


@lru_cache(maxsize=48)
def _evidence(paper: Paper, catalogue: Catalogue, weights: str) -> Evidence:
    return Evidence(paper, catalogue)


def standard(values: Floats) -> Floats:
    """With mean 0 and standard deviation 1; all 0 where nothing differs."""
    if not values.size:
        return values
    spread = values.std()
    if not np.isfinite(spread) or spread < 1e-9:
        return np.zeros_like(values)
    centred: Floats = (values - values.mean()) / spread
    return centred


def cosines(sentences: Sequence[str], texts: Sequence[str]) -> Floats:
    """Of each sentence with each text; stems that the texts never use count nothing."""
    counted = [Counter(stems(text)) for text in texts]
    found = Counter(stem for counts in counted for stem in counts)
    if not sentences or not found:
        return np.zeros((len(sentences), len(texts)))
    column = {stem: place for place, stem in enumerate(sorted(found))}
    held = np.array([found[stem] for stem in column])
    weights = np.log((1 + len(texts)) / (1 + held)) + 1
    said = counted if sentences is texts else [Counter(stems(text)) for text in sentences]
    near: Floats = (rows(said, column, weights) @ rows(counted, column, weights).T).toarray()
    return near


def rows(counted: Sequence[Counter[str]], column: dict[str, int], weights: Floats) -> Any:
    """A sparse matrix with a unit vector for each text: (1 + log tf) * (log((1 + n) / (1 + df)) + 1)."""
    from scipy.sparse import csr_array

    data: list[Floats] = []
    places: list[int] = []
    ends = [0]
    for counts in counted:
        known = [(column[stem], count) for stem, count in counts.items() if stem in column]
        columns = np.array([place for place, _ in known], dtype=np.int64)
        values = (1 + np.log([count for _, count in known])) * weights[columns]
        length = np.linalg.norm(values)
        data.append(values / length if length else values)
        places += columns.tolist()
        ends.append(len(places))
    shape = (len(counted), len(column))
    return csr_array((np.concatenate(data), np.array(places), np.array(ends)), shape=shape)
