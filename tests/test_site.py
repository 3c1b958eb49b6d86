"""The documentation site builds without a warning and holds every page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")

pytestmark = pytest.mark.slow  # the whole site is built

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "docs" / "site" / "build.py"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    built = subprocess.run([sys.executable, str(BUILD), str(out)], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return out


def test_every_page_is_on_the_site(site: Path) -> None:
    pages = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    docs = ROOT / "docs"
    written = {path.relative_to(docs).with_suffix("").as_posix() for path in docs.rglob("*.md")}
    assert written - {"README"} <= pages
    assert {"index", "changelog", "contributing/benchmarks"} <= pages
    for task in (ROOT / "src" / "marginalia" / "tasks").glob("*/README.md"):
        assert f"tasks/{task.parent.name}" in pages


def test_the_site_has_help_and_docstrings(site: Path) -> None:
    commands = (site / "reference" / "help.html").read_text(encoding="utf-8")
    assert "marginalia clarify rank" in commands and "--stdin-filename" in commands
    names = (site / "reference" / "names.html").read_text(encoding="utf-8")
    for name in ("marginalia.read", "marginalia.Document", "marginalia.MissingError"):
        assert f'id="{name}"' in names


def test_pictures_come_along_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    page = (site / "how-to" / "read.html").read_text(encoding="utf-8")
    assert "_images/reader.png" in page and (site / "_images" / "reader.png").is_file()
    for mark in ('<script src="http', '<link rel="stylesheet" href="http', '<img src="http'):
        assert mark not in page
