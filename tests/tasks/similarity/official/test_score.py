"""The STS metrics by properties and small cases; the recorded official ones are in tests/parity."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from marginalia import FormatError, Split
from marginalia.core.stats import bootstrap
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.official.programs import (
    Row,
    check_format,
    mean,
    score_2013,
    score_2014,
    score_2016,
)
from marginalia.tasks.similarity.official.score import score, statistics
from marginalia.tasks.similarity.official.typed import TYPES
from tests.tasks.similarity import records

grade = st.integers(0, 20).map(lambda n: n / 4)
grades = st.lists(st.tuples(grade, grade, st.integers(1, 100)), min_size=2, max_size=20)


def split_of(golds: dict[str, list[float]], name: str = "2014-test") -> Split:
    gold = {
        f"{dataset}/{line}": value
        for dataset, values in golds.items()
        for line, value in enumerate(values, start=1)
    }
    return Split(
        name=name,
        items={id: Pair("a", "b", id.rpartition("/")[0]) for id in gold},
        gold=gold,
        group={id: id for id in gold},
    )


TWO = {"2014-test/images": [0.0, 1.0, 2.0, 5.0], "2014-test/headlines": [4.0, 2.0]}


@given(grades)
def test_a_perfect_prediction_scores_the_maximum(rows) -> None:
    assume(len({g for g, _, _ in rows}) > 1)
    split = split_of({"2014-test/images": [g for g, _, _ in rows]})
    perfect = {
        id: Score(value, w)
        for (id, value), (_, _, w) in zip(split.require_gold().items(), rows, strict=True)
    }
    assert score(split, perfect).scores["mean"] == pytest.approx(1)


@given(grades, st.randoms())
def test_the_order_of_rows_never_matters(rows, random) -> None:
    def official(rows):
        gold, given = [g for g, _, _ in rows], [Row(p, w) for _, p, w in rows]
        programs = (score_2013, score_2014, score_2016)
        return [program(gold, given)["value"] for program in programs]

    turned = list(rows)
    random.shuffle(turned)
    assert official(rows) == pytest.approx(official(turned), nan_ok=True)


@given(grades, st.floats(0.01, 100))
def test_only_the_proportions_of_the_confidences_matter(rows, factor: float) -> None:
    gold = [g for g, _, _ in rows]
    one = score_2013(gold, [Row(p, w) for _, p, w in rows])["value"]
    other = score_2013(gold, [Row(p, w * factor) for _, p, w in rows])["value"]
    assert one == pytest.approx(other, nan_ok=True)


def test_a_confident_right_row_outweighs_an_unsure_wrong_one() -> None:
    gold = [0.0, 1.0, 2.0, 5.0]
    plain = score_2013(gold, [Row(p, 100) for p in (0, 1, 2, 0)])["value"]
    unsure = score_2013(gold, [Row(0, 100), Row(1, 100), Row(2, 100), Row(0, 1)])["value"]
    assert unsure > 0.9 > plain
    assert score_2014(gold, [Row(p, 7) for p in (0, 1, 2, 0)])["value"] == pytest.approx(plain)


@pytest.mark.parametrize(
    ("gold", "rows", "why"),
    [
        ([1, 2, 3], [Row(2, 0), Row(3, 0), Row(1, 0)], "no row has a weight"),
        ([1, 2, 3], [Row(2, 0), Row(3, 1), Row(1, 0)], "1 row has a weight"),
        ([1, 2, 3], [Row(0.1, 3), Row(0.1, 3), Row(0.1, 3)], "the scores are constant"),
        ([2, 2, 2], [Row(1, 3), Row(2, 3), Row(3, 3)], "the gold is constant"),
        ([1], [Row(1, 3)], "1 row has a weight"),
    ],
)
def test_undefined_correlations_say_why(gold, rows, why: str) -> None:
    result = score_2013(gold, rows)
    assert result["error"] == f"undefined: {why}" and math.isnan(result["value"])


@pytest.mark.parametrize(
    ("scores", "weights", "printed"),
    [
        ((1, 3, 2, 5), (100, -50, 100, 100), "0.94006"),
        ((1, 9, 2, 3), (100, -50, 100, 100), "-0.66526"),  # of an imaginary root
        ((4, 9, 2, 3), (100, -50, 100, 100), "-0.14748"),
        ((4, 9, 2, 3), (-100, -50, -100, 40), "-0.58266"),
    ],
)
def test_negative_confidences_give_what_the_program_prints(scores, weights, printed: str) -> None:
    """Recorded with Perl 5.36, whose Math::Complex has a root of the negative variance."""
    rows = [Row(p, w) for p, w in zip(scores, weights, strict=True)]
    assert score_2013([1, 2, 4, 5], rows)["printed"] == printed


def test_rows_without_confidence_in_a_file_that_has_some_do_not_count() -> None:
    gold = [1.0, 2.0, 3.0, 4.0]
    rows = [Row(1, 100), Row(2, 100), Row(0, None), Row(4, 100)]
    assert score_2013(gold, rows)["printed"] == "1.00000"
    assert score_2013(gold, [Row(1, None)] * 4)["nothing_printed"]


def test_only_the_programs_of_2015_and_2016_drop_unrated_pairs() -> None:
    gold = [1.0, None, 3.0, 4.0]
    rows = [Row(1, 100), Row(5, 100), Row(3, 100), Row(4, 100)]
    assert score_2016(gold, rows)["printed"] == "1.00000"
    assert abs(score_2014(gold, rows)["value"]) < 0.1


@pytest.mark.parametrize(
    ("line", "ok"),
    [
        ("3.5\t100", True),
        ("3.5", True),
        (" 5\t0", True),
        ("nan\t1", True),
        ("NaN\t1", False),
        ("5.1\t100", False),
        ("3\t101", False),
        ("-1\t50", False),
        ("3 100", False),
        ("3\t50\t1", False),
        ("# run", False),
        ("", False),
    ],
)
def test_the_format_checker(line: str, ok: bool) -> None:
    assert check_format([line]) == {"ok": ok, "errors": int(not ok)}


def test_sets_are_weighted_by_their_size() -> None:
    split = split_of(TWO)
    values = [0, 1, 2, 5, 2, 4]
    pred = {id: Score(v) for id, v in zip(split.items, values, strict=True)}
    scores = score(split, pred).scores
    assert scores["sets"]["images"] == {
        "pearson": pytest.approx(1),
        "pearson_unweighted": pytest.approx(1),
        "n": 4,
    }
    assert scores["sets"]["headlines"]["pearson"] == pytest.approx(-1)
    assert scores["mean"] == pytest.approx((4 - 2) / 6)


def test_an_undefined_set_counts_zero_and_is_named() -> None:
    split = split_of(TWO)
    values = [0, 1, 2, 5, 3, 3]
    report = score(split, {id: Score(v) for id, v in zip(split.items, values, strict=True)})
    assert math.isnan(report.scores["sets"]["headlines"]["pearson"])
    assert report.scores["mean"] == pytest.approx(4 / 6)
    assert report.warnings == ("headlines: the correlation is undefined and counts 0 in the mean",)
    assert mean({}, {}) != mean({}, {})


def test_a_set_of_two_years_is_named_with_its_year() -> None:
    split = split_of({"2012-train/MSRpar": [1.0, 2.0], "2012-test/MSRpar": [1.0, 2.0]}, "train")
    pred = {id: Score(n) for n, id in enumerate(split.items)}
    assert list(score(split, pred).scores["sets"]) == ["2012-train/MSRpar", "2012-test/MSRpar"]


@given(grades, st.integers(0, 2**32))
def test_statistics_are_the_scores_of_the_drawn_pairs(rows, seed: int) -> None:
    split = split_of({"2014-test/images": [g for g, _, _ in rows]})
    pred = {id: Score(p, w) for id, (_, p, w) in zip(split.items, rows, strict=True)}
    ids = sorted(split.items)
    drawn = np.random.default_rng(seed).integers(0, len(ids), len(ids))
    again = {f"2014-test/images/{n}": ids[index] for n, index in enumerate(drawn)}
    resampled = Split(
        name="2014-test",
        items={id: split.items[old] for id, old in again.items()},
        gold={id: split.require_gold()[old] for id, old in again.items()},
        group={id: id for id in again},
    )
    expected = score(resampled, {id: pred[old] for id, old in again.items()}).scores
    found = statistics(split, pred)
    assert found["mean"](drawn) == pytest.approx(expected["mean"])
    one = found["sets.images.pearson"](drawn)
    assert one == pytest.approx(expected["sets"]["images"]["pearson"], nan_ok=True)


def test_a_thousand_resamples_of_three_thousand_pairs_are_quick() -> None:
    """Each draw is a few vector products: without a loop over pairs, however busy the machine."""
    split = split_of({"2014-test/images": [n % 11 / 2 for n in range(3000)]})
    pred = {id: Score(n % 7) for n, id in enumerate(split.items)}
    interval = bootstrap(statistics(split, pred)["mean"], 3000, n=1000)
    assert interval.low < score(split, pred).scores["mean"] < interval.high


def test_typed_is_the_plain_mean_of_eight() -> None:
    split = records.split()
    pred = {
        id: values[:4] + tuple(5 - v for v in values[4:]) for id, values in records.GOLD.items()
    }
    scores = score(split, pred).scores["typed"]
    assert set(scores) == {*TYPES, "mean", "n"}
    assert [scores[name] for name in TYPES] == pytest.approx([1, 1, 1, 1, -1, -1, -1, -1])
    assert scores["mean"] == pytest.approx(0) and scores["n"] == 5
    found = statistics(split, pred)
    assert found["typed.mean"](range(5)) == pytest.approx(0)
    assert found["typed.time"](range(5)) == pytest.approx(1)


def test_bad_predictions_are_refused() -> None:
    split = split_of(TWO)
    pred = {id: Score(n) for n, id in enumerate(split.items)}
    with pytest.raises(
        FormatError, match="1 of 6 ids have no prediction, the first is '2014-test/im"
    ):
        score(split, {id: p for id, p in pred.items() if not id.endswith("images/3")})
    with pytest.raises(
        FormatError, match="the prediction for '2014-test/headlines/2' is not finite"
    ):
        score(split, {**pred, "2014-test/headlines/2": Score(math.nan)})
    with pytest.raises(FormatError, match="must have 8 scores"):
        score(records.split(), {id: values[:7] for id, values in records.GOLD.items()})
