"""UIMA CAS XMI: what is written can be read by cassis, and comes back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from marginalia import Document, FormatError, write
from marginalia.reader.formats.xmi import TYPE
from marginalia.reader.write import restore
from tests.reader.documents import documents, sample

cassis = pytest.importorskip("cassis")


def test_cassis_reads_it_with_its_type_system(tmp_path: Path) -> None:
    paths = write([sample(), sample()], tmp_path, "xmi")
    assert [path.name for path in paths] == ["TypeSystem.xml", "sample.xmi", "sample-2.xmi"]
    with paths[0].open("rb") as file:
        types = cassis.load_typesystem(file)
    with paths[1].open("rb") as file:
        cas = cassis.load_cas_from_xmi(file, typesystem=types)
    assert cas.sofa_string == sample().text
    found = {one.identifier: one for one in cas.select(TYPE)}
    assert found["q1"].get_covered_text() == "3.5 kg"
    assert (found["q1"].label, found["q1"].score) == ("a thing", 0.75)


def test_one_document_can_be_named(tmp_path: Path) -> None:
    write(sample(), tmp_path / "x.xmi")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["TypeSystem.xml", "x.xmi"]
    (doc,) = restore(tmp_path / "x.xmi")
    assert (doc.id, doc.annotations) == ("x", sample().annotations)
    with pytest.raises(FormatError, match=r"2 documents do not fit one \.xmi file"):
        write([sample(), sample()], tmp_path / "x.xmi")


@settings(max_examples=40)
@given(documents())
def test_out_and_in_keeps_text_and_notes(tmp_path_factory, doc: Document) -> None:
    folder = tmp_path_factory.mktemp("out")
    write(doc, folder, "xmi")
    (back,) = restore(folder, "xmi")
    # Control characters have no place in XML: one sign stands for each.
    text = doc.text.replace("\x1c", "\ufffd")
    if any(sign not in "\t\n" and sign < " " for sign in text) or "\uffff" in text:
        assert len(back.text) == len(text)
        return
    assert back.text == text.replace("\ufffe", "\ufffd")
    assert [replace(note, quote="") for note in back.annotations if note.start == note.end] == [
        note for note in doc.annotations if note.start == note.end
    ]
    assert [
        (note.id, note.start, note.end, note.attrs, note.links) for note in back.annotations
    ] == [(note.id, note.start, note.end, note.attrs, note.links) for note in doc.annotations]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<x", "not XMI that can be read"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", "declares a document type"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.xmi").write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        restore(tmp_path / "x.xmi")


def test_a_folder_without_files(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no \.xmi file"):
        restore(tmp_path, "xmi")
