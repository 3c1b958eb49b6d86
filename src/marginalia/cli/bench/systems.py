"""``marginalia bench systems``: what there is to run."""

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
