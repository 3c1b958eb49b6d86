"""An annotator in one file is in the margin, on the page, in lint, in the web reader and in the editor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from marginalia.core import entry_points, registry
from marginalia.core.entry_points import Entry
from tests.passive import EXAMPLE, install_annotator

TEXT = "# Films\n\nThe films were dried slowly. `was dried` is code.\n"
MAX_LINES = 30
GROUP = registry.ANNOTATORS.group


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A document, with the annotator installed for child processes."""
    paths = [str(install_annotator(tmp_path / "site")), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    monkeypatch.setenv("MARGINALIA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "page.md").write_text(TEXT, encoding="utf-8")
    return tmp_path / "page.md"


def run(*words: str | Path) -> str:
    command = [sys.executable, "-m", "marginalia", *map(str, words)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


def test_it_is_as_short_as_the_tutorial_says() -> None:
    code = (EXAMPLE / "passive.py").read_text(encoding="utf-8")
    assert len(code.splitlines()) <= MAX_LINES
    tutorial = EXAMPLE.parent.parent / "docs" / "tutorial" / "annotator.md"
    assert f"```python\n{code}```\n" in tutorial.read_text(encoding="utf-8")


def test_it_is_in_the_margin_of_writers_and_on_the_page(page: Path) -> None:
    notes = json.loads(run("read", page, "--for", "writer", "--format", "json", "-o", "-"))
    assert [n["quote"] for n in notes["annotations"] if n["task"] == "passive"] == ["were dried"]
    notes = json.loads(run("read", page, "--format", "json", "-o", "-"))
    assert not [note for note in notes["annotations"] if note["task"] == "passive"]
    run("read", page, "--notes", "passive", "-o", page.with_suffix(".html"))
    assert "passive: who does it?" in page.with_suffix(".html").read_text(encoding="utf-8")


def test_lint_reports_it(page: Path) -> None:
    found = json.loads(run("lint", page, "--select", "passive", "--format", "json"))
    assert "passive.voice" in json.dumps(found) and json.dumps(found).count("were dried") >= 1
    assert run("lint", page, "--select", "passive", "--ignore", "voice") == ""
    assert "passive.voice" in run("lint", "--rules")


def test_an_editor_shows_it_at_once(page: Path) -> None:
    pytest.importorskip("pygls")
    from tests.integrations.lsp_client import Editor, edit

    async def work(editor: Editor) -> None:
        editor.open(page)
        first = await editor.next()
        assert [str(one.code) for one in first.diagnostics] == ["passive.voice"]

    edit(page.parent, work)


def test_the_web_reader_lists_and_makes_its_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("fastapi")
    from fastapi.testclient import TestClient

    from marginalia.web.app import create_app
    from marginalia.web.library import Library

    found = [*entry_points._all_entries(), Entry("passive", "passive:ANNOTATOR", GROUP)]
    monkeypatch.syspath_prepend(install_annotator(tmp_path / "site"))
    monkeypatch.setattr(entry_points, "_all_entries", lambda: found)
    registry._entries.cache_clear()
    library = Library()
    try:
        client = TestClient(create_app(library), base_url="http://127.0.0.1")
        assert "passive" in client.get("/api/annotators").text
        asked = {"text": TEXT, "notes": ["passive"], "all": True}
        assert "passive: who does it?" in client.post("/api/annotate", json=asked).text
    finally:
        library.close()
        registry._entries.cache_clear()
        registry._load.cache_clear()
