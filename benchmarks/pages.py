"""Tables in pages: written from results, and checked against them by the tests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULTS = Path(__file__).parent / "results"


def task_page(task: str) -> Path:
    return ROOT / "src" / "marginalia" / "tasks" / task / "README.md"


def research_page(task: str) -> Path:
    return ROOT / "docs" / "research" / f"{task}.md"


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def marked(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- /{re.escape(name)} -->)", re.DOTALL)


def put(page: Path, name: str, table: str) -> None:
    """Replace what stands between the two marks of that name."""
    text = page.read_text(encoding="utf-8")
    new, count = marked(name).subn(lambda match: match[1] + table + match[2], text)
    if not count:
        raise SystemExit(f"{page} has no marks <!-- {name} --> ... <!-- /{name} -->")
    page.write_text(new, encoding="utf-8")


def current(page: Path, name: str) -> str:
    """What stands between the marks now."""
    match = marked(name).search(page.read_text(encoding="utf-8"))
    return match[0][len(match[1]) : -len(match[2])] if match else ""
