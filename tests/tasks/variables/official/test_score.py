"""The SV-Ident metrics by properties and small cases; the recorded official ones are in tests/parity."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, Split
from marginalia.tasks.variables.official.data import Mention
from marginalia.tasks.variables.official.metrics import detection, disambiguation, figures, rank
from marginalia.tasks.variables.official.score import score, statistics
from tests.tasks.variables.invented import invented

places = st.sampled_from([("en", "d1"), ("en", "d2"), ("de", "d1"), ("de", "d3")])
rows = st.lists(st.tuples(places, st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=30)


def columns(drawn: list) -> tuple[dict, dict, dict, dict]:
    gold = {f"u{i}": g for i, (_, g, _) in enumerate(drawn)}
    pred = {f"u{i}": p for i, (_, _, p) in enumerate(drawn)}
    langs = {f"u{i}": place[0] for i, (place, _, _) in enumerate(drawn)}
    docs = {f"u{i}": place[1] for i, (place, _, _) in enumerate(drawn)}
    return gold, pred, langs, docs


@given(rows)
def test_perfect_detection_scores_the_maximum(drawn: list) -> None:
    gold, _, langs, docs = columns(drawn)
    assert detection(gold, gold, langs, docs).scores["macro_scores"] == {"f1": 1, "p": 1, "r": 1}


@given(rows)
def test_the_order_of_rows_never_matters_in_detection(drawn: list) -> None:
    gold, pred, langs, docs = columns(drawn)
    turned = dict(reversed(pred.items()))
    one, other = (detection(gold, p, langs, docs).scores["macro_scores"] for p in (pred, turned))
    assert one == pytest.approx(other)


@given(rows, st.randoms())
def test_the_order_of_sentences_never_matters_when_paired_by_id(drawn: list, random) -> None:
    _, _, langs, docs = columns(drawn)
    qrels = {id: {random.choice("abc"): 1.0} for id in langs}
    run = {id: random.sample("abcdef", 4) for id in langs}
    report = disambiguation(qrels, run, langs, docs)
    assert "paired_by_query_id" not in report.also and not report.warnings
    turned = disambiguation(qrels, dict(reversed(run.items())), langs, docs)
    by_id = turned.also.get("paired_by_query_id", turned.scores)
    assert by_id["macro_scores"] == pytest.approx(report.scores["macro_scores"])


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True), st.data())
def test_a_perfect_ranking_scores_the_maximum(variables: list[str], draw) -> None:
    relevant = draw.draw(st.lists(st.sampled_from(variables), min_size=1, unique=True))
    rest = [variable for variable in variables if variable not in relevant]
    found = figures([*relevant, *rest], dict.fromkeys(relevant, 1.0))
    assert found["map@10"] == found["map@30"] == found["r-precision"] == pytest.approx(1)
    assert found["map@1"] == pytest.approx(1 / len(relevant)), "the divisor is all relevant ones"


def test_average_precision_by_hand() -> None:
    found = figures(["x", "a", "y", "b", "z", "c"], {"a": 1, "b": 2, "c": 1, "d": 1, "n": 0})
    assert found["map@1"] == 0
    assert found["map@5"] == pytest.approx((1 / 2 + 2 / 4) / 4)
    assert found["map@10"] == pytest.approx((1 / 2 + 2 / 4 + 3 / 6) / 4)
    assert found["r-precision"] == 2 / 4
    assert set(figures(["a"], {"b": 0}).values()) == {0}, "no relevant variable: 0, not undefined"


@given(st.dictionaries(st.text(max_size=3), st.integers(-2, 2), max_size=40))
def test_among_equal_scores_the_later_entry_comes_first(scores: dict[str, int]) -> None:
    order = list(scores)
    assert rank(scores) == sorted(order, key=lambda v: (-scores[v], -order.index(v)))


def test_documents_then_languages_weigh_the_same() -> None:
    gold = {"a": 1, "b": 0, "c": 1, "d": 1, "e": 0}
    pred = {"a": 1, "b": 0, "c": 0, "d": 1, "e": 1}
    langs = {"a": "en", "b": "en", "c": "en", "d": "de", "e": "fr"}
    docs = {"a": "1", "b": "1", "c": "2", "d": "1", "e": "3"}
    report = detection(gold, pred, langs, docs)
    assert report.scores["document_scores"]["en"]["2"] == {"f1": 0, "p": 0, "r": 0}
    assert report.scores["macro_language_scores"]["en"]["f1"] == 0.5
    assert report.scores["macro_scores"]["f1"] == 0.75
    assert report.also["rows_in_other_languages"] == 1
    assert "other than en and de" in report.warnings[0]


def test_a_language_without_documents_is_empty_and_does_not_count() -> None:
    maps = {"a": "en"}, {"a": "1"}
    scores = detection({"a": 1}, {"a": 1}, *maps).scores
    assert scores["macro_language_scores"]["de"] == {} == scores["document_scores"]["de"]
    assert scores["macro_scores"]["f1"] == 1


def test_a_document_without_rankings_is_left_out_and_told() -> None:
    qrels = {"a": {"v": 1.0}, "b": {"v": 1.0}, "c": {"v": 1.0}}
    langs, docs = dict.fromkeys("abc", "en"), {"a": "1", "b": "1", "c": "2"}
    report = disambiguation(qrels, {"a": ["v"], "b": []}, langs, docs)
    assert report.scores["macro_scores"]["map@10"] == 0.5, "an empty ranking scores 0"
    assert report.also["documents_not_scored"] == [["en", "2"]]
    assert report.also["missing_documents_count_zero"]["macro_scores"]["map@10"] == 0.25
    assert report.also["empty_rankings"] == 1
    assert report.warnings[0].endswith("left out of the official mean: en/2")
    assert "1 sentences have an empty ranking" in report.warnings[1]


def test_documents_that_are_not_scored_are_sorted_by_language_and_document() -> None:
    ids = "abcd"
    qrels = {id: {"v": 1.0} for id in ids}
    langs = dict(zip(ids, ("en", "en", "de", "en"), strict=True))
    docs = dict(zip(ids, ("9", "10", "7", "1"), strict=True))
    report = disambiguation(qrels, {"d": ["v"]}, langs, docs)
    assert report.also["documents_not_scored"] == [["de", "7"], ["en", "10"], ["en", "9"]]


def test_sentences_without_gold_are_ignored_and_counted() -> None:
    langs, docs = {"a": "en", "b": "en"}, {"a": "1", "b": "1"}
    report = disambiguation({"a": {"v": 1.0}}, {"b": ["v"], "a": ["v"]}, langs, docs)
    assert report.scores["macro_scores"]["map@10"] == 1
    assert report.also["rankings_without_gold"] == 1


def perfect(split: Split) -> dict[str, Mention]:
    """What gold says, with the variables it names ranked first."""
    pred = {}
    for id, label in split.require_gold().items():
        others = [v for v in split.items[id].catalogue.ids if v not in label.variables]
        ranking = tuple((v, -float(n)) for n, v in enumerate([*label.variables, *others]))
        pred[id] = Mention(label.is_variable, ranking)
    return pred


def test_both_sub_tasks_of_a_split() -> None:
    split = invented()
    report = score(split, perfect(split))
    assert report.scores["detection"]["f1"] == 1 == report.scores["disambiguation"]["map@10"]
    assert set(report.scores["detection"]["document_scores"]["de"]) == {"d3", "d1"}
    assert set(report.scores["disambiguation"]["document_scores"]["de"]) == {"d3"}
    also = report.also["disambiguation"]
    assert (also["gold_links"], also["gold_links_among_candidates"]) == (6, 5)
    assert also["only_gold_among_candidates"]["n"] == 4
    assert "mention_types" not in report.scores["detection"]


def test_kinds_of_mention_when_they_are_given() -> None:
    split = invented(kinds=True)
    scores = score(split, perfect(split)).scores
    kinds = scores["disambiguation"]["mention_types"]
    assert {kind: row["n"] for kind, row in kinds.items()} == {
        "explicit": 2,
        "implicit": 1,
        "mixed": 1,
    }
    assert kinds["mixed"]["map@10"] == 1
    explicit = scores["detection"]["mention_types"]["explicit"]
    assert explicit["n"] == 2 and explicit["r"] == pytest.approx((1 + 4 / 7) / 2)


def test_a_system_may_answer_one_sub_task() -> None:
    split = invented()
    pred = perfect(split)
    only = score(split, {id: Mention(m.is_variable) for id, m in pred.items()}).scores
    assert set(only) == {"detection"}
    only = score(split, {id: Mention(ranking=m.ranking) for id, m in pred.items()}).scores
    assert set(only) == {"disambiguation"}
    with pytest.raises(FormatError, match="neither"):
        score(split, dict.fromkeys(pred, Mention()))
    with pytest.raises(FormatError, match="some predictions have no answer"):
        score(split, {**pred, "e1": Mention()})
    with pytest.raises(FormatError, match="1 of 9 ids have no prediction, the first is 'e1'"):
        score(split, {id: m for id, m in pred.items() if id != "e1"})


def test_statistics_on_drawn_documents() -> None:
    split = invented()
    pred = {**perfect(split), "e1": Mention(0, (("ZA1_age", 1.0), ("ZA1_trust", 0.5)))}
    scores = score(split, pred).scores
    found = statistics(split, pred)
    groups = sorted(set(split.group.values()))
    assert groups == ["de/d1", "de/d3", "en/d1", "en/d2"]
    for path, key in (("detection.f1", "f1"), ("disambiguation.map@10", "map@10")):
        part = path.split(".")[0]
        assert found[path](range(4)) == pytest.approx(scores[part][key])
        documents = scores[part]["document_scores"]
        english = documents["en"]["d1"][key]
        assert found[path]([2, 2, 2, 2]) == pytest.approx(english), "only one language was drawn"
        mixed = (documents["de"]["d3"][key] + (2 * english + documents["en"]["d2"][key]) / 3) / 2
        assert found[path]([1, 2, 2, 3]) == pytest.approx(mixed)
    assert math.isnan(found["disambiguation.map@10"]([0, 0])), "nothing to link there"
