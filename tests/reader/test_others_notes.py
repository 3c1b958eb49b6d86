"""Notes of others: Web Annotations and Hypothesis, found again in a document of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest

from marginalia import Document
from marginalia.core.errors import FormatError
from marginalia.reader.decisions import apply
from marginalia.reader.others_notes import notes_of_others

DOC = Document(
    id="d", text="The vestibule was cold at noon. Nobody came. The vestibule was warm at midnight."
)


def selector(exact: str, prefix: str = "", suffix: str = "") -> dict[str, Any]:
    return {"type": "TextQuoteSelector", "exact": exact, "prefix": prefix, "suffix": suffix}


HYPOTHESIS = {
    "total": 1,
    "rows": [
        {
            "id": "x",
            "user": "acct:anna@hypothes.is",
            "text": "Which one?",
            "created": "2025-01-01T00:00:00Z",
            "target": [
                {"selector": [{"type": "RangeSelector"}, selector("vestibule", "Nobody came. The ", " was warm at mid")]}
            ],
        }
    ],
}  # fmt: skip
WEB = {
    "type": "AnnotationCollection",
    "first": {
        "items": [
            {
                "body": [{"type": "TextualBody", "value": "Which one?"}],
                "creator": {"name": "anna"},
                "target": {"source": "x", "selector": selector("vestibule", "Nobody came. The ", " was warm")},
            },
            {"body": "no selector"},
        ]
    },
}  # fmt: skip


@pytest.mark.parametrize("data", [HYPOTHESIS, WEB, HYPOTHESIS["rows"]], ids=["h", "web", "list"])
def test_they_find_their_place(data: object) -> None:
    [decision] = notes_of_others(json.dumps(data), DOC)
    assert decision.who == "anna" and decision.verdict == "added"
    applied = apply(DOC, [decision])
    [note] = applied.doc.annotations
    assert (note.quote, note.start) == ("vestibule", DOC.text.rindex("vestibule"))
    assert note.attrs["why"] == "Which one?"
    again = notes_of_others(json.dumps(data), DOC)
    assert [one.id for one in again] == [decision.id], "brought in twice is once"


def test_a_quote_alone_is_enough_and_what_is_not_there_is_lost() -> None:
    rows = [
        {"id": n, "target": {"selector": selector(words)}}
        for n, words in enumerate(["Nobody came", "Somebody left"])
    ]
    applied = apply(DOC, notes_of_others(json.dumps(rows), DOC))
    assert [note.quote for note in applied.doc.annotations] == ["Nobody came"]
    assert [one.note.quote for one in applied.lost] == ["Somebody left"]


@pytest.mark.parametrize(
    "data",
    ["no", "[]", "{}", '{"rows": 5}', '[[[[[[[["x"]]]]]]]]', '{"target": {"selector": 3}}', "[" * 9999],
)  # fmt: skip
def test_what_is_none_is_refused_in_one_sentence(data: str) -> None:
    with pytest.raises(FormatError):
        notes_of_others(data, DOC)
