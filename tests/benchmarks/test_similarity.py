"""How the default of similarity is chosen: sources, intervals and the rule."""

from __future__ import annotations

import numpy as np
import pytest
from similarity import (
    PAIRS_PER_SET,
    below,
    by_system,
    judged,
    source_of,
    together,
    weighted,
)

from marginalia import Split
from marginalia.tasks.similarity.official.data import Pair

RNG = np.random.default_rng(1)
GOLD = RNG.uniform(0, 5, 600)
SETS = ["2014-test/headlines"] * 200 + ["2015-test/headlines"] * 200 + ["2015-test/belief"] * 200
PAIRS = [str(n) for n in range(600)]


def noisy(*spreads: float) -> np.ndarray:
    """Scores about the gold, with another error in each third."""
    return GOLD + np.repeat(spreads, 200) * np.random.default_rng(2).normal(size=600)


def test_what_has_one_name_is_one_source() -> None:
    assert source_of("2012-test/surprise.OnWN") == source_of("2014-test/OnWN") == "OnWN"


def test_a_count_is_a_pair_so_often() -> None:
    x, y, counts = noisy(1, 1, 1)[:50], GOLD[:50], RNG.integers(0, 4, (3, 50))
    repeated = [np.corrcoef(np.repeat(x, n), np.repeat(y, n))[0, 1] for n in counts]
    assert weighted(x, y, counts.astype(float)) == pytest.approx(repeated)


def test_one_source_on_which_it_is_worse_keeps_a_system_from_being_the_default() -> None:
    found = judged(
        {
            "encoder": noisy(1, 1, 1),
            "learned": noisy(0.5, 0.5, 2),
            "features": noisy(0.9, 0.9, 0.9),
        },
        GOLD,
        SETS,
        PAIRS,
    )
    assert {kind: one["pairs"] for kind, one in found.items()} == {"belief": 200, "headlines": 400}
    halves = [np.corrcoef(noisy(1, 1, 1)[s], GOLD[s])[0, 1] for s in (slice(200), slice(200, 400))]
    assert found["headlines"]["systems"]["encoder"]["pearson"] == pytest.approx(np.mean(halves))
    apart = found["headlines"]["systems"]["learned"]["against"]
    assert 0 < apart["low"] < apart["difference"] < apart["high"]
    assert below(found, "learned") == ["belief"] and not below(found, "features")
    encoder, learned, features = by_system(found).splitlines()[2:5]
    assert "| yes |" in encoder and "| belief | no |" in learned and "| none | yes |" in features


def test_a_pair_rated_twice_is_drawn_as_one() -> None:
    scores = {"encoder": noisy(1, 1, 1), "learned": noisy(0.9, 0.9, 0.9)}
    apart, twins = (
        judged(scores, GOLD, SETS, groups)["belief"]["systems"]["learned"]["against"]
        for groups in (PAIRS, [str(n // 20) for n in range(600)])
    )
    assert apart["difference"] == twins["difference"]
    assert (apart["low"], apart["high"]) != (twins["low"], twins["high"])


def test_of_each_set_some_pairs_are_taken_evenly() -> None:
    items = {f"a/{n}": Pair(str(n), "x", "a") for n in range(3 * PAIRS_PER_SET)}
    items |= {f"b/{n}": Pair(str(n), "x", "b") for n in range(7)}
    split = Split(
        name="toy", items=items, gold=dict.fromkeys(items, 1.0), group={id: id for id in items}
    )
    taken = list(together([split]).items)
    assert len(taken) == PAIRS_PER_SET + 7 and taken[0] == "a/0"
    assert f"a/{3 * PAIRS_PER_SET - 1}" in taken
