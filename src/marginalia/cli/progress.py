"""A bar on standard error for long work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from marginalia.cli.output import console

if TYPE_CHECKING:
    from marginalia.bench.run import Progress


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
