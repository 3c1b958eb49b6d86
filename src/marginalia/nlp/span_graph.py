"""A number for a span of a text, by a whole encoder that somebody fine-tuned: one graph and its tokenizer.

It stands in for ``span_regressor.Tuned`` where the weights bring an encoder of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.encoder import without_blanks
from marginalia.nlp.onnx import start
from marginalia.nlp.span_regressor import CONTEXT_TOKENS, MAX_SPAN_TOKENS, Spot, Tuned
from marginalia.nlp.weights import open_weights

GRAPH, TOKENIZER = "tuned.onnx", "tokenizer.json"


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
