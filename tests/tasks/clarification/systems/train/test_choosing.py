"""Choices are made by article and by what can be foretold, never by the ratings they are judged with."""

from __future__ import annotations

import numpy as np
import pytest

from marginalia.tasks.clarification.systems.stacking import ANY
from marginalia.tasks.clarification.systems.train.choosing import (
    OPTIONS,
    OUTER,
    Option,
    Outcome,
    Rows,
    best,
    compare,
    judge,
    summary,
)


def rows(count: int = 600, *, neutral: float = 0.2) -> Rows:
    """Half careful, half careless; a column for each part that tells the truth with some noise."""
    random = np.random.default_rng(0)
    chances = [(1 - neutral) / 2, neutral, (1 - neutral) / 2]
    truth = random.choice([1.5, 3.2, 4.5], count, p=chances)
    kinds = np.array(["careful", "careless"] * (count // 2))
    scores = np.where((kinds == "careless") & (random.random(count) < 0.7), 3.0, truth)
    told = truth[:, None] + random.normal(0, 1.0, (count, 10))
    articles = np.array([str(n // 12) for n in range(count)])
    return Rows(("network", "compared"), told, scores, articles, kinds)


def test_articles_are_never_divided() -> None:
    for learn, left in rows().folds(OUTER, 3):
        assert not set(learn.articles) & set(left.articles)
        assert len(learn.scores) + len(left.scores) == 600


def test_an_option_is_judged_by_what_it_has_not_seen() -> None:
    [(learn, left), *_] = rows().folds(OUTER, 0)
    found = judge(Option(True, 0.2), learn, left)
    assert 0.3 < found.plain < found.accuracy <= 1  # the careless half counts for less
    assert found.spearman > 0.5
    one, each = (judge(Option(option, 0.2), learn, left) for option in (False, True))
    assert one != each
    assert ANY in learn.stack().scales


def test_the_simplest_within_one_error_is_taken() -> None:
    assert best(rows(), repeats=1) == Option(True, None) == OPTIONS[len(OPTIONS) // 2]


@pytest.mark.parametrize("count", [2, 12, 30])
def test_too_few_articles_choose_nothing(count: int) -> None:
    few = rows(count)
    assert best(few) == Option(True, None)
    assert 1 <= few.stack().rating(few.rows[0], "careful").score <= 5


def test_every_option_is_compared_in_the_same_folds() -> None:
    found = compare(rows(), repeats=1)
    assert found.keys() == {*map(str, OPTIONS), "chosen anew in each fold"}
    assert {len(outcomes) for outcomes in found.values()} == {OUTER}


def test_columns_of_some_ingredients() -> None:
    part = rows().of(("compared",))
    assert part.parts == ("compared",)
    assert part.rows.shape == (600, 5)


def test_a_summary_has_the_worst_fold() -> None:
    found = summary([Outcome(0.5, 0.4, 0.3), Outcome(0.7, 0.6, 0.1)])
    assert found["accuracy"]["value"] == pytest.approx(0.6)
    assert found["spearman"]["worst"] == pytest.approx(0.1)
    assert found["plain"]["low"] < 0.5 < found["plain"]["high"]
