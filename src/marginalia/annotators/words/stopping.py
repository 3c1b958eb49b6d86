"""Who stops where: for every word and expression in its sentence, how probably it stops a native reader, and a learner.

Trees judge the words alone; then trees judge them with what the encoder sees in the sentence and with how they compare to the
words around. The weights here learned from marks of ours; those of the second distribution from marks of people too (CWI 2018).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.annotators.words.candidates import Sentence
from marginalia.annotators.words.features import features_of, relative_features, sense_shares
from marginalia.annotators.words.senses import Choice, choose_senses, topics
from marginalia.core.distributions import find_weights
from marginalia.core.long_work import pause
from marginalia.lexicon.dictionary import Dictionary
from marginalia.nlp.encoder import english
from marginalia.nlp.onnx import open_session
from marginalia.nlp.tagger import english_tagger
from marginalia.nlp.weights import open_weights

Floats = NDArray[np.float32]
SHIPPED = Path(__file__).parent / "weights"
NATIVE, LEARNER = 0, 1
MIN_FIRST = 0.02
"""Sentences in which no word alone seems harder than this are not read by the encoder."""


class Stopping:
    """The model in a weights folder: three ensembles of trees and two heads on vectors of the encoder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def manifest(self) -> dict[str, Any]:
        return open_weights(self.folder)

    @cached_property
    def trees(self) -> dict[str, Any]:
        _ = self.manifest  # the files are whole
        names = ("first", "native", "learner")
        return {name: open_session(self.folder / f"{name}.onnx") for name in names}

    @cached_property
    def heads(self) -> tuple[Floats, Floats]:
        """Weights and biases of the two heads."""
        with np.load(self.folder / "heads.npz", allow_pickle=False) as file:
            return file["weights"], file["biases"]

    @property
    def layers(self) -> tuple[int, ...]:
        return tuple(self.manifest["layers"])

    def first(self, features: Floats) -> Floats:
        """What the words alone say."""
        return _run(self.trees["first"], features)

    def probabilities(self, features: Floats, first: Floats, read: Reading) -> Floats:
        """For each candidate, in order, the probabilities that a native and a learner stop; those of sentences that the encoder has
        not read stop nobody."""
        weights, biases = self.heads
        seen = read.vectors @ weights + biases
        relative = relative_features(read.sentences, first)
        shares = sense_shares(read.choices)
        rows = np.hstack([features, first[:, None], relative, seen, shares]).astype(np.float32)
        both = np.stack([_run(self.trees[name], rows) for name in ("native", "learner")], axis=1)
        return np.where(read.is_read[:, None], np.clip(both, 0, 1), 0).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Reading:
    """Sentences as the encoder sees them: for each candidate its vectors and the sense that it has there."""

    sentences: Sequence[Sentence]
    vectors: Floats
    is_read: NDArray[np.bool_]
    choices: list[Choice | None]


def read_sentences(
    dictionary: Dictionary,
    sentences: Sequence[Sentence],
    wanted: Sequence[int],
    layers: Sequence[int],
    fields: Mapping[str, float],
) -> Reading:
    """One pass of the encoder over those of the sentences that are wanted."""
    tagger = english_tagger()
    texts = [sentences[number].text for number in wanted]
    passes = english().tokens(texts, sorted({*layers, tagger.layer, english().last}))
    tokens = {}
    for number, passed_sentence in zip(wanted, passes, strict=True):
        tokens[number] = passed_sentence
        pause()
    around = topics(dictionary, sentences, tokens, fields)
    size = sum(len(sentence.candidates) for sentence in sentences)
    vectors = np.zeros((size, len(layers) * english().width), dtype=np.float32)
    is_read = np.zeros(size, dtype=bool)
    choices: list[Choice | None] = []
    for number, sentence in enumerate(sentences):
        passed, row = tokens.get(number), len(choices)
        if passed is not None:
            for place, one in enumerate(sentence.candidates, row):
                spans = [passed.span(one.start, one.end, layer) for layer in layers]
                vectors[place], is_read[place] = np.concatenate(spans), True
        choices += choose_senses(dictionary, sentence, passed, around[number])
    return Reading(sentences, vectors, is_read, choices)


def _run(session: Any, rows: Floats) -> Floats:
    if not len(rows):
        return np.zeros(0, dtype=np.float32)
    [found] = session.run(["score"], {"x": np.ascontiguousarray(rows, dtype=np.float32)})
    return np.asarray(found, dtype=np.float32).reshape(-1)


@cache
def models() -> tuple[Stopping, ...]:
    """The model that ships here and, where the second distribution is installed, the one with marks of people."""
    people = find_weights("words")
    return (Stopping(SHIPPED), *([Stopping(people)] if people else ()))


def stops(features: Floats, read: Reading) -> Floats:
    """The probabilities of all models together. For learners they are averaged; native readers of CWI 2018 marked other words than
    ours would ask for, so that their model is not asked for natives."""
    each = [model.probabilities(features, model.first(features), read) for model in models()]
    learner = np.mean([one[:, LEARNER] for one in each], axis=0)
    return np.stack([each[0][:, NATIVE], learner], axis=1).astype(np.float32)


def judge(
    dictionary: Dictionary, sentences: Sequence[Sentence], fields: Mapping[str, float]
) -> tuple[Floats, list[Choice | None]]:
    """The probabilities of all candidates, and the sense that each has here."""
    features = features_of(sentences)
    if not len(features):
        return np.zeros((0, 2), dtype=np.float32), []
    ends = np.cumsum([len(sentence.candidates) for sentence in sentences])
    peaks = [part.max(initial=0.0) for part in np.split(models()[0].first(features), ends[:-1])]
    wanted = [number for number, peak in enumerate(peaks) if peak >= MIN_FIRST]
    read = read_sentences(dictionary, sentences, wanted, models()[0].layers, fields)
    return stops(features, read), read.choices
