"""``marginalia read``: documents with notes in their margins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.cli.output import console

if TYPE_CHECKING:
    from marginalia.core.document import Document


@click.command("read")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("-o", "--out", metavar="PATH", help="Write the result; its ending says how.")
@click.option(
    "--format",
    "format",
    metavar="NAME",
    help="json, jsonl, csv, parquet, ttl, brat or html, where the ending does not say.",
)
@click.option("--notes", metavar="TASK,...", help="Only these kinds of notes; default: all.")
@click.option(
    "--level",
    type=click.Choice(["learner", "general", "expert"]),
    help="For whom a word is hard; default: general.",
)
@click.option(
    "--lang", type=click.Choice(["en", "de"]), help="The language, if the guess is wrong."
)
def read_command(
    files: tuple[str, ...],
    out: str | None,
    format: str | None,
    notes: str | None,
    level: str | None,
    lang: str | None,
) -> None:
    """Read documents and show the notes in their margins.

    FILE is plain text, Markdown, HTML or PDF, a folder of those, or - for standard input.

    \b
    marginalia read guide.md
    marginalia read paper.pdf --notes complexity -o paper.html
    cat abstract.txt | marginalia read - --format json
    """
    from marginalia.reader.annotate import annotate
    from marginalia.reader.read import read_all

    tasks = [name.strip() for name in notes.split(",")] if notes else None
    options = {"level": level} if level else {}

    def noted(doc: Document) -> Document:
        with console(stderr=True).status(f"making notes on {doc.id}"):
            return annotate(doc, tasks, options=options)

    docs = (noted(doc) for doc in read_all(files, lang=lang))
    if out or format:
        from marginalia.reader.write import write

        paths = write(docs, Path(out) if out else None, format)
        for path in paths:
            click.echo(f"written: {path}", err=True)
        return
    from marginalia.reader.show import show

    for doc in docs:
        show(doc, console())
