"""Differences between what was written before and is written now that were made on purpose, each with its reason."""

from __future__ import annotations

import re
from fnmatch import fnmatch

WANTED: tuple[tuple[str, str, str], ...] = ()
"""Commands (a pattern of names), a regular expression for the changed line with its + or -, and the reason."""


def reason(name: str, line: str) -> str:
    """Why this line of this command may differ; nothing if it may not."""
    for commands, pattern, why in WANTED:
        if fnmatch(name, commands) and re.search(pattern, line):
            return why
    return ""
