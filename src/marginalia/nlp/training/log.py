"""How far a long training is, on standard error."""

from __future__ import annotations

import sys
import time

_START = time.monotonic()


def tell(what: str) -> None:
    """A line with the seconds since the start; at once, also where standard error is a file."""
    sys.stderr.write(f"[{time.monotonic() - _START:6.0f} s] {what}\n")
    sys.stderr.flush()
