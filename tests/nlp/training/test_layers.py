"""The layers that are read out of the weights compute what the encoder computes."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from marginalia.core.errors import FormatError
from marginalia.nlp.encoder import Encoder, Floats, english, multilingual
from marginalia.nlp.training.layers import EPSILON, HEADS, read_layers

TEXT = "The prevalence of hypertension rose to 31 percent among elderly patients."


def normed(x: Floats, layer: dict[str, Floats], name: str) -> Floats:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
    whole: Floats = centred / spread * layer[f"{name}.weight"] + layer[f"{name}.bias"]
    return whole


def gelu(x: Floats) -> Floats:
    return np.array(x * 0.5 * (1 + np.tanh(sqrt(2 / np.pi) * (x + 0.044715 * x**3))))


def forward(x: Floats, layer: dict[str, Floats]) -> Floats:
    """A layer of BERT, written down once more."""

    def product(x: Floats, name: str) -> Floats:
        made: Floats = x @ layer[f"{name}.weight"].T + layer[f"{name}.bias"]
        return made

    query, key, value = (
        product(x, f"attention.self.{part}").reshape(len(x), HEADS, -1).transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    score = query @ key.transpose(0, 2, 1) / sqrt(query.shape[-1])
    share = np.exp(score - score.max(axis=-1, keepdims=True))
    share /= share.sum(axis=-1, keepdims=True)
    found = (share @ value).transpose(1, 0, 2).reshape(x.shape)
    x = normed(x + product(found, "attention.output.dense"), layer, "attention.output.LayerNorm")
    raised = gelu(product(x, "intermediate.dense"))
    return normed(x + product(raised, "output.dense"), layer, "output.LayerNorm")


@pytest.mark.parametrize("encoder", [english(), multilingual()], ids=["english", "multilingual"])
def test_the_layers_compute_what_the_graph_computes(encoder: Encoder) -> None:
    cut = int(encoder.manifest["cut"])
    numbers = range(cut - 1, encoder.last + 1)  # of both graphs
    [tokens] = encoder.tokens([TEXT], [cut - 2, *numbers])
    for number, layer in zip(numbers, read_layers(encoder.folder, cut, numbers), strict=True):
        found, wanted = forward(tokens.layers[number - 1], layer), tokens.layers[number]
        cosines = (found * wanted).sum(axis=1) / np.linalg.norm(found, axis=1)
        # The graph multiplies in int8, which costs some digits.
        assert (cosines / np.linalg.norm(wanted, axis=1)).min() > 0.99


def test_a_layer_that_is_not_in_int8_is_refused() -> None:
    with pytest.raises(FormatError, match="layer 5 is not there in int8"):
        read_layers(multilingual().folder, 8, [4, 5])
    with pytest.raises(FormatError, match="layer 13 is not there"):
        read_layers(english().folder, 8, [13])
