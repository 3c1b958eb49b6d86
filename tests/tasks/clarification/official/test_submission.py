"""Official submission files, written and scored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marginalia import FormatError, MissingError
from marginalia.tasks.clarification.official.ratings import (
    Rating,
    decode,
    encode,
    label_of,
    read_gold,
)
from marginalia.tasks.clarification.official.score import outcomes, score, statistics
from marginalia.tasks.clarification.official.submission import (
    read_submission,
    score_files,
    write_submission,
)
from tests.tasks.clarification.invented import data_file, invented


def written(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """A folder with the labels and scores of the invented split."""
    split = invented(tmp_path)
    files = write_submission(split, split.require_gold())
    return written(tmp_path / "gold", {f"dev_{name}": text for name, text in files.items()})


def shifted(tmp_path: Path) -> dict[str, Rating]:
    """A prediction that is neither perfect nor constant."""
    scores = {id: 6 - rating.score for id, rating in invented(tmp_path).require_gold().items()}
    scores["7_1"] = 4.75
    return {id: Rating(label_of(score), score) for id, score in scores.items()}


def test_export_then_import_is_the_identity(tmp_path: Path) -> None:
    split, pred = invented(tmp_path), shifted(tmp_path)
    files = write_submission(split, dict(reversed(pred.items())))
    assert list(files) == ["labels.tsv", "scores.tsv"]
    assert files["labels.tsv"].splitlines()[:2] == ["7_1\tPLAUSIBLE", "7_2\tIMPLAUSIBLE"]
    folder = written(tmp_path / "out", files)
    assert read_gold(folder / "labels.tsv", folder / "scores.tsv", split.items) == pred


def test_files_score_as_the_split_does(tmp_path: Path, gold: Path) -> None:
    split, pred = invented(tmp_path), shifted(tmp_path)
    folder = written(tmp_path / "out", write_submission(split, pred))
    report = score_files(gold, folder, data_file(tmp_path))
    assert report.scores == score(split, pred).scores
    assert report.warnings == ()
    assert not any(report.also.values())


def test_one_sub_task_alone(tmp_path: Path, gold: Path) -> None:
    folder = written(tmp_path / "out", write_submission(invented(tmp_path), shifted(tmp_path)))
    labels = score_files(gold, folder / "labels.tsv").scores
    scores = score_files(gold / "dev_scores.tsv", folder / "scores.tsv").scores
    assert set(labels) == {"accuracy", "without_neutral", "multiple_plausible", "n"}
    assert set(scores) == {"spearman", "n"}
    half = score_files(gold / "dev_labels.tsv", folder)
    assert half.scores == labels
    assert half.warnings == ("the scores were not scored: gold has none",)


def test_classes_alone_have_no_spearman(tmp_path: Path) -> None:
    split, pred = invented(tmp_path), shifted(tmp_path)
    folder = written(tmp_path / "out", write_submission(split, pred))
    (folder / "scores.tsv").unlink()
    found = read_submission(split, folder)
    assert {id: one.label for id, one in found.items()} == {id: p.label for id, p in pred.items()}
    assert list(write_submission(split, found)) == ["labels.tsv"]
    kept = {id: decode(json.loads(json.dumps(encode(one)))) for id, one in found.items()}
    report = score(split, kept)
    assert "spearman" not in report.scores and report.scores["accuracy"] == 0.2
    assert report.warnings == ("there are no scores, so there is no Spearman",)
    assert "spearman" not in statistics(split, kept) and "spearman" not in outcomes(split, kept)


def test_gold_ratings_alone_give_the_gold_classes(tmp_path: Path, gold: Path) -> None:
    folder = written(tmp_path / "out", write_submission(invented(tmp_path), shifted(tmp_path)))
    report = score_files(gold / "dev_scores.tsv", folder)
    assert report.scores == score_files(gold, folder).scores
    assert report.warnings == ("the gold classes were made from the gold ratings",)


def test_in_a_folder_of_several_splits_the_ids_decide(tmp_path: Path, gold: Path) -> None:
    folder = written(tmp_path / "out", write_submission(invented(tmp_path), shifted(tmp_path)))
    alone = score_files(gold, folder).scores
    written(gold, {"train_labels.tsv": "1_1\tNEUTRAL\n", "train_scores.tsv": "1_1\t3\n"})
    report = score_files(gold, folder)
    assert report.scores == alone
    assert report.warnings == ("scored as dev, the only split with the ids of the submission",)
    for name in ("labels", "scores"):
        text = (gold / f"dev_{name}.tsv").read_text(encoding="utf-8")
        written(gold, {f"test_{name}.tsv": text})
    with pytest.raises(FormatError, match="the gold of dev and test and train: name one file"):
        score_files(gold, folder)


def test_repeats_in_place_of_others_are_told_and_strictly_refused(tmp_path: Path) -> None:
    """The official program compares the number of rows only: three of four right become four."""
    truth = "1_1\tPLAUSIBLE\n1_2\tNEUTRAL\n1_3\tNEUTRAL\n1_4\tNEUTRAL\n"
    cheat = "1_1\tPLAUSIBLE\n1_2\tNEUTRAL\n1_3\tNEUTRAL\n1_1\tPLAUSIBLE\n"
    folder = written(tmp_path / "x", {"reference.tsv": truth, "predictions.tsv": cheat})
    report = score_files(folder / "reference.tsv", folder / "predictions.tsv")
    assert report.scores == {"accuracy": 1.0}
    assert report.also == {
        "gold_ids_without_prediction": ["1_4"],
        "ids_predicted_more_than_once": ["1_1"],
        "ids_more_than_once_in_gold": [],
        "predicted_ids_not_in_gold": [],
        "accuracy_over_gold_ids_first_prediction_missing_is_wrong": 0.75,
    }
    assert len(report.warnings) == 2
    with pytest.raises(FormatError, match="1 gold ids without prediction"):
        score_files(folder / "reference.tsv", folder / "predictions.tsv", strict=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("1_1\t3\n", "1 rows where gold has 2: 1 gold ids without prediction"),
        ("1_1\t3\n2_2\t3\n", ":2: the ids do not fit gold: .* not in gold .the first is 2_2."),
        ("1_1\thigh\n1_2\t3\n", ":1: the rating 'high' is not a number"),
        ("1_1\tNEUTRAL\n1_2\t3\n", ":2: '3' is not a class"),
        ("1_1\t3\t\n1_2\t3\t\n", ":1: 3 columns where 2"),
        ('1_1\t"3\n1_2\t3\n', "broken quoting"),
    ],
)
def test_bad_submissions_are_refused_with_their_place(
    tmp_path: Path, text: str, message: str
) -> None:
    folder = written(tmp_path / "x", {"reference.tsv": "1_1\t3\n1_2\t4\n", "predictions.tsv": text})
    with pytest.raises(FormatError, match=message) as caught:
        score_files(folder / "reference.tsv", folder / "predictions.tsv")
    assert str(folder / "predictions.tsv") in str(caught.value)


def test_wrong_folders_and_files_are_named(tmp_path: Path, gold: Path) -> None:
    labels = gold / "dev_labels.tsv"
    with pytest.raises(MissingError, match="no such file"):
        score_files(gold, tmp_path / "nowhere.tsv")
    with pytest.raises(FormatError, match=r"no \.tsv file"):
        score_files(gold, written(tmp_path / "empty", {}))
    with pytest.raises(FormatError, match="has no scores to score"):
        score_files(labels, gold / "dev_scores.tsv")
    with pytest.raises(FormatError, match="second file of labels"):
        text = labels.read_text(encoding="utf-8")
        score_files(gold, written(tmp_path / "two", {"a.tsv": text, "b.tsv": text}))
    with pytest.raises(FormatError, match=r"one file \*_data"):
        score_files(gold, gold, written(tmp_path / "text", {}))
    other = data_file(written(tmp_path / "other", {}), None).read_text(encoding="utf-8")
    path = data_file(tmp_path / "other", other.replace("\n8\t", "\n9\t"))
    with pytest.raises(FormatError, match="5 ids are not in it, the first is 8_1"):
        score_files(gold, gold, path)


def test_classes_and_ratings_of_other_ids_are_refused(tmp_path: Path) -> None:
    files = {"labels.tsv": "1_1\tNEUTRAL\n1_2\tNEUTRAL\n", "scores.tsv": "2_1\t1\n2_2\t3\n"}
    folder = written(tmp_path / "x", files)
    with pytest.raises(FormatError, match=r"scores.tsv: gold has ratings for other ids"):
        score_files(folder, folder)
