"""The official STS programs of 2013 to 2016, case by case."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from marginalia.tasks.similarity.official.submission import score_files
from tests.parity.cases import assert_same, cases, expected

PROGRAMS = ("2013", "2014_noconfidence", "2015_2016_noconfidence")


@pytest.mark.parametrize("case", cases("sts"))
def test_recorded_case(case: Path) -> None:
    recorded = expected(case)
    report = score_files(case / "gold", case / "submission")
    also = recorded.get("also_report", {})
    accident = also.pop("rounding_dependent", False)
    constant = also.get("undefined_constant_scores", []) if accident else []
    for name, programs in recorded["official"]["datasets"].items():
        ours = report.scores["datasets"][name]
        for program in PROGRAMS:
            where = f"{name}.{program}"
            assert_program(ours[program], programs[program], name in constant, where)
        if "format_check" in programs:
            assert_same(ours["format_check"], programs["format_check"], name)
    whole = recorded["official"].get("correlation-all")
    if whole:
        assert_same(report.scores["correlation-all"], whole)
        assert_same(report.scores["mean"], whole["mean_of_printed_correlations"])
        assert_same(report.also["mean_full_precision"], whole["mean_full_precision"])
    assert_same(report.also, also)


def assert_program(
    ours: dict[str, Any], official: dict[str, Any], accident: bool, where: str
) -> None:
    """The recorded figure; undefined where the original divides by zero or prints rounding errors."""
    if official.get("error") == "Illegal division by zero" or accident:
        assert ours["error"].startswith("undefined: "), where
        assert math.isnan(ours["value"]) and "printed" not in ours, where
    else:
        # perl_warnings count complaints on standard error, which belong to no figure.
        assert_same(ours, {k: v for k, v in official.items() if k != "perl_warnings"}, where)


@pytest.mark.parametrize("case", cases("sts"))
def test_what_the_original_does_not_say_is_said(case: Path) -> None:
    """Rows that are missing, surplus or without weight, and correlations that do not exist."""
    report = score_files(case / "gold", case / "submission")
    for path in sorted((case / "gold").iterdir()):
        name = path.name.removeprefix("STS.gs.").removesuffix(".txt")
        rows, said = report.also["rows"][name], " ".join(report.warnings)
        assert rows["gold"] == len(uncommented(path))
        output = case / "submission" / f"STS.output.{name}.txt"
        if not output.exists():
            assert f"{name}: there is no output file" in said
            continue
        assert rows["output"] == len(uncommented(output))
        if rows["output"] != rows["gold"]:
            assert f"{name}: {rows['output']} rows where gold has {rows['gold']}" in said
        if "nothing_printed" in report.scores["datasets"][name]["2013"]:
            plain = report.scores["datasets"][name]["2014_noconfidence"]
            assert f"without confidence the correlation is {plain['printed']}" in said
            assert report.scores["sets"][name]["pearson_unweighted"] == plain["value"]
        elif rows["weight_0"]:
            assert "weight" in said


def uncommented(path: Path) -> list[str]:
    return [line for line in path.read_text().splitlines() if not line.startswith("#")]
