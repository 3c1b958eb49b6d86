"""What ``marginalia clarify`` shows and writes: rows of places, readings and clarifications."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.output import print_table

if TYPE_CHECKING:
    from marginalia.reader.formats.format import Format


def format_of(path: Path, *more: str) -> Format:
    """The format that the extension says: one of a table, or one of those named beside."""
    from marginalia.reader.formats.registry import choose_format, formats_that

    format = choose_format(path, None, (*more, *formats_that("write_rows")), hint="")
    format.require("write_rows")
    return format


def written(
    rows: Sequence[Mapping[str, Any]],
    path: Path | None,
    format: Format | None,
    inputs: Collection[Path],
    columns: Sequence[str] = (),
) -> bool:
    """Write the rows, if there is a place for them."""
    if path is None or format is None:
        return False
    from marginalia.core.report import plain
    from marginalia.reader.write import place

    data = [plain(row) for row in rows]
    names = columns or [name for row in data for name in row]
    place(path, format.write_rows(dict.fromkeys(names), data), inputs)
    click.echo(f"written: {path}, {counted(len(data))}", err=True)
    return True


def counted(rows: int) -> str:
    return "1 row" if rows == 1 else f"{rows} rows"


def show_places(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], many: bool) -> None:
    if not rows:
        click.echo("no unclear place found")
        return
    names = ["document", *columns] if many else list(columns)
    print_table(
        "1 unclear place" if len(rows) == 1 else f"{len(rows)} unclear places",
        names,
        [[row[name] for name in names] for row in rows],
        note="--json adds offsets; -o FILE writes a table.",
    )
