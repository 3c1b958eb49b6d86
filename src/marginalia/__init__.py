"""Marginalia reads a document and writes in its margins.

The public names are resolved when first used, so that ``import marginalia`` costs next to nothing.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# onnxruntime asks this when it is imported, by us or by anyone: unless told otherwise it writes a device id into the
# home folder and reports to its maker. Here it stands before every import of ours, and child processes inherit it.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

_HOME = {
    "Annotation": "core.document",
    "Document": "core.document",
    "Interval": "core.stats",
    "Metric": "core.task",
    "Report": "core.task",
    "Run": "core.runs",
    "Split": "core.task",
    "System": "core.task",
    "SystemCard": "core.task",
    "Task": "core.task",
    "lazy": "core.task",
    "MarginaliaError": "core.errors",
    "FormatError": "core.errors",
    "MissingError": "core.errors",
    "UnknownNameError": "core.errors",
    "ContractError": "core.errors",
    "all_tasks": "core.registry",
    "get_task": "core.registry",
    "check_system": "core.check",
    "check_task": "core.check",
    "annotate": "reader.annotate",
    "read": "api",
    "write": "reader.write",
}

__all__ = ["__version__", *sorted(_HOME)]

if TYPE_CHECKING:
    from marginalia.api import read
    from marginalia.core.check import check_system, check_task
    from marginalia.core.document import Annotation, Document
    from marginalia.core.errors import (
        ContractError,
        FormatError,
        MarginaliaError,
        MissingError,
        UnknownNameError,
    )
    from marginalia.core.registry import all_tasks, get_task
    from marginalia.core.runs import Run
    from marginalia.core.stats import Interval
    from marginalia.core.task import Metric, Report, Split, System, SystemCard, Task, lazy
    from marginalia.reader.annotate import annotate
    from marginalia.reader.write import write


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'marginalia' has no attribute {name!r}")
    return getattr(import_module(f"marginalia.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
