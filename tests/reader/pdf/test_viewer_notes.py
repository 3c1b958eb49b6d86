"""Marks and notes that a PDF viewer has put on pages: where they are in the text, and what is left of bad ones."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from marginalia import Annotation, write
from marginalia.reader.decisions import apply
from marginalia.reader.others_notes import notes_in_pdf
from marginalia.reader.pdf.geometry import rectangles
from marginalia.reader.read import read

pypdf = pytest.importorskip("pypdf")
ARTICLE = Path(__file__).parent.parent.parent.parent / "examples" / "article.pdf"


def mark(path: Path, kind: str, quote: str, **more: str) -> None:
    """Mark the words as a viewer does: a box for each line, in PDF's own coordinates."""
    from pypdf.generic import (
        ArrayObject,
        DictionaryObject,
        FloatObject,
        NameObject,
        TextStringObject,
    )

    doc = read(path)
    start = doc.text.index(quote)
    boxes = list(rectangles(doc, start, start + len(quote)))
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(path.read_bytes()))
    page = writer.pages[boxes[0].page - 1]
    high = float(page.cropbox.height)
    corners: list[float] = []
    for box in boxes:
        top, bottom = high - box.top, high - box.bottom
        corners += [box.left, top, box.right, top, box.left, bottom, box.right, bottom]
    sides = [min(corners[::2]), min(corners[1::2]), max(corners[::2]), max(corners[1::2])]
    found: dict[Any, Any] = {
        NameObject("/Type"): NameObject("/Annot"),
        NameObject("/Subtype"): NameObject(f"/{kind}"),
        NameObject("/Rect"): ArrayObject(map(FloatObject, sides)),
    }
    if kind != "Text":
        found[NameObject("/QuadPoints")] = ArrayObject(map(FloatObject, corners))
    for key, value in more.items():
        found[NameObject(f"/{key}")] = TextStringObject(value)
    writer.add_annotation(boxes[0].page - 1, DictionaryObject(found))
    with path.open("wb") as file:
        writer.write(file)


@pytest.fixture
def article(tmp_path: Path) -> Path:
    path = tmp_path / "article.pdf"
    path.write_bytes(ARTICLE.read_bytes())
    return path


def long_passage(path: Path) -> str:
    """Words over two lines of a paragraph."""
    doc = read(path)
    paragraph = max(doc.text.split("\n\n"), key=len)
    return paragraph[10:180].strip()


def test_marks_and_notes_are_placed_in_the_text(article: Path) -> None:
    quote = long_passage(article)
    words = quote.split()
    mark(article, "Highlight", quote, Contents="Is this so?", T="Anna", M="D:20260819142233+02'00'")
    mark(article, "Underline", words[2], Contents=words[2])  # as viewers do that repeat the words
    mark(article, "Text", words[0], Contents="A sticky note")
    doc = read(article)
    found = {one["kind"]: one for one in doc.meta["viewer_notes"]}
    assert doc.text[found["highlight"]["start"] : found["highlight"]["end"]] == quote
    assert (found["highlight"]["who"], found["highlight"]["when"]) == (
        "Anna",
        "2026-08-19T14:22:33",
    )
    assert found["underline"]["text"] == ""
    beside = doc.text[found["note"]["start"] : found["note"]["end"]]
    assert words[0] in beside and "\n" not in beside
    applied = apply(doc, notes_in_pdf(doc), keep="decisions")
    assert not applied.lost
    said = {note.label: note.attrs.get("why", "") for note in applied.doc.annotations}
    assert said == {"highlight": "Is this so?", "underline": "", "note": "A sticky note"}


def test_hidden_ones_links_and_our_own_are_left_out(article: Path, tmp_path: Path) -> None:
    mark(article, "Link", "measure")
    assert "viewer_notes" not in read(article).meta
    doc = read(article)
    quote = doc.text[:5]
    made = Annotation(id="w1", task="words", label="hard word", start=0, end=5, quote=quote)
    (path,) = write(doc.annotate([made]), tmp_path / "noted.pdf")
    assert "viewer_notes" not in read(path).meta
    (path,) = write(doc.annotate([replace(made, task="own", system="own")]), path)
    assert [one["kind"] for one in read(path).meta["viewer_notes"]] == ["highlight"]


def test_a_mark_beside_all_text_or_without_a_box_breaks_nothing(article: Path) -> None:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(article.read_bytes()))
    from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject

    for subtype, rect in (("Highlight", [9e9, 9e9, 9e9, 9e9]), ("Underline", [])):
        writer.add_annotation(
            0,
            DictionaryObject({
                NameObject("/Type"): NameObject("/Annot"),
                NameObject("/Subtype"): NameObject(f"/{subtype}"),
                NameObject("/Rect"): ArrayObject(map(FloatObject, rect)),
            }),
        )  # fmt: skip
    with article.open("wb") as file:
        writer.write(file)
    assert read(article).text == read(ARTICLE).text
