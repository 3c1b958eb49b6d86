"""How the weights were made, and how to make them again.

    python -m marginalia.tasks.measurement.systems.train.recipe --base BASE --annotation annotation [--data DIR]
        [--out FOLDER [--fold N...]] [--start STATE]

BASE is a local folder or a hub name of the encoder to start from, ``annotation`` the folder of the repository. Needs
``marginalia[train]``; one thread, seeded. Reads MeasEval's train and dev and our own annotation. With ``--fold`` it leaves out
these of five parts of the articles: what ``benchmarks/measurement.py`` and ``benchmarks/contexts.py`` measure with.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.benchmark import Split
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
from marginalia.tasks.measurement.systems.train.corpus import (
    LabelledParagraph,
    fold_of,
    of_annotation,
    of_measeval,
)
from marginalia.tasks.measurement.systems.train.examples import Example, make_examples
from marginalia.tasks.measurement.systems.train.graphs import to_onnx
from marginalia.tasks.measurement.systems.train.losses import loss

log = logging.getLogger(__name__)

SYSTEMS = ("strict", "pointer")
"""They share one network; documents are read with the first."""
STATE_FILE = "state.safetensors"
BASE = "sentence-transformers/all-MiniLM-L6-v2"
SEED = 0
FOLDS = 5
EPOCHS, BATCH = 4, 4
RATE, HEAD_RATE, LAYER_DECAY = 1e-4, 1e-3, 0.9
"""The lower a layer, the more slowly it changes."""
VARIED_SHARE = 0.5
"""The share of paragraphs whose numbers get other digits, anew in each epoch."""


def train_graphs(split: Split, base: str = BASE, *, epochs: int = EPOCHS) -> dict[str, bytes]:
    """A network trained on a split of the shared task, as ONNX graphs by file name."""
    set_up()
    network = load_network(base)
    return to_onnx(train_network(of_measeval(split), network, epochs, english().tokenizer))


def set_up() -> None:
    import torch

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)


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
    paragraphs: Sequence[LabelledParagraph],
    network: Any,
    epochs: int,
    tokenizer: Any,
    max_pieces: int = MAX_WINDOW_PIECES,
    *,
    seed: int = SEED,
    course: Course | None = None,
    state: Path | None = None,
    warm_up: float = 0.1,
) -> Any:
    """The running mean of the weights, which after each epoch is written to ``state``."""
    import torch
    from safetensors.torch import save_file

    random = Random(seed)  # noqa: S311
    rounds = [batches(paragraphs, random, tokenizer, max_pieces) for _ in range(epochs)]
    total = sum(map(len, rounds))
    learner = Learner(
        network,
        parameter_groups(network),
        lambda step: min(1.0, step / (warm_up * total)) * max(0.02, 1 - step / total),
        course=course,
        total=total,
    )
    for number, parts in enumerate(rounds, start=1):
        network.train()
        with torch.device(course.device if course else "cpu"):
            losses = [learner.learn(loss(network, part)) for part in learner.due(parts)]
        if losses:  # none where a training goes on after this epoch
            log.info(f"epoch {number} of {epochs}: loss {np.mean(losses):.3f}")
        if state is not None:
            save_file(learner.mean.state_dict(), state)
    return learner.finish()


def parameter_groups(network: Any) -> list[dict[str, Any]]:
    layers = [*layers_of(network.encoder), *network.reading]
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
        elif name.startswith(("look_in", "mark_in", "asked")):
            rate = RATE
        groups.setdefault((rate, 0.0 if parameter.ndim < 2 else 0.01), []).append(parameter)
    return [
        {"params": parameters, "lr": rate, "weight_decay": decay}
        for (rate, decay), parameters in groups.items()
    ]


def batches(
    paragraphs: Sequence[LabelledParagraph], random: Random, tokenizer: Any, max_pieces: int
) -> list[list[Example]]:
    """One epoch: windows of about the same length together, in random order."""
    examples = [
        example
        for paragraph in paragraphs
        for example in make_examples(
            paragraph, tokenizer, random, max_pieces, varied=random.random() < VARIED_SHARE
        )
        if example.askings
    ]
    return mixed(examples, lambda one: len(one.window.pieces), count=BATCH, mix=60, random=random)


def article_folds(split: Split) -> dict[str, int]:
    """Article of the shared task -> its fold."""
    folds = enumerate(split.folds(FOLDS))
    return {article: number for number, (_, out) in folds for article in out.group.values()}


def main() -> None:
    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default=BASE, help="local folder or hub name")
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--annotation", type=Path, help="the repository's folder of that name")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument(
        "--fold",
        type=int,
        nargs="+",
        default=[],
        choices=range(FOLDS),
        help="leave these fifths of the articles out",
    )
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--start", type=Path, help="go on from the state of another training")
    arguments = parser.parse_args()
    if arguments.fold and arguments.out == WEIGHTS:
        parser.error("--fold needs --out: the shipped weights learn from all the articles")
    split = labelled(data_folder(arguments.data))
    paragraphs = of_measeval(split)
    if arguments.annotation:
        paragraphs += of_annotation(arguments.annotation)
    known = article_folds(split)
    paragraphs = [
        one for one in paragraphs if fold_of(one.article, known, FOLDS) not in arguments.fold
    ]
    set_up()
    network = load_network(arguments.base)
    if arguments.start:
        from safetensors.torch import load_file

        network.load_state_dict(load_file(arguments.start))
    arguments.out.mkdir(parents=True, exist_ok=True)
    state = arguments.out / STATE_FILE if arguments.out != WEIGHTS else None
    trained = train_network(paragraphs, network, arguments.epochs, english().tokenizer, state=state)
    facts: dict[str, Any] = {"seed": SEED, "base": BASE, "epochs": arguments.epochs}
    if arguments.out != WEIGHTS:  # so that MARGINALIA_WEIGHTS may name them
        facts |= {"task": "measurement", "systems": SYSTEMS, "trained_on": ["train", "dev"]}
        facts |= {"left_out": arguments.fold}
    write_weights(arguments.out, to_onnx(trained), **facts)
    if arguments.out == WEIGHTS:
        write_card(arguments.out, CARD, {})


if __name__ == "__main__":
    main()
