"""One setting for how many threads the process works with."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from marginalia.core.errors import FormatError

In = TypeVar("In")
Out = TypeVar("Out")

THREADS_VARIABLE = "MARGINALIA_THREADS"


def threads() -> int:
    """``MARGINALIA_THREADS``, or the number of cores this process may use."""
    chosen = os.environ.get(THREADS_VARIABLE)
    if chosen is None:
        if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    if re.fullmatch(r"[1-9][0-9]{0,3}", chosen) is None:
        raise FormatError(f"{THREADS_VARIABLE} is {chosen!r}; a whole number from 1 was expected")
    return int(chosen)


def side_by_side(work: Callable[[In], Out], each: Sequence[In]) -> Iterator[Out]:
    """``work`` on each in so many threads, the results in order; a single one does it here, as they are asked for."""
    workers = min(threads(), len(each))
    if workers <= 1:
        yield from map(work, each)
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(work, each)
