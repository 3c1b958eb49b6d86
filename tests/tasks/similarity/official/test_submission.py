"""Official output files: written, read again, and scored in all the ways they may be named."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, MissingError
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.official.programs import Row
from marginalia.tasks.similarity.official.submission import (
    read_rows,
    read_typed,
    score_files,
    write_submission,
)
from marginalia.tasks.similarity.official.typed import format_pairs
from tests.tasks.similarity import records
from tests.tasks.similarity.official.test_score import TWO, split_of

GOLD = "0\n1\n2\n5\n"
PRED = "0.5\t100\n1\t100\n2\t50\n4\t100\n"


def put(folder: Path, **files: str) -> Path:
    """A folder with these files; ``_`` in a name stands for a full stop."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8", newline="")
    return folder


@given(st.lists(st.tuples(st.floats(-10, 10), st.floats(0, 100)), min_size=6, max_size=6))
def test_export_then_import_is_the_identity(tmp_path_factory, numbers) -> None:
    folder = tmp_path_factory.mktemp("out")
    split = split_of(TWO)
    pred = {id: Score(*pair) for id, pair in zip(split.items, numbers, strict=True)}
    files = write_submission(split, pred)
    assert set(files) == {"STS.output.images.txt", "STS.output.headlines.txt"}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    back = (
        read_rows(folder / "STS.output.images.txt")[0]
        + read_rows(folder / "STS.output.headlines.txt")[0]
    )
    assert back == [Row(*pair) for pair in numbers]


def test_whole_numbers_are_written_plainly() -> None:
    split = split_of({"2012-test/surprise.OnWN": [1.0, 2.0]})
    pred = {id: Score(5 / (n + 1)) for n, id in enumerate(split.items)}
    assert write_submission(split, pred) == {
        "STS.output.surprise.OnWN.txt": "5\t100\n2.5\t100\n",
    }


def test_an_unrated_pair_keeps_its_line() -> None:
    split = split_of({"2016-test/plagiarism": [1.0, 2.0, 3.0]})
    kept = split.take(["2016-test/plagiarism/1", "2016-test/plagiarism/3"])
    files = write_submission(kept, {id: Score(4.5) for id in kept.items})
    assert files == {"STS.output.plagiarism.txt": "4.5\t100\n0\t0\n4.5\t100\n"}


def test_sets_of_two_years_go_to_files_of_their_own() -> None:
    split = split_of({"2012-train/MSRpar": [1.0], "2012-test/MSRpar": [1.0]}, "train")
    assert isinstance(split.items["2012-test/MSRpar/1"], Pair)
    assert set(write_submission(split, {id: Score(1) for id in split.items})) == {
        "STS.output.2012-train.MSRpar.txt",
        "STS.output.2012-test.MSRpar.txt",
    }


@pytest.mark.parametrize(
    "gold_name", ["STS_gs_images_txt", "images_test_tsv", "STS2015_gs_images_txt"]
)
def test_folders_and_files_give_the_same(tmp_path: Path, gold_name: str) -> None:
    text = GOLD if "gs" in gold_name else "".join(f"{g}\ta\tb\n" for g in GOLD.split())
    gold = put(tmp_path / "gold", **{gold_name: text})
    pred = put(tmp_path / "pred", STS_output_images_txt=PRED)
    gold_file, pred_file = gold / gold_name.replace("_", "."), pred / "STS.output.images.txt"
    whole = score_files(gold, pred)
    assert whole.scores["sets"]["images"]["n"] == 4
    assert whole.scores["mean"] == round(whole.scores["sets"]["images"]["pearson"], 5)
    for one, other in ((gold_file, pred_file), (gold_file, pred), (gold, pred_file)):
        assert score_files(one, other) == whole


def test_files_of_any_name_are_paired(tmp_path: Path) -> None:
    put(tmp_path, gold_txt=GOLD, mine_txt=PRED)
    report = score_files(tmp_path / "gold.txt", tmp_path / "mine.txt")
    assert list(report.scores["sets"]) == ["gold"]
    assert report.scores["datasets"]["gold"]["2013"]["value"] > 0.9


def test_the_official_figure_and_the_right_one_stand_side_by_side(tmp_path: Path) -> None:
    gold = put(tmp_path / "gold", STS_gs_a_txt=GOLD, STS_gs_b_txt=GOLD, STS_gs_c_txt=GOLD)
    bare = "".join(line.partition("\t")[0] + "\n" for line in PRED.splitlines())
    pred = put(
        tmp_path / "pred", STS_output_a_txt=PRED, STS_output_b_txt=bare, STS_output_d_txt=PRED
    )
    report = score_files(gold, pred)
    a, b = report.scores["sets"]["a"], report.scores["sets"]["b"]
    assert math.isnan(b["pearson"]) and b["pearson_unweighted"] > 0.9
    assert report.scores["mean"] == pytest.approx(a["pearson"] / 3, abs=1e-5)
    assert report.also["mean_full_precision"] == pytest.approx(a["pearson"] / 3)
    assert report.also["mean_of_submitted_sets"] == pytest.approx(a["pearson"] / 2)
    assert report.also["missing_outputs"] == ["c"]
    assert report.also["outputs_without_gold"] == ["d"]
    assert report.also["rows"]["b"] == {"gold": 4, "gold_empty": 0, "output": 4, "weight_0": 4}
    said = "\n".join(report.warnings)
    assert "b: no row has a confidence, so the program of 2013 prints nothing" in said
    assert "c: there is no output file; it counts 0 in the mean" in said
    assert "d: there is no gold for this output" in said


def test_surplus_and_weightless_rows_are_told(tmp_path: Path) -> None:
    put(tmp_path, gold_txt="0\n1\n\n5\n", mine_txt="0\t100\n1\n3\t0\n5\t100\n2\t100\n9 1\n")
    report = score_files(tmp_path / "gold.txt", tmp_path / "mine.txt")
    assert report.warnings == (
        "gold: 6 rows where gold has 4; rows are paired by position, so all of them may be shifted",
        "gold: 2 of 4 rows have weight 0 and do not count",
        "gold: 1 gold lines are empty: take the figure of the 2015/2016 program",
        "gold: the format checker refuses 1 lines",
    )


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("abc\t100\nx\t100\n-\t100\n?\n", "undefined: the scores are constant"),
        ("nan\t100\n1\t100\n2\t100\n5\n", "undefined: a number is nan or inf"),
    ],
)
def test_an_undefined_correlation_says_what_the_weights_did(
    tmp_path: Path, output: str, why: str
) -> None:
    put(tmp_path, gold_txt="0\n1\n3\n5\n", mine_txt=output)
    said = score_files(tmp_path / "gold.txt", tmp_path / "mine.txt").warnings
    assert said[0].startswith(f"gold: the correlation is {why}")
    assert said[1] == "gold: 1 of 4 rows have weight 0 and do not count"


def test_negative_confidences_are_used_and_told(tmp_path: Path) -> None:
    put(tmp_path, gold_txt="1\n2\n4\n5\n", mine_txt="1 100\n9 -50\n2 100\n3 100\n")
    report = score_files(tmp_path / "gold.txt", tmp_path / "mine.txt")
    assert report.scores["datasets"]["gold"]["2013"]["printed"] == "-0.66526"
    assert "gold: 1 rows have a negative confidence" in report.warnings[0]


def test_the_mean_of_four_sets_is_that_of_the_program_for_all(tmp_path: Path) -> None:
    names = ("headlines", "OnWN", "FNWN", "SMT")
    gold = put(tmp_path / "gold", **{f"STS_gs_{name}_txt": GOLD for name in names})
    pred = put(tmp_path / "pred", **{f"STS_output_{name}_txt": PRED for name in names})
    whole = score_files(gold, pred).scores["correlation-all"]
    r = whole["mean_printed"]
    assert whole["printed_lines"] == [
        *(f"STS.output.{name}.txt Pearson: {r}" for name in names),
        f"Mean: {r}",
    ]
    nan = put(pred, STS_output_SMT_txt=PRED.replace("0.5", "nan"))
    assert score_files(gold, nan).scores["correlation-all"]["mean_printed"] == "NaN"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "is empty; expected rows of score<TAB>confidence"),
        (b"# only a comment\n\n", "is empty"),
        (b"3.5\t100\n\xff\xfe\n", ":2: byte 1 of the line is not UTF-8"),
        (b"1" * (2**20 + 1), ":1: the line is longer than"),
    ],
)
def test_bad_submissions_are_refused_with_their_place(
    tmp_path: Path, text: bytes, message: str
) -> None:
    gold = put(tmp_path / "gold", STS_gs_images_txt=GOLD) / "STS.gs.images.txt"
    pred = tmp_path / "STS.output.images.txt"
    pred.write_bytes(text)
    with pytest.raises(FormatError, match=message) as caught:
        score_files(gold, pred)
    assert str(pred) in str(caught.value)


def test_paths_that_hold_nothing_are_refused(tmp_path: Path) -> None:
    gold = put(tmp_path / "gold", STS_gs_images_txt=GOLD)
    empty = put(tmp_path / "empty")
    other = put(tmp_path / "other", STS_output_tweets_txt=PRED)
    with pytest.raises(FormatError, match=r"the folder has no STS.output.<set>.txt"):
        score_files(gold, empty)
    with pytest.raises(FormatError, match=r"the folder has no STS.gs.<set>.txt"):
        score_files(empty, other)
    with pytest.raises(FormatError, match="no output for any set of"):
        score_files(gold, other)
    with pytest.raises(MissingError, match="no such file"):
        score_files(gold / "STS.gs.images.txt", tmp_path / "nowhere.txt")
    put(gold, STS_gs_images_txt="# comment\n")
    with pytest.raises(FormatError, match="is empty; expected a score on each line"):
        score_files(gold, put(other, STS_output_images_txt=PRED))


def test_typed_files_are_written_read_and_scored(tmp_path: Path) -> None:
    gold = put(tmp_path / "gold", pairs_jsonl=format_pairs(records.PAIRS, records.GOLD))
    files = write_submission(records.split(), records.GOLD)
    assert list(files) == ["STS.output.typed.txt"]
    assert files["STS.output.typed.txt"].startswith("5\t5\t5\t5\t5\t5\t5\t5\n4.5\t5\t4.5\t4\t")
    pred = put(tmp_path / "pred", STS_output_typed_txt=files["STS.output.typed.txt"])
    assert read_typed(pred / "STS.output.typed.txt") == list(records.GOLD.values())
    report = score_files(gold, pred)
    assert report.scores["typed"]["mean"] == pytest.approx(1)
    assert score_files(gold / "pairs.jsonl", pred / "STS.output.typed.txt") == report


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t2\t3\n", ":1: 3 columns where 8 were expected"),
        ("1\t2\t3\t4\t5\t0\t0\tx\n", ":1: the score 'x' is not a number"),
        ("1\t2\t3\t4\t5\t0\t0\t0\n", "1 rows where gold has 5 pairs"),
    ],
)
def test_bad_typed_submissions_are_refused(tmp_path: Path, text: str, message: str) -> None:
    put(tmp_path, pairs_jsonl=format_pairs(records.PAIRS, records.GOLD), out_txt=text)
    with pytest.raises(FormatError, match=message):
        score_files(tmp_path / "pairs.jsonl", tmp_path / "out.txt")


def test_typed_gold_needs_ratings(tmp_path: Path) -> None:
    put(tmp_path, pairs_jsonl=format_pairs(records.PAIRS), out_txt="1\n")
    with pytest.raises(FormatError, match=":1: the pair 'same' has no ratings"):
        score_files(tmp_path / "pairs.jsonl", tmp_path / "out.txt")
