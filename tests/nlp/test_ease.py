"""How common a word is at its best."""

import pytest

from marginalia.nlp.ease import ease
from marginalia.nlp.frequency import zipf
from tests.work import calls


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("unalterable", "alter"),
        ("readability", "readable"),
        ("sunbeam", "sun"),
        ("wolves", "wolf"),
        ("landmasses", "land"),
    ],
)
def test_a_word_made_from_an_easy_one_is_easier_than_its_rarity_says(word: str, base: str) -> None:
    assert zipf(word) < ease(word) <= max(zipf(base), zipf(word) + 3)


@pytest.mark.parametrize("word", ["Pakets", "Dokuments", "verbessertes", "Krankenhausverwaltung"])
def test_forms_and_compounds_of_easy_german_words_are_easy(word: str) -> None:
    assert ease(word, "de") >= 3.3


@pytest.mark.parametrize("word", ["heterogeneity", "remiss", "precipice", "xqzvk"])
def test_what_only_looks_made_of_easy_words_is_not(word: str) -> None:
    assert ease(word) < 3.4


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_word_without_end_is_not_taken_apart(lang: str) -> None:
    ease("warm", lang)
    assert calls(lambda: ease("q" * 2_000, lang)) < 20
