"""``marginalia clarify mine`` and ``ratings``: a data set like CLAIRE from revisions and raters."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from marginalia.annotators.unclear.commands.table import (
    counted,
    format_of,
    written,
)
from marginalia.cli.options import as_json
from marginalia.cli.output import print_json, print_table


@click.command("mine")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    help="Write to a .tsv (layout of CLAIRE), .csv, .json, .jsonl or .parquet file.",
)
@as_json
def mine_command(old: str, new: str | None, out: str | None, as_json: bool) -> None:
    """Extract clarifications from two versions of a text.

    A clarification is a single insertion of one of the four kinds. OLD and NEW are documents. Without NEW, OLD is a file of
    revision pairs: JSON lines with "old" and "new" (optionally "title" and "header"), or two tab-separated columns; - reads
    JSON lines from standard input.
    """
    from marginalia.annotators.unclear.data_set import mine_revisions
    from marginalia.reader.read import input_files, read
    from marginalia.reader.write import refuse_input
    from marginalia.tasks.clarification.gaps.revisions import format_mined, parse_revisions

    path = None if out is None or out == "-" else Path(out)
    chosen = format_of(path, "tsv") if path else None
    if new is None and old == "-":
        inputs: frozenset[Path] = frozenset()
        lines = ((number, text.rstrip("\r\n")) for number, text in enumerate(sys.stdin, 1))
        revisions: Any = parse_revisions(lines, Path("standard input"), is_json=True)
    elif new is None:
        inputs = frozenset({Path(old).resolve()})
        revisions = Path(old)
    else:
        inputs = input_files([old, new])
        one, other = read(old), read(new)
        revisions = [{"old": one.text, "new": other.text, "title": str(other.meta["title"])}]
    refuse_input(path, inputs)
    found = mine_revisions(revisions)
    if chosen and chosen.name == "tsv":
        from marginalia.reader.write import place

        place(path, format_mined(found), inputs)
        click.echo(f"written: {path}, {counted(len(found))}", err=True)
        return
    rows = [one.to_dict() for one in found]
    if written(rows, path, chosen, inputs):
        return
    if as_json:
        print_json(rows)
    elif rows:
        print_table(
            "1 clarification" if len(rows) == 1 else f"{len(rows)} clarifications",
            ("phenomenon", "filler", "sentence"),
            [(row["phenomenon"], row["filler"], row["sentence"]) for row in rows],
            note="-o FILE.tsv writes them in the layout of CLAIRE.",
        )
    else:
        click.echo("no clarification found")


@click.command("ratings")
@click.argument("file", metavar="FILE")
@click.option(
    "-o",
    "--out",
    metavar="PATH",
    help="Write csv, json, jsonl or parquet; the format follows the extension.",
)
@as_json
def ratings_command(file: str, out: str | None, as_json: bool) -> None:
    """Turn people's ratings into gold, with their agreement.

    FILE has the columns id, rater and rating (1 to 5), separated by tabs, or by commas in a .csv file. The gold of an item is
    the mean of its ratings and its class: up to 2.5 IMPLAUSIBLE, from 4 on PLAUSIBLE, else NEUTRAL.
    """
    from marginalia.annotators.unclear.data_set import aggregate_ratings
    from marginalia.reader.write import refuse_input

    path = None if out is None or out == "-" else Path(out)
    chosen = format_of(path) if path else None
    inputs = frozenset({Path(file).resolve()})
    refuse_input(path, inputs)
    report = aggregate_ratings(file)
    if written(report.also["rows"], path, chosen, inputs):
        return
    if as_json:
        print_json(report.to_dict())
        return
    scores = dict(report.scores)
    rows = [*scores.pop("classes").items(), *scores.items()]
    print_table(f"ratings: {file}", ("figure", "value"), rows, note="-o FILE writes the means.")
