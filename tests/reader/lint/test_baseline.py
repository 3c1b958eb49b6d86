"""Only what is new is reported, wherever the old has moved to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.reader.lint.baseline import dump, load, new
from marginalia.reader.lint.check import lint


def findings(path: Path):
    return lint(path, select=["wording", "sentences"], lang="en")


def test_old_findings_are_known_by_their_words(tmp_path: Path) -> None:
    path, known = tmp_path / "docs" / "a.md", tmp_path / "baseline.json"
    path.parent.mkdir()
    path.write_text("The the mill.\n\nOf of it.\n\n" + "and then it went on " * 12 + ".\n")
    known.write_text(dump(findings(path), known))
    assert {row["path"] for row in json.loads(known.read_text())["findings"]} == {"docs/a.md"}
    assert new(findings(path), load(known), known) == []
    path.write_text(
        "New text.\n\nWe recieve it.\n\n" + path.read_text() + "\nOnce more the the mill.\n"
    )
    quotes = [one.quote for one in new(findings(path), load(known), known)]
    assert quotes == ["recieve", "the the"]  # "The the" was one; another one is new


def test_a_baseline_does_not_change_with_the_order(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("The the mill. Of of it.\n")
    found = findings(path)
    assert dump(found, tmp_path / "b.json") == dump(reversed(found), tmp_path / "b.json")


@pytest.mark.parametrize(
    "text", ["[]", '{"version": 2}', '{"version": 1, "findings": [{"path": "a"}]}']
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(FormatError, match=r"write (one first|it again)"):
        load(tmp_path / "b.json")
