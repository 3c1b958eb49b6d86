"""What a language model says of words: only what is in the document is shown as its words."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("jsonschema")

from marginalia import Document
from marginalia.core.errors import FormatError
from marginalia.reader.explanation import explain
from tests.asked import model

TEXT = "The vestibule was\ncold at noon. Nobody came. In the vestibule stood a lamp."
DOC = Document(id="d", text=TEXT, meta={"lang": "en"})


def saying(text: str, *quotes: str) -> Any:
    return model(lambda prompt, row: {"explanation": text, "quotes": list(quotes)}, "the-model")


def test_quotes_are_found_in_the_text_or_left_out() -> None:
    llm = saying(
        "An entrance hall.", "vestibule was cold", "the hall was warm", "vestibule was cold"
    )
    said = explain(DOC, 4, 13, llm)
    assert (said.model, said.text, said.dropped) == ("the-model", "An entrance hall.", 1)
    [place] = said.quotes
    assert place.text == "vestibule was cold" and TEXT[place.start : place.end].split() == [
        "vestibule", "was", "cold"
    ]  # fmt: skip
    assert llm.tally.dropped == 1


def test_marks_around_what_is_not_there_are_taken_away() -> None:
    said = explain(DOC, 4, 13, saying("It is “Nobody came.” but not „a warm room“.\x1b[31m"))
    assert said.text == "It is “Nobody came.” but not a warm room.[31m"


def test_what_is_sent_is_the_passage_as_data() -> None:
    rows: list[Any] = []

    def answer(prompt: str, row: Any) -> dict[str, Any]:
        rows.append(row)
        return {"explanation": "x", "quotes": []}

    explain(DOC, 4, 13, model(answer))
    assert rows[0]["words"] == "vestibule" and rows[0]["passage"] == TEXT
    assert rows[0]["more"] == ["In the vestibule stood a lamp."]


def test_an_answer_of_another_form_is_no_answer() -> None:
    with pytest.raises(FormatError, match="tester gave no valid answer"):
        explain(DOC, 4, 13, model(lambda prompt, row: {"explanation": ""}))
    with pytest.raises(FormatError, match="no span"):
        explain(DOC, 4, 4000, saying("x"))
