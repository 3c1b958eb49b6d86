"""``marginalia diff``: two versions of a document, or two documents, side by side."""

from __future__ import annotations

from pathlib import Path

import click

from marginalia.cli.options import (
    as_json,
    catalogue_option,
    lang_option,
    weights_option,
    words_for_option,
)
from marginalia.cli.output import progress_bar

FORMATS = ("text", "json", "html")


@click.command("diff")
@click.argument("old", metavar="A")
@click.argument("new", metavar="B")
@click.option(
    "-o", "--out", metavar="PATH", help="Write to a file; the format follows the extension."
)
@click.option(
    "--format",
    "format",
    metavar="NAME",
    help="Output format: text, json or html. Default: by extension, else text.",
)
@click.option("--notes", metavar="NAME,...", help="Annotators, separated by commas. Default: all.")
@words_for_option
@catalogue_option()
@click.option("--no-cache", is_flag=True, help="Ignore the cache and annotate again.")
@weights_option
@lang_option
@as_json
def diff_command(
    old: str,
    new: str,
    out: str | None,
    format: str | None,
    notes: str | None,
    audience: str | None,
    catalogue: str | None,
    no_cache: bool,
    lang: str | None,
    as_json: bool,
) -> None:
    """Compare two versions of a document by what their notes say.

    What changed in the notes (a measured value, a hard word that is new, a variable that is gone) and in the numbers, and
    which sentences of A and B contradict each other or say the same in other words. A and B are files of any kind that
    `read` takes, also of different kinds, or - for standard input. The page (html) shows both texts side by side.

    The exit code is 0, also where something changed; 2 after an error.

    \b
    marginalia diff draft.md final.md
    marginalia diff preprint.pdf article.pdf -o changes.html
    marginalia diff v1.md v2.md --notes measurements --json
    """
    from marginalia.cli.output import print_json
    from marginalia.reader.annotate import annotate, choose_annotators
    from marginalia.reader.cache import NoteCache
    from marginalia.reader.diff.difference import compare_versions
    from marginalia.reader.diff.render import as_page, as_text
    from marginalia.reader.formats.registry import choose_format
    from marginalia.reader.read import input_files, read
    from marginalia.reader.view.settings import find_units
    from marginalia.reader.write import place, refuse_input

    path = None if out is None or out == "-" else Path(out)
    inputs = input_files([old, new])
    refuse_input(path, inputs)
    chosen = "json" if as_json else "text"
    if format or path:
        chosen = choose_format(path, format, FORMATS, hint="name it with --format").name
    names = [name.strip() for name in (notes or "").split(",") if name.strip()]
    annotators = choose_annotators(names or None)
    given = {"audience": audience, "catalogue": catalogue}
    options = {name: value for name, value in given.items() if value}
    cache = None if no_cache else NoteCache()
    docs = []
    for source in (old, new):
        doc = read(source, lang=lang)
        own = (
            find_units(doc) if any("units" in annotator.options for annotator in annotators) else {}
        )
        with progress_bar() as progress:
            docs.append(
                annotate(doc, annotators, options=options | own, progress=progress, cache=cache)
            )
    with progress_bar() as progress:
        difference = compare_versions(docs[0], docs[1], annotators, progress=progress)
    if chosen == "json" and path is None:
        print_json(difference.to_dict())
        return
    if chosen == "json":
        import json

        from marginalia.core.report import plain

        text = json.dumps(plain(difference.to_dict()), ensure_ascii=False, indent=1) + "\n"
    else:
        text = as_page(difference) if chosen == "html" else as_text(difference)
    if path is None:
        click.echo(text, nl=False)
    else:
        for written in place(path, text, inputs):
            click.echo(f"written: {written}", err=True)
