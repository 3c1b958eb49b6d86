"""Results as they are kept: a JSON file for each benchmark, with the command that measured each of its parts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pages import put

WHOLE = "all"
"""What a command measured that has no parts."""


def load(path: Path) -> dict[str, Any]:
    """What was measured before, so that the parts can be measured one by one."""
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {"commands": {}, **found}


def keep(
    path: Path,
    results: dict[str, Any],
    part: str = "",
    options: str = "",
    *,
    systems: Iterable[str] = (),
    named: bool = True,
) -> None:
    """Write all results and which command measured this part: all of it, or only these systems.

    A result file has the name of the script that writes it. Places on this machine do not belong into
    ``options``: ``--base FOLDER``. A part that is not ``named`` is chosen by an option.
    """
    commands = results["commands"]
    words = ["python", f"benchmarks/{path.stem}.py", part if named else "", options]
    if systems := tuple(systems):
        for name in systems:
            commands[f"{part}: {name}"] = " ".join(filter(None, [*words, "--system", name]))
    else:
        for name in [name for name in commands if name.startswith(f"{part}: ")]:
            del commands[name]
        commands[part or WHOLE] = " ".join(filter(None, words))
    text = json.dumps(results, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def fill(tables: Mapping[tuple[Path, str], str]) -> None:
    """Put the tables into their pages."""
    for (page, name), table in tables.items():
        put(page, name, table)
