"""``marginalia acronyms``: the abbreviations that documents never explain."""

from __future__ import annotations

import json

import click

from marginalia import read


@click.command("acronyms")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of lines.")
def acronyms_command(files: tuple[str, ...], as_json: bool) -> None:
    """List the abbreviations that documents never explain."""
    found = []
    for file in files:
        for note in read(file, notes=["acronyms"]).notes("acronyms"):
            found.append({"document": file, "acronym": note.quote, "start": note.start})
    if as_json:
        click.echo(json.dumps(found))
        return
    for row in found:
        click.echo(f"{row['document']}: {row['acronym']}")
    if not found:
        click.echo("all abbreviations are explained", err=True)
