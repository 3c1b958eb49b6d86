"""The baselines keep the contract and find what they should find."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import (
    ContractError,
    MissingError,
    Split,
    check_benchmark,
    check_system,
    get_benchmark,
)
from marginalia.tasks.variables.official.data import Statement
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.baselines import BagOfWords, Baseline, Linker, Similarity
from tests.asked import askable
from tests.tasks.variables.invented import invented

TASK = get_benchmark("variables")


def test_the_card_keeps_its_contract() -> None:
    check_benchmark(TASK, invented())


@pytest.mark.parametrize("card", TASK.systems, ids=lambda card: card.name)
def test_each_system_keeps_the_contract(card) -> None:
    if card.needs == "train":
        pytest.importorskip("torch")
    check_system(askable(card), invented(), train=invented())


@pytest.mark.parametrize("name", ["bm25", "tfidf", "sparse", "dense", "fused"])
def test_linkers_find_the_words_they_share(name: str) -> None:
    pred = TASK.system(name).predict(invented().items)
    assert [pred[id].ranking[0][0] for id in ("e1", "e2")] == ["ZA1_trust", "ZA1_roses"]
    assert all(mention.is_variable is None for mention in pred.values())
    assert {v for v, _ in pred["g1"].ranking} == {"ZA2_vote", "ZA2_alter"}, "its surveys only"


def test_letter_groups_meet_inflected_words() -> None:
    """gewählte / gewählt: no common word, so BM25 gives 0, and letter groups do not."""
    item = invented().items["g1"]
    alone = Statement("gewählte", "de", "d3", item.surveys, item.catalogue)
    assert Linker("bm25").predict({"x": alone})["x"].ranking == (
        ("ZA2_vote", 0.0),
        ("ZA2_alter", 0.0),
    )
    (first, score), *_ = TASK.system("tfidf").predict({"x": alone})["x"].ranking
    assert first == "ZA2_vote" and score > 0


def test_detectors_learn_words() -> None:
    pred = BagOfWords().fit(invented()).predict(invented().items)
    assert pred["e1"].is_variable == 1 and pred["e3"].is_variable == 0
    assert pred["e1"].ranking is None


@pytest.mark.parametrize("name", [card.name for card in TASK.systems if card.trains])
def test_an_unfitted_baseline_says_so(name: str) -> None:
    with pytest.raises(ContractError, match="fitted"):
        TASK.system(name).predict(invented().items)


def test_without_candidates_the_baseline_detects_and_linkers_say_why() -> None:
    split = invented()
    bare = {id: Statement(i.sentence, i.lang, i.doc_id) for id, i in split.items.items()}
    assert all(not item.catalogue for item in bare.values()) and isinstance(
        bare["e1"].catalogue, Catalogue
    )
    pred = Baseline().fit(split).predict(bare)
    assert pred["e1"].is_variable == 1 and pred["e1"].ranking is None
    for system in (Linker("bm25"), Similarity().fit(split)):
        with pytest.raises(MissingError, match="vocabulary_partial"):
            system.predict(bare)


def test_baselines_beat_their_floors_on_dev(data: Path) -> None:
    train, dev = TASK.load("train", data), TASK.load("dev", data)
    found = {}
    for name in ("baseline", "bm25", "majority", "random"):
        system = TASK.system(name)
        system = system.fit(train) if TASK.card(name).trains else system
        found[name] = TASK.score(dev, system.predict(dev.items)).scores
    assert found["baseline"]["detection"]["f1"] > 0.65
    assert found["majority"]["detection"]["f1"] < 0.4
    linked = {name: row["disambiguation"]["map@10"] for name, row in found.items() if len(row) > 1}
    assert linked["baseline"] > 0.12 > 0.08 > linked["random"]
    assert found["bm25"]["disambiguation"]["map@10"] > linked["random"]


def test_the_held_out_documents_get_a_full_submission(data: Path) -> None:
    test: Split = TASK.load("test", data)
    pred = TASK.system("tfidf").predict(test.items)
    for id, item in test.items.items():
        assert len(pred[id].ranking) >= min(30, len(item.catalogue))
