"""What the catalogue commands share: opening a catalogue, and giving rows to a file, a program or a person."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.options import raw_cells_option

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


def printable(text: Any) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in str(text))


def shortened(text: str, limit: int = 90) -> str:
    text = printable(text)
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def table_format(path: Path) -> Format:
    from marginalia.reader.formats.registry import choose_format, formats_that

    return choose_format(path, None, formats_that("write_rows"), hint="")


def _joined(rows: list[Row]) -> list[Row]:
    return [{n: ";".join(v) if isinstance(v, list) else v for n, v in r.items()} for r in rows]
