"""The one reader of numbers serves all others and needs none of them."""

from __future__ import annotations

import re
from pathlib import Path

import marginalia

ROOT = Path(marginalia.__file__).parent
ALLOWED = {"core", "lang", "quantities"}


def test_quantities_import_no_text_tools_tasks_or_annotators() -> None:
    for path in (ROOT / "quantities").rglob("*.py"):
        imported = re.findall(
            r"^\s*(?:from|import) marginalia\.(\w+)", path.read_text(), re.MULTILINE
        )
        assert set(imported) <= ALLOWED, path
