"""Passages that were marked: what training reads of them, and whether the annotation is sound."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marginalia.annotators.unclear.kinds import KINDS, questions
from marginalia.annotators.unclear.train.corpus import (
    FOLDS,
    particular_question,
    read_marked,
)

ANNOTATION = Path(__file__).parents[4] / "annotation" / "unclear"


def rows(name: str) -> list[dict]:
    return [json.loads(line) for line in (ANNOTATION / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", ["places.jsonl", "second.jsonl"])
def test_every_place_stands_in_its_passage(name: str) -> None:
    texts = {row["id"]: row["text"] for row in rows("texts.jsonl")}
    for row in rows(name):
        for place in row["places"]:
            assert texts[row["id"]][place["start"] : place["end"]] == place["quote"]
            assert place["kind"] in KINDS and place["importance"] in (1, 2, 3)
            assert place["question"]


def test_every_passage_says_where_it_comes_from() -> None:
    texts = rows("texts.jsonl")
    assert len({row["id"] for row in texts}) == len(texts) == len(rows("places.jsonl"))
    assert all(row["source"] and row["article"] and row["licence"] for row in texts)


def test_an_article_is_in_one_fold() -> None:
    folds: dict[str, set[int]] = {}
    for passage in read_marked(ANNOTATION):
        folds.setdefault(passage.article, set()).add(passage.fold)
    assert all(len(each) == 1 for each in folds.values())
    assert set().union(*folds.values()) == set(range(FOLDS))


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("How many wells were there?", "many"),
        ("For how long?", "long"),
        ("Higher than in which group?", "than"),
        ("Per cent or percentage points?", "percent"),
        ("Handled by whom?", "whom"),
        ("Which other formats?", "others"),
        ("One what?", None),
    ],
)
def test_particular_questions(asked: str, name: str | None) -> None:
    assert particular_question(asked) == name
    assert name is None or name in questions()
