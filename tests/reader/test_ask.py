"""What is known of words that a reader points at."""

from __future__ import annotations

import pytest

from marginalia import Document
from marginalia.core.errors import FormatError
from marginalia.reader.ask import MAX_CHARACTERS, ask

TEXT = (
    "The vestibule was cold. We measured the glomerular filtration rate (GFR) twice.\n\n"
    "In the second year the GFR was lower. The GFRs of the others were not."
)
DOC = Document(
    id="d",
    text=TEXT,
    meta={
        "lang": "en",
        "summary": {
            "any": {"glossary": [{"term": "GFR", "meaning": "glomerular filtration rate", "start": 40}]},
            "none": None,
        },
    },
)  # fmt: skip


def at(words: str, nth: int = 0) -> tuple[int, int]:
    start = -1
    for _ in range(nth + 1):
        start = TEXT.index(words, start + 1)
    return start, start + len(words)


def test_the_document_is_asked_before_the_dictionary() -> None:
    answer = ask(DOC, *at("GFR", 1))
    assert [one.meaning for one in answer.defined] == ["glomerular filtration rate"]
    assert answer.count == 2, "whole words only"
    assert [TEXT[one.start : one.end] for one in answer.places] == ["GFR"]
    assert "glomerular" in answer.places[0].text
    assert ask(DOC, *at("GFRs")).defined, "its plural is the same term"


def test_the_dictionary_has_meanings_of_words_in_their_sentence() -> None:
    answer = ask(DOC, *at("vestibule"))
    assert [one["word"] for one in answer.meanings] == ["vestibule"]
    assert "door" in answer.meanings[0]["gloss"]
    assert not answer.places and not answer.defined and answer.count == 1


def test_what_is_no_question_is_refused() -> None:
    for span in ((5, 5), (-1, 3), (0, len(TEXT) + 1), (3, 4)):
        with pytest.raises(FormatError, match="no span"):
            ask(DOC, *span)
    long = Document(id="l", text="word " * 200)
    with pytest.raises(FormatError, match="at most"):
        ask(long, 0, MAX_CHARACTERS + 1)
