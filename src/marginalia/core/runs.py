"""Runs on disk. Predictions are primary: any score can be computed again from them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.files import read_json, write_file
from marginalia.core.report import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A system's predictions on a split, with all that is needed to trust or repeat them."""

    task: str
    split: str
    system: str
    command: str
    """The command that makes this run again."""
    created: str
    versions: Mapping[str, str]
    data_hash: str
    seed: int
    options: Mapping[str, str] = field(default_factory=dict)
    """What the split was loaded with, such as ``candidates``."""
    folds: int = 0
    """Number of folds if the split was cross-validated, else 0."""
    seen_in_training: bool
    """Whether the system was fitted on items of this very split (then the scores mean little)."""
    seconds: float
    fit_seconds: float
    peak_memory_mb: float | None
    predictions: Mapping[str, Any]
    """By id, as ``task.encode`` gives them."""
    scores: Mapping[str, Any] | None = None
    environment: Mapping[str, Any] = field(default_factory=dict)
    """The commit of the package, the hash of its weights, processor and threads."""
    intervals: Mapping[str, Any] = field(default_factory=dict)
    """Metric path -> {low, high, level}, by bootstrap over groups."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    """The language model that was asked, the versions of its prompts, and what became of the requests; else empty."""

    def save(self, folder: Path) -> Path:
        """Write the run as one JSON file and return its path."""
        text = json.dumps(plain(asdict(self)), ensure_ascii=False, indent=1) + "\n"
        stamp = self.created.replace(":", "").replace("-", "")
        folds = f"-{self.folds}-folds" if self.folds else ""
        system = re.sub(r"[^\w.+-]+", "_", self.system).strip("_")[
            :80
        ]  # a system may be named by a path or command
        name = f"{self.task}-{self.split}{folds}-{system}-{stamp}"
        path, number = folder / f"{name}.json", 1
        while path.exists():  # a run of the same second
            number += 1
            path = folder / f"{name}-{number}.json"
        return write_file(path, text)

    def to_dict(self) -> dict[str, Any]:
        """All but the predictions, which can be many."""
        shown = asdict(self)
        del shown["predictions"]
        return shown

    @classmethod
    def load(cls, path: Path) -> Run:
        data = read_json(path)
        if not isinstance(data, dict):
            raise FormatError("not a run: an object was expected", path=path)
        for name, value in data.items():
            if not isinstance(value, _TYPES.get(name, object)):
                raise FormatError(f"not a run: {name!r} is {value!r:.40}", path=path)
        try:
            return cls(**data)
        except TypeError as error:
            raise FormatError(f"not a run: {error}", path=path) from error


_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("task", "split", "system", "command", "created", "data_hash"), (str,)),
    **dict.fromkeys(
        ("versions", "options", "predictions", "environment", "intervals", "asked"), (dict,)
    ),
    **dict.fromkeys(("seed", "folds"), (int,)),
    **dict.fromkeys(("seconds", "fit_seconds"), (int, float)),
    "peak_memory_mb": (int, float, type(None)),
    "scores": (dict, type(None)),
    "seen_in_training": (bool,),
}
"""What a kept run may hold under each name."""


def runs(folder: Path, task: str | None = None) -> Iterator[tuple[Path, Run]]:
    """The runs of a folder, oldest first."""
    loaded = ((path, Run.load(path)) for path in folder.glob("*.json"))
    kept = ((path, run) for path, run in loaded if task is None or run.task == task)
    return iter(sorted(kept, key=lambda pair: (pair[1].created, pair[0].name)))
