"""``marginalia tasks``: what can be asked, where each question comes from, and what the licences allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from marginalia.cli.options import as_json
from marginalia.cli.output import print_json, print_table

if TYPE_CHECKING:
    from marginalia.core.benchmark import Benchmark


@click.command("tasks")
@click.option(
    "--licences", is_flag=True, help="Show what is installed and what its licences allow."
)
@as_json
def tasks_command(licences: bool, as_json: bool) -> None:
    """List the tasks: their questions and shared tasks.

    --json adds systems, splits, metrics and licences.
    """
    from marginalia.core.registry import all_benchmarks

    if licences:
        show_licences(as_json)
        return
    tasks = all_benchmarks()
    if as_json:
        print_json(
            [
                {
                    "name": task.name,
                    "question": task.question,
                    "shared_task": task.shared_task,
                    "preferred": task.preferred,
                    "default": default_system(task),
                    "systems": [card.name for card in task.systems],
                    "splits": task.splits,
                    "metrics": [str(metric) for metric in task.metrics],
                    "data_licence": task.data_licence,
                    "weights_licence": task.weights_licence,
                }
                for task in tasks
            ]
        )
        return
    print_table(
        "Questions in the margin",
        ("task", "question", "shared task", "default system"),
        ((t.name, t.question, t.shared_task, default_system(t)) for t in tasks),
        note="Next: `marginalia bench systems TASK`, or `marginalia read FILE`; --licences shows what is allowed.",
    )
    for sentence in missing():
        click.echo(f"note: {sentence}", err=True)


def default_system(task: Benchmark) -> str:
    from marginalia.core.resolution import find_context, resolve

    return resolve(task, find_context(task)).card.name


def missing() -> list[str]:
    """What the default systems of the tasks would need to be the best ones, a sentence each."""
    from marginalia.core.registry import all_benchmarks
    from marginalia.core.resolution import missing_for_defaults

    return [sentence for task in all_benchmarks() if (sentence := missing_for_defaults(task))]


def show_licences(as_json: bool) -> None:
    from dataclasses import asdict

    from marginalia.core.distributions import installed

    distributions = installed()
    if as_json:
        print_json(
            {
                "distributions": [
                    {**asdict(one), "commercial": one.commercial} for one in distributions
                ],
                "missing": missing(),
            }
        )
        return
    for one in distributions:
        print_table(
            f"{one.name} {one.version}: {one.licence}",
            ("part", "licence", "commercial use", "conditions"),
            ((p.name, p.licence, "yes" if p.commercial else "no", p.conditions) for p in one.parts),
        )
    free = all(one.commercial for one in distributions)
    said = "All that is installed may be used commercially."
    if not free:
        said = "What is marked 'no' may not be used commercially; the rest may."
    click.echo(f"{said} --json adds what each part was made from.")
    for sentence in missing():
        click.echo(f"note: {sentence}", err=True)
