"""The same document has the same rows, whichever command or interface is asked."""

from __future__ import annotations

from pathlib import Path

import marginalia
from marginalia.annotators.measurements.extract import extract_measurements, rows
from marginalia.corpus.database import connect
from marginalia.corpus.run import annotate_corpus
from marginalia.corpus.settings import Settings
from marginalia.corpus.store import Store

TEXT = """# Methods

Cells were incubated at 37 °C for 30 min in a medium with 1 mM HEPES. The yield was 26.2, 22.1 and 20.3 MPa for 30, 40 and 50 percent
of ash, respectively.

# References

1. Smith J. Growth at 25 °C. J. Org. Chem. 58, 335-337, 1993.
2. Miller A. Growth at 30 °C. J. Org. Chem. 59, 35-37, 1994.
3. Jones B. Growth at 35 °C. J. Org. Chem. 60, 5-7, 1995.
"""


def test_extract_read_corpus_and_api_agree(tmp_path: Path) -> None:
    path = tmp_path / "paper.md"
    path.write_text(TEXT, encoding="utf-8")
    extracted = [
        (row["start"], row["end"], row["statement"])
        for row in extract_measurements(marginalia.read(path, notes=[])).rows
    ]
    assert 6 <= len(extracted) <= 10, "references have none"
    noted = marginalia.read(path, audience="curator")
    quantities = {row["id"]: row for row in rows(noted)}
    read = [
        (note.start, note.end, note.attrs["why"])
        for note in noted.notes("measurements")
        if note.id in quantities
    ]
    assert read == extracted
    annotate_corpus([str(path)], tmp_path / "out", Settings(notes=("measurements",), vectors=False))
    with connect(Store.open(tmp_path / "out")) as database:
        stored = database.rows(
            'SELECT start, "end", statement FROM measurements ORDER BY start, "end"'
        )
    assert [tuple(row.values()) for row in stored] == sorted(extracted)
