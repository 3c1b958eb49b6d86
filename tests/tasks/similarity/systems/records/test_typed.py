"""Our system for TYPED: names and dates however they are written, and the baseline beaten type by type."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import Split, check_system, get_benchmark
from marginalia.tasks.similarity.official.typed import TYPES, Record, RecordPair, read_pairs
from marginalia.tasks.similarity.systems.records.mentions import (
    alike,
    apart,
    intervals,
    matched,
    named,
    names_of,
    shares,
)
from marginalia.tasks.similarity.systems.records.typed import TypedMeasured, ridge
from tests.tasks.similarity import records

TASK = get_benchmark("similarity")
PAIRS = Path(__file__).with_name("typed_pairs.jsonl")


def rated() -> Split:
    rows = list(read_pairs(PAIRS))
    return Split(
        name="typed",
        items={id: pair for _, id, pair, _ in rows},
        gold={id: scores for _, id, _, scores in rows},
        group={id: id for _, id, _, _ in rows},
    )


def test_there_are_enough_pairs_of_all_kinds() -> None:
    split = rated()
    gold = split.require_gold()
    assert len(gold) >= 60 and all(scores is not None for scores in gold.values())
    for place in range(len(TYPES)):
        column = [scores[place] for scores in gold.values()]
        assert min(column) == 0 and max(column) >= 4.5


def test_it_keeps_the_contract() -> None:
    check_system(TASK.card("typed-measured"), records.split())


def test_it_is_symmetric_and_on_the_scale() -> None:
    turned = {id: RecordPair(pair.right, pair.left) for id, pair in records.PAIRS.items()}
    found = TypedMeasured().predict(records.PAIRS)
    assert found == TypedMeasured().predict(turned)
    assert all(0 <= score <= 5 for scores in found.values() for score in scores)
    assert found["same"][0] > 4.5 > found["near"][0] > found["far"][0]


def test_what_a_record_does_not_tell_scores_0() -> None:
    bare = {"a": RecordPair(Record(title="A spoon"), Record(title="A spoon", creator="Lane, Ada"))}
    scores = dict(zip(TYPES, TypedMeasured().predict(bare)["a"], strict=True))
    assert [scores[name] for name in ("author", "time", "subject", "description")] == [0.0] * 4
    assert scores["general"] > 0


def test_every_type_is_told_better_than_by_the_baseline() -> None:
    split = rated()
    ours, theirs = (
        TASK.score(split, TASK.system(name).predict(split.items)).scores["typed"]
        for name in ("typed-measured", "typed-tfidf")
    )
    assert all(ours[name] > theirs[name] for name in TYPES)
    assert ours["mean"] > theirs["mean"] + 0.1


def test_training_follows_the_ratings() -> None:
    """Where location is rated as time is, the learned weights can only move so far, but they do move."""
    split = rated()
    system = TypedMeasured().fit(split)
    before, after = TypedMeasured().predict(split.items), system.predict(split.items)
    gold = split.require_gold()

    def error(pred: dict[str, tuple[float, ...]]) -> float:
        return sum((a - b) ** 2 for id in gold for a, b in zip(pred[id], gold[id], strict=True))

    assert error(after) < 0.8 * error(before)
    assert system.weights.keys() == set(TYPES)


def test_ridge_stays_at_the_prior_where_nothing_is_to_be_learned() -> None:
    import numpy as np

    x = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
    weights, level = ridge(x, x @ np.array([0.3, 0.7]) + 0.1, [0.3, 0.7])
    assert weights == pytest.approx([0.3, 0.7]) and level == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1889", [(1889, 1889)]),
        ("c. 1889", [(1884, 1894)]),
        ("um 1900", [(1895, 1905)]),
        ("1890s", [(1890, 1899)]),
        ("1853-1854", [(1853, 1854)]),
        ("1853-54", [(1853, 1854)]),
        ("1845–1850", [(1845, 1850)]),
        ("between 1840 and 1850", [(1840, 1850)]),
        ("117-138", [(117, 138)]),
        ("24 July 1812", [(1812, 1812)]),
        ("1812-07-24", [(1812, 1812)]),
        ("24.7.1812", [(1812, 1812)]),
        ("19th century", [(1801, 1900)]),
        ("19. Jahrhundert", [(1801, 1900)]),
        ("1st-2nd century", [(1, 200)]),
        ("first half of the 18th century", [(1701, 1750.5)]),
        ("late 19th century", [(1866.34, 1900)]),
        ("undated", []),
    ],
)
def test_dates_are_intervals(text: str, expected: list[tuple[float, float]]) -> None:
    assert intervals(text, short=True) == [pytest.approx(one) for one in expected]


def test_a_number_in_a_description_is_no_year() -> None:
    assert intervals("A box with 350 shells of 1845") == [(1845, 1845)]


@given(
    st.tuples(st.floats(0, 2000), st.floats(0, 99)), st.tuples(st.floats(0, 2000), st.floats(0, 99))
)
def test_distance_in_time_is_symmetric_and_0_for_one_year(a, b) -> None:
    one, other = (a[0], a[0] + a[1]), (b[0], b[0] + b[1])
    assert apart(one, other) == pytest.approx(apart(other, one))
    assert apart((a[0], a[0]), (a[0], a[0])) == 0


@pytest.mark.parametrize(
    ("a", "b", "least", "most"),
    [
        ("Penfold, Clara", "Clara Penfold (1861-1930)", 1.0, 1.0),
        ("Penfold, Clara", "C. Penfold", 0.9, 1.0),
        ("Whitlock & Sons", "Whitlock and Sons", 1.0, 1.0),
        ("Penfold, Clara", "Penfould, Clara", 0.7, 0.99),
        ("Penfold, Clara", "Garrod, Thomas", 0.0, 0.1),
    ],
)
def test_names_are_the_same_however_they_are_written(
    a: str, b: str, least: float, most: float
) -> None:
    assert least <= matched(names_of(a), names_of(b)) <= most


def test_names_in_a_text_are_told_whole() -> None:
    text = "The mill was painted by Clara Penfold near Houghton Bridge."
    assert named(text, "person") == ["clara penfold"]
    assert named(text, "place") == ["houghton bridge"]


def test_several_names_are_matched_both_ways() -> None:
    two, one = names_of("Penfold, Clara; Lorne, Alfred"), names_of("Clara Penfold")
    assert matched(two, one) == pytest.approx(0.75 + alike("alfred lorne", "clara penfold") / 4)
    assert shares(two, one) == 1.0
    assert matched([], one) == shares([], one) == 0.0
    assert names_of("; 1889;") == []
