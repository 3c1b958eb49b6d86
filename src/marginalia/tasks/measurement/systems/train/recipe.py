"""How the weights were made, and how to make them again.

    python -m marginalia.tasks.measurement.systems.train.recipe --base BASE [--data DIR] [--out FOLDER [--fold N]]

BASE is a local folder or a hub name of the encoder to start from. Needs ``marginalia[train]``; one thread,
seeded. Reads the splits ``train`` and ``dev``. With ``--fold N`` it leaves out the Nth of five parts
of the articles and writes the predictions for that part beside the weights: the five together are the
cross-validated figures.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.data_folder import data_folder
from marginalia.core.files import write_file
from marginalia.core.task import Split, System
from marginalia.nlp.encoder import english
from marginalia.nlp.training.card import write_card
from marginalia.nlp.training.learner import Learner, mixed
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.weights import write_weights
from marginalia.tasks.measurement.official.data import labelled
from marginalia.tasks.measurement.official.spans import MODIFIERS, ROLES, encode
from marginalia.tasks.measurement.systems.inputs import ASKED, ask
from marginalia.tasks.measurement.systems.shipped import CARD, WEIGHTS
from marginalia.tasks.measurement.systems.train.examples import Example, make_examples, other_digits
from marginalia.tasks.measurement.systems.train.graphs import to_onnx

log = logging.getLogger(__name__)

BASE = "sentence-transformers/all-MiniLM-L6-v2"
SEED = 0
FOLDS = 5
EPOCHS, BATCH = 4, 4
RATE, HEAD_RATE, LAYER_DECAY = 1e-4, 1e-3, 0.9
"""The lower a layer, the more slowly it changes."""
VARIED_SHARE = 0.5
"""The share of paragraphs whose numbers get other digits, anew in each epoch."""
LOSSES = {"quantity": 1.0, "unit": 0.5, "kinds": 0.3, "tags": 1.0, "ends": 0.9, "modifiers": 1.0}


def train_graphs(split: Split, base: str = BASE, *, epochs: int = EPOCHS) -> dict[str, bytes]:
    """A network trained on a split, as ONNX graphs by file name."""
    import torch

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)
    return to_onnx(train_network(split, load_network(base), epochs))


def load_network(base: str) -> Any:
    from transformers import AutoModel

    from marginalia.tasks.measurement.systems.train.network import Network

    encoder = AutoModel.from_pretrained(
        base, add_pooling_layer=False, attention_probs_dropout_prob=0.0
    )
    encoder.embeddings.word_embeddings.requires_grad_(False)
    return Network(encoder)


def train_network(split: Split, network: Any, epochs: int) -> Any:
    """The running mean of the weights."""
    random = Random(SEED)  # noqa: S311
    rounds = [batches(split, random) for _ in range(epochs)]
    total = sum(map(len, rounds))
    learner = Learner(
        network,
        parameter_groups(network),
        lambda step: min(1.0, step / (0.1 * total)) * max(0.02, 1 - step / total),
    )
    for number, parts in enumerate(rounds, start=1):
        network.train()
        losses = [learner.learn(loss(network, part)) for part in parts]
        log.info(f"epoch {number} of {epochs}: loss {np.mean(losses):.3f}")
    return learner.mean


def parameter_groups(network: Any) -> list[dict[str, Any]]:
    layers = len(network.encoder.encoder.layer)
    groups: dict[tuple[float, float], list[Any]] = {}
    for name, parameter in network.named_parameters():
        if not parameter.requires_grad:
            continue
        rate = HEAD_RATE
        if name.startswith("encoder.encoder.layer."):
            rate = RATE * LAYER_DECAY ** (layers - 1 - int(name.split(".")[3]))
        elif name.startswith("encoder."):
            rate = RATE * LAYER_DECAY ** (layers + 1)
        elif name.startswith("look_in"):
            rate = RATE
        groups.setdefault((rate, 0.0 if parameter.ndim < 2 else 0.01), []).append(parameter)
    return [
        {"params": parameters, "lr": rate, "weight_decay": decay}
        for (rate, decay), parameters in groups.items()
    ]


def batches(split: Split, random: Random) -> list[list[Example]]:
    """One epoch: windows of about the same length together, in random order."""
    gold = split.require_gold()
    examples: list[Example] = []
    for id, item in split.items.items():
        text = other_digits(item.text, random) if random.random() < VARIED_SHARE else item.text
        examples += make_examples(text, gold[id], english().tokenizer)
    return mixed(examples, lambda one: len(one.window.pieces), count=BATCH, mix=60, random=random)


def padded(rows: list[Any], fill: int = 0, size: int = 0) -> Any:
    """Rows of different length as a table."""
    import torch

    size = size or max(len(row) for row in rows)
    table = np.full((len(rows), size), fill, dtype=np.int64)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return torch.from_numpy(table)


IGNORED = -100


def loss(network: Any, examples: list[Example]) -> Any:
    """The sum of the heads' losses on a batch."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

    windows = [example.window for example in examples]
    mask = padded([np.ones(len(window.pieces)) for window in windows])
    inner = [np.r_[IGNORED, example.quantity[1:-1], IGNORED] for example in examples]
    quantity = padded(inner, IGNORED)
    pieces = padded([window.pieces for window in windows])
    vectors = network.encode(pieces, padded([window.shapes for window in windows]), mask)
    parts = {
        "quantity": cross_entropy(
            network.quantity(vectors).flatten(0, 1),
            quantity.flatten(),
            weight=torch.tensor([1.0, 1.5, 1.5]),
        )
    }
    inner = [np.r_[IGNORED, example.kinds[1:-1], IGNORED] for example in examples]
    parts["kinds"] = cross_entropy(
        network.kinds(vectors).flatten(0, 1), padded(inner, IGNORED).flatten()
    )
    within = quantity > 0
    if within.any():
        unit = padded([example.unit for example in examples]).float()
        parts["unit"] = binary_cross_entropy_with_logits(
            network.unit(vectors)[..., 0][within], unit[within]
        )
    if any(example.askings for example in examples):
        parts |= reading_losses(network, examples, vectors, mask)
    return sum(LOSSES[name] * value for name, value in parts.items())


def reading_losses(
    network: Any, examples: list[Example], vectors: Any, mask: Any
) -> dict[str, Any]:
    """What the layers that read for one quantity get wrong, on gold quantities."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

    rows: list[int] = []
    asked: dict[str, list[Any]] = {name: [] for name in ASKED}
    tags, ends, modifiers = [], [], []
    for number, example in enumerate(examples):
        places = [asking.quantity for asking in example.askings]
        if not places:
            continue
        seen = ask(example.window, places, places)
        rows += [number] * len(places)
        for name in ASKED:
            asked[name] += list(getattr(seen, name))
        for asking in example.askings:
            tag = np.zeros(len(example.window.pieces), dtype=np.int64)
            tag[[0, -1]] = IGNORED
            end = np.zeros(2 * len(ROLES), dtype=np.int64)
            for place, role in enumerate(ROLES):
                if role in asking.roles:
                    first, last = asking.roles[role]
                    tag[first : last + 1] = place + 1
                    end[2 * place : 2 * place + 2] = first, last
            tags.append(tag)
            ends.append(end)
            modifiers.append([float(name in asking.modifiers) for name in MODIFIERS])
    tensors = {
        name: torch.tensor(np.array(asked[name]))
        if name in ("first", "last")
        else padded(asked[name], size=vectors.shape[1])
        for name in ASKED
    }
    tag_scores, end_scores, modifier_scores = network.read(
        vectors, mask, torch.tensor(rows), tensors
    )
    wanted = torch.tensor(np.array(ends))
    pointing = [cross_entropy(end_scores[..., k], wanted[:, k]) for k in range(wanted.shape[1])]
    return {
        "tags": cross_entropy(
            tag_scores.flatten(0, 1),
            padded(tags, IGNORED, vectors.shape[1]).flatten(),
            weight=torch.tensor([1.0, 1.5, 1.5, 1.5]),
        ),
        "ends": sum(pointing) / len(pointing),
        "modifiers": binary_cross_entropy_with_logits(modifier_scores, torch.tensor(modifiers)),
    }


def main() -> None:
    from marginalia.tasks.measurement.official.score import score
    from marginalia.tasks.measurement.systems.ours import Pointer, TokenTagger

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
        data = {id: encode(spans) for id, spans in pred.items()}
        write_file(arguments.out / f"{name}.json", json.dumps(data, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
