"""What other distributions bring: weights, and what each distribution says of its licences.

Both are found through entry points, as tasks and commands are. An entry of ``marginalia.weights`` has the name
of a task and gives the folder of its weights; one of ``marginalia.licences`` has the name of a distribution and
names the package that holds its ``licences.json``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from marginalia.core.entry_points import entries
from marginalia.core.errors import ContractError, MissingError

WEIGHTS = "marginalia.weights"
NONCOMMERCIAL = "marginalia-noncommercial"
"""The second distribution of this repository: weights made from data that may not be used commercially."""


@cache
def find_weights(task: str) -> Path | None:
    """The folder of a task's weights that another distribution brings; None where none is installed."""
    entry = next((entry for entry in entries(WEIGHTS) if entry.name == task), None)
    if entry is None:
        return None
    try:
        folder = entry.load()
    except Exception as error:  # a stranger's code may fail in any way
        raise ContractError(
            f"the weights of '{task}' cannot be found: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(folder, Path):
        raise ContractError(
            f"the entry point '{task}' in {WEIGHTS} must name a Path, not {folder!r:.80}"
        )
    return folder


def require_weights(task: str, distribution: str = NONCOMMERCIAL) -> Path:
    """The same folder, or an error that says what to install."""
    folder = find_weights(task)
    if folder is None:
        raise MissingError(missing_weights(task, distribution))
    return folder


def missing_weights(task: str, distribution: str) -> str:
    """What is not there, and how to get it."""
    terms = " (no commercial use)" if distribution == NONCOMMERCIAL else ""
    return f"The trained weights of {task} are not installed: pip install {distribution}{terms}."
