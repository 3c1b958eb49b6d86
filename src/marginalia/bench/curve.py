"""Learning curves: how a figure grows with the data that a system is trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from marginalia.bench.run import Progress, load_split, predict
from marginalia.bench.systems import find_card
from marginalia.core.benchmark import Benchmark, Split, uniform
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import FormatError
from marginalia.core.registry import as_benchmark

SHARES = (0.1, 0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A system trained on part of train."""

    share: float
    groups: int
    items: int
    figures: dict[str, float | None]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def learning_curve(
    task: str | Benchmark,
    *,
    system: str,
    split: str = "dev",
    shares: Sequence[float] = SHARES,
    seed: int = 0,
    data: str | Path | None = None,
    progress: Progress | None = None,
) -> list[Point]:
    """Fit a system on growing shares of the train groups, each holding the smaller ones, and score it on a split."""
    task = as_benchmark(task)
    card = find_card(task, system, split=split)
    if any(not 0 < share <= 1 for share in shares):
        raise FormatError("a share of the training data lies above 0 and is at most 1")
    if not hasattr(card.make(), "fit"):
        raise FormatError(f"the system '{card.name}' does not learn, so it has no learning curve")
    folder = data_folder(data)
    train, out = (load_split(task, name, folder, {}) for name in ("train", split))
    out.require_gold()
    points = []
    for number, share in enumerate(sorted(shares), start=1):
        part = _part(train, share, seed)
        fitted = card.make().fit(part)  # type: ignore[attr-defined]
        scores = task.score(out, predict(fitted, out)).scores
        points.append(
            Point(
                share=share,
                groups=len(set(part.kept_together.values())),
                items=len(part),
                figures={metric.path: metric.of(scores) for metric in task.metrics},
            )
        )
        if progress:
            progress("shares", number, len(shares))
    return points


def _part(train: Split, share: float, seed: int) -> Split:
    """Whole groups, in an order that depends on the seed alone."""
    keys = train.kept_together
    names = sorted(set(keys.values()), key=lambda name: uniform(f"{seed}/{name}"))
    kept = set(names[: max(1, round(share * len(names)))])
    return train.take(id for id in train.items if keys[id] in kept)
