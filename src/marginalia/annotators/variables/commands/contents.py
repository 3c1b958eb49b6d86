"""``catalogue list``, ``show`` and ``decide``: what is in a catalogue, and what was decided with it; and the options and
output that all catalogue commands share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.options import as_json, raw_cells_option
from marginalia.cli.output import print_json, print_table, printable

if TYPE_CHECKING:
    from marginalia.reader.formats.format import Format
    from marginalia.tasks.variables.index.search import OpenCatalogue


Row = dict[str, Any]

column_option = click.option(
    "--column",
    "columns",
    metavar="FIELD=NAME",
    multiple=True,
    help="Column of a table for a field (id, survey, label, question ...), if it is not recognised by name. Repeatable.",
)
_out = click.option(
    "-o",
    "--out",
    metavar="FILE",
    help="Write the results to a .csv, .xlsx, .json, .jsonl or .parquet file.",
)


def out_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """A file for the rows, and how its cells are written."""
    return _out(raw_cells_option(command))


def open_with(cat: str, columns: Sequence[str]) -> OpenCatalogue:
    from marginalia.tasks.variables.index.search import open_catalogue

    return open_catalogue(cat, columns=parse_columns(columns))


def parse_columns(pairs: Sequence[str]) -> dict[str, str]:
    from marginalia.core.errors import FormatError

    found = {}
    for pair in pairs:
        field, equals, name = pair.partition("=")
        if not equals or not field or not name:
            raise FormatError(f"--column {pair!r}: FIELD=NAME was expected, such as label=Text")
        found[field] = name
    return found


def refuse_out(out: str | None, inputs: Collection[str]) -> None:
    """Before the work: an extension that says no format, or an input that would be lost."""
    from marginalia.reader.write import refuse_input

    if out is None:
        return
    table_format(Path(out)).require("write_rows")
    refuse_input(Path(out), {Path(one).resolve() for one in inputs})


def write_rows(rows: list[Row], out: str, inputs: Collection[str]) -> None:
    from marginalia.reader.write import place

    path = Path(out)
    format = table_format(path)
    # Ids have no semicolon, so that a list of them is easier to split in a spreadsheet than JSON.
    table = _joined(rows) if format.name in ("csv", "xlsx") else rows
    content = format.write_rows(dict.fromkeys(rows[0] if rows else ["id"]), table)
    for written in place(path, content, {Path(one).resolve() for one in inputs}):
        click.echo(f"written: {written}", err=True)


def shortened(text: str, limit: int = 90) -> str:
    text = printable(" ".join(text.split()))
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def table_format(path: Path) -> Format:
    from marginalia.reader.formats.registry import choose_format, formats_that

    return choose_format(path, None, formats_that("write_rows"), hint="")


def _joined(rows: list[Row]) -> list[Row]:
    return [{n: ";".join(v) if isinstance(v, list) else v for n, v in r.items()} for r in rows]


@click.command("list")
@click.argument("cat", metavar="CAT")
@click.option("--survey", metavar="ID", help="Only variables of this survey.")
@click.option("-k", "number", metavar="N", type=click.IntRange(1), help="At most this many.")
@out_option
@column_option
@as_json
def list_command(
    cat: str,
    survey: str | None,
    number: int | None,
    out: str | None,
    columns: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the variables: id, survey, label, question."""
    from itertools import islice

    refuse_out(out, [cat])
    found = islice(open_with(cat, columns).variables(survey=survey), number)
    rows = [
        {"id": v.id, "survey": v.survey, **{n: v.fields.get(n, "") for n in ("label", "question", "topic")}}
        for v in found
    ]  # fmt: skip
    if out is not None:
        write_rows(rows, out, [cat])
    elif as_json:
        print_json(rows)
    else:
        shown = (
            (r["id"], r["survey"], shortened(r["label"]), shortened(r["question"])) for r in rows
        )
        print_table(
            f"{cat}: {len(rows):,} variables", ["variable", "survey", "label", "question"], shown
        )


@click.command("show")
@click.argument("cat", metavar="CAT")
@click.argument("variable", metavar="VARIABLE")
@column_option
@as_json
def show_command(cat: str, variable: str, columns: tuple[str, ...], as_json: bool) -> None:
    """Show texts and values of a variable, and who asks the same."""
    catalogue = open_with(cat, columns)
    asked = catalogue.variable(variable)
    same = [one.id for one in catalogue.same(variable) if one.id != asked.id]
    data = {"id": asked.id, "survey": asked.survey, **asked.fields}
    if not asked.fields:
        data["text"] = asked.text
    if as_json:
        print_json({**data, "values": [list(pair) for pair in asked.codes], "same": same})
        return
    for name, value in data.items():
        # Texts of files from outside never reach the terminal as commands.
        click.echo(f"{name:<12} {printable(' '.join(str(value).split()))}")
    for code, label in asked.codes:
        click.echo(f"{'':<12} {printable(code):>6}  {printable(label)}")
    if same:
        click.echo(f"{'same':<12} {', '.join(map(printable, same[:20]))}")


@click.command("decide")
@click.argument("cat", metavar="CAT")
@click.argument("review", metavar="REVIEW", type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", metavar="FILE", multiple=True,
    help="Write the accepted links: a table (.csv, .xlsx, .json, .jsonl, .parquet), RDF (.ttl), or the layout of SV-Ident (.tsv). Repeatable.",
)  # fmt: skip
@raw_cells_option
@as_json
def decide_command(cat: str, review: Path, out: tuple[str, ...], as_json: bool) -> None:
    """Keep the decisions of a review file and export the links.

    REVIEW is what `marginalia link --review` wrote, with yes or no in its column "decision".
    """
    from marginalia.annotators.variables.commands.link_files import read_review
    from marginalia.annotators.variables.memory import memory_of
    from marginalia.annotators.variables.review import decisions, link_table, official, turtle
    from marginalia.core.files import write_file
    from marginalia.reader.write import refuse_input

    for name in out:
        refuse_input(Path(name), {review.resolve(), Path(cat).resolve()})
        if Path(name).suffix.lower() not in (".ttl", ".tsv"):
            table_format(Path(name)).require("write_rows")
    candidates = read_review(review)
    made = list(decisions(candidates))
    new = memory_of(cat).add(made)
    rows = link_table(candidates)
    for name in out:
        suffix = Path(name).suffix.lower()
        if suffix in (".ttl", ".tsv"):
            write_file(Path(name), turtle(candidates) if suffix == ".ttl" else official(candidates))
            click.echo(f"written: {name}", err=True)
        else:
            write_rows(rows, name, [cat, str(review)])
    summary = {"decisions": len(made), "new": new, "links": len(rows)}
    if as_json:
        print_json(summary)
    else:
        click.echo(
            f"decisions kept with {cat}: {len(made):,}, of them new: {new:,}; links: {len(rows):,}"
        )
