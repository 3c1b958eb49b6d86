"""Every table of figures in the pages is the one its committed results give."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"

pages = importlib.import_module("pages")


@pytest.mark.parametrize(
    "name", sorted(path.stem for path in (BENCHMARKS / "results").glob("*.json"))
)
def test_pages_show_the_committed_results(name: str) -> None:
    script = importlib.import_module(name)
    results = json.loads(script.RESULT.read_text(encoding="utf-8"))
    tables = script.tables(results)
    assert tables
    for (page, mark), table in tables.items():
        assert pages.current(page, mark) == table, f"{page.name} differs: run {results['command']}"
