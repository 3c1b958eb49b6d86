"""How the weights were made, how to make them again, and what ``marginalia train complexity`` runs.

    python -m marginalia.tasks.complexity.systems.train.recipe [--data DIR] [--out FOLDER] [--head NAME]...

Needs ``marginalia[train]``, and ``marginalia[lm]`` for the heads on states. What the card reports on ``dev`` is of heads fitted on ``train``; what is written is
then fitted on both. The encoder is frozen, and so is the language model. Every head is an ONNX file that takes ``features``, ``vectors`` or ``states`` as they
are and gives ``score``.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import data_folder
from marginalia.core.training_log import Course, Trained
from marginalia.nlp.encoder import english
from marginalia.nlp.training.card import write_card
from marginalia.nlp.training.frozen import encoder_files, frozen_encoder
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.training.spans import train_spans
from marginalia.nlp.weights import write_weights
from marginalia.tasks.complexity.systems.fine_tuned import MULTI_WEIGHT, FineTuned, examples
from marginalia.tasks.complexity.systems.heads import HEADS
from marginalia.tasks.complexity.systems.inputs import Inputs, shipped_static, word_layers
from marginalia.tasks.complexity.systems.train.graphs import (
    Block,
    boosted_graph,
    network_graph,
    stored_as,
)

log = logging.getLogger(__name__)

Floats = NDArray[np.float32]

SEED = 0
COMPONENTS = 128
"""Principal components of the vectors that boosting sees: trees do badly on 1,500 columns."""
STATE_COMPONENTS = 48
"""Of the language model's states, those in the sentence and those of the word alone each."""
CLIP_DEVIATIONS = 4.0
VECTOR_SCALE = 0.5
"""Standardised vectors are made smaller, so that a network does not lean on them alone."""
BOOSTING = {
    "n_estimators": 600,
    "learning_rate": 0.03,
    "num_leaves": 15,
    "min_child_samples": 20,
    "colsample_bytree": 0.2,
    "subsample": 0.7,
    "subsample_freq": 1,
    "reg_lambda": 5,
}
NETWORKS, HIDDEN, EPOCHS, ROWS = 3, 96, 8, 64
SEEN = {
    "boosted_features": ("features",),
    "boosted": ("features", "vectors"),
    "network_vectors": ("vectors",),
    "network": ("features", "vectors"),
    "boosted_lm": ("features", "states"),
    "network_lm": ("features", "states"),
}
"""Head -> what it sees."""
RATE, DECAY, DROP, DROP_INPUT = 1e-3, 1e-2, 0.4, 0.3
PARTS = ("words", "multi")
SYSTEMS = ("ensemble", "hybrid", "encoder", "features")


def train_heads(
    split: Split, heads: Sequence[str], inputs: Inputs, *, seed: int = SEED
) -> dict[str, bytes]:
    """The heads as ONNX models, trained on words and multi-words together."""
    gold = split.require_gold()
    targets = [split.items[id] for id in gold]
    y = np.array(list(gold.values()), dtype=np.float32)
    weight = np.where([t.kind == "multi" for t in targets], MULTI_WEIGHT, 1.0).astype(np.float32)
    log.info(f"reading {len(targets):,} targets")
    seen = {
        name: getattr(inputs, name)(targets)
        for name in ("features", "vectors", "states")
        if any(name in SEEN[head] for head in heads)
    }
    made = {}
    for head in heads:
        own = {name: seen[name] for name in SEEN[head]}
        train = boosted if head.startswith("boosted") else network
        made[head] = train(own, y, weight, seed, stored="int8" if "states" in own else "float16")
    return made


@cache
def training_inputs() -> Inputs:
    """Shared by all fits of a process: folds encode a target once."""
    return Inputs(keep=True)


def boosted(
    seen: Mapping[str, Floats], y: Floats, weight: Floats, seed: int = SEED, *, stored: str
) -> bytes:
    """Gradient boosting on features and principal components of what else is seen."""
    import lightgbm

    blocks, columns = [], []
    for input, values in seen.items():
        begin = 0
        for width, components in reduced_to(input, values.shape[1]):
            part = values[:, begin : begin + width]
            begin += width
            projection = principal(part, components, seed, stored) if components else None
            blocks.append(Block(input, width, projection))
            columns.append(part if projection is None else part @ projection[0] + projection[1])
    joined = np.hstack(columns)
    model = lightgbm.LGBMRegressor(**BOOSTING, n_jobs=1, verbose=-1, random_state=seed)
    model.fit(joined, y, sample_weight=weight)
    log.info(f"boosting on {joined.shape[1]} columns done")
    return boosted_graph(model, blocks, stored=stored)


def reduced_to(input: str, width: int) -> list[tuple[int, int]]:
    """The blocks of an input's columns: how wide, and to how many components they are reduced; 0 for not."""
    if input == "vectors":  # the static vector passes as it is
        static = shipped_static().width
        return [(width - static, COMPONENTS), (static, 0)]
    if input == "states":  # in the sentence, and alone
        return [(width // 2, STATE_COMPONENTS)] * 2
    return [(width, 0)]


def principal(values: Floats, count: int, seed: int, stored: str) -> tuple[Floats, Floats]:
    """The projection to principal components, the first of which has a spread of 1."""
    from sklearn.decomposition import PCA

    pca = PCA(min(count, *values.shape), random_state=seed).fit(values)
    matrix = stored_as(pca.components_.T / np.sqrt(pca.explained_variance_[0]), stored)
    return matrix, (-pca.mean_ @ matrix).astype(np.float32)


def network(
    seen: Mapping[str, Floats], y: Floats, weight: Floats, seed: int = SEED, *, stored: str
) -> bytes:
    """The mean of small networks with one hidden layer, on standardised columns."""
    import torch
    from torch import nn

    torch.set_num_threads(1)
    counts = {name: values.shape[1] for name, values in seen.items()}
    z = np.hstack(list(seen.values()))
    plain = np.repeat([name == "features" for name in counts], list(counts.values()))
    shift = z.mean(axis=0).astype(np.float32)
    factor = (np.where(plain, 1, VECTOR_SCALE) / (z.std(axis=0) + 1e-6)).astype(np.float32)
    z = (z - shift) * factor
    z[:, plain] = z[:, plain].clip(-CLIP_DEVIATIONS, CLIP_DEVIATIONS)
    rows, labels, weights = (torch.from_numpy(a.astype(np.float32)) for a in (z, y, weight))
    nets = []
    for number in range(NETWORKS):
        torch.manual_seed(seed * 100 + number)
        net = nn.Sequential(
            nn.Dropout(DROP_INPUT),
            nn.Linear(z.shape[1], HIDDEN),
            nn.GELU(),
            nn.Dropout(DROP),
            nn.Linear(HIDDEN, 1),
        )
        nn.init.zeros_(net[4].weight)
        nn.init.constant_(net[4].bias, float(y.mean()))
        optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
        steps = EPOCHS * -(-len(y) // ROWS)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, RATE, total_steps=steps, pct_start=0.15
        )
        for _ in range(EPOCHS):
            for chosen in torch.randperm(len(y)).split(ROWS):
                error = (net(rows[chosen]).squeeze(-1) - labels[chosen]) ** 2
                optimiser.zero_grad()
                (error * weights[chosen]).mean().backward()
                optimiser.step()
                schedule.step()
        nets.append(net.eval())
        log.info(f"network {number + 1} of {NETWORKS} done")
    layers = [(net[1], net[4]) for net in nets]
    first = np.concatenate([a.weight.detach().numpy() for a, _ in layers]).T
    first_bias = np.concatenate([a.bias.detach().numpy() for a, _ in layers])
    second = np.concatenate([b.weight.detach().numpy().T for _, b in layers])
    second_bias = np.array([np.mean([b.bias.item() for _, b in layers])], dtype=np.float32)
    return network_graph(
        counts,
        shift,
        factor,
        CLIP_DEVIATIONS,
        first,
        first_bias,
        second / NETWORKS,
        second_bias,
        stored=stored,
    )


def main() -> None:
    from marginalia.tasks.complexity.official.data import load
    from marginalia.tasks.complexity.official.score import score
    from marginalia.tasks.complexity.systems import CARD, WEIGHTS
    from marginalia.tasks.complexity.systems.heads import HEADS, Heads

    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--head", action="append", choices=SEEN, help="only these; the rest stays")
    arguments = parser.parse_args()
    folder = data_folder(arguments.data)
    train, dev = load("train", folder), load("dev", folder)
    heads = arguments.head or sorted(SEEN)
    _write(train_heads(train, heads, training_inputs()), train, arguments.out)
    found = {}
    for name in HEADS:
        found[name] = score(dev, Heads(name, arguments.out).predict(dev.items)).scores
        figures = (f"{part} {found[name][part]['pearson']:.4f}" for part in PARTS)
        log.info(f"{name} on dev: {', '.join(figures)}")
    rows = [
        [f"`{name}`", *(f"{scores[part]['pearson']:.4f}" for part in PARTS)]
        for name, scores in found.items()
    ]
    both = Split(
        name="train and dev",
        items={**train.items, **dev.items},
        gold={**train.require_gold(), **dev.require_gold()},
        group={**train.group, **dev.group},
        files=(*train.files, *dev.files),
    )
    _write(train_heads(both, heads, training_inputs()), both, arguments.out)
    columns = ("system", "Pearson on dev words", "on dev multi-words")
    write_card(arguments.out, CARD, {"DEV": (columns, rows)})


def _write(models: Mapping[str, bytes], split: Split, folder: Path) -> None:
    write_weights(
        folder,
        {f"{name}.onnx": model for name, model in models.items()},
        trained_on=[path.name for path in split.files],
        seed=SEED,
    )


def train_ensemble(course: Course) -> Trained:
    """Boosting and networks on features and vectors of a base, which stays as it is; all four families."""
    return _train(course, SYSTEMS)


def train_ensemble_lm(course: Course) -> Trained:
    """The same, and the heads on the states of the language model, for the bench; documents stay with ``ensemble``.

    Needs ``marginalia[lm]`` too.
    """
    made = _train(course, ("ensemble-lm", *SYSTEMS))
    return replace(made, facts={**made.facts, "documents": False})


def _train(course: Course, systems: tuple[str, ...]) -> Trained:
    encoder = frozen_encoder(course, english)
    inputs = training_inputs()
    if course.base is not None:
        inputs = Inputs(encoder, keep=True, layers=word_layers(encoder))
    heads = sorted({head for system in systems for head in HEADS[system]})
    files, facts = encoder_files(course, encoder)
    for number, head in enumerate(heads, start=1):
        [model] = train_heads(course.split, [head], inputs, seed=course.seed).values()
        files[f"{head}.onnx"] = model
        course.tell("heads", number, len(heads), {})
    return Trained(files=files, systems=systems, facts=facts)


def train_tuned(course: Course) -> Trained:
    """The encoder itself, fine-tuned on targets in their sentences."""
    return train_spans(course, FineTuned().tuned, *examples(course.split))


if __name__ == "__main__":
    main()
