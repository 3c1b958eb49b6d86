"""Several runs as one: the mean or vote of their predictions, or a stack learned on the other folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from marginalia.bench.compare import find_run, predictions_of, run_names
from marginalia.bench.run import RESAMPLES, RunResult, now
from marginalia.bench.submission import score_run
from marginalia.core.benchmark import Benchmark, Split
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.registry import as_benchmark
from marginalia.core.runs import Run

WAYS = ("mean", "stack")
FOLDS = 10


def combine_runs(
    task: str | Benchmark,
    *runs: Run | str | Path,
    how: str = "mean",
    name: str = "",
    split: str = "dev",
    folder: str | Path = "runs",
    data: str | Path | None = None,
    resamples: int = RESAMPLES,
) -> RunResult:
    """A run made of others on the same split.

    ``mean`` averages numbers, votes on classes and fuses rankings by the mean of their reciprocal ranks; what a run does
    not answer is left to the others. ``stack`` weighs numbers by least squares, learned on the other nine of ten folds
    by group; it needs gold.
    """
    task = as_benchmark(task)
    if how not in WAYS:
        raise UnknownNameError("way to combine runs", how, WAYS)
    chosen = [find_run(task, run, split, Path(folder)) for run in runs]
    if len(chosen) < 2:
        raise FormatError("one run alone cannot be combined: name at least two")
    items, _ = predictions_of(task, chosen, data_folder(data))
    encoded = [run.predictions for run in chosen]
    tied: set[str] = set()
    if how == "stack":
        pred = _stacked(items, encoded)
    else:
        pred = {
            id: mean_of([one[id] for one in encoded], partial(tied.add, id)) for id in items.items
        }
    names = " + ".join(run_names(chosen))
    made = replace(
        chosen[0],
        system=name or f"{how} of {names}",
        command=f"marginalia bench combine {task.name} {' '.join(run.system for run in chosen)} --how {how}",
        created=now(),
        predictions=pred,
        scores=None,
        intervals={},
        seconds=sum(run.seconds for run in chosen),
        fit_seconds=sum(run.fit_seconds for run in chosen),
        seen_in_training=any(run.seen_in_training for run in chosen),
    )
    result = score_run(task, made, items, resamples=resamples)
    if not tied or result.report is None:
        return result
    message = (
        f"the vote is tied on {len(tied):,} of {len(items):,} items, which have the class that "
        f"{run_names(chosen)[0]} gives them"
        + ("; a third run would decide" if len(chosen) == 2 else "")
    )
    report = replace(result.report, warnings=(*result.report.warnings, message))
    return replace(result, report=report)


def mean_of(values: Sequence[Any], on_tie: Callable[[], object] = lambda: None) -> Any:
    """Numbers averaged, words by vote (the first of equals), objects and lists part by part, rankings fused.

    A value that is None does not count. ``on_tie`` is called where a vote decides nothing.
    """
    values = [value for value in values if value is not None]
    if not values:
        return None
    first = values[0]
    if isinstance(first, str) or all(isinstance(value, int) for value in values):
        votes = Counter(values).most_common(2)  # a class may be written as a number
        if len(votes) == 2 and votes[0][1] == votes[1][1]:
            on_tie()
        return votes[0][0]
    if isinstance(first, (int, float)):
        return float(np.mean(values))
    if isinstance(first, Mapping):
        return {key: mean_of([value[key] for value in values], on_tie) for key in first}
    if isinstance(first, list) and all(_is_ranking(value) for value in values):
        return _fused(values)
    if isinstance(first, list) and all(len(value) == len(first) for value in values):
        return [mean_of(list(parts), on_tie) for parts in zip(*values, strict=True)]
    raise FormatError("predictions of this kind cannot be combined")


def _is_ranking(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, (list, tuple)) and len(pair) == 2 and isinstance(pair[0], str)
        for pair in value
    )


def _fused(rankings: Sequence[Sequence[Sequence[Any]]]) -> list[list[Any]]:
    """Reciprocal rank fusion: sum of 1 / (60 + rank). Source: Cormack, Clarke and Büttcher, SIGIR 2009."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for place, (id, _) in enumerate(ranking, start=1):
            scores[id] = scores.get(id, 0.0) + 1 / (60 + place)
    return [[id, score] for id, score in sorted(scores.items(), key=lambda pair: -pair[1])]


def _stacked(split: Split, encoded: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    gold = split.require_gold()
    if any(
        isinstance(value, bool) or not isinstance(value, (int, float)) for value in gold.values()
    ):
        raise FormatError("only numbers can be stacked; the mean votes on classes")
    columns = np.array([[_number(one[id]) for one in encoded] for id in split.items])
    columns = np.column_stack([columns, np.ones(len(columns))])
    place = {id: number for number, id in enumerate(split.items)}
    target = np.array([float(gold[id]) for id in split.items])
    pred: dict[str, Any] = {}
    for train, out in split.folds(FOLDS):
        rows = [place[id] for id in train.items]
        weights, *_ = np.linalg.lstsq(columns[rows], target[rows], rcond=None)
        for id in out.items:
            pred[id] = _with_number(encoded[0][id], float(columns[place[id]] @ weights))
    return {id: pred[id] for id in split.items}


def _number(value: Any) -> float:
    """A prediction that is a number, or an object whose score is one."""
    if isinstance(value, Mapping) and isinstance(value.get("score"), (int, float)):
        return float(value["score"])
    if isinstance(value, (int, float)):
        return float(value)
    raise FormatError("only numbers can be stacked; the mean votes on classes")


def _with_number(value: Any, number: float) -> Any:
    return {**value, "score": number} if isinstance(value, Mapping) else number
