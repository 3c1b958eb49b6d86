"""The last step finds what the rows tell, and gives each phenomenon a scale on which the classes have their shares."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.clarification.official.ratings import CLASSES, label_of
from marginalia.tasks.clarification.systems.stacking import (
    ANY,
    Scale,
    Stack,
    careful_shares,
    classes_of,
    fit,
    likeliest,
    reliability,
    scale_of,
    to_bytes,
)


def example(rows: int = 400) -> tuple[np.ndarray, list[float], list[str], list[str]]:
    """A column that tells the rating, one of noise, one constant; half of the rows are of another kind."""
    random = np.random.default_rng(0)
    scores = random.uniform(1, 5, rows)
    told = 2 * scores + random.normal(0, 0.1, rows)
    table = np.stack([told, random.normal(0, 1, rows), np.ones(rows)], axis=1)
    groups = [str(n // 5) for n in range(rows)]
    return table, scores.tolist(), groups, ["one" if n // 5 % 2 else "other" for n in range(rows)]


def test_fit_finds_the_column_that_tells() -> None:
    rows, scores, groups, kinds = example()
    stack = fit(("network",), rows, scores, groups, kinds)
    assert abs(stack.weights[0]) > 20 * abs(stack.weights[1])
    assert stack.weights[2] == pytest.approx(0)
    assert stack.scales.keys() == {ANY, "one", "other"}
    found = [stack.rating(row, "one").score for row in rows]
    assert (np.argsort(found) == np.argsort([stack.score(row) for row in rows])).mean() > 0.99
    assert np.corrcoef(np.argsort(np.argsort(found)), np.argsort(np.argsort(scores)))[0, 1] > 0.99
    assert fit(("network",), rows, scores, groups, kinds) == stack


def test_a_row_from_elsewhere_stays_in_range() -> None:
    rows, scores, groups, kinds = example()
    stack = fit(("network",), rows, scores, groups, kinds)
    for row in (np.array([1e9, 1e9, 1e9]), np.array([-1e9, 0, 0])):
        assert 1 <= stack.rating(row, "never seen").score <= 5
        assert stack.rating(row, "never seen") == stack.rating(row, ANY)


def test_json_there_and_back() -> None:
    stack = fit(("network", "features"), *example())
    assert Stack.from_json(json.loads(to_bytes({"x": stack}))["x"]) == stack


def test_a_scale_that_is_moved_and_stretched_rates_the_same() -> None:
    scores = np.linspace(1, 5, 401)
    plain, other = scale_of(scores, (-0.3, 0.4)), scale_of(7 + 3 * scores, (-0.3, 0.4))
    for score in (1.0, 2.4, 3.1, 3.3, 4.9):
        assert other.rating(7 + 3 * score).score == pytest.approx(plain.rating(score).score)


@pytest.mark.parametrize("noise", [0.3, 3.0])
def test_a_class_begins_where_it_becomes_the_likeliest(noise: float) -> None:
    """With clear scores halfway between the classes; with vague ones NEUTRAL is never the likeliest."""
    random = np.random.default_rng(4)
    gold = random.choice([1.5, 3.2, 4.5], 5000, p=[0.4, 0.2, 0.4])
    scores = gold + random.normal(0, noise, 5000)
    low, high = likeliest(scores, gold, np.ones(5000))
    if noise < 1:
        assert (low, high) == pytest.approx((2.35, 3.85), abs=0.2)
    else:
        assert high - low < 0.02
    found = (scores > low).astype(int) + (scores >= high)
    assert (found == classes_of(gold)).mean() > (0.97 if noise < 1 else 0.5)


def test_careless_ratings_do_not_change_the_shares() -> None:
    """Half of the items were rated by people who mostly wrote down a 3: the other half tells the shares."""
    random = np.random.default_rng(2)
    truth = random.choice([1.5, 3.0, 4.5], 6000, p=[0.4, 0.2, 0.4])
    kinds = np.array(["careful", "careless"] * 3000)
    gold = np.where((kinds == "careless") & (random.random(6000) < 0.6), 3.0, truth)
    held = truth + random.normal(0, 0.5, 6000)
    found = reliability(held, gold, kinds)
    assert found["careful"] > found["careless"] + 0.2
    assert careful_shares(held, gold, kinds) == pytest.approx(
        dict(zip(CLASSES, (0.4, 0.2, 0.4), strict=True)), abs=0.03
    )


def test_shares_of_one_phenomenon_are_its_own() -> None:
    gold = np.array([1.0, 3.0, 5.0, 5.0])
    for held in (gold, np.zeros(4)):
        found = careful_shares(held, gold, np.array(["one"] * 4))
        assert list(found.values()) == [0.25, 0.25, 0.5]


finite = st.floats(-50, 50)


@given(finite, st.floats(0, 9), st.floats(0.01, 9), finite, finite)
def test_ratings_rise_with_the_score_and_have_the_official_class(low, width, spread, a, b) -> None:
    scale = Scale(low, low + width, spread)
    first, second = (scale.rating(score) for score in sorted((a, b)))
    assert 1 <= first.score <= second.score <= 5
    for rating in (first, second):
        assert rating.label == label_of(rating.score)
