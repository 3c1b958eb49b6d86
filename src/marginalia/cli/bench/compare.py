"""``marginalia bench compare``: whether one system is better than another."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from marginalia.cli.options import as_json, data_option, runs_option
from marginalia.cli.output import print_json, print_table
from marginalia.cli.progress import progress_bar


@click.command("compare")
@click.argument("task_name", metavar="TASK")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--split", default="dev", show_default=True, help="Which split, of systems by name.")
@click.option("--seed", default=0, show_default=True, help="Seed of the resampling.")
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Bootstrap samples.",
)
@data_option
@runs_option
@as_json
def compare_command(
    task_name: str,
    first: str,
    second: str,
    split: str,
    seed: int,
    resamples: int,
    data: str | None,
    runs: str,
    as_json: bool,
) -> None:
    """Whether run A of TASK is better than run B.

    A and B are systems, of which the newest kept run on the split is taken, or files of runs. Both are scored on the
    same bootstrap samples, so that what is hard for both counts for neither. The split's gold must be there.

    \b
    marginalia bench run complexity --system features --system frequency
    marginalia bench compare complexity features frequency
    """
    from marginalia.bench.board import label
    from marginalia.bench.compare import compare, find_run
    from marginalia.core.data_folder import data_folder
    from marginalia.core.registry import get_task

    task = get_task(task_name)
    task.check_split(split)
    folder = data_folder(data)
    one, other = (find_run(task, name, split, Path(runs)) for name in (first, second))
    with progress_bar() as progress:
        found = compare(task, one, other, folder, n=resamples, seed=seed, progress=progress)
    if as_json:
        sides = {"first": label(one), "second": label(other), "split": one.split}
        print_json({"task": task.name, **sides, "figures": [asdict(row) for row in found]})
        return
    names = (label(one), label(other))
    print_table(
        f"{task.name} on {one.split}: {names[0]} against {names[1]}",
        ("figure", *(names if names[0] != names[1] else ("A", "B")), "difference", "95 %", "p"),
        (
            (
                row.metric,
                row.first,
                row.second,
                row.difference,
                f"[{row.low:.3f}, {row.high:.3f}]" if row.low == row.low else "undefined",
                row.p,
            )
            for row in found
        ),
        note="Paired bootstrap over groups; p is two-sided, for each figure by itself.",
    )
    for run in (one, other):
        if run.seen_in_training:
            click.echo(f"note: {label(run)} saw these items in training", err=True)
