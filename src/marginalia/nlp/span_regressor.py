"""A number for a span of a text, by layers that were tuned for a task on top of a shared encoder.

Below the tuned layers the encoder is as it ships, and so is its pass over a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import ContractError, training
from marginalia.nlp.encoder import Encoder
from marginalia.nlp.onnx import start

Floats = NDArray[np.float32]

CONTEXT_TOKENS = 96
"""Tokens that are read on either side of a span."""
MAX_SPAN_TOKENS = 256
"""Tokens of a span that are read."""
BATCH_SPOTS = 256
"""Spots that are looked at together."""


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
            from marginalia.nlp.training.fine_tune import tune

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
