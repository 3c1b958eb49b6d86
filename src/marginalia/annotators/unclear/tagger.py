"""Where an editor would ask: the shared encoder reads a passage, a network on its states marks places in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.annotators.unclear.kinds import KINDS, questions
from marginalia.nlp.encoder import Encoder, Tokens, english
from marginalia.nlp.onnx import start
from marginalia.nlp.threads import side_by_side
from marginalia.nlp.weights import open_weights

Floats = NDArray[np.float32]

SHIPPED = Path(__file__).parent / "weights"
GRAPH = "places.onnx"
LAYERS = (2, 4, 8)
"""Of the shared encoder: low ones, which tell words apart, and the last before its cut."""
MIN_TOKEN = 0.15
"""A token of this score begins a place: low, since what is shown is decided by probability later."""
GOES_ON = 0.5
"""The share of the place's first score from which on the next token belongs to it."""
MIN_BEGIN = 0.5
"""From here on a token begins a place of its own."""
MIN_QUESTION = 0.5
"""From here on the particular question is asked, else that of the kind."""
MAX_SCORE = 1 - 1e-6
SLOPE, SHIFT = 1.122, -0.269
"""From the score of a place to how probably an editor asks; fitted on articles left out (``benchmarks/unclear.py``)."""


@dataclass(frozen=True, slots=True)
class Found:
    """A place in a passage."""

    start: int
    end: int
    kind: str
    question: str | None
    """The name of a particular question, where one is likely."""
    score: float
    """What the network says of its surest token."""

    @property
    def probability(self) -> float:
        """That a careful editor asks here."""
        odds = np.log(self.score / (1 - self.score))
        return float(1 / (1 + np.exp(-(SLOPE * odds + SHIFT))))


@dataclass(frozen=True, slots=True)
class Read:
    """What the network says of the tokens of a passage."""

    offsets: NDArray[np.int64]
    places: Floats
    """Asked, begins."""
    kinds: Floats
    questions: Floats


class PlaceTagger:
    """The network in a weights folder: one graph, ``manifest.json``."""

    def __init__(self, folder: Path = SHIPPED, encoder: Encoder | None = None) -> None:
        self.folder, self.encoder = folder, encoder or english()

    @cached_property
    def session(self) -> Any:
        open_weights(self.folder)  # the files are whole
        return start(self.folder / GRAPH)

    def find(self, texts: Sequence[str]) -> Iterator[list[Found]]:
        """The places of each passage, in reading order, probable or not."""
        _ = self.session  # loaded once, not in every thread
        yield from side_by_side(lambda text: list(find_places(text, self.read(text))), texts)

    def read(self, text: str) -> Read:
        tokens = next(self.encoder.tokens([text], LAYERS))
        found = self.session.run(None, {"states": joined_states(tokens)[None]})
        return Read(tokens.offsets, *(each[0] for each in found))


def joined_states(tokens: Tokens) -> Floats:
    """The states of all layers that the network reads, side by side."""
    return np.concatenate([tokens.layers[layer] for layer in LAYERS], axis=1)


def find_places(text: str, read: Read) -> Iterator[Found]:
    """Runs of tokens with a high score, widened to whole words."""
    score, begins = read.places.T
    n, last = 1, len(score) - 1  # the first and the last are marks of the encoder
    while n < last:
        if score[n] < MIN_TOKEN:
            n += 1
            continue
        end, least = n + 1, max(MIN_TOKEN, GOES_ON * score[n])
        while end < last and score[end] >= least and begins[end] < MIN_BEGIN:
            end += 1
        inside = slice(n, end)
        first, stop = whole_words(text, int(read.offsets[n, 0]), int(read.offsets[end - 1, 1]))
        question = read.questions[inside].mean(axis=0)
        yield Found(
            start=first,
            end=stop,
            kind=list(KINDS)[int(read.kinds[inside].mean(axis=0).argmax())],
            question=questions()[int(question.argmax())]
            if question.max() >= MIN_QUESTION
            else None,
            score=min(float(score[inside].max()), MAX_SCORE),
        )
        n = end


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    while 0 < start < len(text) and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while 0 < end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return start, end


@cache
def shipped() -> PlaceTagger:
    return PlaceTagger()
