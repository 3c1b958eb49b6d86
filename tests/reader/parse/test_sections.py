"""Sections by their headings, references, and the levels of headings in a PDF."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia.nlp.prose import is_reference_heading
from marginalia.reader.parse.content import sections
from marginalia.reader.pdf.headings import Heading, levels
from marginalia.reader.read import read

PAGE = """# Jars

Some text.

## Methods

We weighed.

### Sample

Ten jars.

## References

- Doe, J. (2001). On jars.
- Roe, R. (1999). More jars.

## Appendix

The rest.
"""


def test_sections_reach_to_the_next_heading_that_is_not_below_them(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text(PAGE, encoding="utf-8")
    doc = read(path)
    found = [
        (section["title"], section["level"], doc.text[section["start"] : section["end"]][-9:])
        for section in doc.meta["sections"]
    ]
    assert found == [
        ("Jars", 1, "The rest."),
        ("Methods", 2, "Ten jars."),
        ("Sample", 3, "Ten jars."),
        ("References", 2, "ore jars."),
        ("Appendix", 2, "The rest."),
    ]
    (region,) = [region for region in doc.meta["regions"] if region["kind"] == "references"]
    text = doc.text[region["start"] : region["end"]]
    assert text == "Doe, J. (2001). On jars.\n\nRoe, R. (1999). More jars."


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("References", True),
        ("7. REFERENCES", True),
        ("Literaturverzeichnis", True),
        ("Works cited:", True),
        ("References to jars", False),
        ("Literature review", False),
        ("", False),
    ],
)
def test_what_references_are_called(title: str, expected: bool) -> None:
    assert is_reference_heading(title) is expected


def test_levels_of_headings() -> None:
    title = Heading("On jars", 170, True, 1)
    one = Heading("1 Methods", 110, True, 1)
    below = Heading("1.1 Sample", 95, True, 1)
    plain = Heading("Appendix", 110, True, 2)
    assert levels([title, one, below, plain]) == [1, 2, 3, 2]
    assert levels([one, below, plain]) == [1, 2, 1]
    chapters = [Heading(name, 170, True, page) for page, name in enumerate(("One", "Two"), 1)]
    small = Heading("Part", 120, False, 1)
    assert levels([chapters[0], small, chapters[1]]) == [1, 2, 1]
    assert levels([]) == []


def test_a_heading_within_a_heading_is_one_section() -> None:
    heads = [{"kind": "heading", "level": 1, "start": 0, "end": 4} for _ in range(2)]
    assert len(sections("Jars\n\nText.", heads)) == 1
