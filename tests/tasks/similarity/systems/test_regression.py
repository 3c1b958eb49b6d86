"""The regression from measures to scores: inside sets, on the scale, with an honest confidence."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.similarity.systems import regression
from marginalia.tasks.similarity.systems.features import dice, overlap
from marginalia.tasks.similarity.systems.regression import Regression

MODEL = Regression(("a", "b"), (0.0, 1.0), (1.0, 2.0), (1.0, -0.5), (1.0, 2.5), (2.5, 1.0, 0.2))


def test_measures_are_standardised_weighted_and_put_on_the_scale() -> None:
    assert MODEL.score({"a": 1.0, "b": 3.0}).score == pytest.approx(2.5 + 1 - 0.5)
    assert MODEL.score({"a": 100.0, "b": 1.0}).score == 5.0
    assert MODEL.score({"a": -100.0, "b": 1.0}).score == 0.0


def test_confidence_is_least_where_most_error_is_expected() -> None:
    assert MODEL.confidence(2.5) == 1.0
    assert MODEL.confidence(0.0) == MODEL.confidence(5.0) == 100.0
    assert MODEL.confidence(1.25) == pytest.approx(50)
    assert MODEL.error(2.5) == pytest.approx(1.0) and MODEL.error(5.0) == pytest.approx(0.2)
    bare = Regression(("a",), (0.0,), (1.0,), (1.0,), (1.0, 0.0))
    assert bare.confidence(3.0) == 100.0 and math.isnan(bare.error(3.0))


def test_json_gives_the_same_model_again() -> None:
    assert Regression.read(MODEL.to_json()) == MODEL


def test_levels_of_sets_are_not_learned() -> None:
    """A measure that tells the sets apart and nothing inside them gets no weight."""
    rng = np.random.default_rng(0)
    inside, level = rng.normal(size=400), np.repeat([0.0, 1.0], 200)
    y = (2 + inside * 0.5 + 2 * level).clip(0, 5)
    x = np.column_stack([inside, level])
    model = regression.fit(["inside", "level"], x, y, ["s"] * 200 + ["t"] * 200, alpha=0.01)
    assert model.weights[0] > 0.8 and abs(model.weights[1]) < 1e-9


def test_a_strong_pull_leaves_the_weights_where_they_were() -> None:
    x = np.random.default_rng(0).normal(size=(100, 2))
    y = (x[:, 1] + 2).clip(0, 5)
    model = regression.fit(["a", "b"], x, y, ["s"] * 100, alpha=1e6, prior={"a": 0.7})
    assert model.weights == pytest.approx((0.7, 0.0), abs=1e-4)


def test_the_line_knows_of_the_cut() -> None:
    raw = np.linspace(-3, 3, 200)
    y = (2 * raw + 1).clip(0, 5)
    slope, intercept = regression.fit_line(raw, y, np.ones(200))
    assert slope == pytest.approx(2, abs=0.3) and intercept == pytest.approx(1, abs=0.3)


def test_errors_are_found_where_they_are() -> None:
    scores = np.linspace(0, 5, 101)
    error = np.array([1 - 0.8 * regression.distance(score, 3.0) for score in scores])
    middle, most, least = regression.fit_errors(scores, scores + error, ["s"] * 101)
    assert (middle, most, least) == pytest.approx((3.0, 1.0, 0.2), abs=1e-6)


words = st.lists(st.sampled_from("abcd"), max_size=6)


@given(words, words)
def test_overlaps_are_symmetric_and_from_0_to_1(a: list[str], b: list[str]) -> None:
    for measure in (dice, overlap):
        assert measure(a, b) == measure(b, a)
        assert 0 <= measure(a, b) <= 1
    assert overlap(a, a) == 1
    assert dice(a, a) == (1 if a else 0)
