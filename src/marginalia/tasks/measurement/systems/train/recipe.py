"""How the weights were made, and how to make them again.

    python -m marginalia.tasks.measurement.systems.train.recipe --base BASE [--data DIR] [--out FOLDER [--fold N]]

BASE is a local folder or a hub name of the encoder to start from. Needs ``marginalia[train]``; one thread,
seeded. Reads the splits ``train`` and ``dev``. With ``--fold N`` it leaves out the Nth of five parts
of the articles and says how the systems score on that part: the weights of the five folds together are what
``benchmarks/measurement.py`` cross-validates with.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.benchmark import Split, System
from marginalia.core.data_folder import data_folder
from marginalia.core.training_log import Course
from marginalia.nlp.encoder import english
from marginalia.nlp.training.card import write_card
from marginalia.nlp.training.learner import Learner, mixed
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.training.pretrained import layers_of
from marginalia.nlp.weights import write_weights
from marginalia.tasks.measurement.official.data import labelled
from marginalia.tasks.measurement.systems.inputs import MAX_WINDOW_PIECES
from marginalia.tasks.measurement.systems.shipped import CARD, WEIGHTS
from marginalia.tasks.measurement.systems.train.examples import Example, make_examples, other_digits
from marginalia.tasks.measurement.systems.train.graphs import to_onnx
from marginalia.tasks.measurement.systems.train.losses import loss

log = logging.getLogger(__name__)

BASE = "sentence-transformers/all-MiniLM-L6-v2"
SEED = 0
FOLDS = 5
EPOCHS, BATCH = 4, 4
RATE, HEAD_RATE, LAYER_DECAY = 1e-4, 1e-3, 0.9
"""The lower a layer, the more slowly it changes."""
VARIED_SHARE = 0.5
"""The share of paragraphs whose numbers get other digits, anew in each epoch."""


def train_graphs(split: Split, base: str = BASE, *, epochs: int = EPOCHS) -> dict[str, bytes]:
    """A network trained on a split, as ONNX graphs by file name."""
    import torch

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)
    return to_onnx(train_network(split, load_network(base), epochs, english().tokenizer))


def load_network(base: str) -> Any:
    from transformers import AutoModel

    encoder = AutoModel.from_pretrained(
        base, add_pooling_layer=False, attention_probs_dropout_prob=0.0
    )
    return make_network(encoder)


def make_network(encoder: Any) -> Any:
    """The heads on an encoder, whose word vectors stay as they are."""
    from marginalia.tasks.measurement.systems.train.network import Network

    encoder.get_input_embeddings().requires_grad_(False)
    return Network(encoder)


def train_network(
    split: Split,
    network: Any,
    epochs: int,
    tokenizer: Any,
    max_pieces: int = MAX_WINDOW_PIECES,
    *,
    seed: int = SEED,
    course: Course | None = None,
) -> Any:
    """The running mean of the weights."""
    import torch

    random = Random(seed)  # noqa: S311
    rounds = [batches(split, random, tokenizer, max_pieces) for _ in range(epochs)]
    total = sum(map(len, rounds))
    learner = Learner(
        network,
        parameter_groups(network),
        lambda step: min(1.0, step / (0.1 * total)) * max(0.02, 1 - step / total),
        course=course,
        total=total,
    )
    for number, parts in enumerate(rounds, start=1):
        network.train()
        with torch.device(course.device if course else "cpu"):
            losses = [learner.learn(loss(network, part)) for part in learner.due(parts)]
        if losses:  # none where a training goes on after this epoch
            log.info(f"epoch {number} of {epochs}: loss {np.mean(losses):.3f}")
    return learner.finish()


def parameter_groups(network: Any) -> list[dict[str, Any]]:
    layers = layers_of(network.encoder)
    depth = {id(one): n for n, layer in enumerate(layers) for one in layer.parameters()}
    groups: dict[tuple[float, float], list[Any]] = {}
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        rate = HEAD_RATE
        if id(parameter) in depth:
            rate = RATE * LAYER_DECAY ** (len(layers) - 1 - depth[id(parameter)])
        elif name.startswith("encoder."):
            rate = RATE * LAYER_DECAY ** (len(layers) + 1)
        elif name.startswith("look_in"):
            rate = RATE
        groups.setdefault((rate, 0.0 if parameter.ndim < 2 else 0.01), []).append(parameter)
    return [
        {"params": parameters, "lr": rate, "weight_decay": decay}
        for (rate, decay), parameters in groups.items()
    ]


def batches(split: Split, random: Random, tokenizer: Any, max_pieces: int) -> list[list[Example]]:
    """One epoch: windows of about the same length together, in random order."""
    gold = split.require_gold()
    examples: list[Example] = []
    for id, item in split.items.items():
        text = other_digits(item.text, random) if random.random() < VARIED_SHARE else item.text
        examples += make_examples(text, gold[id], tokenizer, max_pieces)
    return mixed(examples, lambda one: len(one.window.pieces), count=BATCH, mix=60, random=random)


def main() -> None:
    from marginalia.tasks.measurement.official.score import score
    from marginalia.tasks.measurement.systems.pointer import Pointer, TokenTagger

    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default=BASE, help="local folder or hub name")
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument(
        "--fold", type=int, choices=range(FOLDS), help="leave this fifth of the articles out"
    )
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    arguments = parser.parse_args()
    if arguments.fold is not None and arguments.out == WEIGHTS:
        parser.error("--fold needs --out: the shipped weights learn from all the articles")
    split = labelled(data_folder(arguments.data))
    learned, left_out = split, None
    if arguments.fold is not None:
        learned, left_out = list(split.folds(FOLDS))[arguments.fold]
    graphs = train_graphs(learned, arguments.base, epochs=arguments.epochs)
    facts = {"seed": SEED, "base": BASE, "epochs": arguments.epochs}
    write_weights(arguments.out, graphs, **facts)
    if left_out is None:
        write_card(arguments.out, CARD, {})
        return
    systems: dict[str, System] = {
        "pointer": Pointer(arguments.out),
        "strict": Pointer(arguments.out, strict=True),
        "tagger": TokenTagger(arguments.out),
    }
    for name, system in systems.items():
        pred = system.predict(left_out.items)
        log.info(f"{name}: {score(left_out, pred).scores['overall']['f1_overlap']:.4f}")


if __name__ == "__main__":
    main()
