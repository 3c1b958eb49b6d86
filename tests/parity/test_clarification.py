"""The official CLAIRE program, case by case."""

from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.tasks.clarification.official.ratings import read_values
from marginalia.tasks.clarification.official.submission import compare_ids, score_files
from tests.parity.cases import assert_same, cases, expected


@pytest.mark.parametrize("case", cases("claire"))
def test_recorded_case(case: Path) -> None:
    recorded = expected(case)
    gold, pred = case / "gold", case / "submission"
    also = recorded.get("also_report", {})
    if "error" in recorded:
        with pytest.raises(FormatError):
            score_files(gold, pred)
        if also:
            rows = read_values(gold / "reference.tsv"), read_values(pred / "predictions.tsv")
            assert_same(compare_ids(*rows), also)
        return
    report = score_files(gold, pred)
    assert_same(report.scores, recorded["official"])
    assert_same(report.also, also)
    if any(also.values()):
        assert report.warnings
        with pytest.raises(FormatError, match="every id must be predicted once"):
            score_files(gold, pred, strict=True)
    else:
        assert_same(score_files(gold, pred, strict=True).scores, recorded["official"])


@pytest.mark.parametrize("case", cases("claire"))
def test_an_undefined_spearman_says_why(case: Path) -> None:
    if expected(case).get("official", {}).get("spearman") == "nan":
        report = score_files(case / "gold", case / "submission")
        assert report.also["spearman_undefined_because"]
        assert any("undefined" in warning for warning in report.warnings)
