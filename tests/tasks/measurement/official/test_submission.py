"""Official submission files, written and scored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from marginalia import FormatError, MissingError
from marginalia.core.files import write_files
from marginalia.tasks.measurement.official.score import score
from marginalia.tasks.measurement.official.submission import score_files, write_submission
from marginalia.tasks.measurement.official.tsv import COLUMNS
from tests.tasks.measurement.invented import TEXTS, gold, invented

HEADER = "\t".join(COLUMNS) + "\n"


@pytest.fixture(autouse=True)
def _without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """The subjects of the invented articles are known only where a test says so."""
    monkeypatch.delenv("MARGINALIA_DATA", raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gold, a submission without one of its sets, the paragraphs, and the category list above them."""
    split = invented()
    pred = {**gold(), "S01-1": gold()["S01-1"][:6]}
    write_files(tmp_path / "gold", write_submission(split, gold()))
    write_files(tmp_path / "pred", write_submission(split, pred))
    write_files(tmp_path / "text", {f"{doc}.txt": text for doc, text in TEXTS.items()})
    return tmp_path


def test_each_paragraph_has_a_file_and_an_empty_one_its_header() -> None:
    files = write_submission(invented(), gold())
    assert list(files) == ["S01-1.tsv", "S01-2.tsv", "S02-7.tsv"]
    assert files["S01-2.tsv"] == HEADER
    assert files["S02-7.tsv"].splitlines()[3] == (
        'S02-7\t1\tMeasuredEntity\t18\t26\tT3-1\tLake Wud\t{"HasProperty": "T2-1"}'
    )


def test_files_score_as_the_split_does(folder: Path) -> None:
    (folder / "fileCategories.txt").write_text(
        "S01\tEarth Science\nS02\tBiology\n", encoding="utf-8"
    )
    report = score_files(folder / "gold", folder / "pred", folder / "text")
    same = score(invented(), {**gold(), "S01-1": gold()["S01-1"][:6]})
    assert report.to_dict() == same.to_dict()
    assert report.warnings == ()
    assert json.loads(json.dumps(report.to_dict()))["overall"]["f1_overlap"] == pytest.approx(
        26 / 30
    )


def test_single_files_can_be_scored(folder: Path) -> None:
    report = score_files(folder / "gold" / "S02-7.tsv", folder / "pred" / "S02-7.tsv")
    assert report.scores["overall"]["f1_overlap"] == 1
    assert report.scores["counts"]["gold_files"] == 1


def test_gold_without_submission_counts_unless_limited(folder: Path) -> None:
    (folder / "pred" / "S02-7.tsv").unlink()
    report = score_files(folder / "gold", folder / "pred")
    assert report.also["paragraphs_without_submission"] == 1
    limited = score_files(folder / "gold", folder / "pred", limit=True)
    assert limited.scores["counts"]["gold_files"] == 2
    assert limited.scores["overall"]["recall"] > report.scores["overall"]["recall"]


def test_the_document_of_a_row_counts_and_not_the_name_of_its_file(folder: Path) -> None:
    (folder / "pred" / "S02-7.tsv").rename(folder / "pred" / "other.tsv")
    (folder / "pred" / "README").write_text("not a table", encoding="utf-8")
    overall = score_files(folder / "gold", folder / "pred").scores["overall"]
    assert overall["f1_overlap"] == pytest.approx(26 / 30)


def test_subjects_are_unknown_without_a_list_and_known_with_one(folder: Path) -> None:
    report = score_files(folder / "gold", folder / "pred")
    assert report.scores["subject"]["unknown"]["true_positives"] == 26
    assert report.warnings == ("2 articles are of unknown subject, S01 is one",)
    listed = folder / "text" / "areas.txt"
    listed.write_text("S01\tMedicine\nS02\tMedicine\n", encoding="utf-8")
    subjects = score_files(folder / "gold", folder / "pred", categories=listed).scores["subject"]
    assert "unknown" not in subjects
    assert subjects["Medicine"]["true_positives"] == 26


def test_rows_that_quote_something_else_are_counted_when_the_text_is_given(folder: Path) -> None:
    path = folder / "pred" / "S02-7.tsv"
    path.write_text(path.read_text(encoding="utf-8").replace("Lake Wud", "Lake Mud"), "utf-8")
    (folder / "text" / "S01-1.txt").unlink()
    plain = score_files(folder / "gold", folder / "pred")
    assert "rows_whose_text_differs_from_the_paragraph" not in plain.also
    report = score_files(folder / "gold", folder / "pred", folder / "text")
    assert report.also["rows_whose_text_differs_from_the_paragraph"] == 1
    assert "1 rows quote another text than their paragraph has there" in report.warnings
    assert "1 submitted paragraphs have no text to check them against" in report.warnings


def test_a_split_of_the_data_folder_can_be_named(folder: Path) -> None:
    (folder / "trial").mkdir()
    (folder / "gold").rename(folder / "trial" / "tsv")
    (folder / "text").rename(folder / "trial" / "text")
    report = score_files(folder / "trial", folder / "pred", folder / "trial")
    assert report.also["rows_whose_text_differs_from_the_paragraph"] == 0
    assert report.scores["overall"]["f1_overlap"] == pytest.approx(26 / 30)


def test_missing_and_empty_folders_are_refused(folder: Path) -> None:
    with pytest.raises(MissingError, match="no such file"):
        score_files(folder / "gold", folder / "nowhere")
    (folder / "empty").mkdir()
    with pytest.raises(FormatError, match=r"empty: the folder has no \.tsv file"):
        score_files(folder / "gold", folder / "empty")
    with pytest.raises(FormatError, match=r"empty: the folder has no \.tsv file"):
        score_files(folder / "empty", folder / "pred")
