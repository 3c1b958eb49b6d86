"""How the network learns: contexts with their fillers and ratings, batches, losses, and the running mean of its weights;
needs torch.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.benchmark import Split
from marginalia.core.training_log import Course
from marginalia.nlp.encoder import english
from marginalia.nlp.training.learner import Learner, mixed, warmed
from marginalia.tasks.clarification.official.data import Item, sentence_of
from marginalia.tasks.clarification.systems.passes import (
    CENTRE,
    HEADS,
    MARKS,
    SPREAD,
    Floats,
    Packed,
    marks_of,
    pack,
)
from marginalia.tasks.clarification.systems.word_vectors import word_vectors

LM_CENTRE, LM_SPREAD, AFTER_SPREAD = -9.0, 4.0, 3.0
FURTHER = 6
"""Words of the language model beside the rated fillers of a context, others in each epoch."""
log = logging.getLogger(__name__)
SEED = 0
BATCH = 8
RATE, HEAD_RATE, LAYER_DECAY = 1.5e-4, 5e-4, 0.9
"""The lower a layer, the more slowly it changes."""
LOSSES = (1.0, 0.5, 0.5, 0.4, 0.4)
"""How much each head counts, in the order of HEADS."""


@dataclass(frozen=True, slots=True)
class Context:
    """The fillers of a sentence with their mean ratings, where they are known."""

    item: Item
    fillers: tuple[str, ...]
    ratings: tuple[float, ...]
    taught: Mapping[str, Any] | None = None

    @property
    def size(self) -> int:
        """About how long it is, in characters: enough to sort by."""
        item = self.item
        return min(500, sum(map(len, (item.title, item.previous, item.sentence, item.followup))))


@dataclass(frozen=True, slots=True)
class Example:
    """A packed context and what the heads should say: a row for each filler, NaN for the unknown."""

    packed: Packed
    wanted: Floats


def contexts(split: Split, taught: Mapping[str, Any]) -> list[Context]:
    gold = split.require_gold()
    parts: dict[str, list[str]] = {}
    for id in split.items:
        parts.setdefault(sentence_of(id), []).append(id)
    return [
        Context(
            item=split.items[ids[0]],
            fillers=tuple(split.items[id].filler for id in ids),
            ratings=tuple(gold[id].score for id in ids),
            taught=taught.get(sentence),
        )
        for sentence, ids in parts.items()
    ]


def make_example(
    context: Context, tokenizer: Any, random: Random, marks: tuple[int, int, int] = MARKS
) -> Example:
    fillers = list(context.fillers)
    wanted = [targets(rating) for rating in context.ratings]
    if context.taught is not None:
        known = context.taught["fillers"]
        mean = float(np.mean([known[filler][1] for filler in fillers]))
        for row, filler in zip(wanted, fillers, strict=True):
            own, after, _ = known[filler]
            row[3], row[4] = (own - LM_CENTRE) / LM_SPREAD, (after - mean) / AFTER_SPREAD
        words = context.taught["words"]
        for word in random.sample(sorted(words), min(FURTHER, len(words))):
            fillers.append(word)
            row = np.full(len(HEADS), np.nan, dtype=np.float32)
            row[3] = (words[word] - LM_CENTRE) / LM_SPREAD
            wanted.append(row)
    return Example(pack(context.item, fillers, tokenizer, marks), np.clip(np.stack(wanted), -4, 4))


def targets(rating: float) -> Floats:
    """What the heads should say of a filler with this mean rating."""
    row = np.full(len(HEADS), np.nan, dtype=np.float32)
    row[:3] = (rating - CENTRE) / SPREAD, rating > 2.5, rating >= 4
    return row


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

    predicted = network(**tensors(examples, own=network.words is not None))
    wanted = torch.full_like(predicted, torch.nan)
    for row, example in enumerate(examples):
        wanted[row, : len(example.wanted)] = torch.as_tensor(example.wanted)
    total = torch.zeros(())
    for head, weight in enumerate(LOSSES):
        known = ~wanted[..., head].isnan()
        if known.any():
            measure = binary_cross_entropy_with_logits if head in (1, 2) else mse_loss
            total = total + weight * measure(predicted[..., head][known], wanted[..., head][known])
    return total
