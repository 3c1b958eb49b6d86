"""The official MeasEval program, case by case."""

import os
from pathlib import Path

import pytest

from marginalia import FormatError, Report
from marginalia.tasks.measurement.official.submission import score_files
from marginalia.tasks.measurement.official.tsv import read_spans
from tests.parity.cases import assert_same, cases, expected

REFUSED = "invalid-submission"


def without_subjects(official: dict) -> dict:
    """Subjects need the category list of the data folder."""
    known = "MARGINALIA_DATA" in os.environ
    return {key: value for key, value in official.items() if known or key != "subject"}


def rows(folder: Path) -> list:
    return [row for path in sorted(folder.glob("*.tsv")) for row in read_spans(path)]


@pytest.mark.parametrize("case", cases("measeval"))
def test_recorded_case(case: Path) -> None:
    recorded = expected(case)
    gold, pred = case / "gold", case / "submission"
    if recorded.get("error") == REFUSED:
        with pytest.raises(FormatError, match=recorded["invalid_files"][0]):
            score_files(gold, pred)
    elif "error" in recorded:
        check_crash(gold, pred)
    else:
        report = score_files(gold, pred)
        assert_same(report.scores, without_subjects(recorded["official"]))
        assert_same(report.also, recorded["also_report"])
        assert report.scores["doc"].keys() == recorded["official"]["doc"].keys()
        removed = recorded["also_report"].get("repeated_sets_removed", 0)
        assert report.also["repeated_sets_removed"] == removed
    if "official_limit_option" in recorded:
        limited = score_files(gold, pred, limit=True)
        assert_same(limited.scores, without_subjects(recorded["official_limit_option"]))


def check_crash(gold: Path, pred: Path) -> None:
    """Where the original crashes by a defect of its own, ours gives the figures its rules lead to."""
    if not list(pred.glob("*.tsv")):
        with pytest.raises(FormatError, match=r"no \.tsv file"):
            score_files(gold, pred)
        return
    truth, given = rows(gold), rows(pred)
    report = score_files(gold, pred)
    overall, classes = report.scores["overall"], report.scores["class"]
    mute = [span for _, span in given if span.type != "Quantity" and not span.other]
    strangers = {doc for doc, _ in given} - {doc for doc, _ in truth}
    if mute:  # a span without a relation matches as a span, and its gold relation is missed
        assert overall["false_positives"] == 0
        assert overall["false_negatives"] == len(mute)
    elif all(span.text.isdigit() for _, span in given):  # numbers are texts like any other
        assert classes["Quantity"]["true_positives"] == len(given)
    elif any(span.text in ("NA", "null", "nan") for _, span in given):  # and so is NA
        assert overall["false_positives"] == overall["false_negatives"] == 0
        assert classes["Quantity"]["true_positives"] == sum(s.type == "Quantity" for _, s in given)
    elif strangers:  # an article that the category list lacks has the subject "unknown"
        check_unknown_subject(report, len(strangers))
    else:  # gold without any entity, property or qualifier
        assert {span.type for _, span in truth} == {"Quantity"}
        assert overall["f1_overlap"] == 1, "the submission is the gold"


def check_unknown_subject(report: Report, strangers: int) -> None:
    if "MARGINALIA_DATA" in os.environ:
        unknown = report.scores["subject"]["unknown"]
        assert unknown == {"note": "no matches", "exact_match": 0, "f1_overlap": 0}
    assert report.also["paragraphs_without_gold"] == strangers
    assert any("unknown subject" in warning for warning in report.warnings)
