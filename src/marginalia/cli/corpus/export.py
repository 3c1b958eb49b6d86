"""``marginalia corpus export``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("export")
@click.argument("folder", metavar="CORPUS", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format",
    required=True,
    type=click.Choice(["rdf", "brat", "datasets"]),
    help="rdf needs marginalia[rdf].",
)
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    required=True,
    type=click.Path(path_type=Path),
    help="A new file (rdf) or folder.",
)
def export_command(folder: Path, format: str, out: Path) -> None:
    """Export a corpus for other tools.

    rdf: N-Triples in the Web Annotation vocabulary, for a triple store. brat: a text and its annotations for each document, in the folders of
    their sources. datasets: a folder that `datasets.load_dataset` reads, with a configuration for each table.

    \b
    marginalia corpus export corpus/ --format rdf -o corpus.nt
    marginalia corpus export corpus/ --format brat -o brat/
    marginalia corpus export corpus/ --format datasets -o dataset/
    """
    from marginalia.corpus.export import export
    from marginalia.corpus.store import Store

    count = export(Store.open(folder), out, format)
    click.echo(f"written: {out}, {count:,} documents", err=True)
