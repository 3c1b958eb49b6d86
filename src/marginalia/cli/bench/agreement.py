"""``marginalia bench agreement``: how far the people who annotated a task's data agree."""

from __future__ import annotations

from pathlib import Path

import click

from marginalia.cli.options import as_json, data_option
from marginalia.cli.output import print_json, print_table
from marginalia.core.errors import FormatError


@click.command("agreement")
@click.argument("task_name", metavar="TASK")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--merge", metavar="OUT", help="Write the union of the annotations to this file.")
@data_option
@as_json
def agreement_command(
    task_name: str, files: tuple[Path, ...], merge: str | None, data: str | None, as_json: bool
) -> None:
    """Measure agreement between annotators.

    Human agreement is a rough upper bound for a system. Without FILE, the annotators of the task's own data are
    compared. With two or more files in the task's official format, one per annotator, those are.

    \b
    marginalia bench agreement measurement
    marginalia bench agreement variables ann.tsv bob.tsv --merge both.tsv
    """
    from marginalia.bench.submission import agreement, merge_annotators
    from marginalia.core.files import write_file
    from marginalia.core.registry import get_benchmark
    from marginalia.reader.write import refuse_input

    task = get_benchmark(task_name)
    if merge and not files:
        raise FormatError("--merge needs the files of the annotators")
    refuse_input(Path(merge) if merge else None, {path.resolve() for path in files})
    report = agreement(task, files, data=data)
    if merge:
        write_file(Path(merge), merge_annotators(task, files), follow=True)
    if as_json:
        print_json(report.to_dict())
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
