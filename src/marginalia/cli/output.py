"""Tables and JSON on standard output; everything else, such as a progress bar, goes to standard error."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

    from marginalia.bench.run import Progress


NAME = re.compile(r"\S{0,14}( \*)?")


def print_json(value: Any) -> None:
    from marginalia.core.report import plain

    click.echo(json.dumps(plain(value), ensure_ascii=False, indent=1))


def console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, note: str = ""
) -> None:
    """A table with numbers to the right; a float is shown to four decimals."""
    from rich.table import Table
    from rich.text import Text

    rows = [list(row) for row in rows]
    # As Text: a path or name with square brackets is no markup.
    table = Table(title=Text(printable(title)), title_justify="left", caption_justify="left")
    table.caption = Text(printable(note)) if note else None
    screen = console()
    for number, column in enumerate(columns):
        numeric = any(isinstance(row[number], (int, float)) for row in rows)
        # Names stay whole, to be copied; in a narrow terminal nothing does.
        names = len(column) < 15 and all(NAME.fullmatch(show_value(row[number])) for row in rows)
        table.add_column(
            column,
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=names and screen.width >= 80,
        )
    for row in rows:
        table.add_row(*(Text(show_value(cell)) for cell in row))
    screen.print(table)


def show_value(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return "undefined" if value != value else f"{value:.4f}"
    return printable(str(value))


def printable(text: str) -> str:
    """Text of a document or catalogue without what would steer the terminal: such signs are shown as escapes."""
    return "".join(
        sign if sign.isprintable() or sign in "\n\t" else repr(sign)[1:-1] for sign in text
    )


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """A bar on standard error while it is a terminal."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=screen, transient=True) as bars:
        ids: dict[str, Any] = {}

        def progress(what: str, done: int, total: int) -> None:
            if what not in ids:
                ids[what] = bars.add_task(what, total=total or None)
            bars.update(ids[what], completed=done)

        yield progress
