"""Runs the command line and tells which of our functions were called, in the order of their first call.

``python -m tests.calls FILE WORD...`` runs ``marginalia WORD...`` and writes one ``module.function`` a line to FILE. It runs
in a process of its own: what another test has cached would not be called again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

PREFIX = "marginalia."


def record(words: list[str]) -> list[str]:
    called: dict[str, None] = {}
    names: dict[Any, str] = {}

    def listen(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code not in names:
            module = frame.f_globals.get("__name__") or ""
            names[code] = ""
            if module.startswith(PREFIX) and "<" not in code.co_qualname:
                names[code] = f"{module.removeprefix(PREFIX)}.{code.co_qualname}"
                called.setdefault(names[code])

    from marginalia.cli.main import cli

    sys.setprofile(listen)
    try:
        cli.main(words, prog_name="marginalia", standalone_mode=False)
    finally:
        sys.setprofile(None)
    return list(called)


if __name__ == "__main__":
    found = record(sys.argv[2:])
    Path(sys.argv[1]).write_text("\n".join(found), encoding="utf-8")
