"""The fine-tuned encoder: cosine of sentence vectors whose upper layers learned from ratings, a source at a time.

As shipped, a quarter of the score is that of ``learned``. English pairs only; the others are read as by ``encoder``. The
layers below stay those of the shared encoder, so its pass over a text is shared too. Weights that users train may
bring an encoder of their own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.core.errors import training
from marginalia.core.files import read_json
from marginalia.nlp.encoder import Encoder, encoder_in, english
from marginalia.nlp.onnx import start
from marginalia.nlp.weights import open_weights
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.systems import weights_folder
from marginalia.tasks.similarity.systems.inputs import plain
from marginalia.tasks.similarity.systems.languages import kind_of
from marginalia.tasks.similarity.systems.learned import (
    EncoderCosine,
    Learned,
    obvious,
    surest_at_ends,
)

Floats = NDArray[np.float32]

NAME = "tuned"
SCALE_FILE, LAYERS_FILE = "tuned.json", "tuned.onnx"


@dataclass(frozen=True, slots=True)
class Scale:
    """From a cosine to points: 0 up to that of unrelated sentences, 5 where no difference is seen."""

    unrelated: float
    learned: float
    """The share of ``learned`` in the score."""

    def points(self, cosine: float) -> float:
        return 5 * min(1.0, max(0.0, (cosine - self.unrelated) / (1 - self.unrelated)))


class Tuned:
    """Without a folder the weights are the installed ones, or those that were named."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def fit(self, split: Split) -> Self:
        """Tune the upper layers again, which takes some minutes; needs ``marginalia[train]``."""
        with training():
            from marginalia.tasks.similarity.systems.train.upper import tuned_files

            files = tuned_files(split)
        self.reading = TunedVectors(json.loads(files[SCALE_FILE]), start(files[LAYERS_FILE]))
        return self

    @cached_property
    def reading(self) -> TunedVectors:
        return read_tuned(self.folder or weights_folder(NAME))

    def predict(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        scores: dict[str, Score] = {}
        english_pairs, others = {}, {}
        for id, item in items.items():
            known = obvious(item.s1, item.s2)
            if known is not None:
                scores[id] = known
            elif kind_of(item.s1, item.s2) == "en":
                english_pairs[id] = item
            else:
                others[id] = item
        if others:
            scores |= EncoderCosine().predict(others)
        if english_pairs:
            scores |= self._scores(english_pairs)
        return {id: scores[id] for id in items}

    def _scores(self, items: Mapping[str, Pair]) -> dict[str, Score]:
        pairs = {id: plain(*sorted((item.s1, item.s2))) for id, item in items.items()}
        texts = list(dict.fromkeys(text for pair in pairs.values() for text in pair))
        vectors = dict(zip(texts, self.reading.vectors(texts), strict=True))
        scale = self.reading.scale
        points = {
            id: scale.points(float((vectors[a] * vectors[b]).sum())) for id, (a, b) in pairs.items()
        }
        if scale.learned:
            other = Learned().predict(items)
            points = {
                id: (1 - scale.learned) * own + scale.learned * other[id].score
                for id, own in points.items()
            }
        return {id: surest_at_ends(own) for id, own in points.items()}


class TunedVectors:
    """Sentence vectors by the tuned upper layers of the shared encoder, or by a whole one."""

    def __init__(
        self, scale: Mapping[str, float], upper: Any = None, whole: Encoder | None = None
    ) -> None:
        self.scale = Scale(float(scale["unrelated"]), float(scale["learned"]))
        self.upper, self.whole = upper, whole

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
def read_tuned(folder: Path) -> TunedVectors:
    """Those of the weights in a folder."""
    open_weights(folder)
    whole = encoder_in(folder)
    upper = None if whole else start(folder / LAYERS_FILE)
    return TunedVectors(read_json(folder / SCALE_FILE), upper, whole)
