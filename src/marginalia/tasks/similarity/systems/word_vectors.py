"""How near words are in meaning, by the vectors that the encoder gives them in their sentences."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.distributions import find_weights
from marginalia.core.files import read_json
from marginalia.core.resources import read_resource
from marginalia.nlp.encoder import Encoder, Tokens, english
from marginalia.nlp.tagger import Spans, word_vectors
from marginalia.nlp.weights import open_weights
from marginalia.tasks.similarity.systems import weights_folder
from marginalia.tasks.similarity.systems.alignment import Alignment, align, side

Floats = NDArray[np.float32]

LAYER = 8
"""Lower layers know the word and not its sense; in higher ones all words of a sentence are alike. Of an encoder with
fewer layers the last is taken."""
CENTRES = Path(__file__).parent / "centres.json"
"""The mean of LAYER over words of free texts, for each encoder (``train/centres.py``)."""


def word_layer(encoder: Encoder) -> int:
    return min(LAYER, encoder.last)


def word_units(spans: Spans, tokens: Tokens, mean: Floats, layer: int = LAYER) -> Floats:
    """Unit vectors of the words of a text, after the mean of all words is taken away.

    Their products are near 0 for words that have nothing to do with each other.
    """
    rows = word_rows(spans, tokens, layer) - mean
    made: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return made


def word_rows(spans: Spans, tokens: Tokens, layer: int = LAYER) -> Floats:
    """The vectors of the words of a text as they are."""
    solid = tokens.offsets[:, 0] < tokens.offsets[:, 1]
    if not solid[1:-1].all():  # prefixes and lone blanks have no place in the text
        solid[[0, -1]] = True
        tokens = Tokens(tokens.offsets[solid], {layer: tokens.layers[layer][solid]})
    return word_vectors(spans, tokens, layer)


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


def centre(encoder: Encoder, folder: Path | None = None) -> Floats:
    """The mean of LAYER over many words, for this encoder.

    It belongs to what was learned; where those weights are not installed it is that of other texts.
    """
    name = encoder.folder.name
    if folder is None and find_weights("similarity") is None:
        return np.array(read_resource(__package__, CENTRES.name)[name], dtype=np.float32)
    return np.array(weights(name, folder)["near"], dtype=np.float32)


@cache
def weights(name: str, folder: Path | None = None) -> dict[str, Any]:
    """What was learned for the encoder in the folder of that name."""
    folder = folder or weights_folder()
    open_weights(folder)
    return dict(read_json(folder / f"{name}.json"))
