"""``marginalia bench score``, ``rescore``, ``agreement`` and ``decisions``: figures of official files, of runs made before
their gold was known, of annotators, and of readers' decisions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from marginalia.cli.bench.run import print_runs
from marginalia.cli.options import as_json, data_option, runs_option
from marginalia.cli.output import print_json, print_table
from marginalia.core.errors import FormatError


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


@click.command("decisions")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--share",
    type=click.FloatRange(0.0, 1.0),
    default=0.8,
    show_default=True,
    help="What should have been kept of what is shown, for the threshold.",
)
@click.option("--who", metavar="NAME", help="Only decisions of this reader.")
@as_json
def decisions_command(files: tuple[str, ...], share: float, who: str | None, as_json: bool) -> None:
    """Score notes by what readers decided about them.

    FILE is what the web reader saves as decisions. For each kind of note: how many were accepted, edited and rejected, the
    share that was kept with its 95 % interval, and the lowest score from which on --share of the notes were kept.

    \b
    marginalia bench decisions paper.decisions.jsonl
    marginalia bench decisions *.decisions.jsonl --who anna --share 0.9
    """
    from marginalia.bench.decisions import score_decisions
    from marginalia.core.decisions import read_decisions

    found = [one for file in files for one in read_decisions(Path(file))]
    rows = score_decisions([one for one in found if who in (None, one.who)], share=share)
    if as_json:
        print_json([row.to_dict() for row in rows])
        return
    print_table(
        "Decisions",
        ("kind", "accepted", "edited", "rejected", "kept", "95 % interval", "from score", "shows"),
        (
            (
                row.kind,
                row.accepted,
                row.edited,
                row.rejected,
                f"{row.precision:.2f}",
                f"{row.low:.2f} – {row.high:.2f}",
                "–" if row.threshold is None else f"{row.threshold:.3f}",
                "–" if row.shown is None else f"{row.shown:.0%}",
            )
            for row in rows
        ),
        note=f"From this score on {share:.0%} of the decided notes were kept; it takes 10 decisions.",
    )
