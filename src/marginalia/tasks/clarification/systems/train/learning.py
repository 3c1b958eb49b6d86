"""How the network learns: batches, losses, and the running mean of its weights; needs torch."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.training_log import Course
from marginalia.nlp.encoder import english
from marginalia.nlp.training.learner import Learner, mixed, warmed
from marginalia.tasks.clarification.systems.inputs import MARKS, marks_of
from marginalia.tasks.clarification.systems.train.examples import Context, Example, make_example
from marginalia.tasks.clarification.systems.word_vectors import word_vectors

log = logging.getLogger(__name__)

SEED = 0
BATCH = 8
RATE, HEAD_RATE, LAYER_DECAY = 1.5e-4, 5e-4, 0.9
"""The lower a layer, the more slowly it changes."""
LOSSES = (1.0, 0.5, 0.5, 0.4, 0.4)
"""How much each head counts, in the order of HEADS."""


def train_network(
    examples: Sequence[Context],
    network: Any,
    epochs: int,
    keep: Path | None = None,
    *,
    tokenizer: Any = None,
    seed: int = SEED,
    course: Course | None = None,
) -> Any:
    """The running mean of the weights. With ``keep``, it is also written there after each epoch."""
    import torch

    random = Random(seed)  # noqa: S311
    total = epochs * -(-len(examples) // BATCH)
    learner = Learner(
        network,
        parameter_groups(network),
        warmed(total, 0.06),
        course=course,
        total=total,
    )
    for number in range(1, epochs + 1):
        network.train()
        losses = []
        with torch.device(course.device if course else "cpu"):
            for part in learner.due(batches(examples, random, tokenizer)):
                losses.append(learner.learn(loss(network, part)))
                if learner.step % 100 == 0 and course is None:
                    log.info(f"step {learner.step} of {total}: loss {np.mean(losses[-100:]):.3f}")
        if losses:  # none where a training goes on after this epoch
            log.info(f"epoch {number} of {epochs}: loss {np.mean(losses):.3f}")
        if keep is not None:
            torch.save(learner.mean.state_dict(), keep)
    return learner.finish()


def parameter_groups(network: Any) -> list[dict[str, Any]]:
    layers = len(network.layers)
    groups: dict[tuple[float, float], list[Any]] = {}
    for name, parameter in network.named_parameters():
        rate = HEAD_RATE
        if name.startswith("layers."):
            rate = RATE * LAYER_DECAY ** (layers - 1 - int(name.split(".")[1]))
        elif name.startswith(("places", "kinds", "norm")):
            rate = RATE * LAYER_DECAY**layers
        groups.setdefault((rate, 0.0 if parameter.ndim < 2 else 0.01), []).append(parameter)
    return [
        {"params": parameters, "lr": rate, "weight_decay": decay}
        for (rate, decay), parameters in groups.items()
    ]


def batches(
    examples: Sequence[Context], random: Random, tokenizer: Any = None
) -> Iterator[list[Example]]:
    """One epoch: contexts of about the same length together, in random order; by default for the shared encoder."""
    marks = MARKS if tokenizer is None else marks_of(tokenizer)
    tokenizer = tokenizer or english().tokenizer
    for part in mixed(examples, lambda one: one.size, count=BATCH, mix=100, random=random):
        yield [make_example(context, tokenizer, random, marks) for context in part]


def tensors(examples: Sequence[Example], *, own: bool = False) -> dict[str, Any]:
    """The inputs of the network for some contexts, padded; with ``own`` word vectors it takes the pieces."""
    import torch

    packs = [example.packed for example in examples]
    count, size = len(packs), max(len(packed.pieces) for packed in packs)
    fillers = max(len(packed.spans) for packed in packs)
    pieces, places, kinds = (np.zeros((count, size), dtype=np.int64) for _ in range(3))
    mask = np.full((count, size, size), -1e4, dtype=np.float32)
    spans = np.zeros((count, fillers, size), dtype=np.float32)
    for row, packed in enumerate(packs):
        length = len(packed.pieces)
        pieces[row, :length], places[row, :length] = packed.pieces, packed.places
        kinds[row, :length] = packed.kinds
        mask[row, :length, :length] = packed.mask
        mask[row, length:, 0] = 0  # a piece of the padding has to look somewhere
        spans[row, : len(packed.spans), :length] = packed.spans
    made = {
        "words": pieces if own else word_vectors()(pieces),
        "places": places,
        "kinds": kinds,
        "mask": mask,
        "gap": np.array([packed.gap for packed in packs]),
        "spans": spans,
    }
    return {name: torch.as_tensor(array) for name, array in made.items()}


def loss(network: Any, examples: Sequence[Example]) -> Any:
    """The weighted sum of the heads' losses; what is not known does not count."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

    found = network(**tensors(examples, own=network.words is not None))
    wanted = torch.full_like(found, torch.nan)
    for row, example in enumerate(examples):
        wanted[row, : len(example.wanted)] = torch.as_tensor(example.wanted)
    total = torch.zeros(())
    for head, weight in enumerate(LOSSES):
        known = ~wanted[..., head].isnan()
        if known.any():
            measure = binary_cross_entropy_with_logits if head in (1, 2) else mse_loss
            total = total + weight * measure(found[..., head][known], wanted[..., head][known])
    return total
