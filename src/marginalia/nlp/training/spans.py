"""Spans with numbers, learned by a whole pretrained encoder or by layers of the shared one; needs ``marginalia[train]``."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.training_log import Course, Trained
from marginalia.nlp.span_regressor import GRAPH, TOKENIZER, Spot, Tuned, look
from marginalia.nlp.training.export import fuse, quantise
from marginalia.nlp.training.learner import Learner, mixed, warmed
from marginalia.nlp.training.pretrained import set_up
from marginalia.nlp.training.tracing import trace
from marginalia.nlp.training.whole import Whole, hidden_states

BATCH_SPOTS, MIX = 32, 10
RATE, HEAD_RATE, DECAY = 2e-5, 1e-3, 0.01


def train_spans(
    course: Course,
    tuned: Tuned,
    spots: Sequence[Spot],
    wanted: Sequence[float],
    weights: Sequence[float],
) -> Trained:
    """The graph that gives the number of a spot, for the system of a course."""
    epochs = course.epochs or tuned.epochs
    if course.base is None:
        from marginalia.nlp.training.fine_tune import tune

        set_up(course)
        tuned.epochs = epochs
        graph = tune(tuned, spots, wanted, weights, seed=course.seed, course=course)
        return Trained(files={GRAPH: graph}, systems=(course.system,), facts={"epochs": epochs})
    whole = Whole(course)
    network = span_network(whole.model, float(np.mean(wanted)), chance=tuned.chance)
    network = network.to(course.device)
    found = _learn(course, whole, network, tuned, spots, wanted, weights, epochs).to("cpu")
    files = {GRAPH: _to_onnx(found, chance=tuned.chance), TOKENIZER: whole.tokenizer_json}
    facts = {"max_tokens": whole.max_tokens, "epochs": epochs}
    return Trained(files=files, systems=(course.system,), facts=facts)


def span_network(model: Any, mean: float, *, chance: bool) -> Any:
    """The encoder, and a head on the mean vector of a span."""
    import torch
    from torch import nn

    from marginalia.nlp.training.network import begin_with, span_head

    class SpanNetwork(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.encoder = model
            self.head = span_head(model.config.hidden_size)
            begin_with(self.head, 0.0 if chance else mean)

        def forward(self, ids: Any, inside: Any, there: Any) -> Any:
            states = hidden_states(self.encoder, ids, there)
            share = (inside / inside.sum(1, keepdim=True).clamp(min=1))[:, None]
            seen = torch.cat([share @ states, states[:, :1]], dim=-1)
            return self.head(seen)[:, 0, 0]

    return SpanNetwork()


def _learn(
    course: Course,
    whole: Whole,
    network: Any,
    tuned: Tuned,
    spots: Sequence[Spot],
    wanted: Sequence[float],
    weights: Sequence[float],
    epochs: int,
) -> Any:
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

    measure = binary_cross_entropy_with_logits if tuned.chance else mse_loss
    seen = [look(whole.tokenizer, spot, whole.max_tokens) for spot in spots]
    targets, counts = (
        torch.tensor(np.array(each, np.float32), device=course.device) for each in (wanted, weights)
    )
    total = epochs * -(-len(spots) // BATCH_SPOTS)
    learner = Learner(
        network,
        [
            {"params": network.encoder.parameters(), "lr": RATE, "weight_decay": DECAY},
            {"params": network.head.parameters(), "lr": HEAD_RATE, "weight_decay": DECAY},
        ],
        warmed(total, 0.1),
        course=course,
        total=total,
    )
    random = Random(course.seed)  # noqa: S311
    network.train()
    for _ in range(epochs):
        parts = mixed(
            range(len(seen)),
            lambda place: len(seen[place][0]),
            count=BATCH_SPOTS,
            mix=MIX,
            random=random,
        )
        for part in learner.due(parts):
            given = [each.to(course.device) for each in _padded([seen[place] for place in part])]
            error = measure(network(*given), targets[part], reduction="none")
            learner.learn((error * counts[part]).mean())
    return learner.finish()


def _padded(rows: Sequence[tuple[Any, Any]]) -> tuple[Any, Any, Any]:
    """Ids, which tokens are in the span, and which are there at all."""
    import torch

    size = max(len(ids) for ids, _ in rows)
    ids, there = (np.zeros((len(rows), size), dtype=np.int64) for _ in range(2))
    inside = np.zeros((len(rows), size), dtype=np.float32)
    for place, (own, within) in enumerate(rows):
        count = len(own)
        ids[place, :count], inside[place, :count], there[place, :count] = own, within, 1
    return torch.from_numpy(ids), torch.from_numpy(inside), torch.from_numpy(there)


def _to_onnx(network: Any, *, chance: bool) -> bytes:
    """The graph of one spot, in int8."""
    import torch
    from torch import nn

    class Alone(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, input_ids: Any, inside: Any) -> Any:
            found = self.network(input_ids, inside, torch.ones_like(input_ids))
            return found.sigmoid() if chance else found

    size = network.encoder.config.vocab_size
    example = torch.randint(0, size, (1, 24)), torch.ones(1, 24)
    axes = {"input_ids": {1: "tokens"}, "inside": {1: "tokens"}}
    with tempfile.TemporaryDirectory() as folder:
        traced, fused, whole = (
            Path(folder) / f"{name}.onnx" for name in ("traced", "fused", "int8")
        )
        trace(Alone(), example, traced, axes, {"score": {}})
        if network.encoder.config.model_type == "bert":
            fuse(traced, fused, network.encoder.config)
            traced = fused
        quantise(traced, whole)
        return whole.read_bytes()
