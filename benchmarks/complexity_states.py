"""What heads on the states of a language model add to those on vectors, and what they cost."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from complexity_kept import FOLDS, KINDS, Kept

from marginalia import Split, get_benchmark
from marginalia.core.data_folder import data_folder
from marginalia.tasks.complexity.systems.ours import HEADS, Heads, weight_of

MIXES = {
    "`ensemble`: trees and network on vectors": ("boosted", "network"),
    "trees on states in place of those on vectors": ("boosted_lm", "network"),
    "network on states in place of that on vectors": ("boosted", "network_lm"),
    "trees and network on states alone": ("boosted_lm", "network_lm"),
    "`ensemble-lm`: these, and the network on vectors": HEADS["ensemble-lm"],
    "all four": ("boosted", "network", "boosted_lm", "network_lm"),
}
"""All of them see the features too."""


def states(kept: Path | None) -> dict[str, Any]:
    """What heads on the states of a language model add to those on vectors, fold by fold."""
    split = get_benchmark("complexity").load("train", data_folder())
    said: dict[str, dict[str, float]] = {id: {} for id in split.items}
    parts = []
    for rest, out in split.folds(FOLDS):
        for name in ("ensemble", "ensemble-lm"):
            each = Kept(name, kept).fit(rest).each(list(out.items.values()))
            for id, row in zip(out.items, each, strict=True):
                said[id] |= zip(HEADS[name], row, strict=True)
        parts.append(list(out.items))
    base = mixed(split, said, HEADS["ensemble"])
    gained = {
        name: against(split, mixed(split, said, heads), base, parts)
        for name, heads in MIXES.items()
    }
    gained["weights chosen inside each fold"] = against(
        split, nested(split, said, parts), base, parts
    )
    return {"gained": gained, "cost": [cost(name) for name in ("ensemble", "ensemble-lm")]}


def mixed(
    split: Split, said: dict[str, dict[str, float]], heads: Sequence[str]
) -> dict[str, float]:
    """Some of the heads together, with the weights that they have in the systems."""
    pred = {}
    for id, each in said.items():
        weights = {head: weight_of(head, split.items[id].kind) for head in heads}
        total = sum(weight * each[head] for head, weight in weights.items())
        pred[id] = total / sum(weights.values())
    return pred


def nested(
    split: Split, said: dict[str, dict[str, float]], folds: Sequence[Sequence[str]]
) -> dict[str, float]:
    """All four heads, with the weights that were best for targets of the kind in the other folds."""
    gold, order = split.require_gold(), MIXES["all four"]
    choices = np.array(list(product((0, 1), (1, 2, 3, 4), (0, 1, 2), (0, 1, 2, 3))), dtype=float)
    choices /= choices.sum(axis=1, keepdims=True)
    pred = {}
    for out, kind in product(folds, KINDS):
        own = [id for id in split.items if split.items[id].kind == kind]
        rest = sorted(set(own) - set(out))
        rows = np.array([[said[id][head] for head in order] for id in rest])
        wanted = [gold[id] for id in rest]
        best = max(choices, key=lambda w: np.corrcoef(rows @ w, wanted)[0, 1])
        for id in set(own) & set(out):
            pred[id] = float(np.dot([said[id][head] for head in order], best))
    return pred


def cost(name: str) -> dict[str, Any]:
    """Seconds of one core for the targets of dev, after the first of them has loaded everything."""
    first, *targets = get_benchmark("complexity").load("dev", data_folder()).items.values()
    system = Heads(name)
    system.scores([first])
    start = time.process_time()
    system.scores(targets)
    seconds = time.process_time() - start
    words = sum(len(text.split()) for text in {target.sentence for target in targets})
    return {"system": name, "targets": len(targets), "words": words, "cpu_s": seconds}


def against(
    split: Split, pred: dict[str, float], base: dict[str, float], folds: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """Pearson, and the gain over another: its mean over folds with the standard error, the worst fold and genre."""
    gold = split.require_gold()

    def pearson(of: dict[str, float], ids: Sequence[str]) -> float:
        return float(np.corrcoef([of[id] for id in ids], [gold[id] for id in ids])[0, 1])

    found: dict[str, Any] = {}
    for part in KINDS:
        own = [id for id in split.items if split.items[id].kind == part]
        found[part] = {"pearson": pearson(pred, own)}
        if pred == base:
            continue
        genres = sorted({split.items[id].corpus for id in own})
        by_fold, by_genre = (
            np.array([pearson(pred, ids) - pearson(base, ids) for ids in groups])
            for groups in (
                [[id for id in fold if split.items[id].kind == part] for fold in folds],
                [[id for id in own if split.items[id].corpus == genre] for genre in genres],
            )
        )
        found[part] |= {
            "gain": float(by_fold.mean()),
            "error": float(by_fold.std(ddof=1) / len(by_fold) ** 0.5),
            "worst_fold": float(by_fold.min()),
            "worst_genre": float(by_genre.min()),
        }
    return found
