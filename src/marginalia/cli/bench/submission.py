"""``marginalia bench predict``, ``check`` and ``import``: official files, out and in."""

from __future__ import annotations

from pathlib import Path

import click

from marginalia.cli.bench.run import print_runs
from marginalia.cli.llm import Asking, llm_options
from marginalia.cli.options import (
    as_json,
    candidates_option,
    data_option,
    load_options,
    runs_option,
)
from marginalia.cli.output import print_json, progress_bar


@click.command("predict")
@click.argument("task_name", metavar="TASK")
@click.option("--system", help="System, named as in bench run. Default: the task's best.")
@click.option("--split", default="test", show_default=True, help="Split to predict.")
@candidates_option
@click.option(
    "-o", "--out", required=True, metavar="PATH", help="Folder for the submission files, or a .zip."
)
@data_option
@llm_options(files=False)
@as_json
def predict_command(
    task_name: str,
    system: str | None,
    split: str,
    candidates: str | None,
    out: str,
    data: str | None,
    asking: Asking,
    as_json: bool,
) -> None:
    """Write the official submission files for a split.

    Needs no gold. `bench systems` lists the systems.
    """
    from marginalia.bench.submission import make_submission
    from marginalia.core.errors import FormatError

    llm = asking.open()
    if asking.dry_run:
        raise FormatError("--dry-run belongs to `bench run` here: leave it out")
    with progress_bar() as progress:
        asking.show(progress)
        made = make_submission(
            task_name,
            split,
            system=system,
            data=data,
            options=load_options(candidates),
            progress=progress,
            llm=llm,
        )
    asking.finish()
    paths = made.write(out)
    if as_json:
        print_json({**made.to_dict(), "files": [str(path) for path in paths]})
    else:
        files = "1 file" if len(made.files) == 1 else f"{len(made.files)} files"
        click.echo(
            f"{files} for {made.items} items of {made.task}/{made.split} by {made.system} in {out}"
        )


@click.command("check")
@click.argument("task_name", metavar="TASK")
@click.argument("path", metavar="PATH")
@click.option("--split", default="test", show_default=True, help="Split that was predicted.")
@candidates_option
@data_option
@as_json
def check_command(
    task_name: str, path: str, split: str, candidates: str | None, data: str | None, as_json: bool
) -> None:
    """Check official submission files without gold.

    PATH is a file, a folder or a zip. Names the file and line of what does not fit: an unknown, repeated or missing id,
    a value that is none. The exit code is 0 if the official program would take it, else 2.

    \b
    marginalia bench check clarification submission.zip
    """
    from marginalia.bench.submission import check_submission

    count = check_submission(
        task_name, path, split=split, data=data, options=load_options(candidates)
    )
    if as_json:
        print_json({"task": task_name, "split": split, "predictions": count, "path": path})
    else:
        click.echo(f"{path}: {count:,} predictions for {task_name}/{split}, all as they should be")


@click.command("import")
@click.argument("task_name", metavar="TASK")
@click.argument("path", metavar="PATH")
@click.option("--name", required=True, help="What boards and comparisons call the system.")
@click.option("--split", default="test", show_default=True, help="Split that was predicted.")
@candidates_option
@data_option
@runs_option
@as_json
def import_command(
    task_name: str,
    path: str,
    name: str,
    split: str,
    candidates: str | None,
    data: str | None,
    runs: str,
    as_json: bool,
) -> None:
    """Make a run of official submission files.

    PATH is a file, a folder or a zip, of yours or of others. The run is scored if the gold of the split is there; if not,
    `bench rescore` does so later.

    \b
    marginalia bench import similarity NTNU-RUN1.zip --name NTNU-RUN1
    """
    from marginalia.bench.submission import import_run
    from marginalia.core.registry import get_benchmark

    task = get_benchmark(task_name)
    made = import_run(
        task, path, name=name, split=split, data=data, options=load_options(candidates)
    )
    saved = made.run.save(Path(runs))
    click.echo(f"run saved as {saved}", err=True)
    if as_json:
        print_json(made.to_dict())
    else:
        print_runs(task, split, [made.to_dict()])
