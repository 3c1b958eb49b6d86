"""``marginalia read``: documents with notes in their margins."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.cli.options import lang_option
from marginalia.cli.output import console

if TYPE_CHECKING:
    from marginalia.core.document import Document
    from marginalia.core.errors import MarginaliaError


@click.command("read")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    help="Write the result; its ending says how. - is standard output.",
)
@click.option(
    "--format",
    "format",
    metavar="NAME",
    help="json, jsonl, csv, parquet, ttl, brat or html, where the ending does not say.",
)
@click.option("--notes", metavar="TASK,...", help="Only these kinds of notes; default: all.")
@click.option(
    "--level",
    metavar="NAME",
    help="For whom a word is hard: learner, general (default) or expert.",
)
@lang_option
def read_command(
    files: tuple[str, ...],
    out: str | None,
    format: str | None,
    notes: str | None,
    level: str | None,
    lang: str | None,
) -> None:
    """Read documents and show the notes in their margins.

    FILE is plain text, Markdown, HTML or PDF, a folder of those, or - for standard input. Of several
    files, one that cannot be read is left out and named at the end, with exit code 1.

    \b
    marginalia read guide.md
    marginalia read paper.pdf --notes complexity -o paper.html
    cat abstract.txt | marginalia read - --format json
    """
    from rich.text import Text

    from marginalia.reader.annotate import annotate
    from marginalia.reader.read import input_files, read_all

    tasks = [name.strip() for name in notes.split(",") if name.strip()] if notes else None
    options = {"level": level} if level else {}

    def noted(doc: Document) -> Document:
        with console(stderr=True).status(Text(f"making notes on {doc.id}")):
            return annotate(doc, tasks, options=options)

    # One bad file of many costs that file; a single one is an error.
    left_out: list[MarginaliaError] = []
    many = len(files) > 1 or Path(files[0]).is_dir()
    read = read_all(files, lang=lang, on_error=left_out.append if many else None)
    docs = (noted(doc) for doc in read)
    path = None if out is None or out == "-" else Path(out)
    if path or format:
        from marginalia.reader.write import write

        for written in write(docs, path, format, inputs=input_files(files)):
            click.echo(f"written: {written}", err=True)
    else:
        from marginalia.reader.show import show

        for doc in docs:
            show(doc, console())
    for error in left_out:
        click.echo(f"marginalia: left out: {error}", err=True)
    if left_out:
        sys.exit(1)
