"""How the weights were made, and how to make them again.

    python -m marginalia.tasks.complexity.systems.train.recipe [--data DIR] [--out FOLDER]

Needs ``marginalia[train]``. Reads the split ``train`` and nothing else (``dev`` only to report); the encoder is
frozen. Every head is an ONNX file that takes ``features`` and ``vectors`` as they are and gives ``score``.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from marginalia.core.data_folder import data_folder
from marginalia.core.task import Split
from marginalia.nlp.training.card import write_card
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.weights import write_weights
from marginalia.tasks.complexity.systems.inputs import Inputs
from marginalia.tasks.complexity.systems.static_vectors import shipped_static

log = logging.getLogger(__name__)

Floats = NDArray[np.float32]

SEED = 0
MULTI_WEIGHT = 2.0
"""Multi-words are five times rarer than words; each counts twice."""
COMPONENTS = 128
"""Principal components of the vectors that boosting sees: trees do badly on 1,500 columns."""
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
RATE, DECAY, DROP, DROP_INPUT = 1e-3, 1e-2, 0.4, 0.3


def train_heads(
    split: Split, heads: Sequence[str], inputs: Inputs, *, seed: int = SEED
) -> dict[str, bytes]:
    """The heads as ONNX models, trained on words and multi-words together."""
    gold = split.require_gold()
    targets = [split.items[id] for id in gold]
    y = np.array(list(gold.values()), dtype=np.float32)
    weight = np.where([t.kind == "multi" for t in targets], MULTI_WEIGHT, 1.0).astype(np.float32)
    log.info(f"reading {len(targets):,} targets")
    x = inputs.features(targets)
    needs_vectors = any(head != "boosted_features" for head in heads)
    v = inputs.vectors(targets) if needs_vectors else np.zeros((len(y), 0), dtype=np.float32)
    makers = {
        "boosted_features": lambda: boosted(x, v[:, :0], y, weight, seed),
        "boosted": lambda: boosted(x, v, y, weight, seed),
        "network_vectors": lambda: network(x[:, :0], v, y, weight, seed),
        "network": lambda: network(x, v, y, weight, seed),
    }
    return {head: makers[head]() for head in heads}


@cache
def training_inputs() -> Inputs:
    """Shared by all fits of a process: folds encode a target once."""
    return Inputs(keep=True)


def boosted(x: Floats, v: Floats, y: Floats, weight: Floats, seed: int = SEED) -> bytes:
    """Gradient boosting on features and principal components of the vectors."""
    import lightgbm
    from sklearn.decomposition import PCA

    joined, projection = x, None
    if v.shape[1]:
        encoded = v.shape[1] - shipped_static().width
        kept = min(COMPONENTS, encoded, len(v))
        pca = PCA(kept, random_state=seed).fit(v[:, :encoded])
        scale = 1 / np.sqrt(pca.explained_variance_[0])
        # What the encoder gives is reduced, the static vector passes as it is.
        wide = np.eye(v.shape[1], kept + v.shape[1] - encoded, kept - encoded)
        wide[:encoded] = 0
        wide[:encoded, :kept] = pca.components_.T * scale
        # As it will be stored, in half precision.
        matrix = wide.astype(np.float16).astype(np.float32)
        bias = (-pca.mean_ @ matrix[:encoded]).astype(np.float32)
        projection = matrix, bias
        joined = np.hstack([x, v @ matrix + bias])
    model = lightgbm.LGBMRegressor(**BOOSTING, n_jobs=1, verbose=-1, random_state=seed)
    model.fit(joined, y, sample_weight=weight)
    log.info(f"boosting on {joined.shape[1]} columns done")
    from marginalia.tasks.complexity.systems.train.graphs import boosted_graph

    return boosted_graph(model, x.shape[1], projection)


def network(x: Floats, v: Floats, y: Floats, weight: Floats, seed: int = SEED) -> bytes:
    """The mean of small networks with one hidden layer, on standardised features and vectors."""
    import torch
    from torch import nn

    torch.set_num_threads(1)
    shift = np.concatenate([x.mean(axis=0), v.mean(axis=0)]).astype(np.float32)
    spread = np.concatenate([x.std(axis=0), v.std(axis=0)]) + 1e-6
    size = np.concatenate([np.ones(x.shape[1]), np.full(v.shape[1], VECTOR_SCALE)])
    factor = (size / spread).astype(np.float32)
    z = (np.hstack([x, v]) - shift) * factor
    z[:, : x.shape[1]] = z[:, : x.shape[1]].clip(-CLIP_DEVIATIONS, CLIP_DEVIATIONS)
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
    from marginalia.tasks.complexity.systems.train.graphs import network_graph

    layers = [(net[1], net[4]) for net in nets]
    first = np.concatenate([a.weight.detach().numpy() for a, _ in layers]).T
    first_bias = np.concatenate([a.bias.detach().numpy() for a, _ in layers])
    second = np.concatenate([b.weight.detach().numpy().T for _, b in layers])
    second_bias = np.array([np.mean([b.bias.item() for _, b in layers])], dtype=np.float32)
    return network_graph(
        x.shape[1],
        v.shape[1],
        shift,
        factor,
        CLIP_DEVIATIONS,
        first,
        first_bias,
        second / NETWORKS,
        second_bias,
    )


def main() -> None:
    from marginalia.tasks.complexity.official.data import load
    from marginalia.tasks.complexity.official.score import score
    from marginalia.tasks.complexity.systems.ours import HEADS, Heads
    from marginalia.tasks.complexity.systems.shipped import CARD, WEIGHTS

    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    folder = data_folder(arguments.data)
    train, dev = load("train", folder), load("dev", folder)
    models = train_heads(
        train, sorted({h for heads in HEADS.values() for h in heads}), training_inputs()
    )
    write_weights(
        arguments.out,
        {f"{name}.onnx": model for name, model in models.items()},
        trained_on=[path.name for path in train.files],
        seed=SEED,
    )
    found = {}
    for name in HEADS:
        found[name] = score(dev, Heads(name, arguments.out).predict(dev.items)).scores
        figures = (f"{part} {found[name][part]['pearson']:.4f}" for part in PARTS)
        log.info(f"{name} on dev: {', '.join(figures)}")
    rows = [
        [f"`{name}`", *(f"{scores[part]['pearson']:.4f}" for part in PARTS)]
        for name, scores in found.items()
    ]
    columns = ("system", "Pearson on dev words", "on dev multi-words")
    write_card(arguments.out, CARD, {"DEV": (columns, rows)})


PARTS = ("words", "multi")


if __name__ == "__main__":
    main()
