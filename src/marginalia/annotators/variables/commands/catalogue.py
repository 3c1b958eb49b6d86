"""``marginalia catalogue``: survey variables from the files that archives publish, indexed and searched."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from marginalia.annotators.variables.commands.contents import (
    Row,
    column_option,
    decide_command,
    list_command,
    open_with,
    out_option,
    parse_columns,
    refuse_out,
    shortened,
    show_command,
    write_rows,
)
from marginalia.cli.options import as_json
from marginalia.cli.output import print_json, print_table, progress_bar

if TYPE_CHECKING:
    from marginalia.core.extraction import Table
    from marginalia.tasks.variables.index.hits import Hit
    from marginalia.tasks.variables.index.search import OpenCatalogue

MAX_LISTED_SURVEYS = 50
"""Surveys that `info` shows."""
USED_OF_TEN = "Of ten such proposals a paper used one or two where this was measured."
"""The share hardly falls from the first to the tenth, so none has its own."""

survey_option = click.option(
    "--survey",
    "surveys",
    metavar="ID",
    multiple=True,
    help="Only variables of this survey. Repeatable.",
)
number_option = click.option(
    "-k", "number", metavar="N", type=click.IntRange(1), default=10, show_default=True,
    help="Number of results.",
)  # fmt: skip


@click.group("catalogue")
def catalogue_command() -> None:
    """Build and search catalogues of survey variables.

    CAT is a folder made by `build` or, if it is small, a source itself: DDI Codebook or DDI Lifecycle (.xml), SV-Ident's
    variable_metadata.json, a table (.csv, .tsv, .xlsx), SPSS (.sav, .por) or Stata (.dta). Variables that repeat the same
    question in several waves are grouped into one result.

    \b
    marginalia catalogue build archive/*.xml -o archive.cat
    marginalia catalogue search archive.cat "trust in courts"
    marginalia catalogue show archive.cat V22
    marginalia catalogue recommend archive.cat V22
    """


@catalogue_command.command("build")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.option("-o", "--out", metavar="CAT", required=True, help="Folder for the catalogue.")
@click.option(
    "--vectors",
    type=click.Choice(["auto", "dense", "none"]),
    default="auto",
    show_default=True,
    help="Vectors find a variable by its meaning, also in another language. auto: for up to 10,000 different questions. dense: for any number, some minutes for every 10,000.",
)
@click.option("--again", is_flag=True, help="Replace an existing catalogue of other sources.")
@column_option
@as_json
def build_command(
    sources: tuple[str, ...],
    out: str,
    vectors: str,
    again: bool,
    columns: tuple[str, ...],
    as_json: bool,
) -> None:
    """Build a catalogue from files and folders.

    An interrupted build resumes with the same command.
    """
    from marginalia.tasks.variables.index.build import build_catalogue

    with progress_bar() as progress:
        built = build_catalogue(
            sources,
            out,
            vectors=vectors,
            again=again,
            columns=parse_columns(columns),
            progress=progress,
        )
    if as_json:
        print_json(
            {
                "catalogue": out,
                "variables": len(built),
                "surveys": len(built.surveys),
                "notes": built.notes,
            }
        )
        return
    _say_notes(built.notes)
    click.echo(f"written: {out}", err=True)
    click.echo(f"{len(built):,} variables of {_surveys(len(built.surveys))}")


@catalogue_command.command("info")
@click.argument("cat", metavar="CAT")
@column_option
@as_json
def info_command(cat: str, columns: tuple[str, ...], as_json: bool) -> None:
    """Show what a catalogue contains, with problems in its sources."""
    info = open_with(cat, columns).info()
    if as_json:
        print_json(info)
        return
    _say_notes(info["notes"])
    size = f"{info['bytes'] / 2**20:,.1f} MB"
    click.echo(f"{info['variables']:,} variables in {info['groups']:,} groups, {size}")
    click.echo(f"searched by {', '.join(info['retrievers'])}")
    largest = sorted(info["surveys"].items(), key=lambda pair: -pair[1])
    print_table(_surveys(len(largest)), ["survey", "variables"], largest[:MAX_LISTED_SURVEYS])
    if len(largest) > MAX_LISTED_SURVEYS:
        click.echo(f"and {len(largest) - MAX_LISTED_SURVEYS:,} smaller ones; --json names all")


@catalogue_command.command("search")
@click.argument("cat", metavar="CAT")
@click.argument("words", metavar="WORDS")
@click.option(
    "--by",
    type=click.Choice(["both", "words", "fuzzy", "meaning"]),
    default="both",
    show_default=True,
    help="words: BM25. fuzzy: token-set ratio. meaning: vectors. both: all of them combined.",
)
@survey_option
@number_option
@out_option
@column_option
@as_json
def search_command(
    cat: str,
    words: str,
    by: str,
    surveys: tuple[str, ...],
    number: int,
    out: str | None,
    columns: tuple[str, ...],
    as_json: bool,
) -> None:
    """Search variables by words and meaning."""
    refuse_out(out, [cat])
    found = open_with(cat, columns).search(words, by=by, surveys=surveys or None, k=number)
    _give(found, f"{cat}: {words}", out, as_json, [cat])


@catalogue_command.command("candidates")
@click.argument("cat", metavar="CAT")
@click.argument("sentence", metavar="SENTENCE")
@survey_option
@number_option
@out_option
@column_option
@as_json
def candidates_command(
    cat: str,
    sentence: str,
    surveys: tuple[str, ...],
    number: int,
    out: str | None,
    columns: tuple[str, ...],
    as_json: bool,
) -> None:
    """List candidate variables for a sentence, for annotators.

    As in SV-Ident 2022: the variables that at least two of several retrievers rank among their first 20.
    """
    refuse_out(out, [cat])
    found = open_with(cat, columns).candidates(sentence, surveys=surveys or None, k=number)
    _give(found, f"{cat}: candidates", out, as_json, [cat])


@catalogue_command.command("recommend")
@click.argument("cat", metavar="CAT")
@click.argument("what", metavar="VARIABLE|PAPER")
@click.option(
    "--survey", "surveys", metavar="ID", multiple=True,
    help="A survey that the paper already uses, to leave out. Repeatable.",
)  # fmt: skip
@number_option
@out_option
@column_option
@as_json
def recommend_command(
    cat: str,
    what: str,
    surveys: tuple[str, ...],
    number: int,
    out: str | None,
    columns: tuple[str, ...],
    as_json: bool,
) -> None:
    """Recommend related variables of other surveys, with reasons.

    For a variable, by its id, or for a paper: any document that `read` takes.
    """
    paper = Path(what)
    note = ""
    inputs = [cat, what] if paper.is_file() else [cat]
    refuse_out(out, inputs)
    catalogue = open_with(cat, columns)
    if paper.is_file():
        from marginalia.nlp.sentences import sentences
        from marginalia.reader.read import read

        doc = read(paper)
        said = [doc.text[a:b] for a, b in sentences(doc.text, doc.meta.get("lang"))]
        found = catalogue.recommend_for(said, known=surveys, k=number)
        note = USED_OF_TEN
    else:
        found = _related(catalogue, what, number)
    _give(found, f"{cat}: related to {what}", out, as_json, inputs, note)


def _related(catalogue: OpenCatalogue, id: str, number: int) -> Table[Hit]:
    """Variables related to one of these; a name that looks like a file's is distinguished from an id."""
    from marginalia.core.errors import MissingError, UnknownNameError
    from marginalia.reader.formats.signature import parsed_suffixes

    try:
        found = catalogue.recommend(id, k=number)
    except UnknownNameError:
        if Path(id).suffix.lower() in parsed_suffixes():
            raise MissingError(f"{id}: there is no such file, and no such variable") from None
        raise
    if not found and len(catalogue.surveys) == 1:
        note = "the catalogue holds one survey, and only variables of others are recommended"
        click.echo(f"marginalia: note: {note}", err=True)
    return found


def _give(
    found: Table[Hit],
    title: str,
    out: str | None,
    as_json: bool,
    inputs: Collection[str],
    note: str = "",
) -> None:
    """Into a file, as JSON, or as a table for the eye."""
    rows = [hit.to_dict() for hit in found]
    if out is not None:
        write_rows(rows, out, inputs)
        if not as_json:
            return
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("nothing found")
        return
    # Only a search has a figure that means something; where there is none the order is all that is known.
    names = ("score", "variable", "survey", "label", "question", "sentence", "reason", "retrievers")
    cells = [_cells(row) for row in rows]
    shown = [name for name in names if name in cells[0]]
    print_table(
        title,
        shown,
        ([one[name] for name in shown] for one in cells),
        note=" ".join(
            filter(None, [note, "--json shows every column, and the variables of each group."])
        ),
    )


def _cells(row: Row) -> Row:
    others = row["group"] - 1
    more = f" (+{others})" if others else ""
    label = row["label"] or row["question"]
    question = "" if label == row["question"] else row["question"]
    extra = {"reason": row["reason"]} if "reason" in row else {}
    if "score" in row:
        extra["score"] = f"{row['score']:.2f}"
    if "retrievers" in row:
        extra["retrievers"] = ", ".join(row["retrievers"])
    # For a paper the sentence says more than the wording of the question.
    said = {"sentence": row["sentence"]} if "sentence" in row else {"question": question}
    return {
        **extra,
        "variable": row["id"] + more,
        "survey": row["survey"] if len(row["surveys"]) == 1 else f"{row['survey']} and others",
        "label": shortened(label),
        **{name: shortened(text) for name, text in said.items()},
    }


def _say_notes(notes: Mapping[str, int]) -> None:
    for what, count in notes.items():
        click.echo(f"marginalia: note: {count:,} {what}", err=True)


def _surveys(count: int) -> str:
    return "1 survey" if count == 1 else f"{count:,} surveys"


for _command in (list_command, show_command, decide_command):
    catalogue_command.add_command(_command)
