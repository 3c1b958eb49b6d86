"""The sentences of a document: which count, where they stand, what their place is called."""

from __future__ import annotations

import pytest
from hypothesis import given

from marginalia import Document
from marginalia.reader.read import read
from marginalia.tasks.similarity.search.passages import all_passages, passages, short, where
from tests.reader.documents import documents
from tests.tasks.similarity.report import document


def plain(text: str, **meta: object) -> Document:
    return Document(id="x", text=text, meta=meta)


def test_headings_captions_and_references_are_left_out() -> None:
    doc = document()
    found = list(passages(doc))
    assert [p.section for p in found] == ["1 Summary"] * 3 + ["2 Method"] * 3 + ["3 Results"] * 4
    assert not any(p.text.startswith(("Figure", "Ames")) for p in found)
    for p in found:
        assert doc.text[p.start : p.end] == p.text


@given(documents())
def test_offsets_are_true_but_for_white_space(doc: Document) -> None:
    for p in passages(doc, least_words=1):
        piece = doc.text[p.start : p.end]
        assert len(piece) == len(p.text) and piece.split() == p.text.split()


def test_a_text_without_regions() -> None:
    text = (
        "Drying films\n\nThe films were dried in the\nsun. It was warm.\n\n2 Method\n\n"
        "Each film was weighed twice a day.\n\nTable 1: The weights of all the films in grams.\n\n"
        "References\n\nThe first of the entries that nobody should read."
    )
    found = list(passages(plain(text)))
    assert [(p.text, p.section) for p in found] == [
        ("The films were dried in the sun.", "Drying films"),
        ("Each film was weighed twice a day.", "2 Method"),
    ]
    assert [p.text for p in passages(plain(text), least_words=3)][1] == "It was warm."


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12 13 14 15 16 17 18 19.",
        "[12] Ames wrote about the drying of films.",
        "Ames, B. (1998) The drying of gelatin films in a chamber.",
        "Fig. 3. The films as they were after three days.",
        "word " * 1000 + ".",
    ],
)
def test_what_is_no_sentence(text: str) -> None:
    assert not list(passages(plain(text)))


def test_words_in_code_do_not_count(tmp_path) -> None:
    (tmp_path / "x.md").write_text("Run `python a b c d e f` now.\n\nRun the program once a day.")
    [found] = passages(read(tmp_path / "x.md"))
    assert found.text == "Run the program once a day."


def test_lines_without_an_end_are_sentences_in_a_list_only(tmp_path) -> None:
    text = "# Title\n\nMaud Ostrander and Per Lindqvist Amaro\n\n- sixty centimetres of good linen thread\n"
    (tmp_path / "x.md").write_text(text)
    [found] = passages(read(tmp_path / "x.md"))
    assert found.text.endswith("linen thread") and found.section == "Title"


def test_places_have_names() -> None:
    found = list(passages(document()))
    assert where(found[0]) == "§1"
    assert where(found[3], found[0]) == "§2"
    assert where(found[1], found[0]) == "a sentence further down"
    assert where(found[0], found[1]) == "a sentence further up"
    [one] = passages(document((("heading", "Fold"), ("", "Fold each of the sheets once."))))
    assert where(one) == "“Fold”"
    [bare] = passages(plain("Fold each of the sheets once."))
    assert where(bare) == "sentence 1"
    assert where(bare, one) == "x, sentence 1"
    paged = plain("Fold each of the sheets once.", pages=[[0, 29]])
    assert where(next(passages(paged))) == "p. 1"


def test_long_texts_are_quoted_by_their_first_words() -> None:
    assert short("one two three", 8) == "one two…"
    assert short("one  two", 8) == "one two"


def test_documents_are_read_one_by_one() -> None:
    asked: list[str] = []

    def docs():
        for name in "ab":
            asked.append(name)
            yield Document(id=name, text="Fold each of the sheets once.")

    found = all_passages(docs())
    assert next(found).document == "a" and asked == ["a"]
    assert next(found).document == "b"
