"""What other distributions bring: weights, and what each distribution says of its licences.

Both are found through entry points, as tasks and commands are. An entry of ``marginalia.weights`` has the name
of a task and gives the folder of its weights; one of ``marginalia.licences`` has the name of a distribution and
names the package that holds its ``licences.json``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from marginalia.core.entry_points import Entry, entries
from marginalia.core.errors import ContractError, MissingError

WEIGHTS = "marginalia.weights"
NONCOMMERCIAL = "marginalia-noncommercial"
"""The second distribution of this repository: weights made from data that may not be used commercially."""


LICENCES = "marginalia.licences"
FILE = "licences.json"


@cache
def find_weights(task: str) -> Path | None:
    """The folder of a task's weights that another distribution brings; None where none is installed."""
    entry = next((entry for entry in entries(WEIGHTS) if entry.name == task), None)
    if entry is None:
        return None
    try:
        folder = entry.load()
    except Exception as error:  # code of a plug-in may fail in any way
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Something that has a licence of its own."""

    name: str
    paths: tuple[str, ...]
    """Files of the package, as patterns."""
    licence: str
    """An SPDX expression."""
    commercial: bool
    """Whether it may be used commercially."""
    conditions: str
    made_from: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """What ``pip`` installs as one."""

    name: str
    version: str
    licence: str
    """Of all its parts together, an SPDX expression."""
    parts: tuple[Part, ...]

    @property
    def commercial(self) -> bool:
        return all(part.commercial for part in self.parts)


def installed() -> list[Distribution]:
    """Ours first, then the others by name."""
    by_name = {entry.name: entry for entry in entries(LICENCES)}
    names = sorted(by_name, key=lambda name: (name != "marginalia", name))
    return [_distribution(by_name[name]) for name in names]


def _distribution(entry: Entry) -> Distribution:
    from importlib.metadata import PackageNotFoundError, metadata  # loads much

    try:
        facts = metadata(entry.name)
        spec = find_spec(entry.module)
        folder = Path(((spec and spec.submodule_search_locations) or [""])[0])
        rows = json.loads((folder / FILE).read_text(encoding="utf-8"))
        parts = tuple(Part(**{**row, "paths": tuple(row["paths"])}) for row in rows)
    except (PackageNotFoundError, OSError, ValueError, TypeError, KeyError) as error:
        raise ContractError(
            f"the licences of '{entry.name}' cannot be read: {type(error).__name__}: {error}"
        ) from error
    return Distribution(
        name=entry.name,
        version=facts["Version"],
        licence=(facts.get_all("License-Expression") or ["not stated"])[0],
        parts=parts,
    )
