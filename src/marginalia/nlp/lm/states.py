"""What a language model knows of the words of a text: its states in some layers, as an encoder gives the vectors of its own.

The layers above the highest of these are not computed, and no likelihoods. Each text is one pass by itself, so its states
do not depend on what else is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.encoder import Tokens, without_blanks
from marginalia.nlp.lm.convert import converted_states
from marginalia.nlp.lm.gguf_file import Floats, GgufFile
from marginalia.nlp.lm.model import NEVER
from marginalia.nlp.onnx import start
from marginalia.nlp.threads import side_by_side

BEFORE = "\n"
"""What every text stands after."""
STEP = 500
"""A longer text is read in steps of so many tokens, each with the step before it in view."""


class StateReader:
    """A model of a GGUF file; ``find`` says where, and nothing is looked for or loaded before it is asked."""

    def __init__(
        self, find: Callable[[], Path], layers: Sequence[int], *, cache: Path | None = None
    ) -> None:
        self.find, self.layers, self.cache = find, layers, cache

    @cached_property
    def file(self) -> GgufFile:
        return GgufFile(self.find())

    @cached_property
    def session(self) -> Any:
        return start(converted_states(self.file, self.layers, folder=self.cache))

    @cached_property
    def lead(self) -> list[int]:
        return list(self.file.tokenizer.encode(BEFORE, add_special_tokens=False).ids)

    def tokens(self, texts: Iterable[str], layers: Sequence[int]) -> Iterator[Tokens]:
        """The tokens of each text with their states after these layers."""
        texts = list(texts)
        if not texts:
            return
        _ = self.session, self.lead  # loaded here once: in the pool every thread would do it
        yield from side_by_side(lambda text: self._read(text, layers), texts)

    def _read(self, text: str, layers: Sequence[int]) -> Tokens:
        # A word is another token at the very beginning than after a blank, as which the model knows it best.
        found = self.file.tokenizer.encode(f" {text}", add_special_tokens=False)
        offsets = [
            without_blanks(text, max(0, start - 1), max(0, end - 1)) for start, end in found.offsets
        ]
        parts = [
            self._run(found.ids[max(0, begin - STEP) : begin + STEP], min(begin, STEP), layers)
            for begin in range(0, len(found.ids), STEP)
        ]
        states = {layer: np.concatenate([part[layer] for part in parts]) for layer in layers}
        return Tokens(np.array(offsets, dtype=np.int64), states)

    def _run(self, ids: Sequence[int], seen: int, layers: Sequence[int]) -> dict[int, Floats]:
        """The states of the tokens after those that an earlier pass has seen."""
        whole = np.array([*self.lead, *ids], dtype=np.int64)
        order: NDArray[np.int64] = np.arange(len(whole))
        mask = np.zeros((len(whole), len(whole) + 1), dtype=np.float32)
        mask[:, 1:] = np.where(order[:, None] >= order, 0, NEVER)
        feed = {"ids": whole, "places": 1 + order, "mask": mask}
        outputs = self.session.run([f"layer_{layer}" for layer in layers], feed)
        first = len(self.lead) + seen
        return {layer: output[first:] for layer, output in zip(layers, outputs, strict=True)}
