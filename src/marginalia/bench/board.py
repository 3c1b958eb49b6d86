"""The published leaderboards with our own runs among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from marginalia.core.frame import make_frame
from marginalia.core.registry import as_task
from marginalia.core.runs import Run
from marginalia.core.runs import runs as kept_runs
from marginalia.core.task import Metric, Task

OURS = "ours"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a board. ``value`` is None where only the rank is known."""

    system: str
    kind: str
    value: float | None
    interval: Mapping[str, float] | None = None
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Published rows and our runs on the same split, best first."""

    name: str
    metric: str
    split: str
    complete: bool
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def to_frame(self) -> Any:
        """A row per line of the board, as a data frame of pandas, or of polars where only that is installed."""
        return make_frame(map(asdict, self.rows), Row.__dataclass_fields__)


def boards(task: str | Task, runs: Iterable[Run] | str | Path = ()) -> list[Board]:
    """The published leaderboards of a task; where a headline metric belongs to one, with our runs among them.

    ``runs`` are runs, or the folder that keeps them.
    """
    task = as_task(task)
    if isinstance(runs, (str, Path)):
        runs = [run for _, run in kept_runs(Path(runs), task.name)]
    runs = list(runs)
    published = task.published()
    found = []
    for board in published["boards"]:
        rows = [
            Row(
                system=row["system"],
                kind=row["kind"],
                value=row["scores"].get(board["metric"]),
                source=row["source"],
            )
            for row in board["rows"]
        ]
        for metric in task.metrics:
            if metric.board == board["board"]:
                rows += own_rows(
                    metric, (r for r in runs if r.split == board["split"] and not r.folds)
                )
        higher = board["higher_is_better"]
        rows.sort(key=lambda row: (row.value is None, _order(row.value, higher)))
        found.append(
            Board(
                name=board["board"],
                metric=board["metric"],
                split=board["split"],
                complete=board.get("complete", True),
                rows=tuple(rows),
                notes=tuple(published.get("notes", ())),
            )
        )
    return found


def _order(value: float | None, higher: bool) -> float:
    return 0.0 if value is None else -value if higher else value


def label(run: Run) -> str:
    """The system, with the options that make its figures others."""
    told = ", ".join(f"{name} {value}" for name, value in run.options.items())
    return f"{run.system} ({told})" if told else run.system


def own_rows(metric: Metric, runs: Iterable[Run]) -> list[Row]:
    """A row for the newest run of each system that has the figure."""
    newest: dict[str, Run] = {}
    for run in runs:
        newest[label(run)] = run
    rows = []
    for run in newest.values():
        value = metric.of(run.scores or {})
        if value is not None:
            interval: Any = run.intervals.get(metric.path)
            rows.append(
                Row(
                    system=label(run),
                    kind=OURS,
                    value=value,
                    interval=interval,
                    source=run.command,
                )
            )
    return rows
