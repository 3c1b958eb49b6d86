"""Fine-tuning for similarity: the cosine of two sentence vectors shall follow the ratings inside each source.

The loss is 1 - Pearson in batches of pairs of one source, and sources are drawn by the root of their size: their raters
used the scale each in their own way, so scores of two sources cannot be compared. At the end the running mean of the
weights is averaged with where they began, which keeps what the encoder knew of kinds of text that no source has.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.training_log import Course
from marginalia.nlp.training.learner import Learner
from marginalia.tasks.similarity.systems.train.recipe import Labelled

STEPS, BATCH_PAIRS = 240, 24
WARM_STEPS = 20
DECAY, CHUNK_TEXTS = 0.01, 16
RANDOM_PAIRS = 1000
SHARE = 0.5
"""What the trained weights count against those at the start."""

Encode = Callable[[Any, Sequence[str]], Any]
"""``encode(network, texts)`` -> their unit vectors, a row for each."""


def source_of(dataset: str) -> str:
    """``2012-test/surprise.OnWN`` -> ``OnWN``: what has one name in two years is one source."""
    return dataset.rpartition("/")[2].removeprefix("surprise.")


def batches(
    rows: Labelled, steps: int, rng: np.random.Generator, size: int = BATCH_PAIRS
) -> Iterator[NDArray[np.int64]]:
    """Rows of one source each, as many times as there are steps; a source with one score only has nothing to teach."""
    kinds = np.array([source_of(name) for name in rows.sets])
    groups = [np.flatnonzero(kinds == kind) for kind in sorted(set(kinds))]
    groups = [group for group in groups if np.ptp(rows.gold[group]) > 0]
    chances = np.sqrt([len(group) for group in groups])
    for _ in range(steps):
        group = groups[rng.choice(len(groups), p=chances / chances.sum())]
        yield rng.choice(group, min(size, len(group)), replace=False)


def tune(
    rows: Labelled,
    network: Any,
    encode: Encode,
    *,
    rate: float,
    steps: int = STEPS,
    seed: int = 0,
    share: float = SHARE,
    course: Course | None = None,
) -> Any:
    """The network after the training, averaged with the one before."""
    import torch
    from torch.nn import functional

    start = copy.deepcopy(network).eval()
    network.eval()  # no dropout: the steps are few, and noise costs more than it gives
    learner = Learner(
        network,
        [{"params": list(network.parameters()), "lr": rate, "weight_decay": DECAY}],
        lambda step: min(1.0, (step + 1) / WARM_STEPS),
        course=course,
        total=steps,
    )
    device = next(network.parameters()).device
    for chosen in learner.due(batches(rows, steps, np.random.default_rng(seed))):
        pairs = [rows.pairs[row] for row in chosen]
        vectors = encode(network, [a for a, _ in pairs] + [b for _, b in pairs])
        cosines = (vectors[: len(pairs)] * vectors[len(pairs) :]).sum(1)
        gold = torch.tensor(rows.gold[chosen], dtype=torch.float32, device=device)
        # Where all scores of a batch are the same, the second vector is 0, and so are cosine and gradient.
        near = functional.cosine_similarity(cosines - cosines.mean(), gold - gold.mean(), dim=0)
        learner.learn(1 - near)
    found = learner.finish()
    with torch.no_grad():
        for kept, first in zip(found.parameters(), start.parameters(), strict=True):
            kept.lerp_(first, 1 - share)
    return found


def in_chunks(
    texts: Sequence[str], size: Callable[[str], int], read: Callable[[list[str]], Any]
) -> Any:
    """Texts of about the same length together, which leaves little padding; the rows come back in order."""
    import torch

    order = sorted(range(len(texts)), key=lambda place: size(texts[place]))
    parts = [
        read([texts[place] for place in order[begin : begin + CHUNK_TEXTS]])
        for begin in range(0, len(order), CHUNK_TEXTS)
    ]
    return torch.cat(parts)[torch.tensor(np.argsort(order))]


def scale_of(
    texts: Sequence[str], vectors: Callable[[Sequence[str]], Any], learned: float
) -> bytes:
    """The content of the file with the scale: what two sentences drawn at random have at most, but for one in six, is 0.

    No rating is used. Pairs that have nothing in common differ in their cosines, which says nothing.
    """
    chosen = np.random.default_rng(0).permutation(len(texts))[: 2 * RANDOM_PAIRS]
    found = np.asarray(vectors([texts[place] for place in chosen[: len(chosen) // 2 * 2]]))
    cosines = (found[0::2] * found[1::2]).sum(axis=1)
    unrelated = round(float(cosines.mean() + cosines.std()), 4)
    return (json.dumps({"unrelated": unrelated, "learned": learned}) + "\n").encode()
