"""The CLAIRE metrics by properties and small cases; the recorded official ones are in tests/parity."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, Split
from marginalia.core.stats import bootstrap
from marginalia.tasks.clarification.official.data import PHENOMENA, Item, sentence_of
from marginalia.tasks.clarification.official.ratings import CLASSES, Rating
from marginalia.tasks.clarification.official.score import (
    columns,
    figures,
    human_upper_bound,
    score,
    statistics,
)
from tests.tasks.clarification.invented import invented

PATTERNS = list(PHENOMENA)
ratings = st.builds(Rating, st.sampled_from(CLASSES), st.sampled_from([1.0, 2.5, 3.25, 4.0, 5.0]))


@st.composite
def scored(draw) -> tuple[Split, dict[str, Rating]]:
    """A split of a few sentences with any gold, and any predictions for it."""
    ids = [f"{s}_{f}" for s in range(draw(st.integers(1, 6))) for f in range(1, 6)]
    rows = [draw(st.tuples(ratings, ratings)) for _ in ids]
    items = {
        id: Item(PATTERNS[int(sentence_of(id)) % 4], "", "", "", "A ______.", "", "x", ())
        for id in ids
    }
    gold = {id: row[0] for id, row in zip(ids, rows, strict=True)}
    group = {id: sentence_of(id) for id in ids}
    split = Split(name="dev", items=items, gold=gold, group=group)
    return split, {id: row[1] for id, row in zip(ids, rows, strict=True)}


@given(scored())
def test_a_perfect_prediction_scores_the_maximum(case: tuple[Split, dict[str, Rating]]) -> None:
    split, _ = case
    gold = split.require_gold()
    scores = score(split, gold).scores
    assert scores["accuracy"] == scores["multiple_plausible"]["accuracy"] == 1
    firm = any(rating.label != "NEUTRAL" for rating in gold.values())
    assert scores["without_neutral"]["f1"] == (1 if firm else 0)
    if len({rating.score for rating in gold.values()}) > 1:
        assert scores["spearman"] == pytest.approx(1)


@given(scored(), st.randoms())
def test_the_order_of_rows_never_matters(case: tuple[Split, dict[str, Rating]], random) -> None:
    split, pred = case
    ids = list(split.items)
    random.shuffle(ids)
    here = figures(split.items, columns(split.require_gold()), columns(pred), split.group)
    there = score(split.take(ids), dict(reversed(pred.items()))).scores
    assert here["accuracy"] == there["accuracy"]
    assert here["without_neutral"] == there["without_neutral"]
    assert here["multiple_plausible"] == there["multiple_plausible"]
    assert here["spearman"] == pytest.approx(there["spearman"], nan_ok=True)


@given(scored(), st.data())
def test_statistics_are_the_scores_of_the_drawn_sentences(case, data) -> None:
    split, pred = case
    names = sorted(set(split.group.values()))
    places = st.lists(st.integers(0, len(names) - 1), min_size=len(names), max_size=len(names))
    drawn = data.draw(st.one_of(st.just(list(range(len(names)))), places))
    # The same resample by hand: each drawn sentence becomes a sentence of its own.
    again = {
        f"{copy}:{id}": id
        for copy, place in enumerate(drawn)
        for id in split.items
        if split.group[id] == names[place]
    }
    gold, told = (
        columns({new: side[old] for new, old in again.items()})
        for side in (split.require_gold(), pred)
    )
    sentence = {new: new.partition(":")[0] for new in again}
    expected = figures(again, gold, told, sentence)
    found = {
        name: statistic(np.array(drawn)) for name, statistic in statistics(split, pred).items()
    }
    assert found["accuracy"] == pytest.approx(expected["accuracy"])
    assert found["spearman"] == pytest.approx(expected["spearman"], abs=1e-9, nan_ok=True)
    assert found["without_neutral.f1"] == pytest.approx(expected["without_neutral"]["f1"])
    multiple = expected["multiple_plausible"]["accuracy"]
    assert found["multiple_plausible.accuracy"] == pytest.approx(multiple)


def test_figures_by_hand(tmp_path: Path) -> None:
    """Gold is P N I I P and P I N N P: two sentences with two plausible fillers each."""
    split = invented(tmp_path)
    labels = "P P I N N P I I N P".split()
    full = {name[0]: name for name in CLASSES}
    numbers = [4.5, 4.0, 2.0, 3.0, 3.5, 5.0, 1.0, 2.0, 3.0, 4.0]
    pred = {
        id: Rating(full[label], number)
        for id, label, number in zip(split.items, labels, numbers, strict=True)
    }
    scores = score(split, pred).scores
    assert scores["accuracy"] == 6 / 10
    # 7 firm predictions and 7 firm gold labels, of which P I . . . and P I . . P agree
    assert scores["without_neutral"] == pytest.approx({"p": 5 / 7, "r": 5 / 7, "f1": 5 / 7})
    assert scores["multiple_plausible"] == {"accuracy": 1.0, "n": 2}
    assert set(scores["phenomena"]) == {"implicit reference", "noun compound"}
    assert scores["phenomena"]["noun compound"]["accuracy"] == 4 / 5
    assert scores["phenomena"]["noun compound"]["n"] == 5
    only_one = {**pred, "7_1": Rating("NEUTRAL", 3.0)}
    assert score(split, only_one).scores["multiple_plausible"]["accuracy"] == 1 / 2


def test_the_published_precision_and_recall_give_the_published_f1() -> None:
    """X-PuDu: precision .727 and recall .825 without NEUTRAL, F1 .773 (section 6.2, Table 7)."""
    gold = ["PLAUSIBLE"] * 1828 + ["NEUTRAL"] * 672
    hits, firm = round(0.825 * 1828), round(0.825 * 1828 / 0.727)
    pred = ["PLAUSIBLE"] * hits + ["NEUTRAL"] * (1828 - hits) + ["NEUTRAL"] * 672
    for place in range(1828, 1828 + firm - hits):
        pred[place] = "IMPLAUSIBLE"
    ids = [str(place) for place in range(2500)]
    sides = ({"labels": dict(zip(ids, side, strict=True))} for side in (gold, pred))
    found = figures(ids, *sides, {id: id for id in ids})
    assert round(found["without_neutral"]["f1"], 3) == 0.773
    assert "spearman" not in found


def test_a_constant_score_has_no_spearman_and_says_so(tmp_path: Path) -> None:
    split = invented(tmp_path)
    report = score(split, dict.fromkeys(split.items, Rating("PLAUSIBLE", 4.5)))
    assert math.isnan(report.scores["spearman"])
    assert report.warnings == ("Spearman is undefined: all predicted scores are equal",)
    pred = {**split.require_gold(), "7_1": Rating("PLAUSIBLE", math.nan)}
    assert score(split, pred).warnings == ("Spearman is undefined: a predicted score is missing",)
    found = statistics(split, pred)["spearman"]
    assert math.isnan(found(np.array([0, 1])))
    assert found(np.array([1, 1])) == pytest.approx(1), "the missing score was not drawn"


def test_a_missing_prediction_is_refused(tmp_path: Path) -> None:
    split = invented(tmp_path)
    with pytest.raises(FormatError, match="9 of 10 ids have no prediction, the first is '7_2'"):
        score(split, {"7_1": Rating("PLAUSIBLE", 5.0)})


def test_intervals_hold_the_score(tmp_path: Path) -> None:
    split = invented(tmp_path)
    for name, statistic in statistics(split, split.require_gold()).items():
        interval = bootstrap(statistic, 2, n=50)
        assert interval.low == pytest.approx(1) == interval.high, name


def test_human_upper_bound_by_hand() -> None:
    """Means 3.5 (N), 4.5 (P) and 1 (I); the 2 and the 5 of the first miss its NEUTRAL."""
    each = {
        "1_1": {"ann": 2.0, "bob": 5.0},
        "1_2": {"ann": 4.0, "bob": 5.0},
        "1_3": {"cat": 1.0},
    }
    assert human_upper_bound(each) == {
        "accuracy": 3 / 5,
        "accuracy_against_rest": 2 / 4,
        "n": 5,
    }
    assert math.isnan(human_upper_bound({})["accuracy"])


@given(
    st.dictionaries(
        st.text(max_size=3),
        st.dictionaries(st.sampled_from("abcd"), st.integers(1, 5).map(float), min_size=1),
        min_size=1,
    )
)
def test_raters_who_agree_reach_the_bound(each: dict[str, dict[str, float]]) -> None:
    same = {id: dict.fromkeys(given, 4.0) for id, given in each.items()}
    assert human_upper_bound(same)["accuracy"] == 1
    assert 0 <= human_upper_bound(each)["accuracy"] <= 1
