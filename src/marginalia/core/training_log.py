"""One training: what is learned from what, where it is written, and how far it is."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from marginalia.core.benchmark import Benchmark, Split
from marginalia.core.errors import FormatError
from marginalia.core.files import read_json, write_file

log = logging.getLogger(__name__)

LOG, SETTINGS, CHECKPOINT = "log.jsonl", "training.json", "checkpoint"
SAVE_SECONDS = 120.0
"""So often the state of a training is saved."""
LINES = 200
"""A training writes about so many lines of log."""


Files = Mapping[str, bytes]
"""The files of weights by name."""


class Recipe(Protocol):
    """``recipe(course) -> Trained``: how one system of a task is trained again."""

    def __call__(self, course: Course) -> Trained: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """What a recipe made."""

    files: Files
    systems: tuple[str, ...]
    """The system that was trained, and others that its weights serve."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the manifest says beside, such as epochs"""


@dataclass(frozen=True, kw_only=True)
class Course:
    """What a recipe of a task is given: the splits to learn from, the encoder to start from, where to write."""

    task: Benchmark
    system: str
    base: str | None
    """Local folder or hub name of a pretrained encoder; None for the one that ships."""
    out: Path
    data: Path
    splits: tuple[str, ...] = ("train",)
    seed: int = 0
    device: str = "cpu"
    epochs: int | None = None
    """Rounds over the data, where the recipe has such; None for its own number."""
    download: bool = False
    """Whether a base may be fetched from the hub."""
    save_seconds: float = SAVE_SECONDS
    started: float = field(default_factory=time.monotonic)

    @cached_property
    def split(self) -> Split:
        """All pairs, sentences or paragraphs to learn from, as one split."""
        parts = [self.task.load(self.task.check_split(name), self.data) for name in self.splits]
        if len(parts) == 1:
            parts[0].require_gold()
            return parts[0]
        gold: dict[str, Any] = {}
        for part in parts:
            gold |= part.require_gold()
        return Split(
            name="+".join(self.splits),
            items={id: item for part in parts for id, item in part.items.items()},
            gold=gold,
            group={id: group for part in parts for id, group in part.group.items()},
            files=tuple(file for part in parts for file in part.files),
            together={id: key for part in parts for id, key in part.kept_together.items()},
        )

    @property
    def checkpoint(self) -> Path:
        """The folder with the state of a training that is not finished."""
        return self.out / CHECKPOINT

    def settings(self) -> dict[str, Any]:
        """What decides the weights; a training that goes on must have the same."""
        return {
            "task": self.task.name,
            "system": self.system,
            "base": self.base,
            "splits": list(self.splits),
            "seed": self.seed,
            "epochs": self.epochs,
            "device": self.device,
        }

    def begin(self) -> None:
        """Claim the folder, or see that it holds the same training."""
        path = self.out / SETTINGS
        if path.is_file():
            found = read_json(path)
            for name, value in self.settings().items():
                if not isinstance(found, dict) or found.get(name) != value:
                    was = found.get(name) if isinstance(found, dict) else None
                    raise FormatError(
                        f"a training with {name} {was!r} was begun here, not {value!r}: take another folder",
                        path=self.out,
                    )
            return
        if self.out.is_dir() and any(self.out.iterdir()):
            raise FormatError(
                "the folder is not empty, and no training was begun in it: take another",
                path=self.out,
            )
        self.out.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(self.settings(), indent=1) + "\n")

    def tell(self, stage: str, step: int, total: int, figures: Mapping[str, float]) -> None:
        """A line of the log: every step of a short training, about LINES of a long one."""
        if step != total and step % max(1, total // LINES):
            return
        seconds = round(time.monotonic() - self.started, 1)
        rounded = {name: round(float(value), 6) for name, value in figures.items()}
        row = {"stage": stage, "step": step, "of": total, **rounded, "seconds": seconds}
        with (self.out / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        if step == total or step % max(1, total // 20) == 0:
            said = ", ".join(f"{name} {value:.4g}" for name, value in figures.items())
            log.info(f"{stage}: {step:,} of {total:,}" + (f", {said}" if said else ""))

    def rows(self) -> Iterator[dict[str, Any]]:
        """The lines of the log; one that was cut off by a crash is skipped."""
        path = self.out / LOG
        if not path.is_file():
            return
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict):
                yield row

    def forget_after(self, stage: str, step: int) -> None:
        """Drop what was logged after the state that a training goes on from."""
        kept = [row for row in self.rows() if row.get("stage") != stage or row["step"] <= step]
        if kept:
            write_file(self.out / LOG, "".join(json.dumps(row) + "\n" for row in kept))
