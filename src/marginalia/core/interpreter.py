"""How a module of ours is started in a process of its own."""

from __future__ import annotations

import sys


def module_command(module: str, *words: str) -> list[str]:
    """The command that runs a module in this interpreter. -P: none is taken from the folder one happens to be in."""
    return [sys.executable, "-P", "-m", module, *words]
