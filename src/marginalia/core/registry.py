"""Tasks by name, found through the entry point group ``marginalia.tasks``.

Our five register there just as a stranger's does.
"""

from __future__ import annotations

import warnings
from functools import cache

from marginalia.core.entry_points import Entry, entries
from marginalia.core.errors import ContractError, UnknownNameError
from marginalia.core.task import Task

GROUP = "marginalia.tasks"


@cache
def _entries() -> dict[str, Entry]:
    return {entry.name: entry for entry in entries(GROUP)}


def task_names() -> list[str]:
    return sorted(_entries())


@cache
def get_task(name: str) -> Task:
    """The card of the task, importing its ``task.py`` only."""
    entries = _entries()
    if name not in entries:
        raise UnknownNameError("task", name, entries)
    try:
        task = entries[name].load()
    except Exception as error:  # a stranger's code may fail in any way
        raise ContractError(
            f"the task '{name}' cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(task, Task) or task.name != name:
        raise ContractError(
            f"the entry point '{name}' in {GROUP} must name a Task of that name, not {task!r:.80}"
        )
    return task


def as_task(task: str | Task) -> Task:
    """A task by its name, or as it is."""
    return task if isinstance(task, Task) else get_task(task)


def all_tasks() -> list[Task]:
    """Every task that loads; one that does not costs a warning, not the others."""
    tasks = []
    for name in task_names():
        try:
            tasks.append(get_task(name))
        except ContractError as error:
            warnings.warn(str(error), stacklevel=2)
    return tasks
