"""``marginalia bench board``: published results with runs among them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.bench.run import print_runs
from marginalia.cli.options import as_json, raw_cells_option, runs_option
from marginalia.cli.output import print_json, print_table

if TYPE_CHECKING:
    from marginalia.bench.board import Board, Row
    from marginalia.core.runs import Run

FORMATS = ("table", "markdown", "latex", "csv", "json", "html")


@click.command("board")
@click.argument("task_name", metavar="TASK")
@click.option("--board", "only", metavar="NAME", help="Show this board only.")
@click.option("--top", type=click.IntRange(min=0), help="Number of published rows. Default: all.")
@click.option(
    "--format",
    "format",
    type=click.Choice(FORMATS),
    help="Output format. Default: by the extension of --out, else a table.",
)
@click.option(
    "-o", "--out", metavar="PATH", help="Write to a file: .md, .tex, .csv, .json or .html."
)
@click.option(
    "--breakdowns", is_flag=True, help="Also the tables that were published beside each board."
)
@click.option(
    "--columns",
    metavar="NAME,...",
    help="Columns of markdown, latex and csv. Default: all; in LaTeX those without sources.",
)
@click.option("--caption", metavar="TEXT", help="Caption: LaTeX then writes a table with it.")
@raw_cells_option
@runs_option
@as_json
def board_command(
    task_name: str,
    only: str | None,
    top: int | None,
    format: str | None,
    out: str | None,
    breakdowns: bool,
    columns: str | None,
    caption: str | None,
    runs: str,
    as_json: bool,
) -> None:
    """Show the published leaderboards with your runs.

    Participants have the ranks that were published. A saved run on the same split stands where its figure puts it, with its
    95 % interval and its place in parentheses: a range where only part of a board is known. Humans, baselines and later
    work have no place.

    \b
    marginalia bench board complexity --top 10
    marginalia bench board complexity --board subtask-1 --format latex --columns place,system,Pearson --caption "Sub-task 1"
    marginalia bench board variables --board detection --breakdowns
    marginalia bench board similarity -o board.html
    """
    from marginalia.bench import report
    from marginalia.bench.board import boards
    from marginalia.core.errors import UnknownNameError
    from marginalia.core.registry import get_benchmark

    task = get_benchmark(task_name)
    found = boards(task, runs)
    if only is not None:
        if only not in {board.name for board in found}:
            raise UnknownNameError(f"board of {task.name}", only, [board.name for board in found])
        found = [board for board in found if board.name == only]
    chosen = "json" if as_json else format or _by_extension(out) or "table"
    if chosen == "table":
        for board in found:
            _print(board, top)
            for breakdown in board.breakdowns if breakdowns else ():
                header, cells = report.breakdown_cells(breakdown)
                title = report.breakdown_title(board, breakdown)
                print_table(title, header, cells, note=str(breakdown.get("source", "")))
        return
    if chosen == "json":
        _write(out, None, [asdict(board) for board in found])
        return
    if chosen == "html":
        _write(out, report.board_page(task.name, found, top=top))
        return
    tables = []
    for board in found:
        header, cells = report.board_cells(board, report.shown_rows(board, top))
        names = [name.strip() for name in columns.split(",")] if columns else header
        if chosen == "latex" and not columns:  # where a figure was printed takes a sentence
            names = [name for name in header if name not in ("figure is", "source")]
        tables.append(report.TABLES[chosen](*report.choose(header, cells, names)))
        if breakdowns:
            shown = map(report.breakdown_cells, board.breakdowns)
            tables += [report.TABLES[chosen](*each) for each in shown]
    if caption and chosen == "latex":
        tables = [report.in_float(table, caption) for table in tables]
    _write(out, "\n".join(tables))


def _by_extension(out: str | None) -> str | None:
    from marginalia.bench.report import EXTENSIONS

    return None if out is None else EXTENSIONS.get(Path(out).suffix.lower())


def _write(out: str | None, text: str | None, data: Any = None) -> None:
    import json

    from marginalia.core.files import write_file
    from marginalia.core.report import plain

    if out is None:
        print_json(data) if text is None else click.echo(text, nl=False)
        return
    whole = json.dumps(plain(data), ensure_ascii=False, indent=1) + "\n" if text is None else text
    write_file(Path(out), whole, follow=True)
    click.echo(f"written to {out}", err=True)


def _print(board: Board, top: int | None) -> None:
    """Narrow enough for a terminal: what is no participant says so beside its name."""
    from marginalia.bench import report

    rows = report.shown_rows(board, top)
    partial = "Only part of the published table is known. " if not board.complete else ""
    print_table(
        f"{board.name}: {board.metric} on {board.split}",
        ("", "system", *board.columns),
        (
            (
                row.place,
                row.system if row.kind == "participant" else f"{row.system} ({_kind(row)})",
                *(row.values.get(name) for name in board.columns),
            )
            for row in rows
        ),
        note=f"{partial}Places in parentheses are those of runs. --format csv has sources and intervals."
        if any(row.origin == report.MEASURED for row in rows)
        else partial,
    )


def _kind(row: Row) -> str:
    from marginalia.bench import report

    return " ".join(filter(None, (row.kind, report.interval_text(row))))


@click.command("runs")
@click.argument("task_name", metavar="TASK")
@runs_option
@as_json
def runs_command(task_name: str, runs: str, as_json: bool) -> None:
    """List your saved runs of a task with their scores."""
    from marginalia.core.registry import get_benchmark
    from marginalia.core.runs import runs as kept_runs

    task = get_benchmark(task_name)
    kept = [run for _, run in kept_runs(Path(runs), task.name)]
    if as_json:
        print_json([_shown(run) for run in kept])
        return
    if not kept:
        click.echo(
            f"{runs} keeps no run of {task.name}; `marginalia bench run {task.name}` makes one."
        )
    for split, folds in dict.fromkeys((run.split, run.folds) for run in kept):
        same = [run for run in kept if (run.split, run.folds) == (split, folds)]
        print_runs(task, split, [_shown(run) for run in same])


def _shown(run: Run) -> dict[str, Any]:
    """A run that was kept has its scores, but not what the scorer said beside them."""
    from marginalia.bench.run import RunResult

    return RunResult(run, None).to_dict()
