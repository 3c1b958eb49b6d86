"""How near words are in meaning, by the vectors that the encoder gives them in their sentences."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.files import read_json
from marginalia.nlp.encoder import Encoder, Tokens, english
from marginalia.nlp.tagger import Spans, word_vectors
from marginalia.nlp.weights import open_weights
from marginalia.tasks.similarity.systems.alignment import Alignment, align, side
from marginalia.tasks.similarity.systems.shipped import WEIGHTS

Floats = NDArray[np.float32]

LAYER = 8
"""Lower layers know the word and not its sense; in higher ones all words of a sentence are alike."""


def word_units(spans: Spans, tokens: Tokens, mean: Floats) -> Floats:
    """Unit vectors of the words of a text, after the mean of all words is taken away.

    Their products are near 0 for words that have nothing to do with each other.
    """
    solid = tokens.offsets[:, 0] < tokens.offsets[:, 1]
    if not solid[1:-1].all():  # prefixes and lone blanks have no place in the text
        solid[[0, -1]] = True
        tokens = Tokens(tokens.offsets[solid], {LAYER: tokens.layers[LAYER][solid]})
    rows = word_vectors(spans, tokens, LAYER) - mean
    made: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return made


def align_near(a: str, b: str, encoder: Encoder | None = None) -> Alignment:
    """The alignment with words near in meaning linked too."""
    if b < a:  # one order for both: a matrix product may sum otherwise for the texts exchanged
        return align_near(b, a, encoder).turned()
    encoder = encoder or english()
    left, right = (
        word_units([(word.start, word.end) for word in side(text).words], tokens, centre(encoder))
        for text, tokens in zip((a, b), encoder.tokens([a, b], (LAYER,)), strict=True)
    )
    return align(a, b, near=left @ right.T)


def centre(encoder: Encoder, folder: Path = WEIGHTS) -> Floats:
    """The mean of LAYER over the words of STS 2012, for this encoder."""
    return np.array(weights(encoder.folder.name, folder)["near"], dtype=np.float32)


@cache
def weights(name: str, folder: Path = WEIGHTS) -> dict[str, Any]:
    """What was learned for the encoder in the folder of that name."""
    open_weights(folder)
    return dict(read_json(folder / f"{name}.json"))
