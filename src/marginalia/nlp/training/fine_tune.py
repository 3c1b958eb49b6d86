"""How layers of a shared encoder are tuned to give a number for a span; needs ``marginalia[train]``.

What is below them stays as it ships, so a text is read once for all epochs. They start from the shipped
weights, so nothing has to be downloaded.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.training_log import Course
from marginalia.nlp.encoder import Encoder
from marginalia.nlp.span_regressor import Seen, Spot, Tuned
from marginalia.nlp.training.learner import Learner, mixed, warmed
from marginalia.nlp.training.tracing import trace

log = logging.getLogger(__name__)

SEED = 0
BATCH_SPOTS, MIX = 32, 10
RATE, HEAD_RATE, DECAY = 1e-4, 1e-3, 0.01


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
    from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

    from marginalia.nlp.training.network import Network, begin_with

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(seed)
    network = Network(tuned.encoder, tuned.layers)
    begin_with(network.head, 0.0 if tuned.chance else float(np.mean(wanted)))
    measure = binary_cross_entropy_with_logits if tuned.chance else mse_loss
    seen = read(tuned, spots)
    targets, counts = (torch.tensor(np.array(each, np.float32)) for each in (wanted, weights))
    random = Random(seed)  # noqa: S311
    places = range(len(seen))

    def size(place: int) -> int:
        return len(seen[place].inside)

    total = tuned.epochs * -(-len(spots) // BATCH_SPOTS)
    learner = Learner(
        network,
        [
            {"params": network.layers.parameters(), "lr": RATE, "weight_decay": DECAY},
            {"params": network.head.parameters(), "lr": HEAD_RATE, "weight_decay": DECAY},
        ],
        warmed(total, 0.1),
        course=course,
        total=total,
    )
    for number in range(1, tuned.epochs + 1):
        network.train()
        losses = []
        for part in learner.due(mixed(places, size, count=BATCH_SPOTS, mix=MIX, random=random)):
            found = network(*padded([seen[place] for place in part]))
            error = measure(found, targets[part], reduction="none")
            losses.append(learner.learn((error * counts[part]).mean()))
        if losses:  # none where a training goes on after this epoch
            log.info(f"epoch {number} of {tuned.epochs}: loss {np.mean(losses):.4f}")
    return to_onnx(learner.finish(), chance=tuned.chance)


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


def padded(rows: Sequence[Seen]) -> tuple[Any, Any, Any]:
    """Vectors, which tokens are in the span, and which are there at all."""
    import torch

    size = max(len(row.inside) for row in rows)
    vectors = np.zeros((len(rows), size, rows[0].vectors.shape[1]), dtype=np.float32)
    inside, there = (np.zeros((len(rows), size), dtype=np.float32) for _ in range(2))
    for place, row in enumerate(rows):
        count = len(row.inside)
        vectors[place, :count], inside[place, :count], there[place, :count] = *row, 1
    return torch.from_numpy(vectors), torch.from_numpy(inside), torch.from_numpy(there)


def to_onnx(network: Any, *, chance: bool) -> bytes:
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
