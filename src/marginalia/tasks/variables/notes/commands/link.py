"""``marginalia link``: which survey variables a paper uses, and where."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.cli.inputs import Inputs
from marginalia.cli.options import as_json, catalogue_option, lang_option
from marginalia.cli.output import console, print_json, print_table

if TYPE_CHECKING:
    from marginalia.reader.formats.format import Format
    from marginalia.tasks.variables.notes.links import Linked


@click.command("link")
@click.argument("files", metavar="PAPER...", nargs=-1, required=True)
@catalogue_option(required=True)
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    help="Write the links to a .html, .csv, .json, .jsonl, .parquet or .ttl file.",
)
@click.option(
    "--by", type=click.Choice(["sentence", "variable"]), default="sentence", show_default=True,
    help="List sentences with their variables, or variables with their sentences.",
)  # fmt: skip
@lang_option
@as_json
def link_command(
    files: tuple[str, ...],
    catalogue: str,
    out: str | None,
    by: str,
    lang: str | None,
    as_json: bool,
) -> None:
    """Link sentences of papers to survey variables.

    PAPER is any document that `read` takes, in English or German. Each sentence that mentions a variable is listed with
    matching variables of the catalogue, best first, and whether it names them (explicit) or only implies them. If no
    variable fits well enough, the sentence is listed without one. The same question in several waves is one result.
    With --by variable, each variable is listed with its sentences, the most central ones marked with *.

    \b
    marginalia link paper.pdf --catalogue survey.xml
    marginalia link paper.pdf --catalogue archive.cat --by variable
    marginalia link papers/ --catalogue archive.cat -o links.csv
    """
    from rich.text import Text

    from marginalia.core.errors import FormatError
    from marginalia.reader.formats.registry import choose_format, formats_that
    from marginalia.reader.read import input_files
    from marginalia.reader.write import place, refuse_input
    from marginalia.tasks.variables.notes.links import link
    from marginalia.tasks.variables.task import TASK

    path = None if out is None or out == "-" else Path(out)
    format = None
    if path is not None:
        known = (*formats_that("write_rows"), "html", "ttl")
        format = choose_format(path, None, known, hint="")
        format.require("write")
    inputs = input_files(files) | {Path(catalogue).resolve()}
    refuse_input(path, inputs)
    papers = Inputs(files, lang=lang)
    found = []
    with console(stderr=True).status(Text("opening the catalogue")) as status:
        for doc in papers.documents():
            status.update(Text(f"linking {doc.id}"))
            with papers.attempt(FormatError):
                TASK.require_language(doc)
                found.append(link(doc, catalogue))
    if path is not None and format is not None:
        for written in place(path, _content(found, format), inputs):
            click.echo(f"written: {written}", err=True)
    elif as_json:
        print_json([one.to_dict() for one in found])
    else:
        for one in found:
            _print(one, by)
    papers.finish()


def _content(found: list[Linked], format: Format) -> str | bytes:
    from marginalia.core.task import plain
    from marginalia.tasks.variables.notes.commands.page import page

    if format.name == "html":
        return page(found)
    if format.name == "ttl":
        return format.write([one.doc for one in found])
    # A table has a row for each link; JSON keeps them together by document and sentence.
    nested = format.name == "json"
    rows = [row for one in found for row in ([one.to_dict()] if nested else one.rows())]
    return format.write_rows(dict.fromkeys(found[0].columns), [plain(row) for row in rows])


def _print(one: Linked, by: str) -> None:
    if by == "variable":
        _print_index(one)
        return
    rows = one.rows()
    if not rows:
        click.echo(f"{one.doc.id}: no sentence mentions a survey variable")
        return
    count = len({row["start"] for row in rows})
    use = "1 sentence that uses" if count == 1 else f"{count} sentences that use"
    print_table(
        f"{one.doc.id}: {use} survey variables",
        ("page", "sentence", "variable", "label", "score", "mention"),
        (
            (
                row["page"],
                " ".join(row["sentence"].split()),
                row["variable"],
                row["label"] or "none fits well enough",
                row["score"],
                row["kind"],
            )
            for row in rows
        ),
        note="--by variable turns it round; -o links.html writes a page.",
    )


def _print_index(one: Linked) -> None:
    index = one.index()
    if not index:
        click.echo(f"{one.doc.id}: no variable of the catalogue was found")
        return
    for row in index:
        same = f" (and {len(row['same'])} alike)" if row["same"] else ""
        click.echo(f"{row['id']}  {row['label']}{same}")
        for use in row["sentences"]:
            page = f"p. {use['page']}, " if use["page"] else ""
            mark = "*" if use["central"] else " "
            quote = " ".join(use["quote"].split())
            click.echo(f"  {mark} {page}{use['kind']}, {use['score']:.2f}: {quote}")
