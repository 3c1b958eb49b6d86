"""Two runs against each other: a difference, its interval, and p."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from marginalia import FormatError, MissingError, Run, UnknownNameError
from marginalia.bench import run as bench
from marginalia.bench.compare import compare, compare_runs, find_run
from marginalia.cli.bench.group import bench_command
from marginalia.core import registry
from tests.sixth import DATA, sixth_task

TASK = sixth_task()


def made(system: str, split: str = "dev") -> Run:
    return bench.run(TASK, split, data=DATA, system=system, resamples=0).run


def test_a_run_does_not_differ_from_itself() -> None:
    (row,) = compare(TASK, (made("brackets", "train"), made("brackets", "train")), DATA, n=50)
    assert (row.difference, row.low, row.high, row.p) == (0, 0, 0, 1)


def test_the_two_sides_mirror_each_other() -> None:
    one, other = made("brackets", "train"), made("majority", "train")
    (there,) = compare(TASK, (one, other), DATA, n=200)
    (back,) = compare(TASK, (other, one), DATA, n=200)
    assert there.first == pytest.approx(1) and there.first == back.second
    assert there.difference == -back.difference
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert there.low <= there.difference <= there.high
    assert there.p == back.p and 0 < there.p <= 1
    assert there.effect == pytest.approx(-back.effect) and there.detectable > 0


def right_and_wrong() -> tuple[Run, Run]:
    one = made("brackets", "train")
    gold = TASK.load("train", DATA).require_gold()
    wrong = {id: not value for id, value in gold.items()}
    return replace(one, predictions=dict(gold)), replace(one, predictions=wrong)


def test_one_that_is_always_better_has_the_smallest_p() -> None:
    (row,) = compare(TASK, right_and_wrong(), DATA)
    assert (row.difference, row.low, row.high) == (1, 1, 1)
    assert row.p == row.floor == pytest.approx(2 / 2**8)


def test_six_groups_allow_no_claim() -> None:
    (row,) = compare(TASK, (made("brackets"), made("majority")), DATA)
    assert math.isnan(row.p) and "6 groups are too few" in row.refusal
    assert row.low <= row.difference <= row.high


def test_a_test_refuses_figures_it_is_not_for() -> None:
    (row,) = compare(TASK, right_and_wrong(), DATA, test="williams")
    assert row.refusal == "williams compares Pearson correlations, and accuracy is none"
    (row,) = compare(TASK, right_and_wrong(), DATA, test="mcnemar")
    assert row.p == pytest.approx(0.5**8) and not row.refusal
    with pytest.raises(UnknownNameError, match="no test 'magic'"):
        compare(TASK, right_and_wrong(), DATA, test="magic")


def test_all_pairs_of_several_runs_are_corrected_together() -> None:
    best, worst = right_and_wrong()
    found = compare_runs(TASK, best, worst, made("majority", "train"), split="train", data=DATA)
    assert len(found.figures) == 3 and found.correction == "holm"
    assert all(row.p_adjusted >= row.p for row in found.figures)
    places = {row.system: (row.rank, row.low, row.high) for row in found.ranks}
    assert places["brackets #1"] == (1, 1, 1) and places["brackets #2"] == (3, 3, 3)
    assert len(found.to_dict()["ranks"]) == 3


def test_runs_that_cannot_be_compared_are_refused() -> None:
    one = made("brackets")
    with pytest.raises(FormatError, match="on different items: dev and train"):
        compare(TASK, (one, made("brackets", "train")), DATA)
    with pytest.raises(FormatError, match="'brackets' was made on other data"):
        compare(TASK, (one, replace(one, data_hash="0" * 64)), DATA)


def test_a_run_is_found_by_system_or_file(tmp_path: Path) -> None:
    old, new = made("brackets"), replace(made("brackets"), created="2999-01-01T00:00:00Z")
    path = old.save(tmp_path)
    new.save(tmp_path)
    assert find_run(TASK, "brackets", "dev", tmp_path) == new
    assert find_run(TASK, str(path), "dev", tmp_path) == old
    with pytest.raises(MissingError, match=r"run\('acronyms', split='dev', system='majority'\)"):
        find_run(TASK, "majority", "dev", tmp_path)
    with pytest.raises(UnknownNameError, match="no system"):
        find_run(TASK, "magic", "dev", tmp_path)
    with pytest.raises(FormatError, match="a run of acronyms, not of other"):
        find_run(replace(TASK, name="other"), str(path), "dev", tmp_path)


def test_a_cross_validated_run_is_found_by_its_folds(tmp_path: Path) -> None:
    validated = replace(made("brackets"), folds=3)
    validated.save(tmp_path)
    assert find_run(TASK, "brackets", "dev", tmp_path, folds=3) == validated
    with pytest.raises(MissingError, match="in 3 folds only: say folds=3"):
        find_run(TASK, "brackets", "dev", tmp_path)


def test_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "get_benchmark", {TASK.name: TASK}.__getitem__)
    for system in ("brackets", "majority"):
        made(system).save(tmp_path)
    words = ["compare", TASK.name, "brackets", "majority", "--data", str(DATA)]
    words += ["--runs", str(tmp_path), "--resamples", "50"]
    result = CliRunner().invoke(bench_command, words)
    assert result.exit_code == 0, result.output
    assert "brackets against majority" in result.stdout and "0.8333" in result.stdout
    data = json.loads(CliRunner().invoke(bench_command, [*words, "--json"]).stdout)
    assert (data["first"], data["second"]) == ("brackets", "majority")
    assert data["figures"][0]["metric"] == "accuracy"
