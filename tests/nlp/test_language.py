"""English or German: the vote of the commonest words."""

from __future__ import annotations

import pytest

from marginalia.nlp.language import _COMMON, guess


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("The cat sat on the mat.", "en"),
        ("Die Katze saß auf der Matte.", "de"),
        ("Der Test was done with an Umfrage, but the text is English.", "en"),
        ("Die Studie „The Last of Us“ wurde mit 20 Personen und einem Spiel durchgeführt.", "de"),
        ("12 345", "en"),
        ("", "en"),
    ],
)
def test_guess(text: str, lang: str) -> None:
    assert guess(text) == lang


def test_no_word_votes_for_both() -> None:
    assert not _COMMON["en"] & _COMMON["de"]
