"""``marginalia tasks``: what can be asked, and where each question comes from."""

from __future__ import annotations

import click

from marginalia.cli.options import as_json
from marginalia.cli.output import print_json, print_table


@click.command("tasks")
@as_json
def tasks_command(as_json: bool) -> None:
    """List the tasks: their questions and shared tasks.

    --json adds systems, splits, metrics and licences.
    """
    from marginalia.core.registry import all_tasks

    tasks = all_tasks()
    if as_json:
        print_json(
            [
                {
                    "name": task.name,
                    "question": task.question,
                    "shared_task": task.shared_task,
                    "best": task.best,
                    "systems": [card.name for card in task.systems],
                    "splits": task.splits,
                    "metrics": [str(metric) for metric in task.metrics],
                    "data_licence": task.data_licence,
                    "weights_licence": task.weights_licence,
                    "annotates": task.annotate is not None,
                }
                for task in tasks
            ]
        )
        return
    print_table(
        "Questions in the margin",
        ("task", "question", "shared task", "best system"),
        ((t.name, t.question, t.shared_task, t.best) for t in tasks),
        note="Next: `marginalia bench systems TASK`, or `marginalia read FILE`; --json adds licences.",
    )
