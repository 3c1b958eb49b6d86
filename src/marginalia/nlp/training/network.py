"""Layers of a shared encoder in torch, alone and with a head."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer

from marginalia.nlp.encoder import Encoder
from marginalia.nlp.training.layers import EPSILON, HEADS, read_layers

HIDDEN, DROP = 128, 0.3


def config_of(encoder: Encoder, **more: float) -> BertConfig:
    return BertConfig(
        hidden_size=encoder.width,
        num_attention_heads=HEADS,
        num_hidden_layers=encoder.last,
        intermediate_size=4 * encoder.width,
        layer_norm_eps=EPSILON,
        attn_implementation="eager",
        **more,
    )


def tunable(encoder: Encoder, layers: range, config: BertConfig) -> nn.ModuleList:
    """Layers of a shared encoder, counted from 1, as they ship."""
    found = nn.ModuleList()
    for weights in read_layers(encoder.folder, int(encoder.manifest["cut"]), layers):
        layer = BertLayer(config)
        layer.load_state_dict({name: torch.tensor(value) for name, value in weights.items()})
        found.append(layer)
    return found


def passed(layers: nn.ModuleList, states: Tensor, there: Tensor) -> Tensor:
    """What the layers make of the vectors of texts; ``there`` is 1 for the tokens that are not padding."""
    hidden = (1 - there)[:, None, None] * -1e4
    for layer in layers:
        states = layer(states, hidden)
        if isinstance(states, tuple):  # up to transformers 4
            states = states[0]
    return states


def span_head(width: int) -> nn.Sequential:
    """A number for two vectors of a span."""
    return nn.Sequential(
        nn.LayerNorm(2 * width),
        nn.Dropout(DROP),
        nn.Linear(2 * width, HIDDEN),
        nn.GELU(),
        nn.Dropout(DROP),
        nn.Linear(HIDDEN, 1),
    )


def begin_with(head: nn.Sequential, value: float) -> None:
    """Let a head say this of every span before it has learned."""
    nn.init.zeros_(head[-1].weight)
    nn.init.constant_(head[-1].bias, value)


class Network(nn.Module):  # type: ignore[misc]
    """Layers of an encoder, and a head on a span's mean vector before and after them."""

    def __init__(self, encoder: Encoder, layers: range) -> None:
        super().__init__()
        self.layers = tunable(encoder, layers, config_of(encoder))
        self.head = span_head(encoder.width)

    def forward(self, vectors: Tensor, inside: Tensor, there: Tensor) -> Tensor:
        share = (inside / inside.sum(1, keepdim=True).clamp(min=1))[:, None]
        above = passed(self.layers, vectors, there)
        return self.head(torch.cat([share @ vectors, share @ above], dim=-1))[:, 0, 0]


class Alone(nn.Module):  # type: ignore[misc]
    """The network for one spot, all of whose tokens are there."""

    def __init__(self, network: Network, *, chance: bool) -> None:
        super().__init__()
        self.network, self.chance = network, chance

    def forward(self, vectors: Tensor, inside: Tensor) -> Tensor:
        found = self.network(vectors, inside, torch.ones_like(inside))
        return found.sigmoid() if self.chance else found
