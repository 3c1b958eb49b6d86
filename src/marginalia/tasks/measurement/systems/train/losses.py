"""The losses of the network's heads on a batch of training examples."""

from __future__ import annotations

from typing import Any

import numpy as np

from marginalia.tasks.measurement.systems.inputs import ASKED, POINTED, PURPOSES, TAGS, ask, mark
from marginalia.tasks.measurement.systems.train.examples import Asking, Example

LOSS_WEIGHTS = {"ends": 1.0, "tags": 3.0, "row": 0.5, "purpose": 0.2}
CONDITION_WEIGHT = 2.0
"""Of a piece of a condition beside one outside: most pieces are."""
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
    """The sum of the heads' losses on a batch; each example has something to ask about."""
    import torch

    windows = [example.window for example in examples]
    mask = padded([np.ones(len(window.pieces)) for window in windows])
    shapes = padded([window.shapes for window in windows])
    vectors = network.encode(
        padded([window.pieces for window in windows]),
        shapes,
        padded([mark(one.window, one.quantities) for one in examples]),
        mask,
    )
    rows: list[int] = []
    asked: dict[str, list[Any]] = {name: [] for name in ASKED}
    askings: list[Asking] = []
    for number, example in enumerate(examples):
        places = [asking.quantity for asking in example.askings]
        seen = ask(example.window, places, example.quantities, example.convention)
        rows += [number] * len(places)
        askings += example.askings
        for name in ASKED:
            asked[name] += list(getattr(seen, name))
    size = vectors.shape[1]
    tensors = {
        name: torch.as_tensor(np.array(values))
        if np.ndim(values[0]) == 0
        else padded(values, size=size)
        for name, values in asked.items()
    }
    found = network.read(vectors, shapes, mask, torch.as_tensor(rows), tensors)
    parts = _parts(askings, [windows[row].pieces.size for row in rows], size, *found)
    return sum(LOSS_WEIGHTS[name] * value for name, value in parts.items())


def _parts(
    askings: list[Asking],
    lengths: list[int],
    size: int,
    tags: Any,
    ends: Any,
    row: Any,
    purpose: Any,
) -> dict[str, Any]:
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

    is_row = torch.tensor([float(asking.is_row) for asking in askings])
    parts = {"row": binary_cross_entropy_with_logits(row, is_row)}
    real = [place for place, asking in enumerate(askings) if asking.is_row]
    if not real:
        return parts
    labels = [_tags(askings[place], lengths[place]) for place in real]
    parts["tags"] = cross_entropy(
        tags[real].flatten(0, 1),
        padded(labels, IGNORED, size).flatten(),
        weight=torch.tensor([1.0, 1.5, 1.5, CONDITION_WEIGHT, CONDITION_WEIGHT]),
    )
    right = np.zeros((len(real), size, 2 * len(POINTED)), dtype=bool)
    for number, place in enumerate(real):
        for column, role in enumerate(POINTED):
            for first, last in getattr(askings[place], role) or [(0, 0)]:
                right[number, first, 2 * column] = right[number, last, 2 * column + 1] = True
    logs = ends[real].log_softmax(1).masked_fill(~torch.as_tensor(right), -1e4)
    parts["ends"] = -logs.logsumexp(1).mean()
    said = [place for place in real if askings[place].purpose]
    if said:
        wanted = [PURPOSES.index(str(askings[place].purpose)) for place in said]
        parts["purpose"] = cross_entropy(purpose[said], torch.tensor(wanted))
    return parts


def _tags(asking: Asking, length: int) -> Any:
    """A tag for each piece; where a text stands again the network may say what it likes."""
    tags = np.zeros(length, dtype=np.int64)
    tags[[0, -1]] = IGNORED
    for first, last in asking.conditions:
        tags[first : last + 1] = TAGS.index("condition")
        tags[first] = TAGS.index("condition begins")
    for role in POINTED:
        for first, last in getattr(asking, role)[1:]:
            tags[first : last + 1] = IGNORED
    for role in POINTED:
        for first, last in getattr(asking, role)[:1]:
            tags[first : last + 1] = TAGS.index(role)
    return tags
