"""The same document has the same id and the same notes, whatever the company and order of the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia.reader.annotate import annotate
from marginalia.reader.read import read_all

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(
    path for path in EXAMPLES.iterdir() if path.suffix in (".md", ".txt", ".html", ".pdf")
)
"""``article.html`` and ``article.pdf`` share a name."""


def noted(files: list[Path]) -> dict[str, str]:
    return {
        str(doc.meta["path"]): repr(annotate(doc, ["measurements"]).to_dict())
        for doc in read_all(files)
    }


def test_the_order_of_the_files_says_nothing() -> None:
    assert noted(FILES) == noted(FILES[::-1])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_company_says_nothing_unless_it_has_the_same_name(path: Path) -> None:
    others = [other for other in FILES if other.stem != path.stem]
    alone, among = next(read_all([path])), list(read_all([*others, path]))[-1]
    assert alone == among
