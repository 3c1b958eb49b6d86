"""Features of words and sentences: always as many, always finite, and they say what they should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems.features import context_features, features, word_features

SIZE = len(features(Target("bible", "A river ran.", "river", "words")))


@given(st.text(max_size=80), st.text(max_size=20), st.sampled_from(["bible", "", "news"]))
def test_any_text_has_as_many_finite_features(sentence: str, token: str, corpus: str) -> None:
    row = features(Target(corpus, sentence, token, "words"))
    assert row.shape == (SIZE,) and row.dtype == np.float32
    assert np.isfinite(row).all()


@pytest.mark.parametrize(
    "token", ["", "null", "None", "😀", "שלום", "co-operation", "don't", "x" * 10_000, "a b c d"]
)
def test_odd_tokens_are_no_trouble(token: str) -> None:
    assert np.isfinite(features(Target("", f"It is {token}.", token, "words"))).all()


def test_a_word_is_described_as_people_would() -> None:
    found = word_features("Mitochondria")
    assert found["letters"] == 12 and found["syllables"] == 5
    assert found["capital"] == 1 and found["capitals"] == 0
    assert found["zipf"] < word_features("house")["zipf"]
    assert word_features("governmental")["family_zipf"] > word_features("governmental")["zipf"]
    assert word_features("happiness")["suffix_ness"] == 1
    assert word_features("xqzzt")["spelling_mean"] < word_features("letter")["spelling_mean"]


def test_the_sentence_is_seen_around_the_token() -> None:
    first = context_features(Target("", "Rivers run to the sea (slowly).", "Rivers", "words"))
    assert first["first"] == 1 and first["sentence_brackets"] == 1 and first["place"] == 0
    later = context_features(Target("", "To the Rhine it ran.", "Rhine", "words"))
    assert later["capital_inside"] == 1 and later["first"] == 0


def test_a_multi_word_has_the_features_of_its_parts() -> None:
    one = features(Target("bible", "A river ran.", "river", "words"))
    both = features(Target("bible", "A river ran.", "river river", "multi"))
    words = len(word_features("river"))
    assert (one[:words] == both[:words]).all()
    assert one[-1] == 0 and both[-1] == 1


def test_an_unknown_genre_is_a_bit_of_each() -> None:
    row = features(Target("", "A river ran.", "river", "words"))
    assert row[-4:-1] == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(
    ("sentence", "token", "expected"),
    [
        ("The pear and the peach.", "peach", (17, 22)),
        ("A pea, not a peach, a pea.", "pea", (2, 5)),
        ("PEACH it is.", "peach", (0, 5)),
        ("Unpeachable.", "peach", (2, 7)),
        ("Nothing here.", "peach", None),
        ("Nothing here.", "", None),
    ],
)
def test_the_token_is_found_in_its_sentence(sentence: str, token: str, expected) -> None:
    assert Target("", sentence, token, "words").span() == expected


def test_a_known_place_wins() -> None:
    assert Target("", "pea and pea", "pea", "words", 8).span() == (8, 11)
