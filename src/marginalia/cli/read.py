"""``marginalia read``: documents with notes in their margins."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.cli.options import lang_option
from marginalia.cli.output import console
from marginalia.cli.progress import progress_bar

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
    help="json, jsonl, jsonld, csv, parquet, ttl, brat, xmi, pdf or html, where the ending does not say.",
)
@click.option("--notes", metavar="TASK,...", help="Only these kinds of notes; default: all.")
@click.option(
    "--level",
    metavar="NAME",
    help="For whom a word is hard: learner, general (default) or expert.",
)
@click.option(
    "--catalogue",
    metavar="PATH",
    help="Survey variables to link sentences to: a built catalogue, DDI, JSON, CSV, SPSS or Stata.",
)
@click.option("--all", "all_notes", is_flag=True, help="Show every note, not only the most useful.")
@click.option("--no-cache", is_flag=True, help="Make all notes anew.")
@click.option("--web", is_flag=True, help="Open the documents in the web reader.")
@lang_option
def read_command(
    files: tuple[str, ...],
    out: str | None,
    format: str | None,
    notes: str | None,
    level: str | None,
    catalogue: str | None,
    all_notes: bool,
    no_cache: bool,
    web: bool,
    lang: str | None,
) -> None:
    """Read documents and show the notes in their margins.

    FILE is plain text, Markdown, HTML, PDF, DOCX, JATS or TEI, a folder of those, or - for standard
    input. Of several files, one that cannot be read is left out and named at the end, with exit code 1.

    About 8 notes per 100 words are shown, the most useful first; --all shows the rest. Notes are kept
    (in MARGINALIA_CACHE or the user's cache folder), so that reading again takes no time.

    \b
    marginalia read guide.md
    marginalia read paper.pdf --web
    marginalia read paper.pdf --notes complexity -o paper.html
    cat abstract.txt | marginalia read - --format json
    """
    from marginalia.core.errors import FormatError
    from marginalia.reader.annotate import annotate, choose_tasks
    from marginalia.reader.cache import NoteCache
    from marginalia.reader.choose import choose
    from marginalia.reader.read import input_files, read_all

    tasks = choose_tasks(
        [name.strip() for name in notes.split(",") if name.strip()] if notes else None
    )
    given = {"level": level, "catalogue": catalogue}
    options = {name: value for name, value in given.items() if value}
    if web:
        if out or format:
            raise FormatError(
                "--web shows the documents and writes none: leave out -o and --format"
            )
        from marginalia.cli.serve import serve

        serve(files, catalogue=catalogue, lang=lang, browse=True)
        return
    cache = None if no_cache else NoteCache()

    def noted(doc: Document) -> Document:
        for problem in doc.meta.get("problems", ()):
            click.echo(f"marginalia: {doc.meta['path']}: {problem}", err=True)
        with progress_bar() as progress:
            doc = annotate(doc, tasks, options=options, progress=progress, cache=cache)
        return doc if all_notes else choose(doc)

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
            _next(doc, files)
    for error in left_out:
        click.echo(f"marginalia: left out: {error}", err=True)
    if left_out:
        sys.exit(1)


def _next(doc: Document, files: tuple[str, ...]) -> None:
    """What else there is, and the command that shows it."""
    left = {task: count for task, count in doc.meta.get("left_out", {}).items() if count}
    name = files[0] if len(files) == 1 else "FILE"
    from rich.text import Text

    tips = []
    if left:
        counts = ", ".join(f"{count} {task}" for task, count in sorted(left.items()))
        tips.append(f"left out: {counts}; --all shows them")
    tips.append(f"as a page: marginalia read {name} -o page.html; in the browser: --web")
    for tip in tips:
        console().print(Text(tip, style="dim"))
