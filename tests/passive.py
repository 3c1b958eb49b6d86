"""The annotator of ``examples/passive``, installed as pip would: its module, and its entry points beside it."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "passive"


def install_annotator(site: Path) -> Path:
    """A folder for ``PYTHONPATH`` with the package in it."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    for group, points in project["entry-points"].items():
        lines = [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(EXAMPLE / "passive.py", site)
    return site
