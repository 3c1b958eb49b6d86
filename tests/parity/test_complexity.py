"""The official LCP program, case by case."""

from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.tasks.complexity.official.submission import score_files
from tests.parity.cases import assert_same, cases, expected


@pytest.mark.parametrize("case", cases("complex-lcp"))
def test_recorded_case(case: Path) -> None:
    recorded = expected(case)
    gold, pred = case / "gold", case / "submission"
    if "error" in recorded:
        with pytest.raises(FormatError):
            score_files(gold, pred)
        return
    report = score_files(gold, pred)
    assert_same(report.scores, recorded["official"])
    assert_same(report.also, recorded.get("also_report", {}))
