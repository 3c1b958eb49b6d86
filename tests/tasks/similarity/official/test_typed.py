"""TYPED: our layout for record pairs, and the rule for ratings that do not apply."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError
from marginalia.tasks.similarity.official.typed import (
    TYPES,
    Record,
    RecordPair,
    format_pairs,
    mean_rating,
)
from tests.tasks.similarity import records

RATINGS = dict.fromkeys(TYPES, 3)
ROW = {"id": "p1", "left": {"dcTitle": "A mill"}, "right": {"dcTitle": "A spoon"}}


@pytest.mark.parametrize(
    ("ratings", "score"),
    [
        ([4, 5, 3], 4.0),
        ([4, None, 5], 4.5),
        ([None, None], 0.0),
        ([], 0.0),
        (2.5, 2.5),
        (None, 0.0),
    ],
)
def test_ratings_that_do_not_apply_are_left_out(ratings, score: float) -> None:
    assert mean_rating(ratings) == score


def test_a_list_of_terms_becomes_one_text(tmp_path: Path) -> None:
    row = {
        "id": "p1",
        "left": {"dcTitle": "A mill", "dcSubject": ["mills", "rivers"], "dcDate": None},
        "right": {},
        "ratings": {**RATINGS, "time": [None, None], "author": [5, 4]},
    }
    split = records.load_text(tmp_path, json.dumps(row) + "\n\n")
    assert split.items == {
        "p1": RecordPair(Record(title="A mill", subject="mills; rivers"), Record())
    }
    assert split.require_gold() == {"p1": (3.0, 4.5, 3.0, 0.0, 3.0, 3.0, 3.0, 3.0)}


def test_pairs_without_ratings_can_be_predicted_only(tmp_path: Path) -> None:
    assert records.load_text(tmp_path, json.dumps(ROW)).gold is None


def test_a_pair_in_either_order_is_one_group(tmp_path: Path) -> None:
    turned = {"id": "p2", "left": ROW["right"], "right": ROW["left"]}
    split = records.load_text(tmp_path, f"{json.dumps(ROW)}\n{json.dumps(turned)}\n")
    assert len(split) == 2 and len(set(split.group.values())) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", ":1: not JSON"),
        ("[]", ":1: the line is not a JSON object"),
        ("[" * 100_000, ":1: (not JSON|the JSON is nested too deeply)"),
        (json.dumps({**ROW, "id": 7}), ":1: the pair has no 'id'"),
        (json.dumps({"id": "p1", "left": {}}), ":1: 'right' is not a JSON object"),
        (json.dumps({**ROW, "left": {"title": "x"}}), "unknown field 'title'; expected dcTitle"),
        (json.dumps({**ROW, "left": {"dcDate": 1889}}), "'dcDate' of 'left' is neither a text"),
        (json.dumps({**ROW, "ratings": {"general": 3}}), "'ratings' must have these eight"),
        (
            json.dumps({**ROW, "ratings": {**RATINGS, "time": 6}}),
            "the time rating 6 is not a number",
        ),
        (json.dumps({**ROW, "ratings": {**RATINGS, "time": ["x"]}}), "rating 'x' is not a number"),
        (f"{json.dumps(ROW)}\n{json.dumps(ROW)}", ":2: the id 'p1' is given twice"),
    ],
)
def test_bad_lines_are_refused_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        records.load_text(tmp_path, text)


cell = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
record = st.builds(Record, cell, cell, cell, cell, cell, cell)
scores = st.tuples(*[st.floats(0, 5)] * 8)


@given(st.lists(st.tuples(st.builds(RecordPair, record, record), scores), min_size=1, max_size=4))
def test_export_then_import_is_the_identity(tmp_path_factory, rows) -> None:
    items = {f"p{number}": pair for number, (pair, _) in enumerate(rows)}
    gold = {f"p{number}": given for number, (_, given) in enumerate(rows)}
    split = records.load_text(tmp_path_factory.mktemp("typed"), format_pairs(items, gold))
    assert split.items == items and split.gold == gold
