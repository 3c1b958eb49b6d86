"""The published leaderboards, with runs of one's own placed among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Benchmark
from marginalia.core.extraction import make_frame
from marginalia.core.registry import as_benchmark
from marginalia.core.report import Metric
from marginalia.core.runs import Run
from marginalia.core.runs import runs as kept_runs

OURS = "run"
"""The kind of a row that was measured here."""
RANKED = ("participant", OURS)
"""Who has a place. Humans, baselines and later work stand beside the ranks."""
REPORTED, MEASURED = "reported", "measured here"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a board. ``value`` is that of the board's own metric; None where only the rank is known."""

    system: str
    kind: str
    value: float | None
    values: Mapping[str, float] = field(default_factory=dict)
    """All columns by their published names."""
    rank: int | None = None
    """The published rank, or the place that a run would have had among the participants; None where it is not known."""
    rank_to: int | None = None
    """On a board known in part: the last place that a run may have."""
    origin: str = REPORTED
    interval: Mapping[str, float] | None = None
    source: str = ""
    """Where the figure was printed, or the command that measured it."""

    @property
    def place(self) -> str:
        """The rank as it is shown: of a run in parentheses, a range where nothing better is known."""
        if self.rank is None:
            return ""
        shown = (
            f"{self.rank}–{self.rank_to}"
            if self.rank_to not in (None, self.rank)
            else str(self.rank)
        )
        return f"({shown})" if self.kind == OURS else shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Published rows and runs on the same split, best first."""

    name: str
    metric: str
    split: str
    complete: bool
    columns: tuple[str, ...]
    """The board's own metric first."""
    rows: tuple[Row, ...]
    breakdowns: tuple[Mapping[str, Any], ...] = ()
    """Tables that were published beside it, such as figures by document."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def to_frame(self) -> Any:
        """A row per line of the board, as a data frame of pandas, or of polars where only that is installed."""
        return make_frame(map(asdict, self.rows), Row.__dataclass_fields__)


def boards(task: str | Benchmark, runs: Iterable[Run] | str | Path = ()) -> list[Board]:
    """The published leaderboards of a task, with the runs that are on their split.

    ``runs`` are runs, or the folder that keeps them. Cross-validated runs have no place on a board.
    """
    task = as_benchmark(task)
    if isinstance(runs, (str, Path)):
        runs = [run for _, run in kept_runs(Path(runs), task.name)]
    whole = [run for run in runs if not run.folds]
    published = task.published()
    beside = _beside(published)
    return [
        _board(
            task,
            {**board, "breakdowns": [*board.get("breakdowns", ()), *beside(board)]},
            whole,
            tuple(published.get("notes", ())),
        )
        for board in published["boards"]
    ]


def _beside(published: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], list[dict[str, Any]]]:
    """What was published beside a board: correlations of its figures and, with the first one, what systems are made of."""
    systems, found = published.get("systems"), published.get("correlations", {})

    def of(board: Mapping[str, Any]) -> list[dict[str, Any]]:
        own = [
            {"by": f"correlation of {one['of']}", "source": found["source"], "rows": one["rows"]}
            for one in found.get("rows", ())
            if one["board"] == board["board"]
        ]
        if systems and board is published["boards"][0]:
            own.append(
                {
                    "by": "ingredients of the systems",
                    "source": systems["table"],
                    "rows": systems["rows"],
                }
            )
        return own

    return of


def _board(
    task: Benchmark, board: Mapping[str, Any], runs: Iterable[Run], notes: tuple[str, ...]
) -> Board:
    metric, higher = board["metric"], board["higher_is_better"]
    columns = _columns(board)
    reported = [_reported(row, metric) for row in board["rows"]]
    newest = {label(run): run for run in runs if _belongs(run, board)}
    measured = [
        row
        for run in newest.values()
        if (row := _measured(task, board["board"], metric, run)) is not None
    ]
    complete = board.get("complete", True)
    measured = [_placed(row, reported, higher=higher, complete=complete) for row in measured]
    rows = sorted((*reported, *measured), key=lambda row: _order(row, higher))
    return Board(
        name=board["board"],
        metric=metric,
        split=board["split"],
        complete=complete,
        columns=columns,
        rows=tuple(rows),
        breakdowns=tuple(board.get("breakdowns", ())),
        notes=notes,
    )


def _belongs(run: Run, board: Mapping[str, Any]) -> bool:
    """Whether a run is on the split of the board, or one that it takes too, with the figures it asks for and none it excludes."""
    if run.split not in (board["split"], *board.get("also_on", ())):
        return False
    scores = run.scores or {}
    return all(Metric(path).of(scores) is not None for path in board.get("needs", ())) and all(
        Metric(path).of(scores) is None for path in board.get("lacks", ())
    )


def _columns(board: Mapping[str, Any]) -> tuple[str, ...]:
    """The metrics that any published row has, the board's own first."""
    named = [board["metric"], *board.get("metrics", {})]
    found = [name for row in board["rows"] for name in row["scores"]]
    return tuple(dict.fromkeys((*named, *found)))


def _reported(row: Mapping[str, Any], metric: str) -> Row:
    return Row(
        system=row["system"],
        kind=row["kind"],
        value=row["scores"].get(metric),
        values=row["scores"],
        rank=row.get("rank", {}).get(metric) if row["kind"] in RANKED else None,
        source=row["source"],
    )


def _measured(task: Benchmark, board: str, metric: str, run: Run) -> Row | None:
    """The figures of a run under the published names; None where it has none of the board."""
    paths = task.board_columns.get(board, {})
    found = {name: Metric(path).of(run.scores or {}) for name, path in paths.items()}
    values = {name: value for name, value in found.items() if value is not None}
    if metric not in values:
        return None
    return Row(
        system=label(run),
        kind=OURS,
        value=values[metric],
        values=values,
        origin=MEASURED,
        interval=run.intervals.get(paths[metric]),
        source=run.command,
    )


def _same(row: Row, other: Row) -> bool:
    """Whether a run is one that is printed already: the same name, and the same figure as far as it is printed."""
    if row.system.casefold() != other.system.casefold() or row.value is None or other.value is None:
        return False
    digits = len(str(other.value).partition(".")[2])
    return round(row.value, digits) == round(other.value, digits)


def _placed(row: Row, reported: Sequence[Row], *, higher: bool, complete: bool) -> Row:
    """The place of a run among the participants: that of the printed row which it is, else by its figure.

    On a board known in part: between which places it must be.
    """
    printed = next((other for other in reported if _same(row, other)), None)
    if printed is not None and printed.rank is not None:
        return replace(row, rank=printed.rank)
    ranked = [other for other in reported if other.kind == "participant"]
    known = [other for other in ranked if other.value is not None]
    better = [other for other in known if _better(other.value, row.value, higher)]
    if complete:
        return replace(row, rank=1 + len(better))
    worse = [other for other in known if other not in better]
    first = max([1 + len(better), *(1 + other.rank for other in better if other.rank)])
    last = min((other.rank for other in worse if other.rank), default=None)
    return replace(row, rank=None if last is None else min(first, last), rank_to=last)


def _better(one: float | None, other: float | None, higher: bool) -> bool:
    return one is not None and other is not None and (one > other if higher else one < other)


def _order(row: Row, higher: bool) -> tuple[bool, float, float]:
    """Best first; what has only a rank stands behind the last value, by rank."""
    if row.value is None:
        return True, 0.0, row.rank or float("inf")
    return False, -row.value if higher else row.value, row.rank or float("inf")


def label(run: Run) -> str:
    """The system, with the options and the language model that make its figures others."""
    said = [f"{name} {value}" for name, value in run.options.items()]
    if run.asked:
        said.append(f"prompted: {run.asked.get('model')}")
    return f"{run.system} ({', '.join(said)})" if said else run.system
