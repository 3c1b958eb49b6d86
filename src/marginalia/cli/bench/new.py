"""``marginalia bench new``: files to start a system or a task from."""

from __future__ import annotations

import click


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
