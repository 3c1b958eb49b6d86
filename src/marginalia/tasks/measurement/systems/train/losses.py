"""The losses of the network's heads on a batch of training examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from marginalia.tasks.measurement.official.spans import MODIFIERS, ROLES
from marginalia.tasks.measurement.systems.inputs import ASKED, ask
from marginalia.tasks.measurement.systems.train.examples import Example

LOSS_WEIGHTS = {
    "quantity": 1.0,
    "unit": 0.5,
    "kinds": 0.3,
    "tags": 1.0,
    "ends": 0.9,
    "modifiers": 1.0,
}
IGNORED = -100
"""The label of padding and special tokens, which torch leaves out of a loss."""


def padded(rows: list[Any], fill: int = 0, size: int = 0) -> Any:
    """Rows of different length as a table."""
    import torch

    size = size or max(len(row) for row in rows)
    table = np.full((len(rows), size), fill, dtype=np.int64)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return torch.as_tensor(table)  # on the device of the training


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
    return sum(LOSS_WEIGHTS[name] * value for name, value in parts.items())


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
