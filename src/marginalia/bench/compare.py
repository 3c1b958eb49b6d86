"""Runs on the same items: how far apart they are, and whether that could be chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from marginalia.bench.board import label
from marginalia.bench.run import RESAMPLES, Progress, load_split
from marginalia.bench.significance import (
    CORRECTIONS,
    FLIPS,
    MIN_GROUPS,
    TESTS,
    Pair,
    Verdict,
    fisher,
    mcnemar,
    pair,
    randomisation,
    williams,
)
from marginalia.bench.systems import find_card
from marginalia.bench.uncertainty import (
    RankInterval,
    detectable,
    effect_size,
    interval,
    jackknife,
    rank_intervals,
)
from marginalia.core.benchmark import Benchmark, Predictions, Split
from marginalia.core.data_folder import data_folder, data_hash
from marginalia.core.errors import FormatError, MissingError, UnknownNameError
from marginalia.core.extraction import make_frame
from marginalia.core.registry import as_benchmark
from marginalia.core.runs import Run
from marginalia.core.runs import runs as kept_runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One figure of two runs. ``p`` is two-sided; NaN where the test refuses or no sample defines the figure."""

    metric: str
    systems: tuple[str, str]
    first: float | None
    second: float | None
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    """... corrected for the number of comparisons."""
    floor: float
    """The smallest p that the test could have given."""
    test: str
    refusal: str = ""
    """Why the test gives no p."""
    effect: float
    """The difference in standard deviations of what one group adds to it."""
    detectable: float
    """The smallest true difference that these groups show with a power of 80 %."""
    groups: int

    @property
    def verdict(self) -> Verdict:
        return Verdict(test=self.test, p=self.p, floor=self.floor, refusal=self.refusal)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """Runs on the same items, pair by pair and figure by figure."""

    task: str
    split: str
    runs: tuple[Run, ...]
    figures: tuple[Difference, ...]
    correction: str
    ranks: tuple[RankInterval, ...] = field(default=())
    """Where there are more than two runs, the places that each may have by chance."""

    @property
    def names(self) -> tuple[str, ...]:
        return run_names(self.runs)

    def to_dict(self) -> dict[str, Any]:
        sides = {"first": self.names[0], "second": self.names[1], "split": self.split}
        return {
            "task": self.task,
            **sides,
            "systems": list(self.names),
            "correction": self.correction,
            "figures": [asdict(row) for row in self.figures],
            "ranks": [asdict(row) for row in self.ranks],
        }

    def to_frame(self) -> Any:
        """A row per figure, as a data frame of pandas, or of polars where only that is installed."""
        return make_frame(map(asdict, self.figures), Difference.__dataclass_fields__)


def compare_runs(
    task: str | Benchmark,
    first: Run | str | Path,
    second: Run | str | Path,
    *more: Run | str | Path,
    split: str = "dev",
    runs: str | Path = "runs",
    data: str | Path | None = None,
    folds: int = 0,
    test: str = "randomisation",
    correction: str = "holm",
    resamples: int = RESAMPLES,
    flips: int = FLIPS,
    seed: int = 0,
    progress: Progress | None = None,
) -> RunComparison:
    """Whether one run is better than another, for all pairs of the given ones.

    A run is a ``Run``, the file of one, or the name of a system, of which the newest run on ``split`` that the
    folder ``runs`` keeps is taken, cross-validated in ``folds`` if that is not 0. ``data`` is the data folder, else
    MARGINALIA_DATA names it. ``test`` is randomisation (by group; the default), mcnemar, williams or fisher; ``correction``
    of several p values holm, bh or none. ``resamples`` are those of the intervals, ``flips`` those of the test.
    """
    task = as_benchmark(task)
    task.check_split(split)
    given = (first, second, *more)
    chosen = tuple(find_run(task, run, split, Path(runs), folds=folds) for run in given)
    figures = compare(
        task,
        chosen,
        data_folder(data),
        test=test,
        correction=correction,
        n=resamples,
        flips=flips,
        seed=seed,
        progress=progress,
    )
    ranks: list[RankInterval] = []
    if len(chosen) > 2:
        items, preds = predictions_of(task, chosen, data_folder(data))
        ranks = rank_intervals(
            task, items, dict(zip(run_names(chosen), preds, strict=True)), seed=seed
        )
    return RunComparison(
        task=task.name,
        split=chosen[0].split,
        runs=chosen,
        figures=tuple(figures),
        correction=correction,
        ranks=tuple(ranks),
    )


def find_run(
    task: Benchmark, run: Run | str | Path, split: str, folder: Path, *, folds: int = 0
) -> Run:
    """A run as it is, by its file, or the newest kept one of a system on the split, named as on boards."""
    if isinstance(run, Run):
        return run
    name, path = str(run), Path(run)
    if path.suffix == ".json":
        run = Run.load(path)
        if run.task != task.name:
            raise FormatError(f"this is a run of {run.task}, not of {task.name}", path=path)
        return run
    kept = [run for _, run in kept_runs(folder, task.name) if run.split == split]
    alike = [run for run in kept if run.folds == folds]
    found = [run for run in alike if name in (label(run), run.system)]
    if found:
        return found[-1]
    there = ", ".join(sorted({label(run) for run in alike})) or "none"
    validated = sorted({run.folds for run in kept if run.folds and run.system == name} - {folds})
    if validated:
        counts = " or ".join(map(str, validated))
        raise MissingError(
            f"{folder} keeps runs of '{name}' on {task.name}/{split} in {counts} folds only: say folds={validated[0]}."
        )
    card = find_card(task, name)  # a misspelled system has an error of its own
    more = f", folds={folds}" if folds else ""
    raise MissingError(
        f"{folder} keeps no run of '{name}' on {task.name}/{split} (there: {there}); make one with "
        f"`run({task.name!r}, split={split!r}, system={card.name!r}{more})` and save it there."
    )


def predictions_of(
    task: Benchmark, runs: Sequence[Run], folder: Path
) -> tuple[Split, list[dict[str, Any]]]:
    """The split that all runs are on, with its gold, and the predictions of each."""
    one = runs[0]
    for other in runs[1:]:
        if (one.split, one.options) != (other.split, other.options):
            raise FormatError(f"the runs are on different items: {_place(one)} and {_place(other)}")
    split = load_split(task, one.split, folder, one.options)
    split.require_gold()
    now = data_hash(split.files)
    for run in runs:
        if run.data_hash != now or run.predictions.keys() != split.items.keys():
            raise FormatError(f"the run of '{label(run)}' was made on other data: run it again")
    return split, [
        {id: task.decode(value) for id, value in run.predictions.items()} for run in runs
    ]


def compare(
    task: Benchmark,
    runs: Sequence[Run],
    folder: Path,
    *,
    test: str = "randomisation",
    correction: str = "holm",
    n: int = RESAMPLES,
    flips: int = FLIPS,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Difference]:
    """Each headline figure of a run minus that of a later one, for all pairs, with an interval and a test.

    The p values of one figure are corrected together: for as many comparisons as there are pairs and figures.
    """
    if test not in TESTS:
        raise UnknownNameError("test", test, TESTS)
    if correction not in CORRECTIONS:
        raise UnknownNameError("correction", correction, CORRECTIONS)
    split, preds = predictions_of(task, runs, folder)
    scores = [task.score(split, pred).scores for pred in preds]
    names = run_names(runs)
    pairs = list(combinations(range(len(runs)), 2))
    differences: list[Difference] = []
    for number, (i, j) in enumerate(pairs, start=1):
        both = pair(task, split, preds[i], preds[j])
        for metric in task.metrics:
            if metric.path not in both:
                continue
            this = both[metric.path]
            one, other = metric.of(scores[i]), metric.of(scores[j])
            difference = math.nan if one is None or other is None else one - other
            between = interval(this.less, this.n, n=n, seed=seed)
            spread = jackknife(this.less, this.n)
            verdict = judge(task, test, metric.path, this, split, (preds[i], preds[j]), flips, seed)
            differences.append(
                Difference(
                    metric=metric.path,
                    systems=(names[i], names[j]),
                    first=one,
                    second=other,
                    difference=difference,
                    low=between.low,
                    high=between.high,
                    p=verdict.p,
                    p_adjusted=verdict.p,
                    floor=verdict.floor,
                    test=test,
                    refusal=verdict.refusal,
                    effect=effect_size(difference, spread),
                    detectable=detectable(spread),
                    groups=this.n,
                )
            )
        if progress:
            progress("pairs", number, len(pairs))
    adjusted = CORRECTIONS[correction]([row.p for row in differences])
    return [replace(row, p_adjusted=p) for row, p in zip(differences, adjusted, strict=True)]


def judge(
    task: Benchmark,
    test: str,
    path: str,
    both: Pair,
    split: Split,
    preds: tuple[Predictions, Predictions],
    flips: int,
    seed: int,
) -> Verdict:
    """What a test says of one figure, or why it refuses."""
    if test == "randomisation":
        return randomisation(both.flipped, both.n, flips=flips, seed=seed)
    sides = [
        dict((task.outcomes(split, pred) if task.outcomes else {}).get(path, {})) for pred in preds
    ]
    wanted, figure = _ASSUMED[test]
    items = list(sides[0].values())
    if not items or not path.endswith(wanted) or items[0].is_label != (test == "mcnemar"):
        return Verdict(test=test, refusal=f"{test} compares {figure}, and {path} is none")
    if len({split.group[id] for id in sides[0]}) < len(items):
        return Verdict(
            test=test,
            refusal=f"{test} takes items for independent, but those of {path} come in groups; use randomisation",
        )
    if len(items) < MIN_GROUPS:
        return Verdict(test=test, refusal=f"{len(items)} items are too few for any claim")
    if test == "mcnemar":
        return mcnemar(*([each.loss == 0 for each in side.values()] for side in sides))
    gold = [each.gold for each in items]
    one, other = ([each.pred for each in side.values()] for side in sides)
    return (williams if test == "williams" else fisher)(gold, one, other)


_ASSUMED = {
    "mcnemar": ("accuracy", "accuracies"),
    "williams": ("pearson", "Pearson correlations"),
    "fisher": ("pearson", "Pearson correlations"),
}
"""Test -> how the path of a figure ends that it can compare, and what such figures are."""


def run_names(runs: Sequence[Run]) -> tuple[str, ...]:
    """The label of each run, with its number where two have the same."""
    labels = [label(run) for run in runs]
    return tuple(
        f"{name} #{number}" if labels.count(name) > 1 else name
        for number, name in enumerate(labels, start=1)
    )


def _place(run: Run) -> str:
    options = "".join(f", {name} {value}" for name, value in run.options.items())
    return f"{run.split}{options}"
