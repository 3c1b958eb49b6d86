"""The fine-tuned encoder: cosine of sentence vectors whose upper layers learned from ratings, a source at a time.

English pairs only; the others are read as by ``encoder``. The layers below stay those of the shared encoder, so its
pass over a text is shared too. Weights that somebody trained may bring an encoder of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.files import read_json
from marginalia.nlp.encoder import encoder_in, english
from marginalia.nlp.onnx import start
from marginalia.nlp.weights import open_weights
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.systems.languages import kind_of
from marginalia.tasks.similarity.systems.ours import EncoderCosine, obvious, surest_at_ends
from marginalia.tasks.similarity.systems.shipped import weights_folder

Floats = NDArray[np.float32]

NAME = "tuned"
LINE_FILE, LAYERS_FILE = "tuned.json", "tuned.onnx"


@dataclass(frozen=True, slots=True)
class Line:
    """From a cosine to points: what fits the ratings best, each source counting the same."""

    slope: float
    level: float

    def points(self, cosine: float) -> float:
        return min(5.0, max(0.0, self.slope * cosine + self.level))


class Tuned:
    """Without a folder the weights are the installed ones, or those that were named."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    @cached_property
    def reading(self) -> TunedVectors:
        return tuned_vectors(self.folder or weights_folder(NAME))

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        found: dict[str, Score] = {}
        english_pairs, others = {}, {}
        for id, item in items.items():
            known = obvious(item.s1, item.s2)
            if known is not None:
                found[id] = known
            elif kind_of(item.s1, item.s2) == "en":
                english_pairs[id] = item
            else:
                others[id] = item
        if others:
            found |= EncoderCosine().predict(others)
        if english_pairs:
            found |= self._scores(english_pairs)
        return {id: found[id] for id in items}

    def _scores(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        texts = list(dict.fromkeys(text for item in items.values() for text in (item.s1, item.s2)))
        vectors = dict(zip(texts, self.reading.vectors(texts), strict=True))
        line = self.reading.line
        return {
            id: surest_at_ends(line.points(float((vectors[item.s1] * vectors[item.s2]).sum())))
            for id, item in items.items()
        }


class TunedVectors:
    """Sentence vectors by the weights in a folder."""

    def __init__(self, folder: Path) -> None:
        open_weights(folder)
        data = read_json(folder / LINE_FILE)
        self.line = Line(float(data["slope"]), float(data["level"]))
        self.whole = encoder_in(folder) if (folder / "tokenizer.json").is_file() else None
        self.upper: Any = None if self.whole else start(folder / LAYERS_FILE)

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Unit vectors: the mean of the last layer's token vectors."""
        if self.whole is not None:
            return self.whole.vectors(texts)
        shared = english()
        cut, limit = (int(shared.manifest[name]) for name in ("cut", "max_tokens"))
        rows = [
            self._vector(tokens.layers[cut], cut, limit) for tokens in shared.tokens(texts, [cut])
        ]
        return np.stack(rows)

    def _vector(self, states: Floats, cut: int, limit: int) -> Floats:
        total = np.zeros(states.shape[1], dtype=np.float32)
        for begin in range(0, len(states), limit):  # a pass holds no more
            part = states[begin : begin + limit]
            feed = {f"layer_{cut}": part[None], "lengths": np.array([len(part)], dtype=np.int32)}
            total += self.upper.run([self.upper.get_outputs()[-1].name], feed)[0][0].sum(axis=0)
        unit: Floats = total / np.linalg.norm(total)
        return unit


@cache
def tuned_vectors(folder: Path) -> TunedVectors:
    return TunedVectors(folder)
