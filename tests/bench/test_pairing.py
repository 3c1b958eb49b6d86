"""Answers that change sides group by group, in the figures of every task."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from significance import SHAPES

from marginalia import ContractError, get_benchmark
from marginalia.bench.significance import pair

NONE, ALL = np.zeros(9, dtype=bool), np.ones(9, dtype=bool)


@pytest.mark.parametrize("name", SHAPES)
def test_every_task_lets_groups_change_sides(name: str) -> None:
    task, shape = get_benchmark(name.partition(",")[0]), SHAPES[name]
    split, one, other = shape.draw(np.random.default_rng(2), 9, 1.5)
    both = pair(task, split, one, other)[shape.path]
    whole = task.statistics(split, one)[shape.path](np.arange(9))
    whole -= task.statistics(split, other)[shape.path](np.arange(9))
    assert both.flipped(NONE) == pytest.approx(whole) == both.less(np.arange(9))
    assert both.flipped(ALL) == pytest.approx(-whole)
    some = np.arange(9) % 2 == 0
    names = sorted(set(split.group.values()))
    moved = {id for id, group in split.group.items() if some[names.index(group)]}
    mixed = [
        {id: (b if id in moved else a)[id] for id in split.items}
        for a, b in ((one, other), (other, one))
    ]
    expected = [task.statistics(split, pred)[shape.path](np.arange(9)) for pred in mixed]
    assert both.flipped(some) == pytest.approx(expected[0] - expected[1])


def test_a_statistic_that_mixes_copies_of_an_item_is_refused() -> None:
    task = get_benchmark("similarity")
    split, one, other = SHAPES["similarity"].draw(np.random.default_rng(2), 9, 1.5)

    def counts(split, pred):  # type: ignore[no-untyped-def]
        return {"mean": lambda drawn: float(len(split))}

    with pytest.raises(ContractError, match="the statistic mean mixes groups"):
        pair(replace(task, statistics=counts), split, one, other)


@pytest.mark.parametrize("name", SHAPES)
def test_outcomes_are_behind_each_headline_figure(name: str) -> None:
    task, shape = get_benchmark(name.partition(",")[0]), SHAPES[name]
    assert task.outcomes and task.facets
    split, one, _ = shape.draw(np.random.default_rng(2), 9, 1.5)
    found = task.outcomes(split, one)
    for metric in task.metrics:
        if metric.of(task.score(split, one).scores) is not None and metric.path in found:
            assert found[metric.path].keys() <= split.items.keys()
    assert shape.path in found
    losses = [each.loss for each in found[shape.path].values()]
    assert min(losses) >= 0 and max(losses) > 0
    right = task.outcomes(split, one)[shape.path]
    for by in task.facets(split).values():
        assert by.keys() == split.items.keys() >= right.keys()
