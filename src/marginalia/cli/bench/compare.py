"""``marginalia bench compare``: whether one system is better than another."""

from __future__ import annotations

import click

from marginalia.cli.options import as_json, data_option, runs_option
from marginalia.cli.output import print_json, print_table
from marginalia.cli.progress import progress_bar


@click.command("compare")
@click.argument("task_name", metavar="TASK")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--split", default="dev", show_default=True, help="Split of the saved runs.")
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Number of bootstrap samples.",
)
@data_option
@runs_option
@as_json
def compare_command(
    task_name: str,
    first: str,
    second: str,
    split: str,
    seed: int,
    resamples: int,
    data: str | None,
    runs: str,
    as_json: bool,
) -> None:
    """Test whether run A is better than run B.

    A and B are system names, for which the newest saved run on the split is used, or files of saved runs. The paired
    bootstrap scores both on the same samples and gives a 95 % interval and a two-sided p for each difference. Needs the
    gold of the split.

    \b
    marginalia bench run complexity --system features --system frequency
    marginalia bench compare complexity features frequency
    """
    from marginalia.bench.board import label
    from marginalia.bench.compare import compare_runs

    with progress_bar() as progress:
        found = compare_runs(
            task_name,
            first,
            second,
            split=split,
            runs=runs,
            data=data,
            resamples=resamples,
            seed=seed,
            progress=progress,
        )
    if as_json:
        print_json(found.to_dict())
        return
    names = (label(found.first), label(found.second))
    print_table(
        f"{found.task} on {found.split}: {names[0]} against {names[1]}",
        ("figure", *(names if names[0] != names[1] else ("A", "B")), "difference", "95 %", "p"),
        (
            (
                row.metric,
                row.first,
                row.second,
                row.difference,
                f"[{row.low:.3f}, {row.high:.3f}]" if row.low == row.low else "undefined",
                row.p,
            )
            for row in found.figures
        ),
        note="Paired bootstrap over groups; p is two-sided, not corrected for several figures.",
    )
    for run in (found.first, found.second):
        if run.seen_in_training:
            click.echo(f"note: {label(run)} was trained on this split", err=True)
