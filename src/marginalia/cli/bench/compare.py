"""``marginalia bench compare``: whether one system is better than another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from marginalia.cli.options import as_json, data_option, runs_option
from marginalia.cli.output import print_json, print_table, progress_bar

if TYPE_CHECKING:
    from marginalia.bench.compare import Difference, RunComparison

_TESTS = ("randomisation", "mcnemar", "williams", "fisher")
_CORRECTIONS = ("holm", "bh", "none")


@click.command("compare")
@click.argument("task_name", metavar="TASK")
@click.argument("names", metavar="A B...", nargs=-1, required=True)
@click.option("--split", default="dev", show_default=True, help="Split of the saved runs.")
@click.option(
    "--folds",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    help="Take runs that were cross-validated in this number of folds.",
)
@click.option(
    "--test",
    type=click.Choice(_TESTS),
    default=_TESTS[0],
    show_default=True,
    help="Test behind p. Only randomisation respects groups; the others refuse where items are not independent.",
)
@click.option(
    "--correction",
    type=click.Choice(_CORRECTIONS),
    default=_CORRECTIONS[0],
    show_default=True,
    help="Correction of p for several comparisons: Holm, Benjamini and Hochberg, or none.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of all samples.")
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Number of bootstrap samples for intervals.",
)
@click.option(
    "--flips",
    type=click.IntRange(min=99),
    default=1999,
    show_default=True,
    help="Number of random sign patterns where there are too many to try them all.",
)
@data_option
@runs_option
@as_json
def compare_command(
    task_name: str,
    names: tuple[str, ...],
    split: str,
    folds: int,
    test: str,
    correction: str,
    seed: int,
    resamples: int,
    flips: int,
    data: str | None,
    runs: str,
    as_json: bool,
) -> None:
    """Test whether run A is better than run B.

    All pairs of the given runs are compared. A and B are system names, for which the newest saved run on the split is used, or files of saved runs. Each difference has
    a 95 % interval, a two-sided p, and the smallest true difference that this split would show with a power of 80 %. The
    test changes the sides of whole groups (documents, sentences, tokens) and refuses where there are fewer than seven. With
    more than two runs, the places that each may have by chance are shown too. Needs the gold of the split.

    \b
    marginalia bench run complexity --system features --system frequency
    marginalia bench compare complexity features frequency
    marginalia bench compare complexity features frequency length --correction bh
    """
    from marginalia.bench.compare import compare_runs
    from marginalia.core.errors import FormatError

    if len(names) < 2:
        raise FormatError("one run alone cannot be compared: name at least two")
    with progress_bar() as progress:
        comparison = compare_runs(
            task_name,
            *names[:2],
            *names[2:],
            split=split,
            folds=folds,
            runs=runs,
            data=data,
            test=test,
            correction=correction,
            resamples=resamples,
            flips=flips,
            seed=seed,
            progress=progress,
        )
    if as_json:
        print_json(comparison.to_dict())
        return
    print_comparison(comparison)


def print_comparison(comparison: RunComparison) -> None:
    """The tables of a comparison, and what to keep in mind with them."""
    from marginalia.bench.board import label

    names = comparison.names
    alone = len(names) == 2
    title = " against ".join(names) if alone else f"{len(names)} runs, all pairs"
    corrected = len(comparison.figures) > 1 and comparison.correction != "none"
    print_table(
        f"{comparison.task} on {comparison.split}: {title}",
        (
            "figure",
            *(names if alone and names[0] != names[1] else ("A", "B")),
            "difference [95 %]",
            f"p ({comparison.correction})" if corrected else "p",
            "detectable",
        ),
        (_cells(row, alone, corrected) for row in comparison.figures),
        note=_note(comparison),
    )
    for refusal in dict.fromkeys(row.refusal for row in comparison.figures if row.refusal):
        click.echo(f"note: no p: {refusal}", err=True)
    if comparison.ranks:
        print_table(
            f"{comparison.task} on {comparison.split}: places",
            ("figure", "system", "place", "95 %"),
            (
                (row.metric, row.system, row.rank, f"{row.low} to {row.high}")
                for row in comparison.ranks
            ),
        )
    for run in comparison.runs:
        if run.seen_in_training:
            click.echo(f"note: {label(run)} was trained on this split", err=True)


def _cells(row: Difference, alone: bool, corrected: bool) -> tuple[object, ...]:
    between = f" [{row.low:.3f}, {row.high:.3f}]" if row.low == row.low else ""
    verdict = row.verdict
    if corrected:  # what was a floor is one after its correction, too
        floor = row.p_adjusted if verdict.at_floor else 0.0
        verdict = replace(verdict, p=row.p_adjusted, floor=floor)
    values = (row.first, row.second)
    return (
        row.metric,
        *(
            value if alone else f"{name} {'–' if value is None else f'{value:.3f}'}"
            for name, value in zip(row.systems, values, strict=True)
        ),
        "undefined" if row.difference != row.difference else f"{row.difference:.4f}{between}",
        "–" if row.refusal else str(verdict),
        f"{row.detectable:.4f}",
    )


def _note(found: RunComparison) -> str:
    row = found.figures[0] if found.figures else None
    groups = f" over {row.groups} groups" if row else ""
    return (
        f"p is two-sided, by {row.test if row else 'no test'}{groups}. Detectable: the smallest true difference that would be "
        "found here in 80 % of cases. --json also has uncorrected p and effect sizes."
    )
