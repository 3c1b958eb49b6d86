"""What the language model learned about fillers: small changes of its top layers, and heads on their states.

A change is the product of two thin matrices (LoRA, Hu et al. 2022), kept in int8 with a scale for each row. The
changed layers stand beside the original ones in the graph, so the likelihoods stay what they were. The base model
is not part of the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import MissingError, missing_package
from marginalia.nlp.lm.smoothing import quantised
from marginalia.nlp.weights import open_weights
from marginalia.tasks.clarification.official.data import PHENOMENA
from marginalia.tasks.clarification.systems import weights_folder

Floats = NDArray[np.float32]

ADAPTERS_FILE = "adapters.safetensors"
ADAPTED = "adapted"
"""The name of the changed layers' states."""
HEADS = ("adapted rating", "adapted above low", "adapted above high")
"""As those of the network: the rating, and whether it lies above the bounds between the classes."""
CENTRE, SPREAD = np.array([-9.0, -6.0, -20.0, -30.0]), np.array([4.0, 3.0, 12.0, 12.0])
COMPARED_SPREAD = np.array([3.0, 2.0, 3.0, 4.0])
"""Of the likelihoods in train, roughly: what the heads see of them lies about 0 with a spread of 1."""
CLIP = 4.0
STATES = 3.0
"""What states are divided by, to be about as large."""
LEVELS = 127


class Likely(Protocol):
    @property
    def filler(self) -> float: ...
    @property
    def after(self) -> float: ...
    @property
    def tokens(self) -> int: ...


def likelihood_table(likelihoods: Sequence[Likely]) -> NDArray[np.float64]:
    """For each: the filler, the same by token, what follows, and all together."""
    return np.array(
        [
            [own.filler, own.filler / max(1, own.tokens), own.after, own.filler + own.after]
            for own in likelihoods
        ]
    )


def seen_likelihoods(likelihoods: Sequence[Likely], phenomenon: str) -> Floats:
    """What the heads see beside the states: a row for each filler of a gap."""
    table = likelihood_table(likelihoods)
    compared = (table - table.mean(axis=0)) / COMPARED_SPREAD
    kinds = np.tile([phenomenon == name for name in PHENOMENA.values()], (len(table), 1))
    numbers = np.clip(np.hstack([(table - CENTRE) / SPREAD, compared]), -CLIP, CLIP)
    return np.hstack([numbers, kinds]).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Adapters:
    """``changes`` by layer and matrix, and the heads' weights: states, then likelihoods and phenomenon."""

    changes: Mapping[int, Mapping[str, Floats]]
    weights: Floats
    bias: Floats

    def heads(self, states: Floats, likelihoods: Sequence[Likely], phenomenon: str) -> Floats:
        """A row of HEADS for each filler of a gap, from the mean of its states and the last after it."""
        seen = np.hstack([states / STATES, seen_likelihoods(likelihoods, phenomenon)])
        found: Floats = seen @ self.weights.T + self.bias
        return found

    @classmethod
    def load(cls, folder: Path | None = None) -> Self:
        folder = folder or weights_folder()
        if ADAPTERS_FILE not in open_weights(folder)["files"]:
            raise MissingError(f"The weights in {folder} have no adapters of a language model.")
        return cls.from_bytes((folder / ADAPTERS_FILE).read_bytes())

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        try:
            from safetensors.numpy import load
        except ImportError as error:
            raise missing_package("The language model", error.name, "lm") from error
        tensors = load(data)
        changes: dict[int, dict[str, Floats]] = {}
        for name in tensors:
            layer, _, rest = name.partition(".")
            if rest.endswith(".narrow"):
                matrix = rest.removesuffix(".narrow")
                narrow, wide = (_unpacked(tensors, f"{layer}.{matrix}.{part}") for part in PARTS)
                changes.setdefault(int(layer), {})[matrix] = wide.T @ narrow
        return cls(changes, tensors["heads.weight"], tensors["heads.bias"])


PARTS = ("narrow", "wide")
"""The two factors of a change: to a few numbers, and from them; a row for each of these."""


def pack_adapters(
    factors: Mapping[int, Mapping[str, tuple[Floats, Floats]]], weights: Floats, bias: Floats
) -> bytes:
    """The file of adapters. ``factors`` gives the narrow and the wide one of each changed matrix, a row for each
    of the few numbers between them."""
    from safetensors.numpy import save

    tensors: dict[str, Any] = {"heads.weight": weights, "heads.bias": bias}
    for layer, matrices in factors.items():
        for matrix, both in matrices.items():
            for part, factor in zip(PARTS, both, strict=True):
                whole, scales = quantised(factor, LEVELS)
                tensors[f"{layer}.{matrix}.{part}"] = whole
                tensors[f"{layer}.{matrix}.{part}.scales"] = scales
    return bytes(save(tensors))


def _unpacked(tensors: Mapping[str, Any], name: str) -> Floats:
    found: Floats = tensors[name].astype(np.float32) * tensors[f"{name}.scales"][:, None]
    return found
