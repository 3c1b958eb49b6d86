"""Conditions of a quantity: candidates from the tags, and what they are weighed with."""

from __future__ import annotations

import numpy as np
import pytest

from marginalia.nlp.encoder import english
from marginalia.quantities.quantity import Quantity
from marginalia.tasks.measurement.systems.conditions import (
    FEATURES,
    MOST,
    candidates,
    condition_chance,
    conditions,
)
from marginalia.tasks.measurement.systems.inputs import PURPOSES, TAGS, read_windows
from marginalia.tasks.measurement.systems.window_reading import Answer, WindowReading

TEXT = "The yield was 5 kg at 20 °C and in the dark (winter)."
WEIGHTS = dict.fromkeys(FEATURES, 0.0) | {"mean": 1.0, "constant": 0.0}


def reading(tagged: dict[str, float]) -> WindowReading:
    """What the network says where these phrases have these probabilities of a condition."""
    [window] = read_windows(TEXT, english().tokenizer)
    tags = np.zeros((len(window.pieces), len(TAGS)), dtype=np.float32)
    for phrase, chance in tagged.items():
        first, last = window.cover(TEXT.index(phrase), TEXT.index(phrase) + len(phrase)) or (0, 0)
        tags[first, TAGS.index("condition begins")] = chance
        tags[first + 1 : last + 1, TAGS.index("condition")] = chance
    place = TEXT.index("5 kg")
    answer = Answer(tags, np.zeros((0, 4)), 1.0, np.full(len(PURPOSES), 0.25))
    pieces = window.cover(place, place + 4) or (0, 0)
    quantity = Quantity(place, place + 4, None, (), 1.0)
    return WindowReading(window, np.zeros((0, 2)), [quantity], [pieces], [answer])


def said(tagged: dict[str, float]) -> list[str]:
    found = conditions(TEXT, reading(tagged), 0, WEIGHTS)
    return [TEXT[one.start : one.end] for one in found]


def test_runs_of_tags_are_conditions_the_likeliest_first() -> None:
    assert said({"at 20 °C": 0.7, "in the dark": 0.9}) == ["in the dark", "at 20 °C"]
    assert said({"at 20 °C": 0.1}) == [], "below every threshold"


def test_conditions_are_whole_words_without_function_words_at_their_ends() -> None:
    assert said({"20 °C and in the": 0.9}) == ["20 °C"]
    assert said({"and": 0.9, "in the": 0.9}) == []
    assert said({"dark (winter": 0.9}) == ["dark (winter)"]


def test_no_condition_is_in_its_own_quantity_and_none_shares_a_character() -> None:
    assert said({"5 kg": 0.9}) == []
    found = conditions(TEXT, reading({"at 20 °C": 0.9, "°C and in the dark": 0.4}), 0, WEIGHTS)
    assert len(found) <= MOST
    assert all(a.end <= b.start or b.end <= a.start for a in found for b in found if a is not b)


def test_a_chance_is_the_logistic_of_what_is_weighed() -> None:
    [(_, features), *_] = candidates(TEXT, reading({"in the dark": 0.5}), 0)
    assert condition_chance(features, WEIGHTS) == pytest.approx(0.5, abs=0.01)
    assert condition_chance(features, WEIGHTS | {"constant": 2.0}) > 0.85
