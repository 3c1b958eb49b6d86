"""Web Annotation: our notes come back as they were, and those of others find their place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from marginalia import Document, FormatError, MissingError, write
from marginalia.reader.write import restore
from tests.reader.documents import documents, sample

TEXT = "The jar is red. The lid of the jar is blue."


def test_the_page_says_what_the_standard_wants(tmp_path: Path) -> None:
    (path,) = write(sample(), tmp_path / "x.jsonld")
    page = json.loads(path.read_text(encoding="utf-8"))
    assert page["@context"][0] == "http://www.w3.org/ns/anno.jsonld"
    assert page["type"] == "AnnotationPage"
    item = next(item for item in page["items"] if item["m:id"] == "q1")
    assert item["type"] == "Annotation"
    assert item["id"] == "urn:marginalia:document:sample#q1"
    assert item["body"][0] == {"type": "TextualBody", "purpose": "tagging", "value": "a thing"}
    quote, position, page_of_it = item["target"]["selector"]
    assert page_of_it["type"] == "FragmentSelector" and page_of_it["value"] == "page=2"
    assert item["creator"]["type"] == "Software" and item["created"] == item["generated"]
    assert quote["exact"] == "3.5 kg"
    assert quote["prefix"].endswith("The jar holds ") and quote["suffix"].startswith(" of <honey>")
    text = sample().text
    assert text[position["start"] : position["end"]] == "3.5 kg"


def test_who_made_a_note_and_when(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    decided = {"decided_by": "Ada", "decided_at": "2026-01-02T03:04:05+00:00"}
    first, second, *_ = sample().annotations
    own = replace(first, attrs={"decision": "added", **decided})
    kept = replace(second, attrs={"decision": "accepted", **decided})
    (path,) = write(replace(sample(), annotations=(own, kept)), tmp_path / "x.jsonld")
    added, accepted = json.loads(path.read_text(encoding="utf-8"))["items"]
    assert added["creator"] == {"type": "Person", "name": "Ada"}
    assert added["created"] == decided["decided_at"] and "modified" not in added
    assert accepted["creator"]["type"] == "Software"
    assert accepted["created"] == "1970-01-01T00:00:00Z"
    assert accepted["modified"] == decided["decided_at"]


@given(documents())
def test_out_and_in_is_the_identity(tmp_path_factory, doc: Document) -> None:
    path = tmp_path_factory.mktemp("out") / "x.jsonld"
    write([doc], path)
    assert restore(path) == [doc]
    write([doc, doc], path)
    assert restore(path) == [doc, doc]


def foreign(tmp_path: Path, *selectors: dict[str, Any], **more: Any) -> Document:
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    item = {"type": "Annotation", "target": {"source": "x", "selector": list(selectors)}, **more}
    path = tmp_path / "x.jsonld"
    path.write_text(json.dumps({"type": "AnnotationPage", "items": [item]}), encoding="utf-8")
    (doc,) = restore(path)
    return doc


QUOTE = {"type": "TextQuoteSelector", "exact": "jar"}
POSITION = {"type": "TextPositionSelector", "start": 4, "end": 7}


@pytest.mark.parametrize(
    ("selectors", "start"),
    [
        ([POSITION], 4),
        ([QUOTE], 4),
        ([QUOTE, POSITION], 4),
        ([{**QUOTE, "prefix": "lid of the "}], 31),
        ([{**QUOTE, "suffix": " is blue"}], 31),
        ([{**QUOTE, "prefix": "gone ", "suffix": " is blue"}], 31),
        ([{**QUOTE, "suffix": " is blue"}, {**POSITION, "start": 30, "end": 33}], 31),
    ],
)
def test_annotations_of_others_find_their_place(
    tmp_path: Path, selectors: list[dict[str, Any]], start: int
) -> None:
    (note,) = foreign(tmp_path, *selectors).annotations
    assert (note.start, note.quote) == (start, "jar")


@pytest.mark.parametrize(
    ("body", "label", "said"),
    [
        ("a remark", "note", "a remark"),
        ({"type": "TextualBody", "value": "glass", "purpose": "tagging"}, "glass", None),
        ([{"value": "glass", "purpose": "tagging"}, {"value": "mine"}, 7], "glass", "mine"),
        (None, "note", None),
    ],
)
def test_what_others_say(tmp_path: Path, body: Any, label: str, said: str | None) -> None:
    (note,) = foreign(tmp_path, POSITION, body=body).annotations
    assert (note.label, note.attrs.get("note")) == (label, said)


def test_a_list_of_annotations_and_a_collection_are_read(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    item = {"type": "Annotation", "target": {"selector": POSITION}}
    path = tmp_path / "x.jsonld"
    for data in ([item, item], {"type": "AnnotationCollection", "first": {"items": [item, item]}}):
        path.write_text(json.dumps(data), encoding="utf-8")
        (doc,) = restore(path)
        assert [(note.id, note.quote) for note in doc.annotations] == [("W1", "jar"), ("W2", "jar")]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("[1]", "expected an AnnotationPage, found 1"),
        ("{}", "expected an AnnotationPage with a list of items"),
        ('{"items": [1]}', "annotation 1 is no JSON object"),
        ('{"items": [{"target": 1}]}', "annotation 1 has no selector that fits the text"),
        (
            '{"items": [{"target": {"selector": {"type": "TextQuoteSelector", "exact": "gone"}}}]}',
            "annotation 1 has no selector that fits the text",
        ),
        ('{"items": [], "m:text": 1, "m:document": "x"}', "its 'text' is 1"),
    ],
)
def test_bad_files(tmp_path: Path, data: str, message: str) -> None:
    (tmp_path / "x.txt").write_text(TEXT, encoding="utf-8")
    path = tmp_path / "x.jsonld"
    path.write_text(data, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        restore(path)


def test_the_text_of_others_must_be_there(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonld"
    path.write_text('{"items": []}', encoding="utf-8")
    with pytest.raises(MissingError, match=r"x\.txt is not there"):
        restore(path)
