"""Cells that a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.bench.report import as_csv
from marginalia.core.table import RAW_CELLS, as_written, harmless, raw_cells
from marginalia.reader.formats.table import format_csv

FORMULAE = ['=HYPERLINK("http://x")', "+cmd|' /C calc'!A0", "-5+3", "@SUM(1)", "\t=1", "'-", "''=1"]


@pytest.mark.parametrize("cell", FORMULAE)
def test_every_table_of_ours_is_harmless(cell: str) -> None:
    written = format_csv({"a": None, "b": None}, [{"a": cell, "b": "fine"}])
    for text in (written, as_csv(["a", "b"], [[cell, "fine"]])):
        rows = list(csv.reader(io.StringIO(text, newline="")))
        assert rows[1] == ["'" + cell, "fine"]
        assert as_written(rows[1][0]) == cell


@pytest.mark.parametrize("cell", ["-5", "+1.5e3", "text", "", "5 = 5", -3, None, True])
def test_numbers_and_words_stay(cell: object) -> None:
    assert harmless(cell) == cell


@given(st.text(alphabet="'=-+5a\t", max_size=5))
def test_what_was_written_is_read_back(cell: str) -> None:
    assert as_written(str(harmless(cell))) == cell


def test_it_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    with raw_cells():
        assert harmless("=1+1") == "=1+1"
    assert harmless("=1+1") == "'=1+1"
    monkeypatch.setenv(RAW_CELLS, "1")
    assert harmless("=1+1") == "=1+1"
