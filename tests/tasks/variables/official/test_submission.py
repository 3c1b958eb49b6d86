"""Submission files, in and out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, MissingError
from marginalia.tasks.variables.official.data import Mention, decode, encode
from marginalia.tasks.variables.official.metrics import rank
from marginalia.tasks.variables.official.reference import read_labels, read_run
from marginalia.tasks.variables.official.score import score
from marginalia.tasks.variables.official.submission import score_files, untied, write_submission
from tests.tasks.variables.invented import ROWS, invented, write

rankings = st.lists(
    st.tuples(st.text(max_size=4), st.floats(-1e6, 1e6)), unique_by=lambda p: p[0], max_size=40
).map(lambda pairs: tuple(sorted(pairs, key=lambda pair: -pair[1])))


@given(rankings)
def test_written_rankings_have_no_ties_and_keep_their_order(ranking) -> None:
    back = json.loads(json.dumps(untied(ranking)))
    assert list(back) == [variable for variable, _ in ranking] == rank(back)
    assert len(set(back.values())) == len(back)
    if len({value for _, value in ranking}) == len(ranking):
        assert all(back[v] == pytest.approx(s, rel=1e-6, abs=1e-6) for v, s in ranking)


@given(st.integers(0, 1) | st.none(), rankings | st.none())
def test_a_prediction_survives_json(label, ranking) -> None:
    pred = Mention(label, ranking)
    assert decode(json.loads(json.dumps(encode(pred)))) == pred


def test_something_else_is_not_decoded() -> None:
    for data in ({}, {"is_variable": 1, "ranking": 3}, {"is_variable": "x", "ranking": None}):
        with pytest.raises(FormatError, match="not a prediction"):
            decode(data)


def test_a_variable_is_ranked_once() -> None:
    with pytest.raises(FormatError, match="v7 is ranked twice"):
        Mention(ranking=(("v7", 2.0), ("v8", 1.0), ("v7", 0.5)))


def ranked(ids: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    return tuple((id, 0.5) for id in ids)


def answers() -> dict[str, Mention]:
    """A system that says yes to all and ties all its candidates."""
    return {id: Mention(1, ranked(item.catalogue.ids)) for id, item in invented().items.items()}


def submission(folder: Path) -> Path:
    for name, text in write_submission(invented(), answers()).items():
        write(folder / name, text)
    return folder


def only_positives(folder: Path) -> Path:
    """The same with rankings for what the qrels have, as the official program wants it."""
    run = json.loads((folder / "disambiguation.json").read_text(encoding="utf-8"))
    kept = {row[0]: run[row[0]] for row in ROWS if row[5]}
    write(folder / "disambiguation.json", json.dumps(kept))
    return folder


def tsv(path: Path) -> Path:
    head = "sentence\tis_variable\tvariable\tresearch_data\tdoc_id\tuuid\tlang\tmention_type\n"
    rows = (
        f"{text}\t{positive}\t{';'.join(ids) or ('unk' if positive else '')}\t\t{doc}\t{id}\t{lang}\t{kind}\n"
        for id, text, lang, doc, positive, ids, kind in ROWS
    )
    return write(path, head + "".join(rows))


def gold_folder(folder: Path, *names: str) -> Path:
    everything = {
        "true.json": {id: positive for id, _, _, _, positive, _, _ in ROWS},
        "qrels.json": {id: dict.fromkeys(ids, 1) for id, _, _, _, _, ids, _ in ROWS if ids},
        "uuid_langs.json": {row[0]: row[2] for row in ROWS},
        "uuid_docs.json": {row[0]: row[3] for row in ROWS},
        "uuid_types.json": {row[0]: row[6] for row in ROWS if row[6]},
    }
    for name in (*names, "uuid_langs.json", "uuid_docs.json"):
        write(folder / name, json.dumps(everything[name]))
    return folder


def test_every_sentence_is_answered_in_input_order(tmp_path: Path) -> None:
    folder = submission(tmp_path)
    assert read_labels(folder / "detection.json") == {row[0]: 1 for row in ROWS}
    run = read_run(folder / "disambiguation.json")
    assert list(run) == [row[0] for row in ROWS]
    assert rank(run["e3"]) == ["ZA1_trust", "ZA1_roses", "ZA1_age"]
    assert len(set(run["e3"].values())) == 3


def test_only_what_was_answered_is_written() -> None:
    split = invented()
    assert set(write_submission(split, dict.fromkeys(split.items, Mention(1)))) == {
        "detection.json"
    }
    linked = dict.fromkeys(split.items, Mention(ranking=(("v", 1.0),)))
    assert set(write_submission(split, linked)) == {"disambiguation.json"}
    with pytest.raises(FormatError, match="neither"):
        write_submission(split, dict.fromkeys(split.items, Mention()))
    with pytest.raises(FormatError, match="e1 has no answer to the detection"):
        write_submission(split, {**linked, "e2": Mention(1)})


def test_files_score_as_the_predictions_they_were_made_from(tmp_path: Path) -> None:
    pred = submission(tmp_path / "pred")
    ours = score(invented(), answers()).scores
    table = score_files(tsv(tmp_path / "val.tsv"), pred)
    assert table.also["disambiguation"]["rankings_without_gold"] == 5
    both = score_files(
        gold_folder(tmp_path / "gold", "true.json", "qrels.json"), only_positives(pred)
    )
    for report in (both, table):
        assert set(report.scores) == {"detection", "disambiguation"}
        assert report.scores["detection"]["f1"] == pytest.approx(ours["detection"]["f1"])
        theirs = report.scores["disambiguation"]
        assert theirs["map@10"] == pytest.approx(ours["disambiguation"]["map@10"])
    assert table.scores["disambiguation"]["mention_types"]["explicit"]["n"] == 2


def test_one_sub_task_has_the_official_shape(tmp_path: Path) -> None:
    pred = only_positives(submission(tmp_path / "pred"))
    for name, key in (("true.json", "f1"), ("qrels.json", "r-precision")):
        gold = gold_folder(tmp_path / name, name, "uuid_types.json")
        report = score_files(gold, pred)
        assert key in report.scores["macro_scores"] and "document_scores" in report.scores
        assert set(report.scores["mention_types"]) == {"explicit", "implicit", "mixed"}
        assert score_files(gold / name, pred).scores == report.scores, "the file itself will do"


def test_a_single_file_is_recognised(tmp_path: Path) -> None:
    pred = only_positives(submission(tmp_path / "pred"))
    gold = gold_folder(tmp_path / "gold", "true.json", "qrels.json")
    assert set(score_files(gold, pred / "detection.json").scores) == {"detection"}
    assert set(score_files(gold, pred / "disambiguation.json").scores) == {"disambiguation"}


def test_a_table_may_have_more_documents_than_were_predicted(tmp_path: Path) -> None:
    labels = {"e4": 1, "e5": 0}
    pred = write(tmp_path / "detection.json", json.dumps(labels))
    report = score_files(tsv(tmp_path / "val.tsv"), pred)
    assert report.scores["detection"]["f1"] == 1
    assert report.also["detection"]["documents_not_scored"] == ["d1", "d3"]
    assert "left out: d1, d3" in report.warnings[0]
    tsv(tmp_path / "all" / "train.tsv")
    assert score_files(tmp_path / "all", pred).scores == report.scores


def test_another_order_is_told_and_scored_by_id_as_well(tmp_path: Path) -> None:
    gold = gold_folder(tmp_path / "gold", "qrels.json")
    run = {"e2": {"ZA1_roses": 1}, "e1": {"ZA1_trust": 1}, "e4": {"x": 1}, "g1": {"x": 1}}
    report = score_files(gold, write(tmp_path / "run.json", json.dumps(run)))
    assert report.scores["document_scores"]["en"]["d1"]["map@10"] == 0
    by_id = report.also["paired_by_query_id"]
    assert by_id["document_scores"]["en"]["d1"]["map@10"] == 1
    assert "another order" in report.warnings[0]


def test_ties_are_told(tmp_path: Path) -> None:
    gold = gold_folder(tmp_path / "gold", "qrels.json")
    run = {row[0]: {"a": 1, "b": 1, "ZA1_trust": 0} for row in ROWS if row[5]}
    report = score_files(gold, write(tmp_path / "run.json", json.dumps(run)))
    assert report.also["rankings_with_ties"] == 4
    assert report.also["rank_order_used"]["e1"] == ["b", "a", "ZA1_trust"]
    assert "tied" in report.warnings[-1]


ALL_ONE: dict[str, Any] = {row[0]: 1 for row in ROWS}


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({}, "at least one entry"),
        ([1], "expected a JSON object"),
        ({**ALL_ONE, "e1": None}, "the label of 'e1' is None"),
        ({**ALL_ONE, "e1": "1"}, "strings, others numbers"),
        ({**ALL_ONE, "e1": 0.7}, "some labels are fractions"),
        ({**ALL_ONE, "zz": 1}, "names no language for the id 'zz'"),
        (
            {k: v for k, v in ALL_ONE.items() if k != "e4"},
            r"1 sentences of the document d2 \(en\) have no prediction, the first is 'e4'",
        ),
    ],
)
def test_bad_labels_are_refused_with_their_place(tmp_path: Path, labels: Any, message: str) -> None:
    gold = gold_folder(tmp_path / "gold", "true.json")
    pred = write(tmp_path / "detection.json", json.dumps(labels))
    with pytest.raises(FormatError, match=message) as caught:
        score_files(gold, pred)
    assert str(pred) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ('{"e1": {"a": 1}, "e1": {}}', "'e1' is given twice"),
        ('{"e1": ["a"]}', "not {variable: score}"),
        ('{"e1": {"a": NaN}}', "'a' for 'e1' is nan, not a finite number"),
        ('{"e1": {"a": "1"}}', "not a finite number"),
        ('{"e3": {"a": 1}}', "1 queries are not in the qrels of their document, the first is 'e3'"),
        ('{"e1": {"a": 1}}', "have no prediction, the first is 'e2'"),
    ],
)
def test_bad_runs_are_refused_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    gold = gold_folder(tmp_path / "gold", "qrels.json")
    pred = write(tmp_path / "run.json", text)
    with pytest.raises(FormatError, match=message) as caught:
        score_files(gold, pred)
    assert str(pred) in str(caught.value)


@pytest.mark.parametrize("surplus", [["e3"], ["e3", "e5", "g2"]])
def test_a_query_without_gold_in_a_scored_document_is_refused(
    tmp_path: Path, surplus: list[str]
) -> None:
    """Also where the run has every sentence that the maps name, which was once taken for a run on all of them."""
    gold = gold_folder(tmp_path / "gold", "qrels.json")
    kept = [row[0] for row in ROWS if row[5]] + surplus
    for name in ("uuid_langs.json", "uuid_docs.json"):
        known = json.loads((gold / name).read_text(encoding="utf-8"))
        write(gold / name, json.dumps({id: known[id] for id in kept}))
    pred = write(tmp_path / "run.json", json.dumps({id: {"a": 1} for id in kept}))
    with pytest.raises(FormatError, match="not in the qrels of their document, the first is 'e3'"):
        score_files(gold, pred)


def test_a_query_of_a_document_and_language_without_gold_is_ignored(tmp_path: Path) -> None:
    gold = gold_folder(tmp_path / "gold", "qrels.json")
    alone = {row[0]: {"a": 1} for row in ROWS if row[5]}
    beside = {row[0]: {"a": 1} for row in ROWS if (row[2], row[3]) == ("de", "d1")}
    pred = write(tmp_path / "run.json", json.dumps({**alone, **beside}))
    assert beside and score_files(gold, pred).also["rankings_without_gold"] == len(beside)


def test_missing_files_are_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(FormatError, match=r"neither true\.json nor qrels\.json"):
        score_files(empty, empty)
    gold = gold_folder(tmp_path / "gold", "true.json")
    with pytest.raises(FormatError, match=r"no pred\.json or detection\.json"):
        score_files(gold, empty)
    with pytest.raises(MissingError, match="no such file"):
        score_files(gold, tmp_path / "nowhere.json")
    twice = submission(tmp_path / "twice")
    write(twice / "pred.json", "{}")
    with pytest.raises(FormatError, match=r"pred\.json and detection\.json: keep one"):
        score_files(gold, twice)
    (gold / "uuid_docs.json").unlink()
    with pytest.raises(MissingError, match=r"uuid_docs\.json"):
        score_files(gold, submission(tmp_path / "pred"))
    write(gold / "uuid_docs.json", '{"e1": 3}')
    with pytest.raises(FormatError, match="not a string"):
        score_files(gold, submission(tmp_path / "pred"))
