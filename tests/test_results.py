"""The committed results: their tables are in the pages, cover every system, and name the command that wrote them."""

from __future__ import annotations

import importlib
import json
import shlex
from pathlib import Path
from types import ModuleType
from typing import Any

import pages
import pytest
import systems
import variables
from recording import WHOLE, keep, load

from marginalia import SystemCard, all_benchmarks, get_benchmark

BENCHMARKS = Path(pages.__file__).parent
FILES = sorted(path.stem for path in pages.RESULTS.glob("*.json"))
SCRIPTS = sorted(
    path.stem
    for path in BENCHMARKS.glob("*.py")
    if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
)
WITHOUT_COMMAND = {"commands", "measured", "tried"}
"""What is not measured by a command: dates, and what was tried once and is kept as it came out."""


def kept(name: str) -> tuple[ModuleType, dict[str, Any]]:
    script = importlib.import_module(name)
    return script, json.loads(script.RESULT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FILES)
def test_pages_show_the_committed_results(name: str) -> None:
    script, results = kept(name)
    tables = script.tables(results)
    assert tables
    for (page, mark), table in tables.items():
        message = f"{page.name} differs at {mark}: run python benchmarks/{name}.py"
        assert pages.current(page, mark) == table, message


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_starts(name: str) -> None:
    assert importlib.import_module(name).parser().format_help().startswith("usage: ")


@pytest.mark.parametrize("name", FILES)
def test_the_named_command_is_the_one_that_writes_the_file(name: str) -> None:
    script, results = kept(name)
    assert pages.RESULTS / f"{name}.json" == script.RESULT
    assert results["commands"]
    for part, command in results["commands"].items():
        python, path, *words = shlex.split(command)
        assert python == "python" and path == f"benchmarks/{name}.py"
        assert (pages.ROOT / path) == Path(str(script.__file__))
        given = script.parser().parse_args(words)
        part, _, one = part.partition(": ")
        chosen = [word for name in ("parts", "tasks") for word in getattr(given, name, [])]
        chosen += [given.kind] if hasattr(given, "kind") else []
        assert chosen in ([part], []) or part == WHOLE, f"{command} measures something else"
        if one and hasattr(given, "system"):
            assert given.system == [one]


@pytest.mark.parametrize("name", FILES)
def test_every_part_has_its_command(name: str) -> None:
    _, results = kept(name)
    named = {part.partition(": ")[0] for part in results["commands"]}
    measured = results["tasks"] if name == "systems" else results
    assert WHOLE in named or measured.keys() - WITHOUT_COMMAND <= named


@pytest.mark.parametrize("task", all_benchmarks(), ids=lambda task: task.name)
def test_dev_tables_cover_every_system(task: Any) -> None:
    _, results = kept("systems")
    rows = [run["system"] for run in results["tasks"][task.name]]
    assert rows == [card.name for card in task.systems if not systems.left_out(card)]
    for run in results["tasks"][task.name]:
        words = f"marginalia bench run {task.name} --system {run['system']} --split dev"
        assert run["command"] == words
    page = pages.ROOT / "src" / "marginalia" / "tasks" / task.name / "README.md"
    table = pages.current(page, "systems:task")
    for card in task.systems:
        assert f"`{card.name}`" in table, "a system without a row is named below the table"


def measured_alone(task: str) -> list[SystemCard]:
    """The systems of a task but for those that ask a language model, which results/prompted.json has."""
    return [card for card in get_benchmark(task).systems if card.kind != "prompted"]


@pytest.mark.parametrize("name", ["clarification", "complexity", "measurement"])
def test_quality_tables_cover_every_system(name: str) -> None:
    _, results = kept(name)
    assert set(results["quality"]) == {card.name for card in measured_alone(name)}


def test_similarity_tables_cover_every_system() -> None:
    _, results = kept("similarity")
    cards = measured_alone("similarity")
    records = {card.name for card in cards if card.splits == ("typed",)}
    assert {row.partition(",")[0] for row in results["typed"].keys() - {"pairs"}} == records
    seen = {card.name for card in cards if "dev" in card.trained_on}
    for one in results["sources"].values():
        assert seen <= one["systems"].keys(), "what has seen dev is judged on sources left out"


def test_variables_tables_cover_every_system() -> None:
    _, results = kept("variables")
    detection, linking = results["detection"], results["linking"]
    covered = {*detection, *linking["surveys"], "tuned"}
    assert linking["surveys"].keys() == linking["all"].keys() == results["trial"]["en"].keys()
    for both, (first, second) in variables.PAIRED.items():
        assert first in detection and second in linking["surveys"]
        covered.add(both)
    assert covered == {card.name for card in measured_alone("variables")}
    for row in (*detection.values(), *linking["surveys"].values(), *linking["all"].values()):
        value = row["f1"] if "f1" in row else row["official"]["map@10"]
        assert row["interval"]["low"] <= value <= row["interval"]["high"]


def test_prompted_tables_cover_every_task() -> None:
    _, results = kept("prompted")
    for found in results["figures"].values():
        assert found["tasks"].keys() == {task.name for task in all_benchmarks()}
        for task in found["tasks"].values():
            for row in task["figures"].values():
                assert all(
                    row[name]["low"] <= row[name]["value"] <= row[name]["high"]
                    for name in ("prompted", "shipped")
                )


def test_a_part_measured_again_names_its_new_command(tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    results = load(path)
    results["quality"] = {"a": 1, "b": 2}
    keep(path, results, "quality", systems=("a", "b"))
    keep(path, results, "speed", "--base FOLDER")
    assert load(path)["commands"] == {
        "quality: a": "python benchmarks/some.py quality --system a",
        "quality: b": "python benchmarks/some.py quality --system b",
        "speed": "python benchmarks/some.py speed --base FOLDER",
    }
    keep(path, results, "quality")
    assert load(path)["commands"]["quality"] == "python benchmarks/some.py quality"
    assert "quality: a" not in load(path)["commands"]
