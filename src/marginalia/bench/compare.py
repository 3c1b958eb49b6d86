"""Two runs on the same items: how far apart they are, and whether that could be chance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.bench.board import label
from marginalia.bench.run import RESAMPLES, Progress, load_split
from marginalia.core.data_folder import data_folder, data_hash
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.frame import make_frame
from marginalia.core.registry import as_task
from marginalia.core.runs import Run
from marginalia.core.runs import runs as kept_runs
from marginalia.core.stats import percentiles, resampled
from marginalia.core.task import Task

Statistic = Callable[[NDArray[np.intp]], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A headline figure of both runs. ``p`` is two-sided; NaN where no sample defines the figure."""

    metric: str
    first: float | None
    second: float | None
    difference: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """Two runs on the same items, figure by figure."""

    task: str
    split: str
    first: Run
    second: Run
    figures: tuple[Difference, ...]

    def to_dict(self) -> dict[str, Any]:
        sides = {"first": label(self.first), "second": label(self.second), "split": self.split}
        return {"task": self.task, **sides, "figures": [asdict(row) for row in self.figures]}

    def to_frame(self) -> Any:
        """A row per figure, as a data frame of pandas, or of polars where only that is installed."""
        return make_frame(map(asdict, self.figures), Difference.__dataclass_fields__)


def compare_runs(
    task: str | Task,
    first: Run | str | Path,
    second: Run | str | Path,
    *,
    split: str = "dev",
    runs: str | Path = "runs",
    data: str | Path | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress | None = None,
) -> RunComparison:
    """Whether one run is better than another, by a paired bootstrap over groups.

    A run is a ``Run``, the file of one, or the name of a system, of which the newest run on ``split`` that the
    folder ``runs`` keeps is taken. ``data`` is the data folder, else MARGINALIA_DATA names it.
    """
    task = as_task(task)
    task.check_split(split)
    one, other = (
        given if isinstance(given, Run) else find_run(task, str(given), split, Path(runs))
        for given in (first, second)
    )
    found = compare(task, one, other, data_folder(data), n=resamples, seed=seed, progress=progress)
    return RunComparison(
        task=task.name, split=one.split, first=one, second=other, figures=tuple(found)
    )


def find_run(task: Task, name: str, split: str, folder: Path) -> Run:
    """A run by its file, or the newest kept one of a system on the split, told as boards tell it."""
    path = Path(name)
    if path.suffix == ".json":
        run = Run.load(path)
        if run.task != task.name:
            raise FormatError(f"this is a run of {run.task}, not of {task.name}", path=path)
        return run
    kept = [run for _, run in kept_runs(folder, task.name) if run.split == split and not run.folds]
    found = [run for run in kept if name in (label(run), run.system)]
    if found:
        return found[-1]
    there = ", ".join(sorted({label(run) for run in kept})) or "none"
    card = task.card(name)  # a misspelled system has an error of its own
    raise MissingError(
        f"{folder} keeps no run of '{name}' on {task.name}/{split} (there: {there}); make one with "
        f"`run({task.name!r}, split={split!r}, system={card.name!r})` and save it there."
    )


def compare(
    task: Task,
    first: Run,
    second: Run,
    folder: Path,
    *,
    n: int = RESAMPLES,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Difference]:
    """Each headline figure of the first run minus that of the second, with a paired bootstrap.

    Both runs are scored on the same ``n`` samples of groups, drawn with replacement. The interval holds the middle 95 %
    of the differences; p = 2 min(1 + #{d <= 0}, 1 + #{d >= 0}) / (n + 1), at most 1.
    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapters 13 and 16.
    """
    if (first.split, first.options) != (second.split, second.options):
        raise FormatError(
            f"the runs are on different items: {_place(first)} and {_place(second)}",
        )
    split = load_split(task, first.split, folder, first.options)
    split.require_gold()
    for run in (first, second):
        if run.data_hash != data_hash(split.files) or run.predictions.keys() != split.items.keys():
            raise FormatError(f"the run of '{label(run)}' was made on other data: run it again")
    preds = [
        {id: task.decode(value) for id, value in run.predictions.items()} for run in (first, second)
    ]
    ours, theirs = (task.statistics(split, pred) for pred in preds)
    scores = [task.score(split, pred).scores for pred in preds]
    n_groups = len(set(split.group.values()))
    found = []
    both = [metric for metric in task.metrics if metric.path in ours and metric.path in theirs]
    for number, metric in enumerate(both, start=1):
        draws = resampled(_less(ours[metric.path], theirs[metric.path]), n_groups, n=n, seed=seed)
        between = percentiles(draws)
        one, other = (metric.of(whole) for whole in scores)
        found.append(
            Difference(
                metric=metric.path,
                first=one,
                second=other,
                difference=math.nan if one is None or other is None else one - other,
                low=between.low,
                high=between.high,
                p=_two_sided(draws),
            )
        )
        if progress:
            progress("figures", number, len(both))
    return found


def _place(run: Run) -> str:
    told = "".join(f", {name} {value}" for name, value in run.options.items())
    return f"{run.split}{told}"


def _less(ours: Statistic, theirs: Statistic) -> Statistic:
    return lambda drawn: ours(drawn) - theirs(drawn)


def _two_sided(draws: NDArray[np.float64]) -> float:
    if not len(draws):
        return math.nan
    tail = min(int((draws <= 0).sum()), int((draws >= 0).sum()))
    return min(1.0, 2 * (1 + tail) / (len(draws) + 1))
