"""``marginalia bench agreement`` on a task that has such a function, and on one without."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from marginalia import FormatError, MissingError
from marginalia.cli.bench.group import bench_command
from marginalia.core import registry
from marginalia.core.report import Report
from tests.sixth import sixth_task


def agreement(folder: Path) -> Report:
    rows = {"acronyms": {"kappa": 0.75, "alpha": 0.5}, "meanings": {"kappa": math.nan}}
    return Report(scores=rows, also={"raters": 3}, warnings=(f"read from {folder.name}",))


@pytest.fixture(autouse=True)
def two_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = sixth_task()
    rated = replace(plain, name="rated", agreement=agreement)
    tasks = {task.name: task for task in (plain, rated)}
    known = SimpleNamespace(all=lambda: list(tasks.values()), get=tasks.__getitem__)
    monkeypatch.setattr(registry, "BENCHMARKS", known)


def test_the_table_leaves_undefined_figures_out(tmp_path: Path) -> None:
    result = CliRunner().invoke(bench_command, ["agreement", "rated", "--data", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "0.7500" in result.stdout and "0.5000" in result.stdout
    assert "undefined" not in result.stdout
    assert "raters: 3" in result.stdout
    assert result.stderr == f"note: read from {tmp_path.name}\n"


def test_json_has_every_figure(tmp_path: Path) -> None:
    words = ["agreement", "rated", "--data", str(tmp_path), "--json"]
    found = json.loads(CliRunner().invoke(bench_command, words).stdout)
    assert found["acronyms"] == {"kappa": 0.75, "alpha": 0.5}
    assert found["meanings"] == {"kappa": None}
    assert found["also_report"] == {"raters": 3}


def test_a_task_without_annotators_says_who_has_them(tmp_path: Path) -> None:
    result = CliRunner().invoke(bench_command, ["agreement", "acronyms", "--data", str(tmp_path)])
    assert isinstance(result.exception, MissingError)  # main() makes it one line and exit code 2
    assert str(result.exception) == (
        "The task acronyms has data that do not say what each annotator said; "
        "tasks that can be asked: rated."
    )


def test_a_task_that_reads_no_files_says_so(tmp_path: Path) -> None:
    result = CliRunner().invoke(bench_command, ["agreement", "rated", str(tmp_path / "a.tsv")])
    assert isinstance(result.exception, MissingError)
    assert "does not read the files of annotators" in str(result.exception)


def test_files_are_needed_to_merge_them(tmp_path: Path) -> None:
    result = CliRunner().invoke(bench_command, ["agreement", "rated", "--merge", "out.tsv"])
    assert isinstance(result.exception, FormatError)
