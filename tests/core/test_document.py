"""Documents and annotations: offsets slice back, JSON comes back, bad spans are refused."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import Annotation, Document, FormatError

texts = st.text(st.characters(codec="utf-8"), max_size=40)
words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
plain = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), words, st.lists(words, max_size=2))


@st.composite
def documents(draw) -> Document:
    text = draw(texts)
    notes = []
    for number in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, len(text)))
        notes.append(
            Annotation(
                id=f"n{number}",
                task=draw(st.sampled_from(["complexity", "measurement"])),
                label=draw(words),
                start=start,
                end=end,
                quote=text[start:end],
                score=draw(st.one_of(st.none(), st.floats(0, 1))),
                attrs=draw(st.dictionaries(words, plain, max_size=2)),
                links=draw(st.dictionaries(words, st.lists(words).map(tuple), max_size=2)),
                system=draw(words),
            )
        )
    meta = draw(st.dictionaries(words, plain, max_size=2))
    return Document(id=draw(words), text=text, meta=meta).annotate(notes)


def note(**changes) -> Annotation:
    fields = {"id": "n1", "task": "complexity", "label": "rare", "start": 4, "end": 7}
    return Annotation(**{**fields, "quote": "cat", **changes})


DOC = Document(id="d", text="The cat sat.")


@given(documents())
def test_offsets_always_slice_back_to_their_quote(doc: Document) -> None:
    for each in doc.annotations:
        assert doc.text[each.start : each.end] == each.quote
    places = [(each.start, each.end, each.id) for each in doc.annotations]
    assert places == sorted(places), "in reading order"


@given(documents())
def test_json_comes_back_as_it_was(doc: Document) -> None:
    data = json.loads(json.dumps(doc.to_dict(), ensure_ascii=False))
    assert Document.from_dict(data) == doc
    assert Document.from_dict(data).to_dict() == doc.to_dict()


@given(documents(), st.integers(-3, 3).filter(bool))
def test_a_shifted_span_is_refused_unless_it_quotes_the_same(doc: Document, shift: int) -> None:
    for each in doc.annotations:
        start, end = each.start + shift, each.end + shift
        honest = start >= 0 and doc.text[start:end] == each.quote
        try:
            moved = replace(each, start=start, end=end)
            replace(doc, annotations=(moved,))
        except FormatError:
            assert not honest
        else:
            assert honest


def test_code_points_count_not_bytes_or_utf_16_units() -> None:
    text = "𝛼 e\u0301 fish"
    start = text.index("fish")
    doc = Document(id="d", text=text, annotations=(note(start=start, end=start + 4, quote="fish"),))
    assert (doc.annotations[0].start, doc.annotations[0].end) == (5, 9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": -1, "end": 2}, "impossible span -1:2"),
        ({"start": 7, "end": 4}, "impossible span 7:4"),
        ({"quote": "cats"}, "spans 3 characters but quotes 4"),
        ({"quote": ""}, "spans 3 characters but quotes 0"),
    ],
)
def test_impossible_annotations_are_refused(changes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        note(**changes)


@pytest.mark.parametrize(
    ("notes", "message"),
    [
        ([note(quote="dog")], "n1 of document d quotes 'dog', but the text at 4:7 is 'cat'"),
        ([note(start=10, end=13)], "is 't.'"),
        ([note(), note(label="again")], "two annotations with the id n1"),
    ],
)
def test_annotations_that_do_not_fit_the_text_are_refused(notes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        DOC.annotate(notes)


def test_a_document_never_changes() -> None:
    doc = DOC.annotate([note()])
    assert DOC.annotations == ()
    assert doc.text == DOC.text
    with pytest.raises(FrozenInstanceError):
        doc.text = "other"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        doc.annotations[0].start = 0  # type: ignore[misc]


def test_notes_of_one_task_or_all() -> None:
    doc = DOC.annotate([note(id="b", task="measurement"), note(id="a"), note(id="c")])
    assert [each.id for each in doc.notes()] == ["a", "b", "c"]
    assert [each.id for each in doc.notes("complexity")] == ["a", "c"]
    assert list(doc.notes("similarity")) == []


GOOD = DOC.annotate([note()]).to_dict()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "not a document: .*annotations"),
        ([], "not a document"),
        (None, "not a document"),
        ({**GOOD, "text": None}, "not a document"),
        ({**GOOD, "text": None, "annotations": []}, "not a document: .*text"),
        ({**GOOD, "id": 7, "annotations": []}, "not a document: .*id"),
        ({**GOOD, "meta": [1], "annotations": []}, "not a document: .*meta"),
        ({**GOOD, "annotations": 3}, "not a document"),
        ({**GOOD, "annotations": [3]}, "not an annotation"),
        ({**GOOD, "annotations": [{"id": "n"}]}, "not an annotation: .*missing"),
        ({**GOOD, "annotations": [{**note().to_dict(), "colour": "red"}]}, "colour"),
        ({**GOOD, "annotations": [{**note().to_dict(), "start": "4"}]}, "not an annotation"),
        ({**GOOD, "annotations": [{**note().to_dict(), "start": 4.0}]}, "not an annotation"),
        ({**GOOD, "annotations": [{**note().to_dict(), "links": ["n2"]}]}, "not an annotation"),
        ({**GOOD, "annotations": [{**note().to_dict(), "links": {"r": "n2"}}]}, "not an annot"),
        ({**GOOD, "annotations": [{**note().to_dict(), "quote": "dog"}]}, "quotes 'dog'"),
    ],
)
def test_what_is_not_a_document_is_refused(data, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Document.from_dict(data)
