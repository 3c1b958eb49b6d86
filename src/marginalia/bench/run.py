"""A system on a split: predictions, scores, intervals, seconds and memory; and learning curves."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from marginalia.bench.program import PREFIX, Program
from marginalia.bench.provenance import environment, versions
from marginalia.bench.systems import find_card
from marginalia.core.benchmark import Benchmark, Split, System, SystemCard, uniform
from marginalia.core.data_folder import data_folder, data_hash
from marginalia.core.errors import ContractError, FormatError
from marginalia.core.registry import as_benchmark
from marginalia.core.report import Report
from marginalia.core.runs import Run
from marginalia.core.stats import bootstrap
from marginalia.nlp.prompting import as_model
from marginalia.nlp.prompting.model import LanguageModel

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many items are done, and how many there are."""

CHUNK_ITEMS = 256
RESAMPLES = 1000
SHARES = (0.1, 0.25, 0.5, 1.0)


def load_split(task: Benchmark, name: str, folder: Path, options: Mapping[str, str]) -> Split:
    """A split by name; ``options`` are the task's own, such as ``candidates``."""
    for option, value in options.items():
        allowed = task.options.get(option, ())
        if value not in allowed:
            known = ", ".join(allowed) or "no such option"
            raise FormatError(f"the option {option}={value!r} does not fit {task.name} ({known})")
    return task.load(task.check_split(name), folder, **options)


def prepare(
    task: Benchmark,
    card: SystemCard,
    split: Split,
    folder: Path,
    options: Mapping[str, str],
    llm: LanguageModel | None = None,
) -> tuple[System, float, bool]:
    """The system ready to predict, the seconds its fitting took, and whether it has seen the split."""
    if card.splits and split.name not in card.splits:
        raise FormatError(
            f"the system '{card.name}' is made for the splits {', '.join(card.splits)}, "
            f"not for '{split.name}'"
        )
    system = card.make()
    if llm is not None and hasattr(system, "asking"):
        system = system.asking(llm)
    if not card.trains:
        return system, 0.0, split.name in card.trained_on
    train = load_split(task, "train", folder, options)
    start = time.perf_counter()
    system = system.fit(train)  # type: ignore[attr-defined]
    seconds = time.perf_counter() - start
    seen = any(train.items.get(id) == item for id, item in split.items.items())
    return system, seconds, seen


def cross_validate(
    card: SystemCard, split: Split, folds: int, progress: Progress | None = None
) -> tuple[dict[str, Any], float, float]:
    """Predictions that were each made without their group in training, and the seconds of both steps."""
    pred: dict[str, Any] = {}
    fit_seconds = seconds = 0.0
    for train, out in split.folds(folds):
        start = time.perf_counter()
        system = card.make()
        # Shipped weights have seen the fold that is left out: whatever can be fitted is fitted again.
        if hasattr(system, "fit"):
            system = system.fit(train)
        fitted = time.perf_counter()
        pred |= predict(system, out)
        fit_seconds += fitted - start
        seconds += time.perf_counter() - fitted
        if progress:
            progress("folds", len(pred), len(split))
    return {id: pred[id] for id in split.items}, fit_seconds, seconds


def predict(system: System, split: Split, progress: Progress | None = None) -> dict[str, Any]:
    """Predictions for the whole split, in chunks that keep each group together."""
    pred: dict[str, Any] = {}
    # What is asked together does not depend on how much is predicted at a time.
    chunks = [list(split.items)] if hasattr(system, "asking") else _chunks(split)
    for chunk in chunks:
        pred |= system.predict({id: split.items[id] for id in chunk})
        if progress:
            progress("predict", len(pred), len(split))
    missing = split.items.keys() - pred.keys()
    if missing:
        raise ContractError(
            f"the system gave no prediction for {len(missing)} of {len(split)} items, "
            f"among them {min(missing)!r}"
        )
    return {id: pred[id] for id in split.items}


def _chunks(split: Split) -> Iterator[list[str]]:
    groups: dict[str, list[str]] = {}
    for id in split.items:
        groups.setdefault(split.group[id], []).append(id)
    chunk: list[str] = []
    for ids in groups.values():
        chunk += ids
        if len(chunk) >= CHUNK_ITEMS:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


@dataclass(frozen=True, slots=True)
class RunResult:
    """A run that was just made, and what its scorer says beside the scores."""

    run: Run
    report: Report | None
    """None where the gold of the split is not there."""

    def to_dict(self) -> dict[str, Any]:
        """The run without its predictions, and what the report says beside the scores."""
        also, warnings = (self.report.also, self.report.warnings) if self.report else ({}, ())
        return {**self.run.to_dict(), "also_report": dict(also), "warnings": list(warnings)}


def run(
    task: str | Benchmark,
    split: str = "dev",
    *,
    data: str | Path | None = None,
    system: str | None = None,
    options: Mapping[str, str] | None = None,
    folds: int = 0,
    seed: int = 0,
    resamples: int = RESAMPLES,
    progress: Progress | None = None,
    llm: str | LanguageModel | None = None,
    name: str = "",
) -> RunResult:
    """Run a system on a split of a task, and score it where the gold is there.

    Without a ``system`` the task's best is taken; one that trains is fitted on train, or with ``folds`` on the
    rest of the split itself, fold by fold. ``data`` is the data folder, else MARGINALIA_DATA names it.
    ``options`` are those of the task's splits, such as ``{"candidates": "all"}``. Scores have bootstrap
    intervals from ``resamples`` samples. ``llm`` is the language model that ``prompted`` and ``combined`` ask. ``name`` is
    what boards and comparisons call the run instead of the system.
    """
    task = as_benchmark(task)
    task.check_split(split)
    folder = data_folder(data)
    card = find_card(task, system, split=split)
    options = options or {}
    model = as_model(llm)
    items = load_split(task, split, folder, options)
    if folds:
        folds = min(folds, len(set(items.kept_together.values())))
        pred, fit_seconds, seconds = cross_validate(card, items, folds, progress)
        seen = False
    else:
        made, fit_seconds, seen = prepare(task, card, items, folder, options, model)
        start = time.perf_counter()
        pred = predict(made, items, progress)
        seconds = time.perf_counter() - start
    report = None if items.gold is None else task.score(items, pred)
    given: dict[str, Any] = dict(options)
    usual = {"folds": (folds, 0), "seed": (seed, 0), "resamples": (resamples, RESAMPLES)}
    given |= {name: value for name, (value, default) in usual.items() if value != default}
    asked = model.to_dict() if model is not None and card.kind == "prompted" else {}
    if asked:
        given["llm"] = shlex.quote(asked["model"])
    if name:
        given["name"] = shlex.quote(name)
    extra = "".join(f" --{name} {value}" for name, value in given.items())
    done = Run(
        task=task.name,
        split=items.name,
        system=name or card.name,
        command=f"marginalia bench run {task.name} --system {shlex.quote(card.name)} --split {items.name}{extra}",
        created=now(),
        versions=versions(card),
        environment=environment(task),
        data_hash=data_hash(items.files),
        seed=seed,
        options=dict(options),
        folds=folds,
        seen_in_training=seen,
        seconds=round(seconds, 3),
        fit_seconds=round(fit_seconds, 3),
        peak_memory_mb=peak_memory_mb(card),
        predictions={id: task.encode(value) for id, value in pred.items()},
        scores=None if report is None else report.scores,
        intervals=intervals(task, items, pred, seed=seed, n=resamples, progress=progress),
        asked=asked,
    )
    return RunResult(done, report)


def intervals(
    task: Benchmark,
    split: Split,
    pred: Mapping[str, Any],
    *,
    seed: int = 0,
    n: int = RESAMPLES,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Bootstrap intervals of the headline figures, resampling groups; none without gold."""
    if split.gold is None or not n:
        return {}
    statistics = task.statistics(split, pred)
    n_groups = len(set(split.group.values()))
    result = {}
    for number, (path, statistic) in enumerate(statistics.items(), start=1):
        result[path] = asdict(bootstrap(statistic, n_groups, n=n, seed=seed))
        if progress:
            progress("intervals", number, len(statistics))
    return result


def now() -> str:
    """The time as runs have it, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def peak_memory_mb(card: SystemCard) -> float | None:
    """The largest resident size so far of the program that the system is, else of this process; None if not known."""
    if card.name.startswith(PREFIX):
        program = card.make()
        return program.peak_memory_mb if isinstance(program, Program) else None
    try:
        import resource
    except ImportError:  # Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (2**20 if sys.platform == "darwin" else 2**10), 1)


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
