"""The sixth task of ``examples/``, as the tests of the bench use it: small and without data to fetch."""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

from marginalia import Benchmark

EXAMPLE = Path(__file__).parent.parent / "examples" / "sixth-task"
DATA = EXAMPLE / "data"


def sixth_task() -> Benchmark:
    _find_package()
    from marginalia_acronyms.benchmark import BENCHMARK

    return BENCHMARK


def entry_points_of_the_example(group: str) -> dict[str, EntryPoint]:
    """What the package would register if it were installed."""
    _find_package()
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"][group]
    return {name: EntryPoint(name, value, group) for name, value in points.items()}


def _find_package() -> None:
    source = str(EXAMPLE / "src")
    if source not in sys.path:
        sys.path.insert(0, source)
