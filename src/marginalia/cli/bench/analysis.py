"""``marginalia bench analyse``, ``combine`` and ``curve``: what runs get wrong, runs together, and how they learn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.cli.bench.run import print_runs
from marginalia.cli.options import as_json, data_option, runs_option
from marginalia.cli.output import print_json, print_table, progress_bar

if TYPE_CHECKING:
    from marginalia.bench.analysis import Analysis, ItemResult


@click.command("analyse")
@click.argument("task_name", metavar="TASK")
@click.argument("names", metavar="A...", nargs=-1, required=True)
@click.option("--figure", metavar="PATH", help="Figure to look into. Default: the task's first.")
@click.option("--split", default="dev", show_default=True, help="Split of the saved runs.")
@click.option("--folds", default=0, type=click.IntRange(min=0), help="Take cross-validated runs.")
@click.option("--top", default=10, show_default=True, help="Number of items in each list.")
@click.option("-o", "--out", metavar="PATH", help="Write a page with plots (.html).")
@data_option
@runs_option
@as_json
def analyse_command(
    task_name: str,
    names: tuple[str, ...],
    figure: str | None,
    split: str,
    folds: int,
    top: int,
    out: str | None,
    data: str | None,
    runs: str,
    as_json: bool,
) -> None:
    """Look into the items behind a figure.

    Shows the figure by genre, phenomenon, language or whatever the task knows, the hardest items, those on which the first and
    the last run differ most, confusions of classes, calibration of numbers, how far runs agree on classes or are off on the same
    items, and the figure of an oracle that always picks the best of them.

    \b
    marginalia bench analyse complexity features frequency
    marginalia bench analyse clarification rater --figure accuracy --json
    """
    from marginalia.bench.analysis import analyse_runs

    analysis = analyse_runs(
        task_name,
        *names,
        split=split,
        folder=runs,
        data=data,
        folds=folds,
        figure=figure,
        top=top,
    )
    if out is not None:
        from marginalia.bench.report import analysis_page
        from marginalia.core.files import write_file

        write_file(Path(out), analysis_page(analysis), follow=True)
        click.echo(f"written to {out}", err=True)
    elif as_json:
        print_json(analysis.to_dict())
    else:
        _print(analysis)


def _print(analysis: Analysis) -> None:
    print_table(
        f"{analysis.task} on {analysis.split}: {analysis.figure}, {analysis.n:,} items",
        ("system", analysis.figure),
        [
            *zip(analysis.systems, analysis.values, strict=True),
            *(
                [("the best of them for each item", analysis.oracle)]
                if analysis.oracle is not None
                else []
            ),
        ],
        note=""
        if analysis.right_by_all is None
        else f"Right by all: {analysis.right_by_all:,}; right by none: {analysis.right_by_none:,}.",
    )
    if analysis.breakdowns:
        print_table(
            "Breakdowns",
            ("by", "value", "items", *analysis.systems),
            ((row.facet, row.value, row.n, *row.figures) for row in analysis.breakdowns),
        )
    if analysis.agreement:
        print_table("Agreement", ("runs", "share of equal classes"), analysis.agreement.items())
    if analysis.loss_correlation:
        print_table("Correlation of losses", ("runs", "Pearson"), analysis.loss_correlation.items())
    for name, counts in analysis.confusions.items():
        print_table(f"Confusions of {name}", ("gold → prediction", "items"), counts.items())
    _print_items("Hardest items", analysis, analysis.hardest)
    if len(analysis.systems) > 1:
        _print_items(
            f"{analysis.systems[0]} and {analysis.systems[-1]} differ most",
            analysis,
            analysis.flipped,
        )


def _print_items(title: str, found: Analysis, rows: tuple[ItemResult, ...]) -> None:
    print_table(
        title,
        ("item", "gold", *found.systems),
        ((f"{row.id}: {row.text}"[:120], row.gold, *row.preds) for row in rows),
    )


@click.command("combine")
@click.argument("task_name", metavar="TASK")
@click.argument("names", metavar="A B...", nargs=-1, required=True)
@click.option(
    "--how",
    type=click.Choice(("mean", "stack")),
    default="mean",
    show_default=True,
    help="Mean of numbers and vote on classes, or weights learned on the other folds.",
)
@click.option("--name", default="", help="Name of the new run. Default: made of the others.")
@click.option("--split", default="dev", show_default=True, help="Split of the saved runs.")
@data_option
@runs_option
@as_json
def combine_command(
    task_name: str,
    names: tuple[str, ...],
    how: str,
    name: str,
    split: str,
    data: str | None,
    runs: str,
    as_json: bool,
) -> None:
    """Make one run of several.

    \b
    marginalia bench combine complexity features encoder --name both
    marginalia bench compare complexity both features
    """
    from marginalia.bench.combination import combine_runs
    from marginalia.core.registry import get_benchmark

    task = get_benchmark(task_name)
    made = combine_runs(task, *names, how=how, name=name, split=split, folder=runs, data=data)
    click.echo(f"run saved as {made.run.save(Path(runs))}", err=True)
    if as_json:
        print_json(made.to_dict())
    else:
        print_runs(task, split, [made.to_dict()])


@click.command("curve")
@click.argument("task_name", metavar="TASK")
@click.option("--system", required=True, help="System that learns, named as in bench run.")
@click.option(
    "--shares",
    default="0.1,0.25,0.5,1",
    show_default=True,
    metavar="SHARE,...",
    help="Shares of the groups of train.",
)
@click.option("--split", default="dev", show_default=True, help="Split to score on.")
@click.option("--seed", default=0, show_default=True, help="Seed of the order of groups.")
@data_option
@as_json
def curve_command(
    task_name: str,
    system: str,
    shares: str,
    split: str,
    seed: int,
    data: str | None,
    as_json: bool,
) -> None:
    """Train a system on growing parts of train and score each.

    A correlation does not see what a regression on one feature learns: such a system has the same figure for any part.

    \b
    marginalia bench curve clarification --system bow
    """
    from marginalia.bench.run import learning_curve
    from marginalia.core.registry import get_benchmark

    task = get_benchmark(task_name)
    try:
        parts = [float(word) for word in shares.split(",")]
    except ValueError:
        raise click.BadParameter(
            f"{shares!r} is no list of numbers", param_hint="--shares"
        ) from None
    with progress_bar() as progress:
        points = learning_curve(
            task, system=system, split=split, shares=parts, seed=seed, data=data, progress=progress
        )
    if as_json:
        print_json([point.to_dict() for point in points])
        return
    used = [
        m.path for m in task.metrics if any(point.figures[m.path] is not None for point in points)
    ]
    print_table(
        f"{task.name}: {system} on {split} by training data",
        ("share", "groups", "items", *used),
        ((p.share, p.groups, p.items, *(p.figures[path] for path in used)) for p in points),
    )
