"""Words and their offsets."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.nlp.tokens import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I can't, won’t co-op.", ["I", "can't", "won’t", "co-op"]),
        ("3.5 kg of CO2", ["3.5", "kg", "of", "CO2"]),
        ("'quoted' -- under_score", ["quoted", "under", "score"]),
        ("Straße, naïve, Übermaß", ["Straße", "naïve", "Übermaß"]),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert [match.group() for match in words(text)] == expected


def test_a_separate_accent_stays_with_its_letter() -> None:
    text = unicodedata.normalize("NFD", "Übermaß café-crème")
    found = [unicodedata.normalize("NFC", match.group()) for match in words(text)]
    assert found == ["Übermaß", "café-crème"]


@given(st.text())
def test_words_hold_every_letter_once(text: str) -> None:
    spans = [match.span() for match in words(text)]
    inside = {place for start, end in spans for place in range(start, end)}
    assert sum(end - start for start, end in spans) == len(inside)
    assert inside >= {place for place, sign in enumerate(text) if sign.isalnum()}
