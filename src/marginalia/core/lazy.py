"""Functions that are imported at their first call, so that listing what is installed imports nothing else."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


def lazy(package: str, path: str, **given: Any) -> Callable[..., Any]:
    """A function that imports ``package.module`` at its first call and then calls ``module.name``.

    ``lazy(__package__, "data.load")`` keeps ``marginalia tasks`` free of every task's imports. What is ``given`` by name
    goes with every call.
    """
    module, _, name = path.rpartition(".")

    def call(*args: Any, **kwargs: Any) -> Any:
        function = getattr(importlib.import_module(f"{package}.{module}"), name)
        return function(*args, **given, **kwargs)

    call.__qualname__ = call.__name__ = name
    call.__doc__ = f"{package}.{path}, imported when called"
    call.target = (f"{package}.{module}", name)  # type: ignore[attr-defined]
    return call
