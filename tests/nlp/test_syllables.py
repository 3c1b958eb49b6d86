"""Syllables of English and German words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import UnknownNameError
from marginalia.nlp.syllables import syllables

ENGLISH = """
1 the cat house take league bridge walked asks asked times through strength true young whole eyes clothes shape
1 rhyme blue caused changed guard
2 table people measure started nation science lovely being doing rhythm prism business social gracious
2 statement something quiet language tables houses churches changes settled
2 technique value fuel poet careful ocean special region crying faces wanted courage city
3 beautiful element measurement idea area animal happier violent musical energy radio
3 studying capital settlement courageous physician completely genius video influence actual
3 department agreement management government average government arguing
4 society ability material situation reality complexity information geography
4 experience biology population imperial television ecosystem
5 university serendipity communication imagination vocabulary examination
5 mitochondria abbreviation
6 responsibility variability
"""

GERMAN = """
1 Haus Boot Wien schön Dampf Strumpf See neun zwei Schiff Angst Quark
2 Bauer Feier Straße heute Häuser Schule Leute Donau Seen Kirche Meinung spielen Kreuzung quälen
3 Museum Theater Familie Arbeiter Regierung beenden Nation Ideen Computer Gesellschaft
3 Entwicklung aktuell Spaziergang
4 Familien Italien beurteilen Wissenschaftler Bundeskanzler Gesellschaften Universum
4 Bevölkerung Temperatur Donaudampfschiff Freundschaftsdienste
5 Universität Bundesregierung Geschwindigkeiten Bauingenieur
6 Krankenversicherung
7 Geschwindigkeitsbegrenzung Verantwortungsbewusstsein
8 Arbeitslosenversicherung
"""


def table(text: str) -> list[tuple[str, int]]:
    rows = [line.split() for line in text.split("\n") if line]
    return [(word, int(n)) for n, *listed in rows for word in listed]


@pytest.mark.parametrize(("word", "count"), table(ENGLISH))
def test_english_words(word: str, count: int) -> None:
    assert syllables(word) == count


@pytest.mark.parametrize(("word", "count"), table(GERMAN))
def test_german_words(word: str, count: int) -> None:
    assert syllables(word, "de") == count


def test_a_phrase_has_the_syllables_of_its_words() -> None:
    assert syllables("own work") == 2
    assert syllables("well-known co-operation") == 2 + 5
    assert syllables("der Bauer’s", "de") == 3


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize(("text", "count"), [("", 0), ("… 🙂 42", 0), ("NTSB", 4), ("pst", 1)])
def test_what_is_no_plain_word(text: str, count: int, lang: str) -> None:
    assert syllables(text, lang) == count


def test_accents_count_as_their_letters() -> None:
    assert syllables("café") == syllables("cafe\u0301") == 2
    assert syllables("Häuser", "de") == syllables("Ha\u0308user", "de") == 2


def test_letters_of_other_scripts_have_at_least_one_syllable() -> None:
    assert syllables("שלום עולם") == 2


def test_a_very_long_token_is_counted_in_proportion() -> None:
    assert syllables("ba" * 5_000) == 5_000
    assert syllables("x" * 10_000, "de") == 100


@given(st.text(max_size=40), st.sampled_from(["en", "de"]))
def test_any_text_has_a_count_no_greater_than_its_letters(text: str, lang: str) -> None:
    # A compatibility letter such as ﬃ stands for several.
    assert 0 <= syllables(text, lang) <= 18 * max(1, len(text))


def test_a_language_without_rules_is_named() -> None:
    with pytest.raises(UnknownNameError, match="no language with syllable rules 'fi'"):
        syllables("talo", "fi")
