"""Entry points of installed distributions, read from their files.

``importlib.metadata`` does the same and more, but it takes longer to import and to look than all of
``marginalia --help`` may, because it brings the parsers for mail and archives along.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

PREFIX = "marginalia."


class Entry(NamedTuple):
    """A name that a distribution gives to one of its objects."""

    name: str
    value: str
    """``package.module:object``"""
    group: str

    @property
    def module(self) -> str:
        return self.value.partition(":")[0].strip()

    def load(self) -> Any:
        path = self.value.partition(":")[2]
        found: Any = import_module(self.module)
        for name in path.split("[")[0].strip().split(".") if path else ():
            found = getattr(found, name)
        return found


def entries(group: str) -> list[Entry]:
    """The entry points of one of our groups: tasks, commands, weights or licences."""
    return [entry for entry in _all_entries() if entry.group == group]


@cache
def _all_entries() -> list[Entry]:
    """Those of all groups of ours; of a distribution that is installed twice, the first on the path counts."""
    by_distribution: dict[str, list[Entry]] = {}
    for folder in dict.fromkeys(path or os.curdir for path in sys.path):
        try:
            names = sorted(os.listdir(folder))  # noqa: PTH208 - pathlib costs more than the listing
        except OSError:  # an archive, or a folder that is not there
            continue
        for name in names:
            stem, _, kind = name.rpartition(".")
            if kind in ("dist-info", "egg-info"):
                by_distribution.setdefault(
                    stem.partition("-")[0].lower(), _read(f"{folder}/{name}")
                )
    return [entry for each in by_distribution.values() for entry in each]


def _read(folder: str) -> list[Entry]:
    try:
        with open(f"{folder}/entry_points.txt", encoding="utf-8") as file:  # noqa: PTH123 - as above
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return []
    if PREFIX not in text:
        return []
    entries_of_file, group = [], ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            group = line.strip("[] ")
        elif group.startswith(PREFIX) and "=" in line and line[0] not in "#;":
            name, _, value = line.partition("=")
            entries_of_file.append(Entry(name.strip(), value.strip(), group))
    return entries_of_file
