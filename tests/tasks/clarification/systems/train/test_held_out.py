"""The last step learns from articles that are never divided."""

from __future__ import annotations

import numpy as np
import pytest

from marginalia.tasks.clarification.systems.stacking import ANY
from marginalia.tasks.clarification.systems.train.held_out import Rows


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
    for learn, left in rows().folds(5, 3):
        assert not set(learn.articles) & set(left.articles)
        assert len(learn.scores) + len(left.scores) == 600


@pytest.mark.parametrize("count", [2, 12, 30])
def test_a_few_articles_are_enough_for_a_rating(count: int) -> None:
    few = rows(count)
    assert ANY in few.stack().scales
    assert 1 <= few.stack().rating(few.rows[0], "careful").score <= 5


def test_columns_of_some_ingredients() -> None:
    part = rows().of(("compared",))
    assert part.parts == ("compared",)
    assert part.rows.shape == (600, 5)
