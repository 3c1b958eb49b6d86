"""``marginalia bench agreement``: how far the people who annotated a task's data agree."""

from __future__ import annotations

import click

from marginalia.cli.options import as_json, data_option
from marginalia.cli.output import print_json, print_table
from marginalia.core.errors import MissingError

TOOL = "agreement"
"""A task's tool of this name is called with the data folder and returns a ``Report``, whose scores are
figures by what was annotated."""


@click.command("agreement")
@click.argument("task_name", metavar="TASK")
@data_option
@as_json
def agreement_command(task_name: str, data: str | None, as_json: bool) -> None:
    """How far the annotators of TASK agree: what a system can be expected to reach."""
    from marginalia.core.folder import data_folder
    from marginalia.core.registry import all_tasks, get_task

    task = get_task(task_name)
    if TOOL not in task.tools:
        others = ", ".join(other.name for other in all_tasks() if TOOL in other.tools) or "none"
        raise MissingError(
            f"The data of {task.name} do not say what each annotator said; tasks that have that: {others}."
        )
    report = task.tools[TOOL](data_folder(data))
    if as_json:
        print_json(report.to_json())
        return
    figures = list(dict.fromkeys(name for row in report.scores.values() for name in row))
    print_table(
        f"{task.name}: agreement of its annotators",
        ("", *(name.replace("_", " ") for name in figures)),
        (
            # A figure that is undefined for this row has nothing to say there.
            (what, *(None if (v := row.get(name)) is None or v != v else v for name in figures))
            for what, row in report.scores.items()
        ),
        note="; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in report.also.items()),
    )
    for warning in report.warnings:
        click.echo(f"note: {warning}", err=True)
