"""Who stops where: for every word and expression in its sentence, how probably it stops a native reader, and a learner.

Trees judge the words alone; then trees judge them with what the encoder sees in the sentence and with how they compare to the
words around. The weights of the second distribution have learned from marks of people too (CWI 2018); without it, those here
know our own marks alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.annotators.words.candidates import Sentence
from marginalia.annotators.words.features import features_of, relative_features
from marginalia.core.distributions import find_weights
from marginalia.nlp.encoder import Tokens, english
from marginalia.nlp.onnx import open_session
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

    def probabilities(
        self,
        sentences: Sequence[Sentence],
        tokens: Sequence[Tokens | None],
        features: Floats,
        first: Floats,
    ) -> Floats:
        """For each candidate of the sentences, in order, the probabilities that a native and a learner stop.

        ``tokens`` are what the encoder made of each sentence; one that was not read has candidates that stop nobody.
        """
        weights, biases = self.heads
        vectors = np.zeros((len(first), weights.shape[0]), dtype=np.float32)
        read = np.zeros(len(first), dtype=bool)
        row = 0
        for sentence, passed in zip(sentences, tokens, strict=True):
            for one in sentence.candidates:
                if passed is not None:
                    spans = [passed.span(one.start, one.end, layer) for layer in self.layers]
                    vectors[row], read[row] = np.concatenate(spans), True
                row += 1
        seen = vectors @ weights + biases
        rows = np.hstack(
            [features, first[:, None], relative_features(sentences, first), seen]
        ).astype(np.float32)
        both = np.stack([_run(self.trees[name], rows) for name in ("native", "learner")], axis=1)
        return np.where(read[:, None], np.clip(both, 0, 1), 0).astype(np.float32)


def _run(session: Any, rows: Floats) -> Floats:
    if not len(rows):
        return np.zeros(0, dtype=np.float32)
    [found] = session.run(["score"], {"x": np.ascontiguousarray(rows, dtype=np.float32)})
    return np.asarray(found, dtype=np.float32).reshape(-1)


@cache
def stopping() -> Stopping:
    """The model of the second distribution where that is installed, else the one that ships here."""
    return Stopping(find_weights("words") or SHIPPED)


def judge(
    sentences: Sequence[Sentence], *, layers: Sequence[int] = ()
) -> tuple[Floats, list[Tokens | None]]:
    """The probabilities of all candidates, and what the encoder made of the sentences that it read (with these layers too)."""
    model = stopping()
    features = features_of(sentences)
    if not len(features):
        return np.zeros((0, 2), dtype=np.float32), [None] * len(sentences)
    first = model.first(features)
    ends = np.cumsum([len(sentence.candidates) for sentence in sentences])
    peaks = [part.max(initial=0.0) for part in np.split(first, ends[:-1])]
    wanted = [number for number, peak in enumerate(peaks) if peak >= MIN_FIRST]
    texts = [sentences[number].text for number in wanted]
    passes = english().tokens(texts, sorted({*model.layers, *layers}))
    tokens: list[Tokens | None] = [None] * len(sentences)
    for number, passed in zip(wanted, passes, strict=True):
        tokens[number] = passed
    return model.probabilities(sentences, tokens, features, first), tokens
