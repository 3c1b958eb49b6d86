"""``marginalia bench build`` and ``annotate``: the steps by which the shared tasks' data were made, and a page on which
people rate."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.options import as_json, browse_option, data_option, host_option, port_option
from marginalia.cli.output import print_json, print_table
from marginalia.cli.serve import LOCAL

if TYPE_CHECKING:
    from marginalia.core.benchmark import Benchmark
    from marginalia.core.building import BuildStep


class TaskSteps(click.Group):
    """The steps of all tasks, looked up when they are named: a plug-in's are offered like ours."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from marginalia.core.registry import BUILDERS

        own = [builder.name for builder in BUILDERS.all() if builder.steps]
        return [*own, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        from marginalia.core.registry import BUILDERS

        if name not in BUILDERS.names():
            return super().get_command(ctx, name)
        group = click.Group(name, help=f"Steps that make data of {name}.")
        for step in BUILDERS.get(name).steps:
            group.add_command(_command(step))
        return group


@click.group("build", cls=TaskSteps)
def build_command() -> None:
    """Make a data set as the shared tasks made theirs.

    Each task has its own steps; assign, ratings and census serve them all. Ratings are tables with the columns id, rater
    and rating, which `bench annotate` exports.

    \b
    marginalia bench build complexity targets bible.txt europarl.txt -o targets
    marginalia bench build assign targets/lcp_single_targets.tsv -o sheets
    marginalia bench build ratings ratings.tsv --scale 1 5 -o clean
    marginalia bench build complexity gold targets/lcp_single_targets.tsv clean/ratings.tsv -o data
    marginalia bench build complexity split data/lcp_single.tsv -o data
    """


def _command(step: BuildStep) -> click.Command:
    """A step as a command; its options have the types of their defaults."""

    def run(files: tuple[str, ...], out: str, as_json: bool, **options: Any) -> None:
        from marginalia.core.errors import FormatError

        try:
            step.check(files)
        except FormatError as error:
            raise click.UsageError(str(error)) from None
        _write(step.run(files, **options), out, as_json)

    command = click.command(step.name, help=f"{step.summary[0].upper()}{step.summary[1:]}.")(run)
    command.params = [
        click.Argument(["files"], nargs=-1, required=True, metavar=" ".join(step.inputs)),
        click.Option(["-o", "--out"], required=True, metavar="FOLDER", help="Where the files go."),
        *(
            click.Option(
                [f"--{option.name.replace('_', '-')}", option.name],
                default=option.default,
                type=type(option.default),
                show_default=option.default != "",
                help=option.help,
            )
            for option in step.options
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Print the figures as JSON."),
    ]
    return command


def _write(built: Any, out: str, as_json: bool) -> None:
    from marginalia.core.files import write_files

    paths = write_files(Path(out), dict(built.files))
    if as_json:
        print_json({"files": [str(path) for path in paths], "figures": built.figures})
        return
    for path in paths[:10]:
        click.echo(str(path))
    if len(paths) > 10:
        click.echo(f"... {len(paths) - 10} more")
    rows = [(name, _shown(value)) for name, value in built.figures.items()]
    if rows:
        print_table("figures", ("figure", "value"), rows)


def _shown(value: Any) -> Any:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {inner}" for name, inner in value.items())
    return value


@build_command.command("assign")
@click.argument("items", metavar="ITEMS")
@click.option("--gold", "gold_path", metavar="FILE", help="Gold questions: columns id and rating.")
@click.option("--ratings", default=5, show_default=True, help="Ratings of each item.")
@click.option("--per-rater", default=20, show_default=True, help="Items of a rater at most.")
@click.option("--gold-every", default=5, show_default=True, help="One gold question among so many.")
@click.option("--seed", default=0, show_default=True, help="Seed of the order.")
@click.option("-o", "--out", required=True, metavar="FOLDER", help="Where the sheets go.")
@as_json
def assign_command(
    items: str,
    gold_path: str | None,
    ratings: int,
    per_rater: int,
    gold_every: int,
    seed: int,
    out: str,
    as_json: bool,
) -> None:
    """Divide items into sheets for raters, with hidden gold.

    ITEMS is a table with a column id. The sheets have ids only; gold.tsv says which of them are gold.
    """
    from marginalia.bench.building import assign, read_answers
    from marginalia.core.building import Built
    from marginalia.core.table import format_table, read_table

    ids = [row["id"] for _, row in read_table(Path(items), ("id",))]
    gold = read_answers(Path(gold_path)) if gold_path else {}
    sheets = assign(
        [id for id in ids if id not in gold],
        list(gold),
        ratings=ratings,
        per_rater=per_rater,
        gold_every=gold_every,
        seed=seed,
    )
    files = {
        f"sheet-{sheet.number:04}.tsv": format_table([("id",), *((id,) for id in sheet.ids)])
        for sheet in sheets
    }
    hidden = [(sheet.number, id) for sheet in sheets for id in sorted(sheet.gold)]
    files["gold.tsv"] = format_table([("sheet", "id"), *hidden])
    figures = {"sheets": len(sheets), "items": len(ids), "gold_questions": len(hidden)}
    _write(Built(files, figures), out, as_json)


@build_command.command("ratings")
@click.argument("path", metavar="RATINGS")
@click.option(
    "--scale", nargs=2, type=float, default=(1.0, 5.0), show_default=True, help="Ends of the scale."
)
@click.option("--gold", "gold_path", metavar="FILE", help="Gold questions: columns id and rating.")
@click.option("--qualify", default=4, show_default=True, help="Right gold questions that qualify.")
@click.option(
    "--min-accuracy", default=0.667, show_default=True, help="Share of right gold questions."
)
@click.option("--tolerance", default=1.0, show_default=True, help="Distance that is still right.")
@click.option(
    "--min-correlation", default=-1.0, show_default=True, help="Correlation with the other raters."
)
@click.option("-o", "--out", required=True, metavar="FOLDER", help="Where the files go.")
@as_json
def ratings_command(
    path: str,
    scale: tuple[float, float],
    gold_path: str | None,
    qualify: int,
    min_accuracy: float,
    tolerance: float,
    min_correlation: float,
    out: str,
    as_json: bool,
) -> None:
    """Leave out careless raters; measure agreement.

    Writes ratings.tsv (those that count, without gold questions) and raters.tsv (how each did, and why one is left out).
    The defaults are the rules of STS 2013.
    """
    from marginalia.bench.building import (
        Rules,
        assess,
        format_kept,
        format_raters,
        read_answers,
    )
    from marginalia.core.building import Built
    from marginalia.core.rating import read_ratings

    low, high = scale
    rules = Rules(
        qualify=qualify,
        min_accuracy=min_accuracy,
        tolerance=tolerance,
        min_correlation=min_correlation,
    )
    gold = read_answers(Path(gold_path)) if gold_path else {}
    found = assess(read_ratings(Path(path), low=low, high=high), gold, rules)
    files = {"ratings.tsv": format_kept(found), "raters.tsv": format_raters(found)}
    _write(Built(files, found.figures), out, as_json)


@build_command.command("census")
@click.argument("task_name", metavar="TASK")
@click.option("--split", default="train", show_default=True, help="Split to count.")
@click.option(
    "--paper", is_flag=True, help="The data tables of the task's paper beside what the files have."
)
@data_option
@as_json
def census_command(
    task_name: str, split: str, paper: bool, data: str | None, as_json: bool
) -> None:
    """Count items, groups and gold of a split.

    \b
    marginalia bench build census complexity --split dev
    marginalia bench build census variables --paper
    """
    from marginalia.bench.building import census
    from marginalia.bench.run import load_split
    from marginalia.core.data_folder import data_folder
    from marginalia.core.registry import get_benchmark

    task = get_benchmark(task_name)
    if paper:
        _print_paper(task, data_folder(data), as_json)
        return
    rows = census(task, load_split(task, split, data_folder(data), {}))
    if as_json:
        print_json(rows)
        return
    names = list(dict.fromkeys(name for row in rows for name in row))
    print_table(f"{task.name}/{split}", names, ([row.get(name) for name in names] for row in rows))


def _print_paper(task: Benchmark, folder: Path, as_json: bool) -> None:
    from marginalia.core.errors import MissingError

    if task.census is None:
        raise MissingError(f"{task.name} has no tables of a paper to compare with.")
    counts = task.census(folder)
    if as_json:
        print_json([count.to_dict() for count in counts])
        return
    print_table(
        f"{task.name}: the paper and the files",
        ("table", "figure", "files", "paper", "why they differ"),
        ((c.table, c.item, c.ours, c.published, "" if c.is_equal else c.why) for c in counts),
    )


@click.command("annotate")
@click.argument("folder", metavar="FOLDER")
@click.option("--export", "out", metavar="OUT", help="Write the answers into this folder, and end.")
@click.option("--with-gold", is_flag=True, help="Export gold questions and stopped raters too.")
@host_option
@port_option(8039)
@browse_option
@as_json
def annotate_command(
    folder: str, out: str | None, with_gold: bool, host: str, port: int, browse: bool, as_json: bool
) -> None:
    """Serve a page to rate items on, or export the answers.

    FOLDER has an annotation.toml with title, task and items, and perhaps gold (a table of id and rating, or JSON
    lines with id and answer for spans and choices), ratings, per_rater, gold_every, qualify, min_accuracy, tolerance, min_overlap, return_after. Raters get a sheet each, with hidden gold questions; a session
    goes on where it stopped, and a sheet without an answer for return_after hours (24) is given to someone else. Complexity, similarity and clarification are rated on a scale; in measurement people mark
    spans, in variables they choose from candidates.

    \b
    pip install "marginalia[web]"
    marginalia bench annotate mine
    marginalia bench annotate mine --export answers
    """
    from marginalia.bench.rating import Desk

    desk = Desk(folder)
    if out is not None:
        from marginalia.bench.rating import export
        from marginalia.core.files import write_files

        built = export(desk, with_gold=with_gold)
        paths = write_files(Path(out), dict(built.files))
        if as_json:
            print_json({"files": [str(path) for path in paths], "figures": built.figures})
            return
        for path in paths:
            click.echo(str(path))
        print_table("figures", ("figure", "value"), built.figures.items())
        return
    from marginalia.core.errors import missing_package

    try:
        from marginalia.web.rating.app import create_app
        from marginalia.web.server import Server, bind
    except ImportError as error:
        raise missing_package("bench annotate", error.name, "web") from error
    from marginalia.web.guard import LOOPBACK

    sock = bind(host, port)
    app = create_app(desk, hosts=LOOPBACK if host in LOCAL else ("*",))
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{sock.getsockname()[1]}/"
    click.echo(f"{desk.campaign.title}: {url} (stop with Ctrl-C)")
    if browse:
        click.launch(url)
    Server(app, desk).run(sockets=[sock])
