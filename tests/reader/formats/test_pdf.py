"""Annotated PDF: the file that was read, with highlights where the notes are."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from marginalia import Annotation, Document, FormatError, MissingError, write
from marginalia.reader.read import read
from tests.reader.documents import at, pdf, raw_pdf, sample

pypdf = pytest.importorskip("pypdf")


def noted(doc: Document, *quotes: str, **more) -> Document:
    notes = []
    for number, quote in enumerate(quotes):
        start = doc.text.index(quote)
        place = {"start": start, "end": start + len(quote), "quote": quote}
        notes.append(Annotation(id=f"n{number}", task="fruit", label="a thing", **place, **more))
    return doc.annotate(notes)


def marks(path: Path) -> list[list[dict]]:
    pages = pypdf.PdfReader(io.BytesIO(path.read_bytes())).pages
    return [[mark.get_object() for mark in page.get("/Annots", [])] for page in pages]


def test_highlights_lie_on_the_words(tmp_path: Path) -> None:
    source = tmp_path / "in.pdf"
    source.write_bytes(
        pdf([at(72, 700, "One line and an-"), at(72, 688, "other line.")], ["Last."])
    )
    doc = noted(read(source), "another", "Last", score=0.5, attrs={"why": "seldom"})
    (path,) = write(doc, tmp_path / "out.pdf")
    (first,), (second,) = marks(path)
    assert first["/Subtype"] == "/Highlight"
    assert (first["/Contents"], first["/T"]) == ("a thing · seldom · score 0.50", "fruit")
    assert len(first["/QuadPoints"]) == 16, "two lines share the word"
    left, top, *_ = (float(number) for number in first["/QuadPoints"][8:])
    assert abs(left - 72) < 1 and 688 < top < 702
    left, bottom, right, top = (float(number) for number in second["/Rect"])
    assert abs(left - 72) < 1 and 70 < right - left + 50 < 90 and bottom < 720 < top
    assert read(path).text == doc.text


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_on_turned_pages_too(tmp_path: Path, rotate: int) -> None:
    turn = {90: b"0 1 -1 0", 180: b"-1 0 0 -1", 270: b"0 -1 1 0"}[rotate]
    content = b"BT %b 300 400 Tm /F1 10 Tf (Turned text.) Tj ET" % turn
    source = tmp_path / "in.pdf"
    source.write_bytes(
        raw_pdf(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content), rotate=rotate)
    )
    (path,) = write(noted(read(source), "Turned"), tmp_path / "out.pdf")
    ((mark,),) = marks(path)
    left, bottom, right, top = (float(number) for number in mark["/Rect"])
    # The text begins at (300, 400), wherever it then goes.
    assert left - 3 <= 300 <= right + 3 and bottom - 3 <= 400 <= top + 3
    assert max(right - left, top - bottom) < 50


def test_a_part_has_no_highlight_of_its_own(tmp_path: Path) -> None:
    source = tmp_path / "in.pdf"
    source.write_bytes(pdf(["Some text."]))
    doc = noted(read(source), "Some", attrs={"part_of": ["n9"]})
    assert marks(write(doc, tmp_path / "out.pdf")[0]) == [[]]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    source = tmp_path / "in.pdf"
    source.write_bytes(pdf(["Some text."]))
    doc = read(source)
    out = tmp_path / "out.pdf"
    with pytest.raises(FormatError, match="only a document that was read from a PDF"):
        write(sample(), out)
    with pytest.raises(FormatError, match="2 documents do not fit one PDF"):
        write([doc, doc], out)
    with pytest.raises(FormatError, match="this input file would be overwritten"):
        write(doc, source, inputs={source.resolve()})
    source.write_bytes(pdf(["Some text."], ["A new page."]))
    with pytest.raises(FormatError, match="has changed since it was read"):
        write(doc, out)
    source.unlink()
    with pytest.raises(MissingError, match=r"in\.pdf is not there"):
        write(doc, out)
    assert not out.exists()
