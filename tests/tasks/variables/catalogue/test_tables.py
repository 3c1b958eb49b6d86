"""Tables from old and foreign programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.tasks.variables.catalogue.formats import read_catalogue

ROWS = 'id,label,question\nv1,Age,How old?\nv2,Trust,"Do you\ntrust?"\n'


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_all_line_ends(tmp_path: Path, end: str, encoding: str) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(ROWS.replace("\n", end).encode(encoding))
    assert [one.id for one in read_catalogue([path])] == ["v1", "v2"]


def test_a_line_with_a_carriage_return_in_it_is_read_or_refused_in_one_sentence(
    tmp_path: Path,
) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(b'id,la\rbel,question\nv1,"Age,x\r')
    try:
        read_catalogue([path])
    except FormatError as error:
        assert "\n" not in str(error)
