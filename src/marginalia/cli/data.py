"""``marginalia data``: the shared tasks' data on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.options import as_json, data_option
from marginalia.cli.output import console, print_json, print_table
from marginalia.core.errors import MissingError

if TYPE_CHECKING:
    from marginalia.core.benchmark import Benchmark
    from marginalia.core.fetch import Fetched, Step
    from marginalia.core.importing import Imported
    from marginalia.core.sources import FileStatus, Source, Status

tasks_argument = click.argument("names", metavar="[TASK]...", nargs=-1)


@click.group("data")
def data_command() -> None:
    """Check, download and import the data of the shared tasks.

    The data are not part of Marginalia. Each data set comes from its own public repository, at a fixed commit and
    under its own licence. Of these commands only `fetch` uses the network.

    \b
    marginalia data status
    marginalia data fetch complexity --data ~/marginalia-data
    marginalia data import variables ~/Downloads/sv-ident-main
    """


@data_command.command("status")
@tasks_argument
@data_option
@click.option("--verify", is_flag=True, help="Compare SHA-256 sums, not only sizes.")
@as_json
def status_command(names: tuple[str, ...], data: str | None, verify: bool, as_json: bool) -> None:
    """Show which files of the data folder are present or missing.

    Without TASK, for all tasks. The exit code is 1 if a file has the wrong size or, with --verify, the wrong content.
    Missing files are not an error.
    """
    from marginalia.core.data_folder import data_folder
    from marginalia.core.sources import read_sources, status

    folder = data_folder(data)
    tasks = _tasks(names)
    states = [(read_sources(task), status(task, folder, verify=verify)) for task in tasks]
    if as_json:
        print_json({"folder": str(folder), "tasks": [_status_json(*pair) for pair in states]})
    else:
        _print_status(folder, states, verify)
    if any(state.select(state="wrong") for _, state in states):
        raise click.exceptions.Exit(1)


def _status_json(sources: tuple[Source, ...], state: Status) -> dict[str, Any]:
    return {
        "task": state.task,
        "test_gold": state.test_gold,
        "repositories": [
            {
                "repository": source.repository,
                "commit": source.commit,
                "licence": source.licence,
                **_by_state(state.select(repository=source.repository, kind="public")),
            }
            for source in sources
        ],
        "derived": _by_state(state.select(kind="derived")),
        "import_only": _by_state(state.select(kind="imported")),
    }


def _by_state(files: list[FileStatus]) -> dict[str, Any]:
    return {
        "files": len(files),
        "present": sum(file.state == "present" for file in files),
        "missing": [file.path for file in files if file.state == "missing"],
        "wrong": {file.path: file.fault for file in files if file.state == "wrong"},
    }


KINDS = {"public": "", "derived": " (computed)", "imported": " (import only)"}


def _print_status(
    folder: Path, states: list[tuple[tuple[Source, ...], Status]], verified: bool
) -> None:
    gold = {True: "present", False: "missing", None: "no test split"}
    rows = []
    for sources, state in states:
        shown = gold[state.test_gold]
        for source in sources:
            for kind, label in KINDS.items():
                files = state.select(repository=source.repository, kind=kind)
                if not files:
                    continue
                count = f"{sum(file.state == 'present' for file in files)}/{len(files)}"
                name = source.repository + label
                rows.append((state.task, name, source.licence, count, shown))
                shown = ""  # said once per task
    print_table(
        f"Data in {folder}",
        ("task", "repository", "licence", "files", "test gold"),
        rows,
        note="SHA-256 compared." if verified else "Sizes compared; --verify compares SHA-256.",
    )
    lacking = [s.task for _, s in states if s.select(kind="public", state="missing")]
    if lacking:
        click.echo(
            f"note: `marginalia data fetch {' '.join(lacking)}` downloads what is missing", err=True
        )
    for _, state in states:
        for file in state.select(state="wrong"):
            click.echo(f"wrong: {folder / file.path}: {file.fault}", err=True)
        _say_import_only(
            state.task, [file.path for file in state.select(kind="imported", state="missing")]
        )


@data_command.command("fetch")
@tasks_argument
@data_option
@click.option(
    "--from",
    "base",
    metavar="URL",
    envvar="MARGINALIA_MIRROR",
    show_envvar=True,
    help="Mirror to download from, laid out as URL/OWNER/NAME/COMMIT/PATH. Default: raw.githubusercontent.com.",
)
@click.option("--force", is_flag=True, help="Overwrite computed files that differ from ours.")
@as_json
def fetch_command(
    names: tuple[str, ...], data: str | None, base: str | None, force: bool, as_json: bool
) -> None:
    """Download the public data files into the data folder.

    Without TASK, for all tasks. Only missing or wrong files are downloaded, and each is verified by SHA-256 before it
    is put in place. After an interruption the next run goes on with the files that are missing. Test labels are included where they are public.
    By downloading you accept the licences of the data; `data status` lists them.
    """
    from marginalia.core.data_folder import data_folder
    from marginalia.core.fetch import DEFAULT_MIRROR, fetch
    from marginalia.core.sources import read_sources

    folder = data_folder(data, must_exist=False)
    tasks = _tasks(names)
    for task in tasks:
        for source in read_sources(task):
            if source.files:
                click.echo(
                    f"{task.name}: {source.repository} @ {source.commit[:12]}, {len(source.files)} "
                    f"files, {source.bytes / 1e6:.1f} MB; licence: {source.licence}",
                    err=True,
                )
    done, failures = [], []
    for task in tasks:
        try:
            with progress_bar(task.name) as bar:
                done.append(
                    fetch(task, folder, base=base or DEFAULT_MIRROR, force=force, progress=bar)
                )
        except MissingError as error:
            failures.append(str(error))
            continue
        if not as_json:
            _print_fetched(done[-1])
    if as_json:
        from dataclasses import asdict

        print_json({"folder": str(folder), "tasks": [asdict(fetched) for fetched in done]})
    if failures:
        raise MissingError(" ".join(failures))


def _print_fetched(fetched: Fetched) -> None:
    what = "nothing to download, all files are present and correct"
    if fetched.files:
        what = f"{len(fetched.files)} files downloaded and verified ({fetched.bytes / 1e6:.1f} MB)"
    if fetched.derived.written:
        what += f", {len(fetched.derived.written)} computed"
    click.echo(f"{fetched.task}: {what}")
    _say_kept(fetched.task, fetched.derived.kept)
    _say_import_only(fetched.task, fetched.to_import)


@data_command.command("import")
@click.argument("name", metavar="TASK")
@click.argument("origin", metavar="FOLDER")
@data_option
@as_json
def import_command(name: str, origin: str, data: str | None, as_json: bool) -> None:
    """Import the files of TASK from a folder.

    For data downloaded by other means. FOLDER may be laid out like the data folder, be a checkout or unpacked archive of a
    source repository, or just contain the files by name. All files are verified first: if one is wrong, nothing is copied.
    """
    from marginalia.core.data_folder import data_folder
    from marginalia.core.importing import import_folder

    folder = data_folder(data, must_exist=False)
    (task,) = _tasks((name,))
    imported = import_folder(task, Path(origin).expanduser(), folder)
    if as_json:
        from dataclasses import asdict

        print_json({"folder": str(folder), **asdict(imported)})
    else:
        _print_imported(imported)


def _print_imported(imported: Imported) -> None:
    what = f"{len(imported.files)} files imported"
    if imported.already:
        what += f", {imported.already} already present"
    if imported.derived.written:
        what += f", {len(imported.derived.written)} computed"
    click.echo(f"{imported.task}: {what}; {len(imported.missing)} still missing")
    _say_kept(imported.task, imported.derived.kept)


def _say_kept(task: str, kept: Sequence[str]) -> None:
    for path in kept:
        click.echo(
            f"note: {path} differs from what we compute and was not changed; "
            f"`marginalia data fetch {task} --force` overwrites it",
            err=True,
        )


def _say_import_only(task: str, paths: Sequence[str]) -> None:
    if paths:
        how = f"marginalia data import {task} FOLDER"
        click.echo(f"note: {', '.join(paths)} can only be imported: {how}", err=True)


def _tasks(names: tuple[str, ...]) -> list[Benchmark]:
    from marginalia.core.registry import all_benchmarks, get_benchmark

    return [get_benchmark(name) for name in dict.fromkeys(names)] if names else all_benchmarks()


@contextmanager
def progress_bar(name: str) -> Iterator[Callable[[Step], None] | None]:
    """Files, bytes and speed on standard error if it is a terminal."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, TransferSpeedColumn(), console=screen, transient=True) as bars:
        id = bars.add_task(name, total=None)

        def progress(step: Step) -> None:
            text = f"{name} {step.files}/{step.all_files} files"
            bars.update(id, description=text, completed=step.bytes, total=step.all_bytes)

        yield progress
