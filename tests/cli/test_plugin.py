"""A plug-in brings a task and a command; both are found by entry point."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from marginalia.cli import main
from marginalia.core import registry
from tests.sixth import entry_points_of_the_example


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if the package of ``examples/sixth-task`` were installed beside ours."""
    entries = {
        group: registry._entries(group) | entry_points_of_the_example(group)
        for group in (registry.BENCHMARKS.group, registry.ANNOTATORS.group)
    }
    commands = main.commands() | entry_points_of_the_example(main.GROUP)
    registry._load.cache_clear()
    monkeypatch.setattr(registry, "_entries", entries.__getitem__)
    monkeypatch.setattr(main, "commands", lambda: commands)
    yield
    registry._load.cache_clear()


def test_its_command_is_in_the_help_and_runs(tmp_path: Path) -> None:
    assert "acronyms" in CliRunner().invoke(main.cli, ["--help"]).stdout
    text = tmp_path / "text.txt"
    text.write_text("The QZV met the Social Survey Programme (SSP).", encoding="utf-8")
    result = CliRunner().invoke(main.cli, ["acronyms", str(text), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == [{"document": str(text), "acronym": "QZV", "start": 4}]
    assert CliRunner().invoke(main.cli, ["acronyms", str(text)]).stdout == f"{text}: QZV\n"


def test_its_task_is_on_the_list() -> None:
    assert "acronyms" in CliRunner().invoke(main.cli, ["tasks"]).stdout


def test_its_data_may_be_elsewhere(tmp_path: Path) -> None:
    """``data status`` ended with an error for all tasks where one had no file of its test split."""
    result = CliRunner().invoke(main.cli, ["data", "status", "--data", str(tmp_path), "--json"])
    assert result.exit_code == 0, result.output
    assert {"acronyms", "complexity"} <= {one["task"] for one in json.loads(result.stdout)["tasks"]}
