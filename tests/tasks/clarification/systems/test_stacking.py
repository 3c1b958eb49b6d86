"""The last step finds what the rows tell, and gives each phenomenon a scale on which the classes have their shares."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.clarification.official.ratings import CLASSES, label_of
from marginalia.tasks.clarification.systems.stacking import (
    ANY,
    CLASS_SHARES,
    Scale,
    Stack,
    fit,
    scale_of,
    to_bytes,
)

EVEN = dict.fromkeys(CLASSES, 1 / 3)


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


def test_classes_get_their_shares() -> None:
    random = np.random.default_rng(1)
    gold = random.uniform(1, 5, 4000)
    scale = scale_of(gold + random.normal(0, 0.5, 4000), gold, EVEN, narrowed=0.0)
    scores = gold + random.normal(0, 0.5, 4000)
    weight = {name: 1 / 3 / count for name, count in Counter(map(label_of, gold)).items()}
    found = dict.fromkeys(CLASSES, 0.0)
    for score, truth in zip(scores.tolist(), gold.tolist(), strict=True):
        found[scale.rating(score).label] += weight[label_of(truth)]
    assert found == pytest.approx(EVEN, abs=0.03)
    assert sum(CLASS_SHARES.values()) == pytest.approx(1)


def test_neutral_can_be_narrowed_away() -> None:
    gold = np.linspace(1, 5, 401)
    wide, narrow, none = (scale_of(gold, gold, EVEN, part) for part in (0.0, 0.4, 0.5))
    assert wide.high - wide.low > narrow.high - narrow.low > none.high - none.low
    assert none.high == pytest.approx(none.low)


def test_a_scale_that_is_moved_and_stretched_rates_the_same() -> None:
    gold = np.linspace(1, 5, 401)
    plain, other = scale_of(gold, gold), scale_of(7 + 3 * gold, gold)
    for score in (1.0, 2.4, 3.1, 3.3, 4.9):
        assert other.rating(7 + 3 * score).score == pytest.approx(plain.rating(score).score)


finite = st.floats(-50, 50)


@given(finite, st.floats(0, 9), st.floats(0.01, 9), finite, finite)
def test_ratings_rise_with_the_score_and_have_the_official_class(low, width, spread, a, b) -> None:
    scale = Scale(low, low + width, spread)
    first, second = (scale.rating(score) for score in sorted((a, b)))
    assert 1 <= first.score <= second.score <= 5
    for rating in (first, second):
        assert rating.label == label_of(rating.score)
