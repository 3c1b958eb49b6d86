"""The language model in torch, for training only: frozen layers in bfloat16, small changes beside them.

All gaps of a batch stand one after another, so that the products have no padding; attention takes them one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from marginalia.nlp.lm.gguf_file import (
    DOWN,
    GATE,
    KEY,
    MATRICES,
    OUTPUT,
    QUERY,
    UP,
    VALUE,
    GgufFile,
    Sizes,
)
from marginalia.tasks.clarification.systems.adapters import HEADS, STATES

KIND = torch.bfloat16
DROPPED = 0.1
SCALE = 2.0
"""What the changes are multiplied by: they begin at nothing and shall not begin slowly."""
BESIDE = 12
"""Likelihoods and phenomena that the heads see beside the states."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Where the tokens of some gaps stand: their places, who sees whom, and the fillers' spans."""

    places: Tensor
    masks: Sequence[Tensor]
    spans: Sequence[Sequence[tuple[int, int, int]]]
    """Of each gap, of each filler: where it begins, where what follows begins, and where that ends."""

    @property
    def sizes(self) -> list[int]:
        return [len(mask) for mask in self.masks]


class Layer(nn.Module):  # type: ignore[misc]
    """A frozen layer, and what training may add to its products."""

    def __init__(self, model: GgufFile, number: int, rank: int = 0) -> None:
        super().__init__()
        layer = model.layer(number)
        self.sizes: Sizes = model.sizes
        self.norms = [torch.from_numpy(each) for each in (layer.attention_norm, layer.inner_norm)]
        self.frozen = {name: torch.from_numpy(layer.matrices[name]).to(KIND) for name in MATRICES}
        self.narrow, self.wide = nn.ParameterDict(), nn.ParameterDict()
        for name, weights in self.frozen.items() if rank else ():
            out, into = weights.shape
            self.narrow[name] = nn.Parameter(torch.randn(rank, into) / into**0.5)
            self.wide[name] = nn.Parameter(torch.zeros(out, rank))

    def product(self, name: str, x: Tensor) -> Tensor:
        found = functional.linear(x, self.frozen[name])
        if name in self.narrow:
            few = functional.linear(x, self.narrow[name].to(KIND))
            found = found + functional.linear(few, (self.wide[name] * SCALE).to(KIND))
        return found

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor], masks: Sequence[Tensor]) -> Tensor:
        sizes = self.sizes
        normed = norm(x, self.norms[0], sizes.epsilon).to(KIND)
        query = turned(self.product(QUERY, normed).float().view(-1, sizes.heads, sizes.head), turn)
        key = turned(self.product(KEY, normed).float().view(-1, sizes.key_heads, sizes.head), turn)
        value = self.product(VALUE, normed).float().view(-1, sizes.key_heads, sizes.head)
        mixed = []
        begin = 0
        for mask in masks:
            end = begin + len(mask)
            q, k, v = (each[begin:end].transpose(0, 1) for each in (query, key, value))
            k, v = (each.repeat_interleave(sizes.heads // sizes.key_heads, 0) for each in (k, v))
            every = mask.expand(sizes.heads, *mask.shape)
            looks = torch.baddbmm(every, q, k.transpose(1, 2), alpha=sizes.head**-0.5)
            mixed.append((looks.softmax(-1) @ v).transpose(0, 1).reshape(len(mask), sizes.hidden))
            begin = end
        x = x + self.product(OUTPUT, torch.cat(mixed).to(KIND)).float()
        normed = norm(x, self.norms[1], sizes.epsilon).to(KIND)
        gated = functional.silu(self.product(GATE, normed)) * self.product(UP, normed)
        return x + self.product(DOWN, gated).float()


class Adapted(nn.Module):  # type: ignore[misc]
    """The top layers with their changes, and the heads."""

    def __init__(self, model: GgufFile, first: int, rank: int) -> None:
        super().__init__()
        sizes = model.sizes
        self.sizes = sizes
        self.layers = nn.ModuleList(Layer(model, n, rank) for n in range(first, sizes.layers))
        self.last_norm = torch.from_numpy(model.last_norm)
        self.heads = nn.Linear(2 * sizes.hidden + BESIDE, len(HEADS))
        nn.init.zeros_(self.heads.weight)
        nn.init.zeros_(self.heads.bias)
        self.drop = nn.Dropout(DROPPED)

    def forward(self, x: Tensor, batch: Batch, beside: Tensor) -> Tensor:
        """A row of heads for each filler; ``x`` is what the frozen layers below say."""
        turn = turning(batch.places, self.sizes)
        for layer in self.layers:
            x = layer(x, turn, batch.masks)
        x = norm(x, self.last_norm, self.sizes.epsilon)
        rows: list[Any] = []
        begin = 0
        for size, spans in zip(batch.sizes, batch.spans, strict=True):
            for own, after, end in spans:
                middle = x[begin + own : begin + after].mean(0)
                rows.append(torch.cat([middle, x[begin + end - 1]]))
            begin += size
        return self.heads(torch.cat([self.drop(torch.stack(rows)) / STATES, beside], 1))


def norm(x: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon) * weight


def turning(places: Tensor, sizes: Sizes) -> tuple[Tensor, Tensor]:
    """Cosine and sine of the angles of each place."""
    speed = sizes.turn ** (-torch.arange(0, sizes.head, 2).float() / sizes.head)
    angle = places.float()[:, None, None] * speed
    return angle.cos(), angle.sin()


def turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Pairs of neighbouring numbers, turned by their place."""
    (cos, sin), (one, other) = turn, (x[..., ::2], x[..., 1::2])
    return torch.stack([one * cos - other * sin, one * sin + other * cos], -1).flatten(-2)
