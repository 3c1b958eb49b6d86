"""Agreement between annotators: published worked examples, other libraries, and properties."""

from __future__ import annotations

import math

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from marginalia import FormatError
from marginalia.core.agreement import (
    cohen_kappa,
    each_against_rest,
    interval,
    jaccard,
    krippendorff_alpha,
    likert_means,
    masi,
    means,
    nominal,
    one_against_rest,
    union_labels,
)
from marginalia.core.stats import spearman

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", sections A, B and C; * is missing.
BINARY = ("0 1 0 0 0 0 0 0 1 0", "1 1 1 0 0 1 0 0 0 0")
LETTERS = ("a a b b d c c c e d d a", "b a b b b c c c e d d d")
FOUR = (
    "1 2 3 3 2 1 4 1 2 * * *",
    "1 2 3 3 2 2 4 1 2 5 * 3",
    "* 3 3 3 2 3 4 2 2 5 1 *",
    "1 2 3 3 2 4 4 1 2 5 1 *",
)


def ratings_of(rows, read=str):
    """``{item: {rater: value}}`` from one line of values per rater."""
    found: dict[str, dict] = {}
    for rater, row in enumerate(rows):
        for item, value in enumerate(row.split() if isinstance(row, str) else row):
            found.setdefault(str(item), {})
            if value not in ("*", None):
                found[str(item)][str(rater)] = read(value)
    return found


@pytest.mark.parametrize(
    ("rows", "read", "distance", "published"),
    [
        (BINARY, str, nominal, 0.095),
        (LETTERS, str, nominal, 0.692),
        (FOUR, str, nominal, 0.743),
        (FOUR, int, interval, 0.849),
    ],
)
def test_krippendorff_s_own_examples(rows, read, distance, published: float) -> None:
    assert round(krippendorff_alpha(ratings_of(rows, read), distance), 3) == published


@pytest.mark.parametrize("distance", [jaccard, masi])
def test_sets_of_one_label_are_nominal(distance) -> None:
    ratings = ratings_of(FOUR, lambda value: frozenset({value}))
    assert round(krippendorff_alpha(ratings, distance), 3) == 0.743


def test_alpha_of_sets_by_hand() -> None:
    """Values {a}, {a,b} in unit 1 and {a}, {a} in unit 2: D_o = 2d/4, D_e = 6d/12, so alpha is 0."""
    a, ab, c = frozenset("a"), frozenset("ab"), frozenset("c")
    ratings = {"1": {"x": a, "y": ab}, "2": {"x": a, "y": a}}
    for distance in (jaccard, masi, nominal):
        assert krippendorff_alpha(ratings, distance) == pytest.approx(0)
    # A partial overlap is forgiven, the more so by Jaccard: distances 1/2 and 2/3 against 1.
    ratings = {"1": {"x": a, "y": ab}, "2": {"x": c, "y": c}}
    by_hand = {jaccard: 1 - 2 * 0.5 * 3 / (2 * (0.5 + 2 + 2)), nominal: 1 - 2 * 3 / (2 * 5)}
    by_hand[masi] = 1 - 2 * (2 / 3) * 3 / (2 * (2 / 3 + 2 + 2))
    for distance, value in by_hand.items():
        assert krippendorff_alpha(ratings, distance) == pytest.approx(value)
    assert by_hand[jaccard] > by_hand[masi] > by_hand[nominal]


def test_masi_of_passonneau() -> None:
    """M is 1, 2/3, 1/3, 0 for equal, nested, overlapping and disjoint sets (Passonneau 2006)."""
    assert masi({1, 2}, {1, 2}) == 0
    assert masi({1, 2}, {1, 2, 3, 4}) == pytest.approx(1 - 2 / 3 * 1 / 2)
    assert masi({1, 2, 3, 4}, {3, 4, 5}) == pytest.approx(1 - 1 / 3 * 2 / 5)
    assert masi({1}, {2}) == jaccard({1}, {2}) == 1
    assert masi(set(), set()) == jaccard(set(), set()) == 0
    assert masi(set(), {1}) == jaccard(set(), {1}) == 1


sets = st.frozensets(st.sampled_from("abcd"))


@given(sets, sets)
def test_set_distances_are_symmetric_and_bounded(a, b) -> None:
    for distance in (jaccard, masi):
        assert distance(a, b) == distance(b, a)
        assert 0 <= distance(a, b) <= 1
        assert (distance(a, b) == 0) == (a == b)
    assert masi(a, b) >= jaccard(a, b) - 1e-12


def tables(values, missing: bool = True):
    """Two to five raters of one to twelve items."""
    cell = st.one_of(st.none(), values) if missing else values
    return st.integers(1, 12).flatmap(
        lambda n: st.lists(st.lists(cell, min_size=n, max_size=n), min_size=2, max_size=5)
    )


@given(tables(st.integers(1, 5)), st.sampled_from([("nominal", nominal), ("interval", interval)]))
def test_alpha_equals_the_krippendorff_package(rows, level) -> None:
    name, distance = level
    ours = krippendorff_alpha(ratings_of(rows, int), distance)
    table = np.array([[np.nan if v is None else v for v in row] for row in rows], dtype=float)
    pairable = table[:, (~np.isnan(table)).sum(axis=0) > 1]
    if len(np.unique(pairable[~np.isnan(pairable)])) < 2:
        assert math.isnan(ours), "without variation there is nothing to be reliable about"
        return
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=name)
    assert ours == pytest.approx(theirs, abs=1e-9)


@given(tables(st.sampled_from("abc")), st.randoms())
def test_alpha_knows_neither_the_order_of_items_nor_of_raters(rows, random) -> None:
    ratings = ratings_of(rows)
    items = list(ratings.items())
    random.shuffle(items)
    turned = {id: dict(reversed(each.items())) for id, each in items}
    assert krippendorff_alpha(ratings) == pytest.approx(krippendorff_alpha(turned), nan_ok=True)


@given(st.dictionaries(st.text(max_size=3), st.sampled_from("abc"), min_size=2))
def test_perfect_agreement_is_one(values: dict[str, str]) -> None:
    assume(len(set(values.values())) > 1)
    ratings = {id: {"x": value, "y": value, "z": value} for id, value in values.items()}
    assert krippendorff_alpha(ratings) == 1
    assert cohen_kappa(list(values.values()), list(values.values())) == 1


def test_undefined_alpha() -> None:
    assert math.isnan(krippendorff_alpha({}))
    assert math.isnan(krippendorff_alpha({"1": {"x": "a"}, "2": {"y": "b"}}))
    assert math.isnan(krippendorff_alpha({"1": {"x": "a", "y": "a"}}))


def decisions(yes_yes: int, yes_no: int, no_yes: int, no_no: int) -> tuple[str, str]:
    """What two readers said of so many proposals."""
    return (
        "y" * (yes_yes + yes_no) + "n" * (no_yes + no_no),
        "y" * yes_yes + "n" * yes_no + "y" * no_yes + "n" * no_no,
    )


@pytest.mark.parametrize(
    ("table", "published"),
    [((20, 5, 10, 15), 0.4), ((45, 15, 25, 15), 0.1304), ((25, 35, 5, 35), 0.2593)],
)
def test_kappa_of_the_textbook_tables(table: tuple[int, int, int, int], published: float) -> None:
    """The grant proposals and the two tables of equal agreement in Wikipedia's "Cohen's kappa"."""
    assert round(cohen_kappa(*decisions(*table)), 4) == published


@given(tables(st.sampled_from("abc"), missing=False))
def test_kappa_equals_scikit_learn(rows: list[list[str]]) -> None:
    a, b = rows[:2]
    ours = cohen_kappa(a, b)
    if set(a) == set(b) and len(set(a)) == 1:
        assert math.isnan(ours)
    else:
        assert ours == pytest.approx(cohen_kappa_score(a, b), abs=1e-12)
    assert ours == pytest.approx(cohen_kappa(b, a), nan_ok=True)


def test_kappa_of_nothing_and_of_unequal_lengths() -> None:
    assert math.isnan(cohen_kappa([], []))
    with pytest.raises(ValueError, match="zip"):
        cohen_kappa("ab", "a")


def test_one_rater_against_the_rest() -> None:
    ratings = ratings_of(["1 2 3 4", "1 2 3 5", "4 3 2 *"], float)
    each = each_against_rest(ratings)
    assert list(each) == ["0", "1", "2"]
    rest = [2.5, 2.5, 2.5, 5]
    assert each["0"] == pytest.approx(np.corrcoef([1, 2, 3, 4], rest)[0, 1])
    assert each["2"] == pytest.approx(-1)
    assert one_against_rest(ratings) == pytest.approx(np.mean(list(each.values())))
    ranked = each_against_rest(ratings, spearman)
    assert ranked["2"] == pytest.approx(-1)


def test_raters_without_company_or_variation_are_left_out_of_the_mean() -> None:
    alone = {"1": {"x": 1.0}, "2": {"x": 2.0}}
    assert each_against_rest(alone) == {}
    assert math.isnan(one_against_rest(alone))
    flat = {"1": {"x": 3.0, "y": 1.0}, "2": {"x": 3.0, "y": 2.0}}
    assert math.isnan(one_against_rest(flat))


@given(tables(st.integers(1, 5), missing=False))
def test_raters_who_copy_each_other_correlate_fully(rows: list[list[int]]) -> None:
    assume(len(set(rows[0])) > 1)
    assert one_against_rest(ratings_of([rows[0]] * 3, float)) == pytest.approx(1)


def test_likert_points_of_the_lcp_paper() -> None:
    """Very easy 0, easy .25, neutral .5, difficult .75, very difficult 1."""
    points = {str(point): {"x": point} for point in range(1, 6)}
    assert list(likert_means(points).values()) == [0, 0.25, 0.5, 0.75, 1]
    assert likert_means({"w": {"x": 1, "y": 2}}) == {"w": 0.125}
    assert means({"w": {"x": 1, "y": 2}, "unseen": {}}) == {"w": 1.5}
    assert likert_means({"w": {"x": 7}}, low=1, high=7) == {"w": 1}
    with pytest.raises(FormatError, match="ann rates w with 0, which is not on the scale 1 to 5"):
        likert_means({"w": {"ann": 0}})
    with pytest.raises(FormatError, match="nan"):
        likert_means({"w": {"ann": math.nan}})


@given(tables(st.integers(1, 5)))
def test_likert_means_are_the_means_on_another_scale(rows) -> None:
    ratings = ratings_of(rows, float)
    plain = means(ratings)
    assert {id: 1 + 4 * mean for id, mean in likert_means(ratings).items()} == pytest.approx(plain)


def test_label_sets_merge() -> None:
    labels = {"s1": {"x": {"v1", "v2"}, "y": {"v2", "v3"}}, "s2": {"x": {"v1"}}, "s3": {}}
    assert union_labels(labels) == {"s1": {"v1", "v2", "v3"}, "s2": {"v1"}, "s3": frozenset()}
