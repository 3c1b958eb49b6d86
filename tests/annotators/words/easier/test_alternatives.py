"""Easier words in their sentence, with an invented score and an invented encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from marginalia.annotators.words.easier.alternatives import (
    Alternative,
    fill,
    is_participle,
    suggest_easier,
)
from marginalia.annotators.words.easier.synonyms import candidates
from marginalia.tasks.complexity.official.data import Target

SENTENCE = "The king had an abode in the hills."
START, END = SENTENCE.index("abode"), SENTENCE.index("abode") + 5


class Encoder:
    """Sentences turn away from the original by the angle given for a word they hold."""

    def __init__(self, angles: Mapping[str, float]) -> None:
        self.angles = angles
        self.seen: list[str] = []

    def vectors(self, texts: Sequence[str]) -> Any:
        self.seen += texts
        turned = [
            next((angle for word, angle in self.angles.items() if f" {word} " in text), 0.0)
            for text in texts
        ]
        return np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float32)


class System:
    """A word's score is looked up; the rest is hard."""

    def __init__(self, scores: Mapping[str, float]) -> None:
        self.scores = scores
        self.items: list[Target] = []

    def predict(self, items: Mapping[str, Target]) -> dict[str, float]:
        self.items += items.values()
        return {id: self.scores.get(item.token.lower(), 0.6) for id, item in items.items()}


def test_the_words_of_the_shipped_file() -> None:
    """What the tests below lean on."""
    assert {"home", "residence", "dwelling"} <= {item.word for item in candidates("abode", "NOUN")}


def test_easier_and_fitting_words_come_first() -> None:
    system = System({"abode": 0.5, "home": 0.1, "residence": 0.3, "dwelling": 0.4})
    encoder = Encoder({"home": 0.20, "residence": 0.20, "dwelling": 0.25})
    found = suggest_easier(SENTENCE, START, END, "NOUN", system=system, encoder=encoder)
    assert [row.word for row in found] == ["home", "residence", "dwelling"]
    assert found[0] == Alternative("home", 0.1, pytest.approx(np.cos(0.2)), "same meaning")


def test_only_clearly_easier_words_are_kept() -> None:
    system = System({"abode": 0.5, "home": 0.46, "residence": 0.3})
    found = suggest_easier(SENTENCE, START, END, system=system, encoder=Encoder({}))
    assert [row.word for row in found] == ["residence"]


def test_a_word_that_fits_much_worse_is_left_out() -> None:
    system = System({"abode": 0.5, "home": 0.1, "residence": 0.3})
    encoder = Encoder({"home": 0.9, "residence": 0.1})
    found = suggest_easier(SENTENCE, START, END, system=system, encoder=encoder)
    assert [row.word for row in found] == ["residence"]


def test_a_callable_scores_as_well_and_n_limits() -> None:
    system = System({"home": 0.1, "residence": 0.3, "dwelling": 0.2})
    found = suggest_easier(SENTENCE, START, END, system=system.predict, encoder=Encoder({}), n=2)
    assert [row.word for row in found] == ["home", "dwelling"]
    assert suggest_easier(SENTENCE, START, END, system=system, encoder=Encoder({}), n=0) == []


def test_the_filled_sentences_are_scored_and_encoded() -> None:
    system, encoder = System({"home": 0.1}), Encoder({})
    suggest_easier(SENTENCE, START, END, system=system, encoder=encoder, corpus="bible")
    assert encoder.seen == [SENTENCE, "The king had a home in the hills."]
    for item in system.items:
        start, end = item.span()
        assert item.sentence[start:end] == item.token
        assert item.corpus == "bible"
        assert item.kind == ("multi" if " " in item.token else "words")


@pytest.mark.parametrize(
    ("sentence", "old", "new", "filled"),
    [
        ("It is an abode.", "abode", "home", "It is a home."),
        ("It is a dwelling.", "dwelling", "address", "It is an address."),
        ("An abode is here.", "abode", "home", "A home is here."),
        ("AN ABODE", "ABODE", "HOME", "A HOME"),
        ("A DWELLING", "DWELLING", "ADDRESS", "AN ADDRESS"),
        ("an abode", "abode", "hour", "an hour"),
        ("an abode", "abode", "university", "a university"),
        ("an abode", "abode", "user", "a user"),
        ("a dwelling", "dwelling", "uncle", "an uncle"),
        ("a dwelling", "dwelling", "horse", "a horse"),
        ("a dwelling", "dwelling", "honour", "an honour"),
        ("a dwelling", "dwelling", "European", "a European"),
        ("a dwelling", "dwelling", "one-off", "a one-off"),
        ("a dwelling", "dwelling", "onerous", "an onerous"),
        ("a dwelling", "dwelling", "unable", "an unable"),
        ("a dwelling", "dwelling", "unit", "a unit"),
        ("a dwelling", "dwelling", "unidentified", "an unidentified"),
        ("Fatima abode", "abode", "home", "Fatima home"),
        ("abode", "abode", "home", "home"),
    ],
)
def test_a_and_an(sentence: str, old: str, new: str, filled: str) -> None:
    start = sentence.index(old)
    text, at = fill(sentence, start, start + len(old), new)
    assert text == filled
    assert text[at : at + len(new)] == new


@pytest.mark.parametrize(
    ("sentence", "is_one"),
    [
        ("He bestowed it.", False),
        ("It was bestowed.", True),
        ("It has not often been freely bestowed.", True),
        ("gifts bestowed by kings", True),
        ("bestowed", False),
    ],
)
def test_participles(sentence: str, is_one: bool) -> None:
    start = sentence.index("bestowed")
    assert is_participle(sentence, start, start + len("bestowed")) is is_one


def test_a_participle_is_replaced_by_one() -> None:
    sentence = "It was bestowed on them."
    found = suggest_easier(
        sentence, 7, 15, "VERB", system=System({"given": 0.1, "gave": 0.1}), encoder=Encoder({})
    )
    assert [row.word for row in found] == ["given"]


def test_names_and_abbreviations_are_left_alone() -> None:
    system = System({"home": 0.1})

    def words(sentence: str, token: str, tag: str | None = None) -> list[str]:
        start = sentence.index(token)
        end = start + len(token)
        found = suggest_easier(sentence, start, end, tag, system=system, encoder=Encoder({}))
        return [row.word for row in found]

    assert words("We met at Abode again.", "Abode") == []
    assert words("We met at Abode again.", "Abode", "NOUN") == ["Home"]
    assert words("The ABODE protein.", "ABODE", "NOUN") == []
    assert words("“Abode of gods.”", "Abode") == ["Home"]
    assert words("THE ABODE OF GODS", "ABODE") == ["HOME"]


@pytest.mark.parametrize(
    ("sentence", "start", "end"),
    [
        ("", 0, 0),
        ("", 0, 5),
        ("abode", 3, 3),
        ("abode", -5, 5),
        ("abode", 0, 99),
        ("🙂🙂", 0, 1),
        ("שלום עולם", 0, 4),
        ("x" * 10_000, 0, 10_000),
    ],
)
def test_odd_places_have_no_alternatives(sentence: str, start: int, end: int) -> None:
    def never(_: object) -> dict[str, float]:
        raise AssertionError("nothing to score")

    assert suggest_easier(sentence, start, end, system=never, encoder=Encoder({})) == []


def test_of_a_very_long_sentence_the_neighbourhood_is_read() -> None:
    sentence = "word " * 20_000 + "abode " + "word " * 20_000
    start = sentence.index("abode")
    encoder = Encoder({})
    found = suggest_easier(
        sentence, start, start + 5, system=System({"home": 0.1}), encoder=encoder
    )
    assert [row.word for row in found] == ["home"]
    assert max(map(len, encoder.seen)) < 6_000
