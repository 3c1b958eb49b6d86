"""What is installed, under which licence, and what that allows.

Each distribution that brings code or weights names its package in the entry point group ``marginalia.licences``;
the package holds ``licences.json``, which lists its parts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from importlib.util import find_spec
from pathlib import Path

from marginalia.core.entry_points import Entry, entries
from marginalia.core.errors import ContractError

GROUP = "marginalia.licences"
FILE = "licences.json"


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
    found = {entry.name: entry for entry in entries(GROUP)}
    names = sorted(found, key=lambda name: (name != "marginalia", name))
    return [_distribution(found[name]) for name in names]


def _distribution(entry: Entry) -> Distribution:
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
