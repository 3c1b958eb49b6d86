"""Official files: as predictions and back, scored against gold, compared between annotators, merged into one."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from marginalia.bench.provenance import environment, versions
from marginalia.bench.run import (
    RESAMPLES,
    Progress,
    RunResult,
    intervals,
    load_split,
    now,
    predict,
    prepare,
)
from marginalia.bench.systems import find_card
from marginalia.core.archive import pack, unpacked, within
from marginalia.core.benchmark import Benchmark, Predictions, Split
from marginalia.core.building import Builder
from marginalia.core.data_folder import data_folder, data_hash
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import write_file, write_files
from marginalia.core.registry import BUILDERS, all_benchmarks, as_benchmark, get_benchmark
from marginalia.core.report import Report
from marginalia.core.runs import Run
from marginalia.nlp.prompting import as_model
from marginalia.nlp.prompting.model import LanguageModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """The official files of a system's predictions on a split."""

    task: str
    system: str
    split: str
    items: int
    files: Mapping[str, str]
    """Name -> content."""

    def write(self, place: str | Path) -> list[Path]:
        """Write the files into a folder, all or none, or into one ``.zip``; returns what was written."""
        place = Path(place)
        if place.suffix == ".zip":
            return [write_file(place, pack(self.files))]
        return write_files(place, dict(self.files))

    def to_dict(self) -> dict[str, Any]:
        """What was predicted, and the names of the files."""
        what = {"task": self.task, "system": self.system, "split": self.split, "items": self.items}
        return {**what, "files": list(self.files)}


def make_submission(
    task: str | Benchmark,
    split: str = "test",
    *,
    system: str | None = None,
    data: str | Path | None = None,
    options: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    llm: str | LanguageModel | None = None,
) -> Submission:
    """Predict a split and write the predictions as the official files; no gold is needed.

    The arguments are those of ``run``.
    """
    task = as_benchmark(task)
    card = find_card(task, system, split=split)
    folder = data_folder(data)
    items = load_split(task, split, folder, options or {})
    made, _, _ = prepare(task, card, items, folder, options or {}, as_model(llm))
    files = task.write_submission(items, predict(made, items, progress))
    return Submission(task=task.name, system=card.name, split=split, items=len(items), files=files)


def read_submission(task: Benchmark, split: Split, path: Path) -> Predictions:
    """The predictions in official files: one file, a folder or a zip of them."""
    if task.read_submission is None:
        raise MissingError(f"The task {task.name} does not read submissions.")
    if not path.exists():
        raise MissingError(f"{path}: there is no such file or folder")
    with unpacked(path) as inner:
        try:
            return task.read_submission(split, inner)
        except FormatError as error:
            raise within(error, inner, path) from None


def check_submission(
    task: str | Benchmark,
    path: str | Path,
    *,
    split: str = "test",
    data: str | Path | None = None,
    options: Mapping[str, str] | None = None,
) -> int:
    """Read a submission against the items of a split, without gold; the number of predictions, or ``FormatError``."""
    task = as_benchmark(task)
    items = load_split(task, task.check_split(split), data_folder(data), options or {})
    return len(read_submission(task, items, Path(path)))


def import_run(
    task: str | Benchmark,
    path: str | Path,
    *,
    name: str,
    split: str = "test",
    data: str | Path | None = None,
    options: Mapping[str, str] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> RunResult:
    """A run made of official files, ours or of others; scored where the gold is there.

    ``name`` is what boards and comparisons call the system.
    """
    task = as_benchmark(task)
    options = options or {}
    items = load_split(task, task.check_split(split), data_folder(data), options)
    pred = read_submission(task, items, Path(path))
    extra = "".join(f" --{key} {value}" for key, value in options.items())
    words = (str(path), "--name", name, "--split", split)
    run = Run(
        task=task.name,
        split=items.name,
        system=name,
        command=f"marginalia bench import {task.name} {shlex.join(words)}{extra}",
        created=now(),
        versions=versions(),
        environment=environment(task),
        data_hash=data_hash(items.files),
        seed=seed,
        options=dict(options),
        seen_in_training=False,
        seconds=0.0,
        fit_seconds=0.0,
        peak_memory_mb=None,
        predictions={id: task.encode(value) for id, value in pred.items()},
    )
    return score_run(task, run, items, resamples=resamples)


def score_run(task: Benchmark, run: Run, split: Split, *, resamples: int = RESAMPLES) -> RunResult:
    """The run with scores and intervals by the gold of the split; without gold, as it is."""
    if split.gold is None:
        return RunResult(run, None)
    pred = {id: task.decode(value) for id, value in run.predictions.items()}
    report = task.score(split, pred)
    between = intervals(task, split, pred, seed=run.seed, n=resamples)
    return RunResult(replace(run, scores=report.scores, intervals=between), report)


def rescore_run(
    task: str | Benchmark,
    run: Run | str | Path,
    *,
    data: str | Path | None = None,
    resamples: int = RESAMPLES,
) -> RunResult:
    """Score a run again from its predictions: one made before its gold was there, or by an older scorer."""
    task = as_benchmark(task)
    run = run if isinstance(run, Run) else Run.load(Path(run))
    if run.task != task.name:
        raise FormatError(f"this is a run of {run.task}, not of {task.name}")
    split = load_split(task, run.split, data_folder(data), run.options)
    split.require_gold()
    if run.predictions.keys() != split.items.keys():
        raise FormatError(
            f"the run of '{run.system}' has {len(run.predictions):,} predictions for other items than "
            f"the {len(split):,} of {task.name}/{run.split}"
        )
    return score_run(
        task, replace(run, data_hash=data_hash(split.files)), split, resamples=resamples
    )


def score_files(
    task: str | Benchmark,
    gold: str | Path,
    pred: str | Path,
    *,
    text: str | Path | None = None,
    **flags: bool,
) -> Report:
    """Score submission files as the official program does.

    ``gold`` and ``pred`` are files or folders in the official format; ``pred`` may also be a zip of them. ``text`` is what some tasks need beside
    them: the paragraphs of measurement, the data file of clarification. ``flags`` are the task's own, such as
    ``limit`` of measurement and ``strict`` of clarification.
    """
    task = as_benchmark(task)
    for name in flags.keys() - set(task.score_flags):
        known = ", ".join(task.score_flags) or "none"
        raise FormatError(f"{task.name} is not scored with the flag {name!r}; its flags: {known}")
    if text is not None and not Path(text).exists():
        raise MissingError(f"{text}: there is no such file or folder")
    given = {name: True for name, value in flags.items() if value}
    beside = None if text is None else Path(text)
    with unpacked(Path(pred)) as inner:
        try:
            return task.score_files(Path(gold), inner, text=beside, **given)
        except FormatError as error:
            raise within(error, inner, Path(pred)) from None


def agreement(
    task: str | Benchmark, files: Sequence[str | Path] = (), *, data: str | Path | None = None
) -> Report:
    """How far people agree who annotated the same items: what a system can be expected to reach.

    Without ``files``, those who annotated the task's data, in the folder ``data`` or MARGINALIA_DATA. With
    ``files``, one per annotator in the official format.
    """
    name = task if isinstance(task, str) else task.name
    if files:
        lack = "does not read the files of annotators"
        compare = _required(BUILDERS.all(), name, "compare_annotators", lack)
        return cast(Report, compare([Path(file) for file in files]))
    lack = "has data that do not say what each annotator said"
    report = _required(all_benchmarks(), name, "agreement", lack)(data_folder(data))
    return cast(Report, report)


def merge_annotators(task: str | Benchmark, files: Sequence[str | Path]) -> str:
    """One official file made of those of several annotators, as text: what any of them found."""
    name = task if isinstance(task, str) else task.name
    lack = "does not merge the files of annotators"
    merge = _required(BUILDERS.all(), name, "merge_annotators", lack)
    return str(merge([Path(file) for file in files]))


def _required(
    cards: Sequence[Benchmark] | Sequence[Builder], name: str, field: str, lack: str
) -> Callable[..., Any]:
    """The function ``field`` of the task's card."""
    get_benchmark(name)  # a task that is not there has an error of its own
    able = {card.name: getattr(card, field) for card in cards if getattr(card, field) is not None}
    if name not in able:
        others = ", ".join(able) or "none"
        raise MissingError(f"The task {name} {lack}; tasks that can be asked: {others}.")
    return able[name]  # type: ignore[no-any-return]
