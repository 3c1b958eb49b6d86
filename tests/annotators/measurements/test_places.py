"""The section and the sentence of a row."""

from __future__ import annotations

from pathlib import Path

from marginalia import Document, extract_measurements
from marginalia.annotators.measurements.places import Places
from marginalia.reader.read import read

PAGE = """# Methods

The oven was at 45 °C.
It weighed 5 kg.

## Drying

Films dried for 3 days
in the dark. They shrank.

# Results

| mass | 7 kg |
|------|------|
| size | 3 m  |
"""


def test_rows_have_the_innermost_section_and_their_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text(PAGE, encoding="utf-8")
    doc = read(tmp_path / "x.md", lang="en")
    rows = {row["quantity"]: row for row in extract_measurements(doc, system="rules").rows}
    assert (rows["45 °C"]["section"], rows["45 °C"]["sentence"]) == (
        "Methods", "The oven was at 45 °C.",
    )  # fmt: skip
    assert rows["5 kg"]["sentence"] == "It weighed 5 kg."
    assert rows["3 days"]["section"] == "Drying"
    assert rows["3 days"]["sentence"] == "Films dried for 3 days in the dark."
    assert (rows["3 m"]["section"], rows["3 m"]["sentence"]) == ("Results", None)


def test_a_document_without_sections_has_none() -> None:
    places = Places(Document(id="x", text="  5 kg."))
    assert places.section(2) is None
    assert places.sentence(2) == "5 kg." and places.sentence(0) is None
    assert Places(Document(id="x", text="")).sentence(0) is None


def test_sections_are_not_all_looked_at_for_each_row() -> None:
    looks = 0

    class Section(dict[str, object]):
        def __getitem__(self, name: str) -> object:
            nonlocal looks
            looks += 1
            return super().__getitem__(name)

    found = [Section(start=n, end=n + 1, title=str(n)) for n in range(1_000)]
    places = Places(Document(id="x", text="x" * 1_000, meta={"sections": found}))
    assert [places.section(n) for n in range(1_000)] == [str(n) for n in range(1_000)]
    assert looks < 20_000
