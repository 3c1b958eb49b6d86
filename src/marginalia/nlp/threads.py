"""One setting for how many threads the process works with."""

from __future__ import annotations

import os
import re

from marginalia.core.errors import FormatError

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
