"""The examples of the notes' findings, as the page of the rules shows them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from marginalia import lint

SITE = Path(__file__).parent.parent.parent / "docs" / "site"
sys.path.append(str(SITE))

from rules import NOTE_EXAMPLES  # noqa: E402


@pytest.mark.parametrize("code", NOTE_EXAMPLES)
def test_the_bad_example_is_reported_and_the_good_one_is_not(code: str, tmp_path: Path) -> None:
    for text, reported in zip(NOTE_EXAMPLES[code], (True, False), strict=True):
        (tmp_path / "a.md").write_text(f"{text}\n", encoding="utf-8")
        found = lint(tmp_path / "a.md", select=[code], lang="en", cache=False)
        assert bool(found) == reported, text
