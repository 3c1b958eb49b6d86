"""How much work a call is, counted and not timed."""

from __future__ import annotations

import sys
from collections.abc import Callable


def calls(function: Callable[[], object]) -> int:
    """How many functions were called, those in C too: a measure of work that no busy machine changes."""
    count = 0

    def tally(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(tally)
    try:
        function()
    finally:
        sys.setprofile(None)
    return count
