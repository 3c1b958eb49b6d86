"""``marginalia corpus report``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report")
@click.argument("folder", metavar="CORPUS", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help="The page, one HTML file.",
)
def report_command(folder: Path, out: Path) -> None:
    """Report on a corpus as one HTML file with plots.

    Hard words by source and year, measured properties with outliers, survey variables and what is used together, passages that repeat
    across documents, numbers that contradict each other, errors. Passages are compared through an index in the corpus, which later reports
    extend.

    \b
    marginalia corpus report corpus/ -o report.html
    """
    from marginalia.core.files import write_file
    from marginalia.corpus.report.page import make_report
    from marginalia.corpus.store import Store

    write_file(out, make_report(Store.open(folder)), follow=True)
    click.echo(f"written: {out}", err=True)
