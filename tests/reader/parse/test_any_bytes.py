"""Any bytes in any format end in a document with true offsets, or in one sentence with the file's name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marginalia import Document, FormatError
from marginalia.reader.formats.json import check_document
from marginalia.reader.formats.registry import all_formats, formats_that
from marginalia.reader.formats.signature import format_of, sniff
from marginalia.reader.read import read_data
from tests.reader.parse.files import DOCX, EPUB, FILES, ODT, packed

FEW = {"pdf": 5}
"""Examples of formats that are read in a process of their own, which takes its time."""


PACKAGES = {"docx": DOCX, "odt": ODT, "epub": EPUB}


@st.composite
def damaged(draw: Any, data: bytes) -> bytes:
    """A file with pieces cut out, doubled, moved or overwritten, or no such file at all."""
    out = bytearray(data)
    for _ in range(draw(st.integers(1, 4))):
        if not out:
            break
        start = draw(st.integers(0, len(out) - 1))
        end = min(len(out), start + draw(st.integers(0, 60)))
        what = draw(st.sampled_from(["cut", "double", "bytes", "bit", "end"]))
        if what == "cut":
            del out[start:end]
        elif what == "double":
            out[start:start] = out[start:end] * draw(st.integers(1, 3))
        elif what == "bytes":
            out[start:end] = draw(st.binary(max_size=12))
        elif what == "bit":
            out[start] ^= 1 << draw(st.integers(0, 7))
        else:
            del out[start:]
    return bytes(out)


@st.composite
def repacked(draw: Any, parts: dict[str, str]) -> bytes:
    """A package that is whole, with a damaged part."""
    name = draw(st.sampled_from(sorted(parts)))
    return packed({**parts, name: draw(damaged(parts[name].encode()))})


def is_true(doc: Document) -> None:
    """All places lie in the text, and none is empty but cells."""
    assert "\r" not in doc.text and "\0" not in doc.text
    doc.text.encode("utf-8")
    for region in (*doc.meta["regions"], *doc.meta["sections"]):
        assert 0 <= region["start"] < region["end"] <= len(doc.text)
    for table in doc.meta.get("tables", ()):
        for row in table["rows"]:
            for cell in row:
                assert table["start"] <= cell["start"] <= cell["end"] <= table["end"]
    check_document(doc, Path("x"))


def test_there_is_a_file_of_each_format() -> None:
    assert set(FILES) == set(formats_that("parse", "parse_all"))


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_each_format_is_read_and_recognised(name: str) -> None:
    format = all_formats()[name]
    path = Path(f"x{format.suffixes[0]}")
    doc = read_data(FILES[name], path)
    is_true(doc)
    assert "ars" in doc.text or "eigh" in doc.text or "Ten" in doc.text
    assert format_of(path, FILES[name]) is format
    if name != "rst":  # which starts as any text does
        assert sniff(FILES[name], path) is format


@pytest.mark.parametrize("name", FILES)
def test_damaged_files(name: str) -> None:
    path = Path(f"x{all_formats()[name].suffixes[0]}")
    strategy = damaged(FILES[name]) | st.binary(max_size=40)
    if name in PACKAGES:
        strategy |= repacked(PACKAGES[name])

    @settings(
        max_examples=FEW.get(name, 100),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(data=strategy)
    def check(data: bytes) -> None:
        try:
            doc = read_data(data, path)
        except FormatError as error:
            said = str(error)
            assert said.startswith(str(path)) and "\n" not in said and len(said) < 400
        else:
            is_true(doc)

    check()
