"""Corpora that cost little: a task without models, and rows without a worker."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from marginalia.core import entry_points, registry

PLUGIN = Path(__file__).parent / "plugin"
CHROMIUM = "no browser: install Debian's chromium, as `make test` does where it can"


@pytest.fixture
def fragile(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The task ``fragile`` is installed, here and in every process that is started."""

    def forget() -> None:
        entry_points._all_entries.cache_clear()
        registry._entries.cache_clear()
        registry._load.cache_clear()

    monkeypatch.syspath_prepend(str(PLUGIN))
    monkeypatch.setenv("PYTHONPATH", str(PLUGIN))
    forget()
    yield
    forget()


def marginalia(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, which knows the task ``fragile``."""
    return subprocess.run(
        command(*words), capture_output=True, text=True, env=environment(), **options
    )


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "marginalia", *map(str, words)]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PLUGIN), "COLUMNS": "200"}


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A folder of small documents in two folders of years."""
    folder = tmp_path / "papers"
    for number in range(12):
        path = folder / str(2019 + number % 2) / f"paper-{number:02}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f"Paper {number} says that Trust matters.\n\nIt was a Study of {number} people.\n"
        )
    return folder


@pytest.fixture(scope="package")
def browser() -> Iterator[object]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip(CHROMIUM)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        # Root, as in a container, has no sandbox.
        found = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()
