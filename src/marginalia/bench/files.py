"""Official files of a task: scored against gold, compared between annotators, merged into one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from marginalia.core.archive import unpacked, within
from marginalia.core.benchmark import Benchmark
from marginalia.core.building import Builder
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.registry import BUILDERS, all_benchmarks, as_benchmark, get_benchmark
from marginalia.core.report import Report


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
