"""The network at work: one pass for a context and all its fillers.

What is int8 in the network is scaled over all that a pass holds. So the fillers of a pass follow from the
item alone, its own and the others of its gap, and an item has the same score in any company.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from marginalia.nlp.encoder import english, own_tokenizer
from marginalia.nlp.onnx import start
from marginalia.nlp.threads import threads
from marginalia.nlp.weights import open_weights
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.systems.inputs import MARKS, Floats, marks_of, pack
from marginalia.tasks.clarification.systems.shipped import weights_folder
from marginalia.tasks.clarification.systems.word_vectors import word_vectors

NETWORK_FILE, TOKENIZER_FILE = "network.onnx", "tokenizer.json"
HEADS = ("rating", "above_low", "above_high", "lm_filler", "lm_after")
"""The mean rating, standardised; whether it lies above the bound of IMPLAUSIBLE and reaches that of
PLAUSIBLE, as log odds; and what a language model thinks of the filler and of the words after it."""
CENTRE, SPREAD = 3.3, 1.1
"""Of the ratings in train."""
FILLERS_PER_PASS = 40
"""Fillers in a pass: bounds the memory where someone asks about many."""


class Passes:
    """The graph of a weights folder, or one that was just trained."""

    def __init__(
        self,
        folder: Path | None = None,
        given: bytes | None = None,
        *,
        shared: bool = True,
        beside: Path | None = None,
    ) -> None:
        self.folder, self.given, self.shared = folder, given, shared
        self.beside = beside
        """The folder with the tokenizer of a graph that is given, where that is not the shared one."""

    @cached_property
    def session(self) -> Any:
        if self.given is not None:
            return start(self.given)
        folder = self.folder or weights_folder()
        open_weights(folder)
        return start(folder / NETWORK_FILE)

    @cached_property
    def own(self) -> Path | None:
        """The folder of weights that bring an encoder of their own, with its tokenizer and its word vectors."""
        if self.given is not None:
            return self.beside
        folder = self.folder or weights_folder()
        return folder if (folder / TOKENIZER_FILE).is_file() else None

    @cached_property
    def tokenizer(self) -> Any:
        return own_tokenizer(self.own)[0] if self.own else english().tokenizer

    @cached_property
    def marks(self) -> tuple[int, int, int]:
        return marks_of(self.tokenizer) if self.own else MARKS

    def heads(self, contexts: Iterable[Item]) -> dict[Item, Floats]:
        """For each context, made by ``bare``: the heads of its fillers, in the order of its ``others``."""
        contexts = list(dict.fromkeys(contexts))
        if not contexts:
            return {}
        _ = (
            self.session,
            self.tokenizer,
            self.own or word_vectors(),
        )  # loaded once, not by every thread
        with ThreadPoolExecutor(min(threads(), len(contexts))) as pool:
            return dict(zip(contexts, pool.map(self._run, contexts), strict=True))

    def _run(self, context: Item) -> Floats:
        fillers = context.others
        size = FILLERS_PER_PASS if self.shared else 1
        parts = [fillers[begin : begin + size] for begin in range(0, len(fillers), size)]
        return np.concatenate([self._pass(context, part) for part in parts])

    def _pass(self, context: Item, fillers: tuple[str, ...]) -> Floats:
        packed = pack(context, fillers, self.tokenizer, self.marks)
        words = {"pieces": packed.pieces} if self.own else {"words": word_vectors()(packed.pieces)}
        feed: Mapping[str, Any] = {
            **words,
            "places": packed.places,
            "kinds": packed.kinds,
            "mask": packed.mask,
            "gap": np.array(packed.gap),
            "spans": packed.spans,
        }
        found: Floats = self.session.run(["heads"], feed)[0]
        return found
