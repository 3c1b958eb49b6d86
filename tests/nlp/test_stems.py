"""One stemmer for English and German."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from marginalia.nlp.language import FUNCTION_WORDS, NEGATIONS
from marginalia.nlp.stems import IRREGULAR, language_of_word, stem


@pytest.mark.parametrize(
    ("words", "lang"),
    [
        ("study studies studied studying Study STUDIES", "en"),
        ("play plays played playing play's play’s", "en"),
        ("stop stopped stopping", "en"),
        ("hope hoped hoping", "en"),
        ("city cities", "en"),
        ("rise rose risen rises", "en"),
        ("child children child's", "en"),
        ("frage fragen", "de"),
        ("kostet kostete kosten", "de"),
        ("haus häuser", "de"),
        ("gewählt gewaehlt GEWAEHLT gewählte", "de"),
        ("größe groesse grösse", "de"),
    ],
)
def test_forms_of_a_word_have_one_stem(words: str, lang: str) -> None:
    assert len({stem(word, lang) for word in words.split()}) == 1
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("study", "student"), ("news", "new"), ("wahl", "partei")]
)
def test_other_words_have_other_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_a_word_is_of_the_language_in_which_it_is_commoner() -> None:
    words = {
        "studies": "en",
        "parteien": "de",
        "häufigkeit": "de",
        "haeufigkeit": "de",
        "trust": "en",
    }
    assert {word: language_of_word(word) for word in words} == words


def test_what_is_no_word_stays() -> None:
    for text in ("", "3.5", "a", "1990"):
        assert stem(text) == stem(text, "en") == stem(text, "de") == text


def test_threads_may_stem_at_once() -> None:
    words = [
        f"{root}{end}" for root in ("walk", "play", "jump") for end in ("s", "ed", "ing")
    ] * 200
    stem.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(stem.__wrapped__, words))
    assert found == {"walk", "play", "jump"}


def test_the_tables_are_in_small_letters_and_apart() -> None:
    assert not FUNCTION_WORDS & NEGATIONS
    assert all(word == word.lower() for word in (*FUNCTION_WORDS, *NEGATIONS, *IRREGULAR))
