"""Parts of speech from token vectors that the encoder has made already.

A linear head reads one layer of the shared encoder, and how the word is written: the encoder does not
tell capitals from small letters, and cuts rare words into pieces that hide their endings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import ContractError
from marginalia.nlp import onnx
from marginalia.nlp.encoder import Tokens
from marginalia.nlp.tokens import words
from marginalia.nlp.weights import open_weights

Floats = NDArray[np.float32]
Spans = Sequence[tuple[int, int]]

NOUNS = frozenset({"NOUN", "PROPN"})
HYPHENS = "-‐‑"
LONGEST_ENDING = 3

SHAPES = 10
"""How many numbers tell of capitals, digits and hyphens; the first six are about capitals."""
CAPITALS = 6
MUTE = 0
"""The column that says that the capitals of this text mean nothing."""

# What ends a sentence, and what may stand between it and the next: there a capital means nothing.
_ENDS = frozenset(".!?:;…\n\r")
_BETWEEN = " \t\"'“”‘’«»()[]*•–—-"


@dataclass(frozen=True, slots=True)
class Tagged:
    """A word with its part of speech, a tag of Universal Dependencies such as ``NOUN``."""

    start: int
    end: int
    word: str
    tag: str
    probability: float


class Tagger:
    """A head in a weights folder: ``model.onnx`` from features to probabilities, ``manifest.json``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def manifest(self) -> dict[str, Any]:
        return open_weights(self.folder)

    @property
    def layer(self) -> int:
        """The layer of the encoder that the tokens must hold."""
        return int(self.manifest["layer"])

    @cached_property
    def session(self) -> Any:
        _ = self.manifest  # the files are whole
        return onnx.start(self.folder / "model.onnx")

    def tag(self, text: str, tokens: Tokens) -> list[Tagged]:
        """The words of the text with their tags; ``tokens`` are what the encoder made of it."""
        if self.layer not in tokens.layers:
            held = ", ".join(map(str, sorted(tokens.layers))) or "none"
            raise ContractError(
                f"The tagger reads layer {self.layer} of the encoder, but the tokens hold {held}: "
                f"ask the encoder for layer {self.layer} too."
            )
        spans = [match.span() for match in words(text)]
        if not spans:
            return []
        read = features(text, spans, tokens, self.layer, self.manifest["endings"])
        [probabilities] = self.session.run(["probabilities"], {"features": read})
        tags = self.manifest["tags"]
        return [
            Tagged(start, end, text[start:end], tags[best], float(row[best]))
            for (start, end), row, best in zip(
                spans, probabilities, probabilities.argmax(axis=1), strict=True
            )
        ]


def features(
    text: str, spans: Spans, tokens: Tokens, layer: int, known_endings: Sequence[str]
) -> Floats:
    """What the head reads of each word: its vector, its shape, its ending."""
    written = [text[start:end] for start, end in spans]
    return np.concatenate(
        [
            word_vectors(spans, tokens, layer),
            shapes(text, spans, written),
            endings(written, known_endings),
        ],
        axis=1,
    )


def word_vectors(spans: Spans, tokens: Tokens, layer: int) -> Floats:
    """``tokens.span`` of all words at once: for a long text one search per word is too slow."""
    # Without the encoder's own marks at both ends the offsets rise, so that they can be searched.
    offsets, vectors = tokens.offsets[1:-1], tokens.layers[layer][1:-1]
    sums = np.zeros((len(vectors) + 1, vectors.shape[1]))
    np.cumsum(vectors, axis=0, dtype=np.float64, out=sums[1:])
    wanted = np.array(spans, dtype=np.int64).reshape(-1, 2)
    low = np.searchsorted(offsets[:, 1], wanted[:, 0], side="right")
    high = np.maximum(np.searchsorted(offsets[:, 0], wanted[:, 1], side="left"), low)
    count = np.maximum(high - low, 1)
    means: Floats = ((sums[high] - sums[low]) / count[:, None]).astype(np.float32)
    return means


def shapes(text: str, spans: Spans, written: Sequence[str]) -> Floats:
    """Capitals, digits and hyphens of each word, as SHAPES numbers that are 0 or 1."""
    mute = capitals_are_mute(written)
    made = np.zeros((len(spans), SHAPES), dtype=np.float32)
    last = 0
    for row, (start, end), word in zip(made, spans, written, strict=True):
        gap = text[last:start].rstrip(_BETWEEN)
        opening = gap[-1:] in _ENDS or (last == 0 and not gap)
        capital = word[0].isupper()
        row[:CAPITALS] = (
            False,
            capital and opening,
            capital and not opening,
            not capital,
            len(word) > 1 and word.isupper(),
            any(letter.isupper() for letter in word[1:]),
        )
        row[CAPITALS:] = (
            any(letter.isdigit() for letter in word),
            word[0].isdigit(),
            len(word) == 1,
            any(letter in HYPHENS for letter in word),
        )
        last = end
    return without_capitals(made) if mute else made


def capitals_are_mute(written: Sequence[str]) -> bool:
    """Whether nearly all longer words have capitals, as in headings, or none has."""
    longer = [word for word in written if word[0].isalpha() and len(word) > 3]
    capitals = sum(word[0].isupper() for word in longer)
    return len(longer) > 1 and (capitals == 0 or capitals >= 0.8 * len(longer))


def without_capitals(made: Floats) -> Floats:
    """The same shapes as in a text whose capitals mean nothing."""
    muted = made.copy()
    muted[:, :CAPITALS] = 0
    muted[:, MUTE] = 1
    return muted


def endings(written: Sequence[str], known: Sequence[str]) -> Floats:
    """Which of the known endings each word has."""
    column = {ending: i for i, ending in enumerate(known)}
    made = np.zeros((len(written), len(known)), dtype=np.float32)
    for row, word in zip(made, written, strict=True):
        for ending in endings_of(word):
            if ending in column:
                row[column[ending]] = 1
    return made


def endings_of(word: str) -> list[str]:
    """The last one, two and three letters, as far as at least two others stand before them."""
    # Only so much of the word: it may be very long.
    tail = word[-LONGEST_ENDING - 2 :].lower()
    return [tail[-size:] for size in range(1, LONGEST_ENDING + 1) if len(tail) > size + 1]


@cache
def english_tagger() -> Tagger:
    """The tagger that ships with the package; it reads the tokens of the shared English encoder."""
    return Tagger(Path(__file__).parent / "english_tagger")
