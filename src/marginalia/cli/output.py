"""Tables and JSON on standard output; everything else goes to standard error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console


def print_json(value: Any) -> None:
    from marginalia.core.task import plain

    click.echo(json.dumps(plain(value), ensure_ascii=False, indent=1))


def console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, note: str = ""
) -> None:
    """A table with numbers to the right; a float is shown to four decimals."""
    from rich.table import Table

    rows = [list(row) for row in rows]
    table = Table(title=title, title_justify="left", caption=note or None, caption_justify="left")
    for number, column in enumerate(columns):
        numeric = any(isinstance(row[number], (int, float)) for row in rows)
        table.add_column(column, justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(show_value(cell) for cell in row))
    console().print(table)


def show_value(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return "undefined" if value != value else f"{value:.4f}"
    return str(value)
