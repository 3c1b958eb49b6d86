"""The LCP metrics by properties and small cases; the recorded official ones are in tests/parity."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, Split
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.official.score import official, outcomes, score, statistics
from marginalia.tasks.complexity.official.submission import (
    read_values,
    score_files,
    write_submission,
)

values = st.dictionaries(
    st.text(min_size=1, alphabet="abcdefg123"), st.floats(0, 1, width=32), min_size=2, max_size=20
)


@given(values)
def test_a_perfect_prediction_scores_the_maximum(gold: dict[str, float]) -> None:
    scores = official(gold, gold)
    assert scores["mae"] == scores["mse"] == 0
    assert scores["r2"] == 1
    if len(set(gold.values())) > 1:
        assert scores["pearson"] == pytest.approx(1) or math.isnan(scores["pearson"])
        assert scores["spearman"] == pytest.approx(1)


@given(values, st.randoms())
def test_the_order_of_rows_never_matters(gold: dict[str, float], random) -> None:
    pred = {id: random.random() for id in gold}
    turned = dict(reversed(pred.items()))
    assert official(gold, pred) == pytest.approx(official(gold, turned), nan_ok=True)


def split_of(rows: list[tuple[str, str, str, float]]) -> Split:
    return Split(
        name="test",
        items={id: Target(corpus, "A sentence.", id, kind) for id, corpus, kind, _ in rows},
        gold={id: value for id, _, _, value in rows},
        group={id: id for id, *_ in rows},
    )


ROWS = [
    ("a", "bible", "words", 0.1),
    ("b", "bible", "words", 0.5),
    ("c", "biomed", "words", 0.3),
    ("d", "bible", "multi", 0.2),
    ("e", "bible", "multi", 0.6),
]


def test_words_multi_words_pool_and_genres_are_apart() -> None:
    split = split_of(ROWS)
    pred = {"a": 0.1, "b": 0.5, "c": 0.3, "d": 0.6, "e": 0.2}
    scores = score(split, pred).scores
    assert scores["words"]["pearson"] == pytest.approx(1)
    assert scores["multi"]["pearson"] == pytest.approx(-1)
    assert scores["pooled"]["n"] == 5
    assert scores["genres"]["bible"]["multi"]["pearson"] == pytest.approx(-1)
    assert scores["genres"]["biomed"] == {}, "one row has no correlation"
    for path, statistic in statistics(split, pred).items():
        part = path.split(".")[0]
        assert statistic(range(5)) == pytest.approx(scores[part]["pearson"])


@given(st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_export_then_import_is_the_identity(tmp_path_factory, numbers: list[float]) -> None:
    folder = tmp_path_factory.mktemp("out")
    split = split_of(ROWS)
    pred = dict(zip(split.items, numbers, strict=True))
    back: dict[str, float] = {}
    files = write_submission(split, pred)
    assert set(files) == {"lcp_single_test.csv", "lcp_multi_test.csv"}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
        back |= read_values(folder / name)[0]
    assert back == pred


def test_only_the_parts_that_were_submitted_are_scored(tmp_path: Path) -> None:
    gold = tmp_path / "gold"
    gold.mkdir()
    head = "id\tcorpus\tsentence\ttoken\tcomplexity\n"
    (gold / "lcp_single_test.tsv").write_text(
        head + "a\tbible\ts\tt\t0.1\nb\tbible\ts\tt\t0.4\n", encoding="utf-8"
    )
    (gold / "lcp_multi_test.tsv").write_text(head + "c\tbible\ts\tt u\t0.1\n", encoding="utf-8")
    pred = tmp_path / "predictions.csv"
    pred.write_text("a,0.3\nb,0.6\nzz,1\n", encoding="utf-8")
    report = score_files(gold, pred)
    assert set(report.scores) == {"words", "genres"}
    assert report.also == {"repeated_ids": 0, "unknown_ids": 1}
    assert report.warnings == ("1 unknown ids in the submission",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("a,0.1\n", "1 of 2 ids have no prediction, the first is 'b'"),
        ("id,complexity\na,0.1\n", ":1: the value 'complexity' is not a number"),
        ("a\t0.1\nb\t0.2\n", ":1: expected id,value"),
        ("a,nan\nb,0.2\n", ":1: the value is nan"),
    ],
)
def test_bad_submissions_are_refused_with_their_place(
    tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "reference.csv").write_text("a,0.1\nb,0.2\n", encoding="utf-8")
    pred = tmp_path / "predictions.csv"
    pred.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=message) as caught:
        score_files(tmp_path / "reference.csv", pred)
    assert str(pred) in str(caught.value)


def test_line_ends_of_old_macs_are_refused_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "pred.csv"
    path.write_bytes(b"1,0.5\r2,0.6\n")
    with pytest.raises(FormatError, match=r"pred\.csv:1: expected id,value"):
        read_values(path)
    path.write_text("x" * 200_000 + ",1\n", encoding="utf-8")
    assert read_values(path) == ({"x" * 200_000: 1.0}, 0)


def test_of_two_references_none_is_taken_in_silence(tmp_path: Path) -> None:
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text("a,0.1\nb,0.2\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"2 \.csv files, where one reference was expected"):
        score_files(tmp_path, tmp_path / "one.csv")


def test_items_behind_every_figure() -> None:
    split = Split(
        name="dev",
        items={
            "1": Target("bible", "a b", "a", "words"),
            "2": Target("bible", "a b", "b", "words"),
        },
        gold={"1": 0.1, "2": 0.5},
        group={"1": "a", "2": "b"},
    )
    found = outcomes(split, {"1": 0.1, "2": 0.2})
    assert {path for path in found if path.startswith("words")} == {
        f"words.{name}" for name in ("pearson", "spearman", "mae", "mse", "r2")
    }
    assert found["words.mae"]["1"].loss == 0 < found["words.mae"]["2"].loss
