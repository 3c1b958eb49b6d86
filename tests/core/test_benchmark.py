"""Splits and cards: parts, folds, late functions, and figures by path."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, Metric, MissingError, Report, Split, lazy
from marginalia.core.benchmark import uniform
from marginalia.core.report import plain


def split_of(groups: list[str], *, together: dict[str, str] | None = None) -> Split:
    ids = [f"id{i}" for i in range(len(groups))]
    return Split(
        name="train",
        items=dict.fromkeys(ids),
        gold=dict.fromkeys(ids, 1),
        group=dict(zip(ids, groups, strict=True)),
        together=together,
    )


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=40), st.integers(2, 10))
def test_folds_predict_each_item_once_and_never_tear_a_group(groups: list[str], n: int) -> None:
    split = split_of(groups)
    predicted: list[str] = []
    for rest, out in split.folds(n):
        assert not set(rest.group.values()) & set(out.group.values())
        assert len(rest) + len(out) == len(split)
        predicted += out.items
    assert sorted(predicted) == sorted(split.items)


def test_folds_keep_together_what_the_split_says() -> None:
    """A document in two languages is two groups but goes as a whole."""
    together = {"id0": "doc1", "id1": "doc1", "id2": "doc2"}
    split = split_of(["en/doc1", "de/doc1", "en/doc2"], together=together)
    parts = [sorted(out.items) for _, out in split.folds(24)]
    assert sorted(parts) == [["id0", "id1"], ["id2"]]


def test_one_fold_is_none() -> None:
    with pytest.raises(FormatError, match="at least two"):
        list(split_of(["a"]).folds(1))


def test_a_part_keeps_order_gold_and_groups() -> None:
    part = split_of(["a", "b", "c"]).take(["id2", "id0"])
    assert list(part.items) == list(part.gold or {}) == ["id2", "id0"]
    assert part.group == {"id2": "c", "id0": "a"}


def test_missing_gold_says_what_can_be_done() -> None:
    split = Split(name="test", items={"1": None}, gold=None, group={"1": "1"})
    with pytest.raises(MissingError, match=r"'test'.*can be predicted"):
        split.require_gold()
    assert split.take(["1"]).gold is None


def test_a_metric_is_found_by_its_path() -> None:
    scores = {"words": {"pearson": 0.5, "note": "x"}, "n": 3}
    assert Metric("words.pearson").of(scores) == 0.5
    assert Metric("n").of(scores) == 3
    for absent in ("multi.pearson", "words.note", "words.pearson.deeper"):
        assert Metric(absent).of(scores) is None


def test_a_late_function_imports_when_called() -> None:
    join = lazy("os", "path.join")
    assert join("a", "b").endswith("b")
    assert join.__name__ == "join"


def test_reports_have_no_numbers_that_json_lacks() -> None:
    report = Report(scores={"r": math.nan, "deep": {"x": (1.0, math.inf)}}, warnings=("look",))
    expected = {"r": None, "deep": {"x": [1.0, None]}, "also_report": {}, "warnings": ["look"]}
    assert report.to_dict() == expected
    assert plain({1: "a"}) == {"1": "a"}


def test_undefined_numbers_of_numpy_become_null_too() -> None:
    values = [np.float32("nan"), np.float64("inf"), np.float32(0.5), np.int64(3)]
    assert plain({"a": values}) == {"a": [None, None, 0.5, 3]}


@given(st.text())
def test_a_key_has_one_number_from_0_to_1(key: str) -> None:
    assert 0 <= uniform(key) < 1
    assert uniform(key) == uniform(key)


def test_numbers_are_spread_evenly() -> None:
    numbers = [uniform(str(i)) for i in range(4000)]
    shares = [sum(i / 4 <= x < (i + 1) / 4 for x in numbers) / 4000 for i in range(4)]
    assert all(abs(share - 0.25) < 0.03 for share in shares)
