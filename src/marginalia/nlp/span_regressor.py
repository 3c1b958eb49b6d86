"""A number for a span of a text, by layers that were tuned for a task on top of a shared encoder.

Below the tuned layers the encoder is as it ships, and so is its pass over a text. ``SpanGraph`` stands in for ``Tuned`` where
the weights bring a fine-tuned encoder of their own: one graph and its tokenizer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import ContractError, training
from marginalia.nlp.encoder import Encoder, without_blanks
from marginalia.nlp.onnx import start
from marginalia.nlp.weights import open_weights

Floats = NDArray[np.float32]

CONTEXT_TOKENS = 96
"""Tokens that are read on either side of a span."""
MAX_SPAN_TOKENS = 256
"""Tokens of a span that are read."""
BATCH_SPOTS = 256
"""Spots that are looked at together."""

GRAPH, TOKENIZER = "tuned.onnx", "tokenizer.json"


class Spot(NamedTuple):
    """A span of a text."""

    text: str
    start: int
    end: int


class Seen(NamedTuple):
    """The tokens of a spot and around it: their vectors, and 1 for those of the spot itself."""

    vectors: Floats
    inside: Floats


class Tuned:
    """Some layers, counted from 1, and a head on top of those below them.

    With ``chance`` the number is a probability.
    """

    def __init__(
        self, encoder: Callable[[], Encoder], layers: range, *, epochs: int, chance: bool = False
    ) -> None:
        self.make, self.layers, self.epochs, self.chance = encoder, layers, epochs, chance
        self.model: bytes | None = None

    @cached_property
    def encoder(self) -> Encoder:
        return self.make()

    def learn(
        self, spots: Sequence[Spot], wanted: Sequence[float], weights: Sequence[float]
    ) -> None:
        """Tune the layers to give the wanted numbers; needs ``marginalia[train]``."""
        with training():
            from marginalia.nlp.training.spans import tune

            self.model = tune(self, spots, wanted, weights)
        self.__dict__.pop("session", None)

    @cached_property
    def session(self) -> Any:
        if self.model is None:
            raise ContractError("the layers must be fitted before they are used")
        return start(self.model)

    def scores(self, spots: Sequence[Spot]) -> list[float]:
        """A number for each spot; each is its own pass, so that it is the same in any company."""
        return [
            self.session.run(
                ["score"], {name: value[None] for name, value in seen._asdict().items()}
            )[0].item()
            for seen in self.look(spots)
        ]

    def look(self, spots: Iterable[Spot]) -> Iterator[Seen]:
        """What the tuned layers see of each spot."""
        spots, below = list(spots), self.layers[0] - 1
        for begin in range(0, len(spots), BATCH_SPOTS):
            part = spots[begin : begin + BATCH_SPOTS]
            texts = list(dict.fromkeys(spot.text for spot in part))
            passes = dict(zip(texts, self.encoder.tokens(texts, (below,)), strict=True))
            for text, first, last in part:
                tokens = passes[text]
                inside = tokens.inside(first, last)
                places = np.flatnonzero(inside)
                low, high = (places[0], places[-1] + 1) if len(places) else (0, 1)
                near = slice(
                    max(0, low - CONTEXT_TOKENS), min(high, low + MAX_SPAN_TOKENS) + CONTEXT_TOKENS
                )
                yield Seen(tokens.layers[below][near], inside[near].astype(np.float32))


def scorer_in(folder: Path, tuned: Tuned) -> SpanGraph | Tuned:
    """What gives the scores of spots with the weights in a folder: on an encoder of their own, or on the shared one."""
    manifest = open_weights(folder)
    if TOKENIZER in manifest["files"]:
        return SpanGraph(folder, int(manifest["max_tokens"]))
    tuned.model = (folder / GRAPH).read_bytes()
    return tuned


class SpanGraph:
    def __init__(self, folder: Path, max_tokens: int) -> None:
        from tokenizers import Tokenizer

        self.tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.session: Any = start(folder / GRAPH)
        self.max_tokens = max_tokens

    def scores(self, spots: Sequence[Spot]) -> list[float]:
        """A number for each spot; each is its own pass, so that it is the same in any company."""
        found = []
        for spot in spots:
            ids, inside = look(self.tokenizer, spot, self.max_tokens)
            feed = {"input_ids": ids[None], "inside": inside[None]}
            found.append(self.session.run(["score"], feed)[0].item())
        return found


def look(
    tokenizer: Any, spot: Spot, max_tokens: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The tokens of a spot and around it between the encoder's marks, and 1 for those of the spot itself."""
    encoding = tokenizer.encode(spot.text)
    ids = np.array(encoding.ids, dtype=np.int64)
    places = [without_blanks(spot.text, *span) for span in encoding.offsets]
    inside = np.array([a < spot.end and b > spot.start and a < b for a, b in places])
    inside[[0, -1]] = False
    found = np.flatnonzero(inside)
    low, high = (int(found[0]), int(found[-1]) + 1) if len(found) else (1, 1)
    high = min(high, low + min(MAX_SPAN_TOKENS, max_tokens - 2))
    room = max(0, min(CONTEXT_TOKENS, (max_tokens - 2 - (high - low)) // 2))
    first, last = max(1, low - room), min(len(ids) - 1, high + room)
    near = np.concatenate([[0], np.arange(first, last), [len(ids) - 1]])
    return ids[near], inside[near].astype(np.float32)
