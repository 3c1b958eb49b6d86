"""Predictions as the official files that a shared task takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.bench.run import Progress, load_split, predict, prepare
from marginalia.core.data_folder import data_folder
from marginalia.core.files import write_files
from marginalia.core.registry import as_task
from marginalia.core.task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """The official files of a system's predictions on a split."""

    task: str
    system: str
    split: str
    items: int
    files: Mapping[str, str]
    """Name -> content."""

    def write(self, folder: str | Path) -> list[Path]:
        """Write the files into a folder, all or none, and return their paths."""
        return write_files(Path(folder), dict(self.files))

    def to_dict(self) -> dict[str, Any]:
        """What was predicted, and the names of the files."""
        what = {"task": self.task, "system": self.system, "split": self.split, "items": self.items}
        return {**what, "files": list(self.files)}


def make_submission(
    task: str | Task,
    split: str = "test",
    *,
    system: str | None = None,
    data: str | Path | None = None,
    options: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Submission:
    """Predict a split and write the predictions as the official files; no gold is needed.

    The arguments are those of ``run``.
    """
    task = as_task(task)
    card = task.card(system, split=split)
    folder = data_folder(data)
    items = load_split(task, split, folder, options or {})
    made, _, _ = prepare(task, card, items, folder, options or {})
    files = task.write_submission(items, predict(made, items, progress))
    return Submission(task=task.name, system=card.name, split=split, items=len(items), files=files)
