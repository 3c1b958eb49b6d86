"""Where long work can be interrupted: whoever started it may let others go first, and the work needs not know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_HOW: ContextVar[Callable[[], None] | None] = ContextVar("pause", default=None)


def pause() -> None:
    """Called between two steps of work that may take long, by code that holds no lock: others may come in between.

    ``cached_property`` holds one. Nothing happens unless somebody asked for pauses.
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
