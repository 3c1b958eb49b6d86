"""Long work: started in a process of its own, or with pauses in which other work goes first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_HOW: ContextVar[Callable[[], None] | None] = ContextVar("pause", default=None)


def module_command(module: str, *words: str) -> list[str]:
    """The command that runs a module in this interpreter. -P: no module is taken from the current folder."""
    return [sys.executable, "-P", "-m", module, *words]


def pause() -> None:
    """Called between two steps of work that may take long, by code that holds no lock.

    ``cached_property`` holds one. Nothing happens outside ``pausing``.
    """
    how = _HOW.get()
    if how is not None:
        how()


@contextmanager
def pausing(how: Callable[[], None]) -> Iterator[None]:
    """In this block and thread ``pause`` calls ``how``."""
    token = _HOW.set(how)
    try:
        yield
    finally:
        _HOW.reset(token)
