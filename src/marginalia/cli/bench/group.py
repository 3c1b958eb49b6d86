"""``marginalia bench``: run systems, write submissions, score files, see the boards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.bench.agreement import agreement_command
from marginalia.cli.bench.compare import compare_command
from marginalia.cli.bench.decisions import decisions_command
from marginalia.cli.bench.run import print_runs, run_command
from marginalia.cli.options import (
    as_json,
    candidates_option,
    data_option,
    load_options,
    runs_option,
)
from marginalia.cli.output import print_json, print_table
from marginalia.cli.progress import progress_bar

if TYPE_CHECKING:
    from marginalia.core.runs import Run


@click.group("bench")
def bench_command() -> None:
    """Run, score and compare systems on the shared tasks.

    \b
    marginalia bench run complexity --system frequency --split dev
    marginalia bench compare complexity features frequency
    marginalia bench predict clarification --split test --out submission/
    marginalia bench score measurement --gold gold/ --pred submission/ --json
    """


bench_command.add_command(run_command)
bench_command.add_command(compare_command)
bench_command.add_command(agreement_command)
bench_command.add_command(decisions_command)


@bench_command.command("systems")
@click.argument("task_name", metavar="[TASK]", required=False)
@as_json
def systems_command(task_name: str | None, as_json: bool) -> None:
    """List the systems of a task, or of all tasks."""
    from marginalia.core.registry import all_tasks, get_task

    tasks = [get_task(task_name)] if task_name else all_tasks()
    rows = [
        {
            "task": task.name,
            "system": card.name,
            "kind": card.kind,
            "trains": card.trains,
            "best": card.name == task.default,
            "missing": task.missing(card.name),
            "summary": card.summary,
        }
        for task in tasks
        for card in task.systems
    ]
    if as_json:
        print_json(rows)
        return
    print_table(
        "Systems",
        ("task", "system", "kind", "needs train data", "what it is"),
        (
            (
                row["task"],
                f"{row['system']} *" if row["best"] else row["system"],
                row["kind"],
                "yes" if row["trains"] else "no",
                row["summary"],
            )
            for row in rows
        ),
        note="* is the default.",
    )


@bench_command.command("predict")
@click.argument("task_name", metavar="TASK")
@click.option("--system", help="Name of the system. Default: the task's best.")
@click.option("--split", default="test", show_default=True, help="Split to predict.")
@candidates_option
@click.option("-o", "--out", required=True, metavar="DIR", help="Folder for the submission files.")
@data_option
@as_json
def predict_command(
    task_name: str,
    system: str | None,
    split: str,
    candidates: str | None,
    out: str,
    data: str | None,
    as_json: bool,
) -> None:
    """Write the official submission files for a split.

    Needs no gold. `bench systems` lists the systems.
    """
    from marginalia.bench.submission import make_submission

    with progress_bar() as progress:
        made = make_submission(
            task_name,
            split,
            system=system,
            data=data,
            options=load_options(candidates),
            progress=progress,
        )
    paths = made.write(out)
    if as_json:
        print_json({**made.to_dict(), "files": [str(path) for path in paths]})
    else:
        what = f"{len(paths)} files for {made.items} items of {made.task}/{made.split}"
        click.echo(f"{what} in {out}")


@bench_command.command("score")
@click.argument("task_name", metavar="TASK")
@click.option("--gold", required=True, metavar="PATH", help="Gold file or folder.")
@click.option("--pred", required=True, metavar="PATH", help="Submission file or folder.")
@click.option(
    "--text",
    metavar="PATH",
    help="Measurement: folder of the paragraphs, to check offsets and quotes. "
    "Clarification: the *_data.tsv, for scores by phenomenon.",
)
@click.option(
    "--limit",
    is_flag=True,
    help="Measurement: ignore gold of files that were not submitted (-l of the official program).",
)
@click.option("--strict", is_flag=True, help="Clarification: refuse missing or repeated ids.")
@as_json
def score_command(
    task_name: str, gold: str, pred: str, text: str | None, limit: bool, strict: bool, as_json: bool
) -> None:
    """Score submission files like the official program.

    What the official program does not report, such as ignored rows, is printed as a note and included in --json.
    """
    from marginalia.bench.files import score_files
    from marginalia.core.registry import get_task

    task = get_task(task_name)
    flags = {name: True for name, given in {"limit": limit, "strict": strict}.items() if given}
    for name in flags.keys() - set(task.score_flags):
        raise click.UsageError(f"--{name} is not for {task.name}")
    report = score_files(task, gold, pred, text=text, **flags)
    if as_json:
        print_json(report.to_dict())
        return
    headlines = [(str(m), m.of(report.scores)) for m in task.metrics]
    first = {name: value for name, value in headlines if value is not None}
    rest = {name: value for name, value in _flat(report.scores) if name not in first}
    print_table(
        f"{task.name}: {pred}",
        ("figure", "value"),
        [*first.items(), *rest.items()],
        note="--json adds every document and what the official program does not report.",
    )
    for warning in report.warnings:
        click.echo(f"note: {warning}", err=True)


def _flat(scores: Any, path: str = "", depth: int = 3) -> Iterator[tuple[str, Any]]:
    """Figures by their path; deeper ones, such as single documents, are left to --json."""
    for key, value in scores.items():
        name = f"{path}.{key}" if path else str(key)
        if isinstance(value, dict):
            if depth > 1:
                yield from _flat(value, name, depth - 1)
        elif value is not None:
            yield name, value


@bench_command.command("show")
@click.argument("task_name", metavar="TASK")
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Number of published rows.",
)
@runs_option
@as_json
def show_command(task_name: str, top: int, runs: str, as_json: bool) -> None:
    """Show the published leaderboards with your runs.

    A saved run appears on the leaderboards of its split; a table of all saved runs follows.
    """
    from dataclasses import asdict

    from marginalia.bench.board import OURS, boards
    from marginalia.core.registry import get_task
    from marginalia.core.runs import runs as kept_runs

    task = get_task(task_name)
    kept = [run for _, run in kept_runs(Path(runs), task.name)]
    found = boards(task, kept)
    if as_json:
        print_json({"boards": [asdict(b) for b in found], "runs": [_shown(r) for r in kept]})
        return
    for board in found:
        rows = [
            (place, row.system, row.kind, row.value)
            for place, row in enumerate(board.rows, start=1)
            if place <= top or row.kind == OURS
        ]
        partial = "" if board.complete else "; only part of the published table is known"
        print_table(
            f"{board.name}: {board.metric} on {board.split}{partial}",
            ("", "system", "kind", board.metric),
            rows,
        )
    for split, folds in dict.fromkeys((run.split, run.folds) for run in kept):
        same = [run for run in kept if (run.split, run.folds) == (split, folds)]
        print_runs(task, split, [_shown(run) for run in same])


def _shown(run: Run) -> dict[str, Any]:
    """A run that was kept has its scores, but not what the scorer said beside them."""
    from marginalia.bench.run import RunResult

    return RunResult(run, None).to_dict()
