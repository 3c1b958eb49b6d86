"""How the weights were made, and how to make them again.

    python -m marginalia.annotators.unclear.train --annotation annotation/unclear [--out FOLDER] [--fold N...]

Needs ``marginalia[train]``; one thread, seeded. With ``--fold`` it leaves out each of these fifths of the articles in turn
and writes weights to FOLDER/0, FOLDER/1, …: what ``benchmarks/unclear.py`` measures with.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.annotators.unclear.kinds import KINDS, questions
from marginalia.annotators.unclear.tagger import GRAPH, LAYERS, SHIPPED, joined_states
from marginalia.annotators.unclear.train.corpus import (
    FOLDS,
    Marked,
    particular_question,
    read_marked,
)
from marginalia.nlp.encoder import Encoder, english
from marginalia.nlp.training.card import write_card
from marginalia.nlp.training.learner import Learner, mixed, warmed
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.weights import write_weights

log = logging.getLogger(__name__)

CARD = Path(__file__).parent / "card.md"
SEED = 0
EPOCHS, BATCH, MIX = 5, 16, 60
RATE, DECAY, WARM_UP = 2.5e-3, 0.01, 0.1
POSITIVE_WEIGHT = 2.0
KIND_WEIGHT, QUESTION_WEIGHT = 0.3, 0.2


@dataclass(frozen=True, slots=True)
class Example:
    """A passage as the network reads it: the states of the encoder, and for each token what is right of it."""

    states: NDArray[np.float16]
    places: NDArray[np.float32]
    """Asked, begins."""
    kinds: NDArray[np.int64]
    """-1 outside of places."""
    questions: NDArray[np.int64]


def make_example(passage: Marked, encoder: Encoder) -> Example:
    tokens = next(encoder.tokens([passage.text], LAYERS))
    size = len(tokens.offsets)
    places = np.zeros((size, 2), dtype=np.float32)
    kinds, asked = (np.full(size, -1, dtype=np.int64) for _ in range(2))
    for place in passage.places:
        inside = np.flatnonzero(tokens.inside(place.start, place.end))
        if not len(inside):
            continue
        places[inside, 0] = 1
        places[inside[0], 1] = 1
        kinds[inside] = list(KINDS).index(place.kind)
        question = particular_question(place.question)
        if question is not None:
            asked[inside] = questions().index(question)
    return Example(joined_states(tokens).astype(np.float16), places, kinds, asked)


def train_network(examples: Sequence[Example], network: Any) -> Any:
    """The running mean of the weights."""
    random = Random(SEED)  # noqa: S311
    total = EPOCHS * -(-len(examples) // BATCH)
    groups = [{"params": list(network.parameters()), "lr": RATE, "weight_decay": DECAY}]
    learner = Learner(network, groups, warmed(total, WARM_UP), total=total)
    for epoch in range(1, EPOCHS + 1):
        network.train()
        parts = mixed(examples, lambda one: len(one.states), count=BATCH, mix=MIX, random=random)
        losses = [learner.learn(loss(network, part)) for part in parts]
        log.info(f"epoch {epoch} of {EPOCHS}: loss {np.mean(losses):.3f}")
    return learner.finish()


def loss(network: Any, part: Sequence[Example]) -> Any:
    import torch
    from torch.nn import functional

    size = max(len(one.states) for one in part)
    there = np.zeros((len(part), size), dtype=np.float32)
    states = np.zeros((len(part), size, part[0].states.shape[1]), dtype=np.float32)
    places = np.zeros((len(part), size, 2), dtype=np.float32)
    kinds, asked = (np.full((len(part), size), -1, dtype=np.int64) for _ in range(2))
    for row, one in enumerate(part):
        known = slice(0, len(one.states))
        there[row, known], states[row, known], places[row, known] = 1, one.states, one.places
        kinds[row, known], asked[row, known] = one.kinds, one.questions
    real = torch.from_numpy(there)
    found, kind, question = network(torch.from_numpy(states))
    weight = torch.tensor(POSITIVE_WEIGHT)
    total = 1.5 * functional.binary_cross_entropy_with_logits(
        found[real > 0], torch.from_numpy(places)[real > 0], pos_weight=weight
    )
    for logits, gold, share in ((kind, kinds, KIND_WEIGHT), (question, asked, QUESTION_WEIGHT)):
        if (gold >= 0).any():
            named = torch.from_numpy(gold)
            total = total + share * functional.cross_entropy(logits[named >= 0], named[named >= 0])
    return total


def set_up() -> None:
    import torch

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)


def make_graph(examples: Sequence[Example], width: int) -> bytes:
    from marginalia.annotators.unclear.train.network import Network, to_onnx

    set_up()
    return to_onnx(train_network(examples, Network(width)))


def main() -> None:
    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--annotation", type=Path, required=True, help="folder of the passages")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument(
        "--fold", type=int, nargs="+", default=[], choices=range(FOLDS), help="leave these out"
    )
    given = parser.parse_args()
    if given.fold and given.out == SHIPPED:
        parser.error("--fold needs --out: the shipped weights learn from all the articles")
    encoder = english()
    passages = read_marked(given.annotation)
    examples = [make_example(passage, encoder) for passage in passages]
    log.info(f"{len(examples):,} passages read")
    runs = {given.out / str(fold): [fold] for fold in given.fold} or {given.out: []}
    for folder, left_out in runs.items():
        both = zip(passages, examples, strict=True)
        known = [example for passage, example in both if passage.fold not in left_out]
        graph = make_graph(known, encoder.width)
        folder.mkdir(parents=True, exist_ok=True)
        write_weights(
            folder,
            {GRAPH: graph},
            trained_on=["annotation/unclear"],
            passages=len(known),
            left_out=left_out,
            epochs=EPOCHS,
            rate=RATE,
            seed=SEED,
        )
        if folder == SHIPPED:
            write_card(folder, CARD, {})


if __name__ == "__main__":
    main()
