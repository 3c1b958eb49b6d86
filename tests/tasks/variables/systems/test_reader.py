"""Our systems: what they learn, what they promise, and what they refuse."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, MissingError, Split, get_benchmark
from marginalia.tasks.variables.official.data import Paper, Statement
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable
from marginalia.tasks.variables.systems import WEIGHTS
from marginalia.tasks.variables.systems.detection import Detector, best_threshold, words_rows
from marginalia.tasks.variables.systems.reader import Reader
from marginalia.tasks.variables.systems.reranker import Reranker, rerank
from tests.tasks.variables.invented import catalogue, invented

TASK = get_benchmark("variables")


def test_the_shipped_weights_are_small_and_whole() -> None:
    size = sum(path.stat().st_size for path in WEIGHTS.iterdir())
    assert size < 2_000_000
    pred = Reader().predict(invented().items)
    assert pred["e1"].is_variable in (0, 1) and pred["e1"].ranking[0][0] == "ZA1_trust"


def test_a_sentence_that_nothing_is_known_about_gets_an_answer() -> None:
    bare = {"x": Statement("Most respondents trust their neighbours.", "en", "d")}
    [mention] = Reader().predict(bare).values()
    assert mention.is_variable in (0, 1) and mention.ranking is None
    with pytest.raises(MissingError, match="vocabulary_partial"):
        Reranker().predict(bare)


def test_a_sentence_outside_its_paper_is_read_with_it() -> None:
    item = invented().items["e1"]
    other = replace(item, sentence="Neighbours are trusted by most people.")
    assert Reranker().predict({"x": other})["x"].ranking[0][0] == "ZA1_trust"
    assert len(item.paper) == 4, "the paper itself stays as it was"


def test_training_anew_learns_and_can_be_kept(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    split = invented()
    system = Reader().fit(split)
    pred = system.predict(split.items)
    assert pred["e1"].is_variable == 1 and pred["e3"].is_variable == 0
    system.save(tmp_path)
    assert Reader(tmp_path).predict(split.items) == pred


def test_linking_needs_gold_among_the_candidates() -> None:
    pytest.importorskip("onnx")
    split = invented().take(["e3", "e5", "g2"])
    with pytest.raises(MissingError, match="nothing to learn"):
        Reranker().fit(split)


def test_unfitted_heads_cannot_be_saved_and_damaged_ones_not_read(tmp_path: Path) -> None:
    for system in (Detector(), Reranker()):
        with pytest.raises(MissingError, match="nothing to save"):
            system.save(tmp_path)
    shutil.copytree(WEIGHTS, tmp_path / "weights")
    (tmp_path / "weights" / "linking.onnx").write_bytes(b"no model")
    with pytest.raises(FormatError, match="damaged"):
        Reranker(tmp_path / "weights").predict(invented().items)


def test_scores_of_candidates_are_probabilities_in_order() -> None:
    for row in Reranker().predict(invented().items).values():
        scores = [score for _, score in row.ranking]
        assert all(0 <= score <= 1 for score in scores) and scores == sorted(scores, reverse=True)


def test_rerank_orders_the_first_stage_and_knows_nothing_of_the_rest() -> None:
    chosen = [v for v in catalogue() if v.survey == "ZA1"]
    ranked = rerank("Half of them grow roses in the garden.", chosen)
    assert ranked[0][0].id == "ZA1_roses" and len(ranked) == 3
    assert rerank("Anything.", []) == []


def test_a_german_sentence_finds_an_english_variable() -> None:
    whole = Catalogue(
        Variable(id=id, survey="ZA9", text=text, raw=text, fields={"label": text})
        for id, text in (
            ("age", "Age of respondent"),
            ("trust", "Trust in the national government"),
            ("rain", "Hours of rain last week"),
        )
    )
    sentence = "Das Vertrauen in die Regierung ist gesunken."
    assert Reranker().rank(sentence, whole)[0][0] == "trust"


@given(st.lists(st.floats(0, 1), max_size=40))
def test_a_threshold_parts_the_sentences_of_a_paper(chances: list[float]) -> None:
    edge = best_threshold(np.array(chances))
    assert 0 <= edge <= 1.0000001
    if len(chances) < 8:
        assert edge == 0.5


def test_a_paper_of_clear_sentences_is_parted_between_them() -> None:
    assert 0.1 < best_threshold(np.array([0.9] * 5 + [0.1] * 5)) <= 0.9
    assert best_threshold(np.array([0.45] * 3 + [0.02] * 20)) < 0.45


def test_rows_of_words_have_length_one_and_unknown_words_none() -> None:
    rows = words_rows(["trust trust neighbours", "nothing here"], {"trust": 2.0, "neighbour": 1.0})
    assert np.linalg.norm(rows[0]) == pytest.approx(1) and rows[0, 0] > rows[0, 1] > 0
    assert not rows[1].any() and words_rows([], {"a": 1.0}).shape == (0, 1)


def test_documents_it_has_not_seen(data: Path) -> None:
    """A part of a held-out document: every sentence answered, a plausible share of them positive."""
    test: Split = TASK.load("test", data)
    own = {id: item for id, item in test.items.items() if item.doc_id == "37769"}
    part = Paper([item.sentence for item in own.values()][:25])
    items = {id: replace(item, paper=part) for id, item in own.items() if item.sentence in part}
    pred = Reader().predict(items)
    share = np.mean([row.is_variable for row in pred.values()])
    assert 0.05 < share < 0.95 and all(row.ranking for row in pred.values())


def test_papers_come_with_the_data(data: Path) -> None:
    train, dev = TASK.load("train", data), TASK.load("dev", data)
    for split in (train, dev):
        assert all(item.sentence in item.paper for item in split.items.values())
    sizes = {item.doc_id: len(item.paper) for item in train.items.values()}
    assert len(sizes) == 24 and sizes["63961"] == 23
    assert isinstance(next(iter(dev.items.values())).paper, Paper)
    trial = TASK.load("trial-test", data)
    assert all(item.sentence in item.paper for item in trial.items.values())
