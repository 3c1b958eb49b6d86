"""The official SV-Ident program, case by case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from marginalia import FormatError
from marginalia.tasks.variables.official.metrics import disambiguation
from marginalia.tasks.variables.official.submission import MAX_ORDERED_TIES, score_files
from tests.parity.cases import assert_same, cases, expected


def run_of(case: Path) -> dict[str, dict[str, float]]:
    path = case / "submission" / "run.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def tied_beyond_rule(run: dict[str, dict[str, float]]) -> bool:
    """Equal scores in a ranking so long that the original sorts it with an unstable sort."""
    return any(
        len(row) > MAX_ORDERED_TIES and len(set(row.values())) < len(row) for row in run.values()
    )


@pytest.mark.parametrize("case", cases("sv-ident"))
def test_recorded_case(case: Path) -> None:
    recorded, run = expected(case), run_of(case)
    gold, pred = case / "gold", case / "submission"
    if any(not row for row in run.values()):
        assert "error" in recorded, "the original stops at an empty ranking"
        report = score_files(gold, pred)
        assert report.also["empty_rankings"] == 1
        assert 0 < report.scores["macro_scores"]["map@10"] < 1
        return
    if "error" in recorded:
        with pytest.raises(FormatError):
            score_files(gold, pred)
        return
    report = score_files(gold, pred)
    if tied_beyond_rule(run):
        assert_documented_order(gold, run, report, recorded)
        return
    assert_same(report.scores, recorded["official"])
    assert_same(report.also, recorded.get("also_report", {}))


def assert_documented_order(
    gold: Path, run: dict[str, dict[str, float]], report: Any, recorded: dict[str, Any]
) -> None:
    """Ours is "the later entry first"; with the order the original happened to use, its figures."""
    for id, row in run.items():
        places = {variable: place for place, variable in enumerate(row)}
        ordered = sorted(row, key=lambda variable: (-row[variable], -places[variable]))
        assert report.also["rank_order_used"][id] == ordered
    assert report.warnings
    qrels, langs, docs = (
        json.loads((gold / name).read_text(encoding="utf-8"))
        for name in ("qrels.json", "uuid_langs.json", "uuid_docs.json")
    )
    theirs = disambiguation(qrels, recorded["also_report"]["rank_order_used"], langs, docs)
    assert_same(theirs.scores, recorded["official"])
