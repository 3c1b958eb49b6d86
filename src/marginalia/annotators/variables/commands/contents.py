"""What is in a catalogue, and what was decided with it: ``catalogue list``, ``show`` and ``decide``."""

from __future__ import annotations

from pathlib import Path

import click

from marginalia.annotators.variables.commands.catalogue_output import (
    column_option,
    open_with,
    out_option,
    printable,
    refuse_out,
    shortened,
    table_format,
    write_rows,
)
from marginalia.cli.options import as_json, raw_cells_option
from marginalia.cli.output import print_json, print_table


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
    found = catalogue.variable(variable)
    same = [one.id for one in catalogue.same(variable) if one.id != found.id]
    data = {"id": found.id, "survey": found.survey, **found.fields}
    if not found.fields:
        data["text"] = found.text
    if as_json:
        print_json({**data, "values": [list(pair) for pair in found.codes], "same": same})
        return
    for name, value in data.items():
        # Texts of files from outside never reach the terminal as commands.
        click.echo(f"{name:<12} {printable(value)}")
    for code, label in found.codes:
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
    from marginalia.annotators.variables.commands.review_files import read_review
    from marginalia.annotators.variables.exports import link_table, official, turtle
    from marginalia.annotators.variables.memory import memory_of
    from marginalia.annotators.variables.review import decisions
    from marginalia.core.files import write_file
    from marginalia.reader.write import refuse_input

    for name in out:
        refuse_input(Path(name), {review.resolve(), Path(cat).resolve()})
        if Path(name).suffix.lower() not in (".ttl", ".tsv"):
            table_format(Path(name)).require("write_rows")
    found = read_review(review)
    made = list(decisions(found))
    new = memory_of(cat).add(made)
    rows = link_table(found)
    for name in out:
        suffix = Path(name).suffix.lower()
        if suffix in (".ttl", ".tsv"):
            write_file(Path(name), turtle(found) if suffix == ".ttl" else official(found))
            click.echo(f"written: {name}", err=True)
        else:
            write_rows(rows, name, [cat, str(review)])
    told = {"decisions": len(made), "new": new, "links": len(rows)}
    if as_json:
        print_json(told)
    else:
        click.echo(
            f"decisions kept with {cat}: {len(made):,}, of them new: {new:,}; links: {len(rows):,}"
        )
