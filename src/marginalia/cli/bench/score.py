"""``marginalia bench score`` and ``rescore``: official figures of files, and of runs made before their gold was there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from marginalia.cli.bench.run import print_runs
from marginalia.cli.options import as_json, data_option, runs_option
from marginalia.cli.output import print_json, print_table


@click.command("score")
@click.argument("task_name", metavar="TASK")
@click.option("--gold", required=True, metavar="PATH", help="Gold file or folder.")
@click.option(
    "--pred", required=True, metavar="PATH", help="Submission: a file, a folder or a zip of them."
)
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
    from marginalia.bench.submission import score_files
    from marginalia.core.registry import get_benchmark

    task = get_benchmark(task_name)
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


@click.command("rescore")
@click.argument("task_name", metavar="TASK")
@click.argument("files", metavar="RUN.json...", nargs=-1, required=True)
@data_option
@runs_option
@as_json
def rescore_command(
    task_name: str, files: tuple[str, ...], data: str | None, runs: str, as_json: bool
) -> None:
    """Score saved runs again from their predictions.

    For runs that were made before the gold of their split was there, or scored by an older version. The scored run is saved
    beside the old one, as a new file.

    \b
    marginalia bench rescore complexity runs/complexity-test-ensemble-20261101T101500Z.json
    """
    from marginalia.bench.submission import rescore_run
    from marginalia.core.registry import get_benchmark

    task = get_benchmark(task_name)
    done = [rescore_run(task, file, data=data) for file in files]
    for each in done:
        click.echo(f"run saved as {each.run.save(Path(runs))}", err=True)
    shown = [each.to_dict() for each in done]
    if as_json:
        print_json(shown if len(shown) > 1 else shown[0])
        return
    for split in dict.fromkeys(each["split"] for each in shown):
        print_runs(task, split, [each for each in shown if each["split"] == split])
