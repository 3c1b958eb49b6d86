"""The network in torch, for training only: a recurrent layer over states of the shared encoder, and linear heads; written as ONNX."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from marginalia.annotators.unclear.kinds import KINDS, questions
from marginalia.annotators.unclear.tagger import LAYERS
from marginalia.nlp.training.export import quantise
from marginalia.nlp.training.tracing import trace

WIDTH, DROP = 256, 0.4
START = {"asked": -3.0, "begins": -4.0}
"""What the heads say of every token at first, near how rare places are."""


class Network(nn.Module):  # type: ignore[misc]
    """For each token: whether an editor asks about it and whether a place begins there; its kind; the question."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in LAYERS)
        self.narrow = nn.Linear(width * len(LAYERS), WIDTH)
        self.drop = nn.Dropout(DROP)
        self.beside = nn.GRU(WIDTH, WIDTH // 2, batch_first=True, bidirectional=True)
        self.places = nn.Linear(2 * WIDTH, len(START))
        self.kind = nn.Linear(2 * WIDTH, len(KINDS))
        self.question = nn.Linear(2 * WIDTH, len(questions()))
        with torch.no_grad():
            self.places.bias.copy_(torch.tensor(list(START.values())))

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        parts = zip(self.norms, states.chunk(len(LAYERS), -1), strict=True)
        seen = torch.cat([norm(part) for norm, part in parts], -1)
        own = self.drop(nn.functional.gelu(self.narrow(self.drop(seen))))
        found = self.drop(torch.cat([self.beside(own)[0], own], -1))
        return self.places(found), self.kind(found), self.question(found)


class Probabilities(nn.Module):  # type: ignore[misc]
    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        places, kind, question = self.network(states)
        return places.sigmoid(), kind.softmax(-1), question.softmax(-1)


def to_onnx(network: Network) -> bytes:
    """One graph, from the states of one passage to probabilities; its products are in int8."""
    axis = {1: "tokens"}
    with tempfile.TemporaryDirectory() as folder:
        traced, packed = Path(folder) / "traced.onnx", Path(folder) / "packed.onnx"
        outputs: dict[str, Any] = dict.fromkeys(("places", "kinds", "questions"), axis)
        states = torch.rand(1, 24, network.width * len(LAYERS))
        trace(Probabilities(network), (states,), traced, {"states": axis}, outputs)
        quantise(traced, packed)
        return packed.read_bytes()
