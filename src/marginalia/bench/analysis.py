"""What runs get wrong: items that flipped, the hardest ones, confusions, figures by facet, and what runs share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from marginalia.bench.compare import find_run, predictions_of, run_names
from marginalia.core.benchmark import Benchmark, Predictions, Split
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import FormatError, MissingError, UnknownNameError
from marginalia.core.registry import as_benchmark
from marginalia.core.report import Metric, Outcome, Outcomes
from marginalia.core.runs import Run
from marginalia.core.stats import pearson

SHOWN = 20
MAX_TEXT = 160
BINS = 10


Units = Mapping[str, Sequence[str]]
"""The id of an outcome -> the items that it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemResult:
    """One item with what each run says of it."""

    id: str
    text: str
    gold: float | str
    preds: tuple[float | str, ...]
    losses: tuple[float, ...]

    @property
    def change(self) -> float:
        """How much worse the last run is than the first."""
        return self.losses[-1] - self.losses[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """A figure on the items with one value of a facet."""

    facet: str
    value: str
    n: int
    figures: tuple[float | None, ...]
    """By run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The items behind one figure of one or several runs."""

    task: str
    split: str
    figure: str
    systems: tuple[str, ...]
    values: tuple[float | None, ...]
    oracle: float | None
    """The figure if for each item the run were chosen that is nearest to gold."""
    right_by_all: int | None
    right_by_none: int | None
    """Of classes only: a number is hardly ever exactly right."""
    n: int
    hardest: tuple[ItemResult, ...]
    flipped: tuple[ItemResult, ...]
    """Items on which the first and the last run differ most."""
    confusions: Mapping[str, Mapping[str, int]]
    """Run -> ``gold → prediction`` -> how often."""
    breakdowns: tuple[Breakdown, ...]
    agreement: Mapping[str, float]
    """Of classes: ``A / B`` -> the share of items on which both say the same."""
    loss_correlation: Mapping[str, float]
    """Of numbers: ``A / B`` -> how far both are off on the same items, as the correlation of their losses."""
    calibration: Mapping[str, tuple[tuple[float, float, int], ...]]
    """Run -> (mean prediction, mean gold, items) of each tenth of its predictions."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def analyse_runs(
    task: str | Benchmark,
    *runs: Run | str | Path,
    split: str = "dev",
    folder: str | Path = "runs",
    data: str | Path | None = None,
    folds: int = 0,
    figure: str | None = None,
    top: int = SHOWN,
) -> Analysis:
    """Look into the items behind a figure, of one run or of several on the same split.

    Runs are named as in ``compare_runs``. ``figure`` is the path of one, such as ``words.pearson``; the task's first
    headline figure by default.
    """
    task = as_benchmark(task)
    if not runs:
        raise FormatError("no run is named")
    if task.outcomes is None:
        raise MissingError(f"The task {task.name} does not say how right single items are.")
    chosen = [find_run(task, run, split, Path(folder), folds=folds) for run in runs]
    items, preds = predictions_of(task, chosen, data_folder(data))
    each = [task.outcomes(items, pred) for pred in preds]
    path = _figure(task, each, figure)
    outcomes = [dict(one[path]) for one in each]
    ids = list(outcomes[0])
    units = {id: outcome.items or (id,) for id, outcome in outcomes[0].items()}
    rows = [_row(id, items, outcomes) for id in ids]
    labels = all(row.gold.__class__ is str for row in rows) and outcomes[0][ids[0]].is_label
    names = run_names(chosen)
    right = [[row.losses[k] == 0 for row in rows] for k in range(len(chosen))]
    values = tuple(_score(task, items, pred, path) for pred in preds)
    return Analysis(
        task=task.name,
        split=items.name,
        figure=path,
        systems=names,
        values=values,
        oracle=_oracle(task, items, preds, outcomes, units, path) if len(chosen) > 1 else None,
        right_by_all=sum(map(all, zip(*right, strict=True))) if labels else None,
        right_by_none=sum(not any(one) for one in zip(*right, strict=True)) if labels else None,
        n=len(rows),
        hardest=tuple(sorted(rows, key=lambda row: -sum(row.losses))[:top]),
        flipped=tuple(
            row for row in sorted(rows, key=lambda row: -abs(row.change))[:top] if row.change
        ),
        confusions={
            name: _confusions(one.values()) for name, one in zip(names, outcomes, strict=True)
        }
        if labels
        else {},
        breakdowns=tuple(_breakdowns(task, items, preds, units, path)),
        agreement=_by_pair(names, outcomes, _equal) if labels else {},
        loss_correlation={} if labels else _by_pair(names, outcomes, _losses),
        calibration={}
        if labels
        else {name: _calibration(one) for name, one in zip(names, outcomes, strict=True)},
    )


def _figure(task: Benchmark, each: Sequence[Outcomes], figure: str | None) -> str:
    known = [path for path in each[0] if all(path in one for one in each)]
    if figure is None:
        figure = next((metric.path for metric in task.metrics if metric.path in known), None)
        if figure is None:
            raise FormatError(f"the runs have no figure in common that {task.name} knows items of")
    if figure not in known:
        raise UnknownNameError(f"figure of {task.name}", figure, known)
    return figure


def _row(id: str, split: Split, outcomes: Sequence[Mapping[str, Outcome]]) -> ItemResult:
    mine = [one[id] for one in outcomes]
    return ItemResult(
        id=id,
        text=item_text(split.items[id]),
        gold=mine[0].gold,
        preds=tuple(one.pred for one in mine),
        losses=tuple(one.loss for one in mine),
    )


def item_text(item: Any) -> str:
    """An item in a few words: its texts, cut."""
    parts = (
        (getattr(item, each.name) for each in fields(item) if each.compare)
        if is_dataclass(item)
        else (item,)
    )
    text = " · ".join(" ".join(part.split()) for part in parts if isinstance(part, str) and part)
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def _score(task: Benchmark, split: Split, pred: Predictions, path: str) -> float | None:
    try:
        return Metric(path).of(task.score(split, pred).scores)
    except FormatError:  # too few items of a kind to score
        return None


def _oracle(
    task: Benchmark,
    split: Split,
    preds: Sequence[Mapping[str, Any]],
    outcomes: Sequence[Mapping[str, Outcome]],
    units: Units,
    path: str,
) -> float | None:
    best = dict(preds[0])
    for id, items in units.items():
        chosen = preds[int(np.argmin([one[id].loss for one in outcomes]))]
        best |= {item: chosen[item] for item in items}
    return _score(task, split, best, path)


def _confusions(outcomes: Any) -> dict[str, int]:
    counts = Counter((one.gold, one.pred) for one in outcomes)
    return {f"{gold} → {pred}": n for (gold, pred), n in counts.most_common()}


def _breakdowns(
    task: Benchmark, split: Split, preds: Sequence[Mapping[str, Any]], units: Units, path: str
) -> list[Breakdown]:
    """By the facets that all items of an outcome share: a sentence cannot be broken down by the words of a filler."""
    breakdowns = []
    split = split.take(item for items in units.values() for item in items)
    for facet, values in (task.facets(split) if task.facets else {}).items():
        if any(len({values[item] for item in items}) > 1 for items in units.values()):
            continue
        for value, n in sorted(Counter(values[id] for id in units).items()):
            ids = [id for id in split.items if values[id] == value]
            part = split.take(ids)
            figures = tuple(
                _score(task, part, {id: pred[id] for id in ids}, path) for pred in preds
            )
            breakdowns.append(Breakdown(facet=facet, value=value, n=n, figures=figures))
    return breakdowns


def _by_pair(
    names: Sequence[str],
    outcomes: Sequence[Mapping[str, Outcome]],
    compare: Callable[[Sequence[Outcome], Sequence[Outcome]], float],
) -> dict[str, float]:
    rows = zip(names, ([one[id] for id in outcomes[0]] for one in outcomes), strict=True)
    return {f"{a} / {b}": compare(one, other) for (a, one), (b, other) in combinations(rows, 2)}


def _equal(one: Sequence[Outcome], other: Sequence[Outcome]) -> float:
    return float(np.mean([a.pred == b.pred for a, b in zip(one, other, strict=True)]))


def _losses(one: Sequence[Outcome], other: Sequence[Outcome]) -> float:
    return pearson([each.loss for each in one], [each.loss for each in other])


def _calibration(outcomes: Mapping[str, Outcome]) -> tuple[tuple[float, float, int], ...]:
    """Tenths of the predictions, from the lowest: where they are right on average, both means are the same."""
    order = sorted(outcomes.values(), key=lambda one: float(one.pred))
    tenths = [part for part in np.array_split(np.arange(len(order)), BINS) if len(part)]
    return tuple(
        (
            float(np.mean([float(order[i].pred) for i in part])),
            float(np.mean([float(order[i].gold) for i in part])),
            len(part),
        )
        for part in tenths
    )
