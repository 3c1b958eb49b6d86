"""``marginalia bench systems`` and ``new``: what there is to run, and files to start a system or a task from."""

from __future__ import annotations

import click

from marginalia.cli.options import as_json
from marginalia.cli.output import print_json, print_table


@click.command("systems")
@click.argument("task_name", metavar="[TASK]", required=False)
@as_json
def systems_command(task_name: str | None, as_json: bool) -> None:
    """List the systems of a task, or of all tasks."""
    from marginalia.bench.systems import installed_cards
    from marginalia.core.registry import all_benchmarks, get_benchmark
    from marginalia.core.resolution import find_context, resolve

    tasks = [get_benchmark(task_name)] if task_name else all_benchmarks()
    rows = [
        {
            "task": task.name,
            "system": card.name,
            "kind": card.kind,
            "trains": card.trains,
            "best": card.name == default,
            "missing": "" if card.kind == "own" else task.missing(card.name),
            "summary": card.summary,
        }
        for task in tasks
        for default in (resolve(task, find_context(task)).card.name,)
        for card in (*task.systems, *installed_cards(task))
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


@click.group("new")
def new_command() -> None:
    """Write the first files of a system or a task.

    \b
    marginalia bench new system mine --task complexity
    marginalia bench new task riddles
    """


@new_command.command("system")
@click.argument("name")
@click.option("--task", "task_name", required=True, help="Task that the system is for.")
@click.option("--folder", default=".", show_default=True, metavar="DIR", help="Where to write.")
def new_system_command(name: str, task_name: str, folder: str) -> None:
    """Write a system that runs, and a test of its contract."""
    from marginalia.bench.scaffold import class_name, new_system

    for path in new_system(name, task_name, folder):
        click.echo(path)
    click.echo(
        f"Next: marginalia bench run {task_name} --system {folder}/{name}.py:{class_name(name)}",
        err=True,
    )


@new_command.command("task")
@click.argument("name")
@click.option("--folder", default=".", show_default=True, metavar="DIR", help="Where to write.")
def new_task_command(name: str, folder: str) -> None:
    """Write a package with a task: data, metric, system, tests."""
    from marginalia.bench.scaffold import new_task

    for path in new_task(name, folder):
        click.echo(path)
    click.echo(
        f"Next: pip install -e {folder}/{name}, then marginalia bench run {name} --data {folder}/{name}/data",
        err=True,
    )
