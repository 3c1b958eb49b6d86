"""The margin of little documents of ours is as it was committed; a change is shown as a diff."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden.margins import DOCUMENTS, FOLDER, difference, golden


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_margin_is_as_it_was(path: Path) -> None:
    changed = difference(path)
    assert not changed, (
        f"the margin has changed; if it should, run python -m tests.golden\n{changed}"
    )


def test_each_golden_file_has_its_document() -> None:
    assert sorted((FOLDER / "notes").iterdir()) == sorted(map(golden, DOCUMENTS))
