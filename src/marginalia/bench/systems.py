"""A system by any name: one of the task's own, of another package, of a file, or a program in any language."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

from marginalia.bench.program import PREFIX, make_program
from marginalia.core.benchmark import Benchmark, SystemCard
from marginalia.core.entry_points import entries
from marginalia.core.errors import ContractError, MissingError, UnknownNameError
from marginalia.core.resolution import choose_system

GROUP = "marginalia.systems"
"""Entry points ``TASK.NAME = "package.module:Class"``."""


def find_card(task: Benchmark, name: str | None, *, split: str = "") -> SystemCard:
    """The card of a system: a name of the task's or of an installed package's, ``module:Class``, ``./file.py:Class``,
    or ``cmd: program arguments``, with one that learns before it ``cmd: learn {train} {model} && predict {model}``. Without a name, the one that ``core.resolution`` chooses."""
    if name is not None and name.startswith(PREFIX):
        program = make_program(task, name.removeprefix(PREFIX).strip())
        return SystemCard(
            name=name,
            make=lambda: program,  # the same for all folds, so that its peak is known in the end
            summary=f"the program {program.command}",
            kind="own",
            trains=hasattr(program, "fit"),
        )
    if name is not None and name not in {card.name for card in task.systems}:
        if name in (installed := _installed(task)):
            return _card(name, installed[name])
        if ":" in name:
            return _card(name, name)
        raise UnknownNameError(
            f"system for {task.name}", name, [*(card.name for card in task.systems), *installed]
        )
    return choose_system(task, name, split=split)


def installed_cards(task: Benchmark) -> list[SystemCard]:
    """The systems that installed packages offer for a task."""
    return [_card(name, value) for name, value in _installed(task).items()]


def _installed(task: Benchmark) -> dict[str, str]:
    """Name -> where it lives, of the systems of other packages."""
    dotted = f"{task.name}."
    found = (entry for entry in entries(GROUP) if entry.name.startswith(dotted))
    return {entry.name.removeprefix(dotted): entry.value for entry in found}


def _card(name: str, value: str) -> SystemCard:
    system = _load(value)
    summary = (getattr(system, "__doc__", "") or "").strip().partition("\n")[0]
    return SystemCard(
        name=name,
        make=system,
        summary=summary or f"from {value}",
        kind="own",
        trains=hasattr(system, "fit"),
    )


def _load(value: str) -> Any:
    """The class that ``module:Class`` or ``path/file.py:Class`` names."""
    place, _, attribute = value.rpartition(":")
    if not place or not attribute:
        raise MissingError(f"'{value}' names no system: say module:Class or ./file.py:Class.")
    try:
        module = (
            _load_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
        )
    except MissingError:
        raise
    except Exception as error:  # foreign code may fail in any way
        raise ContractError(f"{place} cannot be loaded: {type(error).__name__}: {error}") from error
    if not hasattr(module, attribute):
        raise MissingError(f"{place} has no '{attribute}'.")
    return getattr(module, attribute)


def _load_file(path: Path) -> Any:
    if not path.is_file():
        raise MissingError(f"{path}: there is no such file.")
    name = f"marginalia_system_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise MissingError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module
