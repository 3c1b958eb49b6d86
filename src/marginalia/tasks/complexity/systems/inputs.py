"""What the heads of the complexity model see of a target: its features, its vectors and its states.

The vectors are the mean token vectors of the target after layers 4 and 8 of the shared encoder, in its
sentence and alone, and its static vector. The states are those of a language model, likewise in the sentence and
alone, for the heads that ask for them. One pass serves all targets of a sentence; a word alone is read once.

A small table made from GloVe (Pennington et al. 2014, public domain) by ``build_static``. Its words are
in the order of their frequency in Wikipedia and newswire, so the rank is known too. A word that the table
lacks has the zero vector and the rank of the last.
"""

from __future__ import annotations

import gzip
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.encoder import Encoder, Tokens, english
from marginalia.nlp.lm.model import find_model, require_known
from marginalia.nlp.lm.states import StateReader
from marginalia.nlp.onnx import start
from marginalia.nlp.weights import open_weights
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems import WEIGHTS
from marginalia.tasks.complexity.systems.features import features, look_up

Floats = NDArray[np.float32]

MODEL, WORDS = "static.onnx", "static_words.txt.gz"
LAYERS = (4, 8)
"""The middle of the encoder knows most about words; what comes later is about the whole sentence. Of an encoder that
the user brought: those at a third and two thirds of its depth."""
LM_LAYERS = (15,)
"""The middle of the language model's thirty layers; those above are not needed, and not computed."""
MAX_CACHED_WORDS = 20_000
"""Words alone whose vectors are kept: 3 kB each, so 60 MB at most."""
BATCH_WORDS = 512


class Static:
    """Rows of ``static.onnx`` by the words of ``static_words.txt.gz``."""

    def __init__(self, folder: Path) -> None:
        text = gzip.decompress((folder / WORDS).read_bytes()).decode("utf-8")
        self.rows = {word: row for row, word in enumerate(text.split("\n"))}
        session = start((folder / MODEL).read_bytes())
        # The whole table, once: a few megabytes, and no call per word.
        [self.table] = session.run(["vectors"], {"rows": np.arange(len(self.rows))})

    @property
    def width(self) -> int:
        return int(self.table.shape[1]) + 1

    def vector(self, token: str) -> Floats:
        """Mean over the words of a token: vector and logarithm of the rank, side by side."""
        parts = token.lower().split() or [token]
        found = np.zeros(self.width, dtype=np.float32)
        for part in parts:
            row = self.rows.get(part)
            if row is not None:
                found[:-1] += self.table[row]
            found[-1] += math.log1p(len(self.rows) if row is None else row)
        return found / np.float32(len(parts))


@cache
def shipped_static() -> Static:
    open_weights(WEIGHTS)
    return Static(WEIGHTS)


class Reader(Protocol):
    """An encoder, or whatever else gives the tokens of texts with their vectors in some layers."""

    def tokens(self, texts: Iterable[str], layers: Sequence[int]) -> Iterator[Tokens]: ...


class Inputs:
    """Rows for targets. Vectors of words alone are kept, which makes a long document cheap.

    With ``keep``, those of whole targets are kept too: for training, where folds share their targets.
    """

    def __init__(
        self,
        encoder: Encoder | None = None,
        *,
        keep: bool = False,
        layers: Sequence[int] = LAYERS,
        lm: Reader | None = None,
    ) -> None:
        self.encoder = encoder or english()
        self.encoder_vectors = TargetVectors(self.encoder, layers, keep=keep)
        self.lm_vectors = TargetVectors(lm or language_model(), LM_LAYERS, keep=keep)

    def features(self, targets: Sequence[Target]) -> Floats:
        look_up(target.token for target in targets)
        return np.stack([features(target) for target in targets])

    def vectors(self, targets: Sequence[Target]) -> Floats:
        """In context, alone, and static, side by side."""
        static = np.stack([shipped_static().vector(target.token) for target in targets])
        return np.hstack([self.encoder_vectors.rows(targets), static])

    def states(self, targets: Sequence[Target]) -> Floats:
        """Of the language model, in context and alone; needs ``marginalia[lm]``."""
        return self.lm_vectors.rows(targets)


class TargetVectors:
    """The mean vectors of targets in their sentences and alone, side by side, by one reader.

    Threads may share it: what is kept is replaced, never emptied, so each goes on with what it has.
    """

    def __init__(self, reader: Reader, layers: Sequence[int], *, keep: bool = False) -> None:
        self.reader, self.layers = reader, layers
        self.kept: dict[Target, Floats] | None = {} if keep else None
        self.alone: dict[str, Floats] = {}

    def rows(self, targets: Sequence[Target]) -> Floats:
        if self.kept is None:
            return self._rows(targets)
        new = [target for target in dict.fromkeys(targets) if target not in self.kept]
        for begin in range(0, len(new), BATCH_WORDS):
            part = new[begin : begin + BATCH_WORDS]
            self.kept.update(zip(part, self._rows(part), strict=True))
        return np.stack([self.kept[target] for target in targets])

    def _rows(self, targets: Sequence[Target]) -> Floats:
        known = self._alone(target.token for target in targets)
        by_sentence: dict[str, list[int]] = {}
        for place, target in enumerate(targets):
            by_sentence.setdefault(target.sentence, []).append(place)
        rows: dict[int, Floats] = {}
        passes = self.reader.tokens(by_sentence, self.layers)
        for places, tokens in zip(by_sentence.values(), passes, strict=True):
            for place in places:
                alone, span = known[targets[place].token], targets[place].span()
                # A token that its sentence does not hold has no context but itself.
                context = alone if span is None else pooled(tokens, *span, self.layers)
                rows[place] = np.concatenate([context, alone])
        return np.stack([rows[place] for place in range(len(targets))])

    def _alone(self, words: Iterable[str]) -> dict[str, Floats]:
        """Vectors of these words alone, among others."""
        if len(self.alone) > MAX_CACHED_WORDS:
            self.alone = {}
        known = self.alone
        new = [word for word in dict.fromkeys(words) if word not in known]
        for word, tokens in zip(new, self.reader.tokens(new, self.layers), strict=True):
            known[word] = pooled(tokens, 0, len(word), self.layers)
        return known


@cache
def language_model() -> StateReader:
    """SmolLM2-135M, which comes with the extra ``lm``: the heads have learned its states, and no other's."""
    return StateReader(lambda: require_known(find_model()), LM_LAYERS)


def pooled(tokens: Tokens, start: int, end: int, layers: Sequence[int] = LAYERS) -> Floats:
    """Mean vectors of a span in some layers, side by side."""
    return np.concatenate([tokens.span(start, end, layer) for layer in layers])


def word_layers(encoder: Encoder) -> tuple[int, ...]:
    """The layers of any encoder that say most about a word."""
    return tuple(max(1, round(encoder.last * share / 3)) for share in (1, 2))
