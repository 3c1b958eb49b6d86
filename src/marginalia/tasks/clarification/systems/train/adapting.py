"""How the language model learns to rate fillers; needs torch, and ``marginalia[lm]``.

    python -m marginalia.tasks.clarification.systems.train.adapting --out FOLDER [--data DIR] [--epochs N]

The lower layers are frozen: what they say of a gap is computed once, with the likelihoods of the model as it is. Then
small changes of the upper layers learn the mean rating, whether it lies above the bounds of the classes, and which of
two fillers of the same gap was rated higher. A fifth of the articles is left out, among them those that the network of
``recipe.py`` has not seen either: on these the last step learns how far to trust both.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import data_folder
from marginalia.nlp.lm.gguf_file import GgufFile
from marginalia.nlp.lm.model import find_model, require_known
from marginalia.nlp.training.learner import Learner, mixed, warmed
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.weights import write_weights
from marginalia.tasks.clarification.systems.adapters import (
    ADAPTERS_FILE,
    pack_adapters,
    seen_likelihoods,
)
from marginalia.tasks.clarification.systems.language_model import Likelihood, gap_of
from marginalia.tasks.clarification.systems.passes import CENTRE, SPREAD
from marginalia.tasks.clarification.systems.train.learning import Context, contexts

log = logging.getLogger(__name__)

FOLDS = 5
"""One of them is left out; it has the tenth that the network leaves out, too."""
FIRST, RANK = 20, 8
"""The first layer that is changed, and how thin the changes are."""
EPOCHS, BATCH, SEED = 3, 4, 0
RATE, HEAD_RATE, DECAY = 5e-4, 2e-3, 0.01
BOUNDS, PAIRS = 0.3, 0.5
"""How much the bounds of the classes count, and the order within a gap."""
APART = 0.4
"""Ratings that differ by less are no pair."""
STRENGTH = 20.0
"""Of the ridge regression from which the heads begin: the likelihoods alone."""
TARGETS = 4.0
"""What log odds of a class are at first taken to be: half of this above or below 0."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A gap as the frozen layers see it."""

    lower: Any
    places: Any
    mask: Any
    spans: tuple[tuple[int, int, int], ...]
    beside: Any
    ratings: tuple[float, ...]


def prepare(model: GgufFile, given: Sequence[Context], first: int = FIRST) -> Iterator[Prepared]:
    """Each context through the model as it is, with the states before the layer ``first`` kept in fp16."""
    import torch
    from torch.nn import functional

    from marginalia.tasks.clarification.systems.train.adapted_network import Layer, norm, turning

    words = torch.from_numpy(model.words)
    layers = [Layer(model, number) for number in range(model.sizes.layers)]
    last = torch.from_numpy(model.last_norm)

    def tokens(text: str) -> list[int]:
        return list(model.tokenizer.encode(text, add_special_tokens=False).ids)

    for done, context in enumerate(given, 1):
        gap = gap_of(context.item, context.fillers, tokens)
        ids = [model.sizes.begin, *gap.prefix, *(t for branch in gap.branches for t in branch)]
        before = 1 + len(gap.prefix)
        sizes = [before, *map(len, gap.branches)]
        owner = torch.repeat_interleave(torch.arange(-1, len(sizes) - 1), torch.tensor(sizes))
        order = torch.arange(len(ids))
        sees = (order[:, None] >= order) & ((owner == -1) | (owner[:, None] == owner))
        mask = torch.where(sees, 0.0, -1e9)
        places = torch.cat([torch.arange(before), *(before + torch.arange(n) for n in sizes[1:])])
        ends = np.cumsum(sizes).tolist()
        spans = tuple(
            (begin, begin + len(filler), end)
            for begin, end, filler in zip(ends[:-1], ends[1:], gap.fillers, strict=True)
        )
        with torch.inference_mode():
            x, turn = words[ids], turning(places, model.sizes)
            for number, layer in enumerate(layers):
                if number == first:
                    lower = x.half()
                x = layer(x, turn, [mask])
            states = norm(x[before - 1 :], last, model.sizes.epsilon).to(torch.bfloat16)
            chances = (
                functional.linear(states, words.to(torch.bfloat16)).float().log_softmax(-1).numpy()
            )
        found = []
        for begin, after, end in spans:
            rows = [0, *range(begin - before + 1, end - before)][: end - begin]
            each = chances[rows, ids[begin:end]]
            own = after - begin
            found.append(Likelihood(float(each[:own].sum()), float(each[own:].sum()), own))
        beside = torch.from_numpy(seen_likelihoods(found, context.item.phenomenon))
        yield Prepared(lower.clone(), places, mask, spans, beside, context.ratings)
        if done % 200 == 0:
            log.info(f"{done} of {len(given)} gaps read")


def heads(network: Any, gaps: Sequence[Prepared]) -> Any:
    import torch

    from marginalia.tasks.clarification.systems.train.adapted_network import Batch

    batch = Batch(
        torch.cat([gap.places for gap in gaps]),
        [gap.mask for gap in gaps],
        [gap.spans for gap in gaps],
    )
    lower = torch.cat([gap.lower for gap in gaps]).float()
    return network(lower, batch, torch.cat([gap.beside for gap in gaps]))


def loss(network: Any, gaps: Sequence[Prepared]) -> Any:
    import torch
    from torch.nn import functional

    predicted = heads(network, gaps)
    gold = torch.tensor([rating for gap in gaps for rating in gap.ratings])
    total = functional.mse_loss(predicted[:, 0], (gold - CENTRE) / SPREAD)
    for column, above in ((1, gold > 2.5), (2, gold >= 4)):
        total = total + BOUNDS * functional.binary_cross_entropy_with_logits(
            predicted[:, column], above.float()
        )
    pairs = []
    begin = 0
    for gap in gaps:
        end = begin + len(gap.ratings)
        scores, ratings = predicted[begin:end, 0], gold[begin:end]
        apart = ratings[:, None] - ratings
        one, other = torch.where(apart > APART)
        if len(one):
            each = functional.softplus(-2 * (scores[one] - scores[other])) * apart[one, other]
            pairs.append(each.mean())
        begin = end
    return total + PAIRS * torch.stack(pairs).mean() if pairs else total


def begin_with_likelihoods(network: Any, gaps: Sequence[Prepared]) -> None:
    """Let the heads begin as a ridge regression on what they see beside the states."""
    import torch

    x = torch.cat([gap.beside for gap in gaps]).double()
    gold = torch.tensor([rating for gap in gaps for rating in gap.ratings]).double()
    bounds = [TARGETS * (above.double() - 0.5) for above in (gold > 2.5, gold >= 4)]
    wanted = torch.stack([(gold - CENTRE) / SPREAD, *bounds], 1)
    square = x.T @ x + STRENGTH * torch.eye(x.shape[1]).double()
    with torch.no_grad():
        network.heads.weight[:, -x.shape[1] :] = torch.linalg.solve(square, x.T @ wanted).T.float()


def train_adapters(model: GgufFile, gaps: Sequence[Prepared], epochs: int = EPOCHS) -> bytes:
    """The file of adapters, of the running mean of the weights."""
    import torch

    from marginalia.tasks.clarification.systems.train.adapted_network import Adapted

    torch.manual_seed(SEED)
    network = Adapted(model, FIRST, RANK)
    begin_with_likelihoods(network, gaps)
    random = Random(SEED)  # noqa: S311
    total = epochs * -(-len(gaps) // BATCH)
    groups = [
        {"params": list(part.parameters()), "lr": rate, "weight_decay": DECAY}
        for part, rate in ((network.layers, RATE), (network.heads, HEAD_RATE))
    ]
    learner = Learner(
        network,
        groups,
        warmed(total, 0.05),
    )
    losses = []
    for _ in range(epochs):
        network.train()
        for part in mixed(gaps, lambda gap: len(gap.mask), count=BATCH, mix=30, random=random):
            losses.append(learner.learn(loss(network, part)))
            if learner.step % 100 == 0:
                log.info(f"step {learner.step} of {total}: loss {np.mean(losses[-100:]):.4f}")
    return packed(learner.mean)


def packed(network: Any) -> bytes:
    """The adapters of a network as they ship."""
    from marginalia.tasks.clarification.systems.train.adapted_network import SCALE

    first = network.sizes.layers - len(network.layers)
    factors = {
        first + place: {
            name: (
                layer.narrow[name].detach().numpy(),
                SCALE * layer.wide[name].detach().numpy().T,
            )
            for name in layer.frozen
        }
        for place, layer in enumerate(network.layers)
    }
    weights, bias = (each.detach().numpy() for each in network.heads.parameters())
    return pack_adapters(factors, weights, bias)


def adapt(split: Split, model: GgufFile, epochs: int = EPOCHS) -> bytes:
    """Adapters that have seen four fifths of a split."""
    import torch

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    learned, _ = next(split.folds(FOLDS))
    given = contexts(learned, {})
    Random(SEED).shuffle(given)  # noqa: S311
    return train_adapters(model, list(prepare(model, given)), epochs)


def main() -> None:
    from marginalia.tasks.clarification.official.data import load

    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the weights")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    arguments = parser.parse_args()
    split = load("train", data_folder(arguments.data))
    model = GgufFile(require_known(find_model()))
    write_weights(arguments.out, {ADAPTERS_FILE: adapt(split, model, arguments.epochs)})


if __name__ == "__main__":
    main()
