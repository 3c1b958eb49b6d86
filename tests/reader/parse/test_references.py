"""Lists of references: what looks like an entry, where a list begins and ends, and what is never muted."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import Document
from marginalia.reader.parse.regions import is_entry
from marginalia.reader.read import read_data

PROSE = (
    "The jars were weighed twice, once before and once after they had been filled with honey.\n\n"
)
ENTRIES = [
    "Doe, J. (2001). On jars. Journal of Glass, 12(3), 45–67.",
    "Roe R, Poe E. More jars. Glass Today 1999;4:12-19.",
    "[3] A. Mustermann, B. Beispiel: Gläser und Deckel. Springer, 2014.",
    "4. Smith, Anna and Jones, Bob. The weight of honey. In Proceedings of Jars, pages 1–9, 2020.",
]


def references(text: str) -> list[str]:
    doc: Document = read_data(text.encode(), Path("x.md"))
    return [
        doc.text[region["start"] : region["end"]]
        for region in doc.meta["regions"]
        if region["kind"] == "references"
    ]


@pytest.mark.parametrize("text", ENTRIES)
def test_entries(text: str) -> None:
    assert is_entry(text)


@pytest.mark.parametrize(
    "text",
    [
        "In 2014 we weighed the jars again, and found that they had not changed.",
        "1. Wash the jars in hot water.",
        "Anna Smith, who weighed the jars, was born in 1980.",
        "Figure 3. The weight of jars between 1990 and 2015.",
        "Prices rose by 4.5 % in 2019, see Table 2.",
    ],
)
def test_prose_is_no_entry(text: str) -> None:
    assert not is_entry(text)


def test_a_list_ends_where_its_entries_end() -> None:
    text = PROSE * 10 + "# References\n\n" + "\n\n".join(ENTRIES) + "\n\n" + PROSE * 6
    (found,) = references(text)
    assert found.startswith("Doe, J.") and found.endswith("2020.")


def test_a_title_that_says_literature_does_not_silence_the_document() -> None:
    assert references("# Literature\n\n" + PROSE * 20) == []
    assert references("# Literature\n\n" + "\n\n".join(ENTRIES) + "\n\n" + PROSE * 60) == []


def test_a_heading_without_entries_silences_nothing() -> None:
    assert references(PROSE * 10 + "# References\n\n" + PROSE * 5) == []


def test_a_list_without_a_heading_is_found_near_the_end() -> None:
    (found,) = references(PROSE * 10 + "\n\n".join(ENTRIES * 2))
    assert found.count("On jars.") == 2
    assert references("\n\n".join(ENTRIES * 2) + "\n\n" + PROSE * 40) == []
