"""Spans with numbers, learned by a whole pretrained encoder or by layers of the shared one; needs ``marginalia[train]``.

What is below the layers of the shared encoder stays as it ships, so a text is read once for all epochs. They start from the
shipped weights, so nothing has to be downloaded.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.training_log import Course, Trained
from marginalia.nlp.encoder import Encoder
from marginalia.nlp.span_regressor import GRAPH, TOKENIZER, Seen, Spot, Tuned, look
from marginalia.nlp.training.export import fuse, quantise
from marginalia.nlp.training.learner import Learner, mixed, warmed
from marginalia.nlp.training.pretrained import set_up
from marginalia.nlp.training.tracing import trace
from marginalia.nlp.training.whole import Whole, hidden_states

SEED = 0
BATCH_SPOTS, MIX = 32, 10
LAYERS_RATE, WHOLE_RATE, HEAD_RATE, DECAY = 1e-4, 2e-5, 1e-3, 0.01


def train_spans(
    course: Course,
    tuned: Tuned,
    spots: Sequence[Spot],
    wanted: Sequence[float],
    weights: Sequence[float],
) -> Trained:
    """The graph that gives the number of a spot, for the system of a course."""
    epochs = course.epochs or tuned.epochs
    facts: dict[str, Any] = {"epochs": epochs}
    if course.base is None:
        set_up(course)
        tuned.epochs = epochs
        files = {GRAPH: tune(tuned, spots, wanted, weights, seed=course.seed, course=course)}
    else:
        whole = Whole(course)
        network = span_network(whole.model, float(np.mean(wanted)), chance=tuned.chance)
        examples = [look(whole.tokenizer, spot, whole.max_tokens) for spot in spots]
        learned = learn(
            network.to(course.device),
            [(network.encoder, WHOLE_RATE), (network.head, HEAD_RATE)],
            examples,
            wanted,
            weights,
            tuned.chance,
            epochs,
            seed=course.seed,
            course=course,
        ).to("cpu")
        files = {
            GRAPH: whole_graph(learned, chance=tuned.chance),
            TOKENIZER: whole.tokenizer_json,
        }
        facts["max_tokens"] = whole.max_tokens
    return Trained(files=files, systems=(course.system,), facts=facts)


def tune(
    tuned: Tuned,
    spots: Sequence[Spot],
    wanted: Sequence[float],
    weights: Sequence[float],
    *,
    seed: int = SEED,
    course: Course | None = None,
) -> bytes:
    """A graph that gives the ``score`` of what is seen of a spot. A spot counts by its weight."""
    import torch

    from marginalia.nlp.training.network import Network, begin_with

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(seed)
    network = Network(tuned.encoder, tuned.layers)
    begin_with(network.head, 0.0 if tuned.chance else float(np.mean(wanted)))
    learned = learn(
        network,
        [(network.layers, LAYERS_RATE), (network.head, HEAD_RATE)],
        read(tuned, spots),
        wanted,
        weights,
        tuned.chance,
        tuned.epochs,
        seed=seed,
        course=course,
    )
    return layers_graph(learned, chance=tuned.chance)


def learn(
    network: Any,
    rates: Sequence[tuple[Any, float]],
    examples: Sequence[tuple[Any, Any]],
    wanted: Sequence[float],
    weights: Sequence[float],
    chance: bool,
    epochs: int,
    *,
    seed: int,
    course: Course | None,
) -> Any:
    """The network after its training. An example is what stands for the tokens, and 1 for those of its span."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

    device = "cpu" if course is None else course.device
    measure = binary_cross_entropy_with_logits if chance else mse_loss
    targets, counts = (
        torch.tensor(np.array(each, np.float32), device=device) for each in (wanted, weights)
    )
    total = epochs * -(-len(examples) // BATCH_SPOTS)
    groups = [
        {"params": part.parameters(), "lr": rate, "weight_decay": DECAY} for part, rate in rates
    ]
    learner = Learner(network, groups, warmed(total, 0.1), course=course, total=total)
    random = Random(seed)  # noqa: S311
    network.train()
    for _ in range(epochs):
        parts = mixed(
            range(len(examples)),
            lambda place: len(examples[place][1]),
            count=BATCH_SPOTS,
            mix=MIX,
            random=random,
        )
        for part in learner.due(parts):
            given = [each.to(device) for each in padded([examples[place] for place in part])]
            error = measure(network(*given), targets[part], reduction="none")
            learner.learn((error * counts[part]).mean())
    return learner.finish()


def padded(rows: Sequence[tuple[Any, Any]]) -> tuple[Any, Any, Any]:
    """Vectors or ids of tokens, which of them are in the span, and which are there at all."""
    import torch

    size, first = max(len(inside) for _, inside in rows), rows[0][0]
    kind = np.int64 if first.dtype == np.int64 else np.float32
    tokens = np.zeros((len(rows), size, *first.shape[1:]), dtype=kind)
    inside = np.zeros((len(rows), size), dtype=np.float32)
    there = np.zeros((len(rows), size), dtype=np.int64)
    for place, (own, within) in enumerate(rows):
        count = len(within)
        tokens[place, :count], inside[place, :count], there[place, :count] = own, within, 1
    return torch.from_numpy(tokens), torch.from_numpy(inside), torch.from_numpy(there)


def read(tuned: Tuned, spots: Sequence[Spot]) -> list[Seen]:
    """What is seen of each spot, in half precision; kept, since folds share their spots."""
    kept = _kept(tuned.encoder, tuned.layers[0])
    new = [spot for spot in dict.fromkeys(spots) if spot not in kept]
    for spot, seen in zip(new, tuned.look(new), strict=True):
        kept[spot] = Seen(seen.vectors.astype(np.float16), seen.inside)
    return [kept[spot] for spot in spots]


@cache
def _kept(encoder: Encoder, layer: int) -> dict[Spot, Seen]:
    return {}


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


def layers_graph(network: Any, *, chance: bool) -> bytes:
    """The graph of one spot."""
    import torch

    from marginalia.nlp.training.network import Alone

    width = network.head[0].normalized_shape[0] // 2
    inputs = {name: {1: "tokens"} for name in Seen._fields}
    example = torch.rand(1, 24, width), torch.ones(1, 24)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tuned.onnx"
        trace(Alone(network, chance=chance), example, path, inputs, {"score": {}})
        return path.read_bytes()


def whole_graph(network: Any, *, chance: bool) -> bytes:
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
