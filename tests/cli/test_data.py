"""``marginalia data`` on an invented task, with a server on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from marginalia import MissingError, UnknownNameError
from marginalia.cli.data import data_command
from marginalia.cli.main import as_options
from marginalia.core import registry
from tests.core.loopback import DERIVED, FILES, LABELS, Server, contents, fill, invented, serve

LAYOUT = {path: content for path, (_, content) in FILES.items()}
UPSTREAM = {path: upstream for path, (upstream, _) in FILES.items()}


@pytest.fixture(autouse=True)
def garden(monkeypatch: pytest.MonkeyPatch) -> None:
    """The invented task is the only one, and the environment names neither folder nor mirror."""

    def get_benchmark(name: str):
        if name != "garden":
            raise UnknownNameError("task", name, ["garden"])
        return invented()

    monkeypatch.setattr(registry, "all_benchmarks", lambda: [invented()])
    monkeypatch.setattr(registry, "get_benchmark", get_benchmark)
    monkeypatch.delenv("MARGINALIA_DATA", raising=False)
    monkeypatch.delenv("MARGINALIA_MIRROR", raising=False)


@pytest.fixture
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


def run(*words: object) -> Result:
    return CliRunner().invoke(data_command, [str(word) for word in words])


def test_fetch_makes_the_folder_and_shows_licences_first(server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    result = run("fetch", "--data", folder, "--from", server.address)
    assert result.exit_code == 0, result.output
    assert "owner/garden @ 0123456789ab, 4 files, 0.3 MB; licence: CC BY 4.0" in result.stderr
    assert result.stdout == "garden: 4 files downloaded and verified (0.3 MB), 1 computed\n"
    assert "garden/words.tsv can only be imported: marginalia data import garden" in result.stderr
    assert {*LAYOUT, *DERIVED} < set(contents(folder))
    again = run("fetch", "garden", "garden", "--data", folder, "--from", server.address)
    assert again.stdout == "garden: nothing to download, all files are present and correct\n"


def test_a_terminal_shows_how_far_it_is(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Console(file=StringIO(), force_terminal=True, width=100)
    monkeypatch.setattr("marginalia.cli.data.console", lambda stderr: screen)
    assert run("fetch", "--data", tmp_path, "--from", server.address).exit_code == 0
    assert "garden 4/4 files" in screen.file.getvalue()


def test_the_environment_names_folder_and_mirror(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARGINALIA_DATA", str(tmp_path))
    monkeypatch.setenv("MARGINALIA_MIRROR", server.address)
    assert json.loads(run("fetch", "--json").stdout) == {
        "folder": str(tmp_path),
        "tasks": [
            {
                "task": "garden",
                "files": list(FILES),
                "bytes": sum(map(len, LAYOUT.values())),
                "derived": {"written": list(DERIVED), "kept": []},
                "to_import": ["garden/words.tsv"],
            }
        ],
    }


def test_a_failed_fetch_is_one_error_that_says_how_to_go_on(server: Server, tmp_path: Path) -> None:
    del server.files[UPSTREAM[LABELS]]
    result = run("fetch", "--data", tmp_path, "--from", server.address)
    assert isinstance(result.exception, MissingError)
    said = as_options(str(result.exception))  # as main() prints it
    assert "`marginalia data fetch garden` goes on from here, --from names another server" in said
    assert "\n" not in str(result.exception)


def test_computed_files_of_others_are_kept_unless_forced(server: Server, tmp_path: Path) -> None:
    fill(tmp_path, {"garden/names.tsv": b"mine"})
    result = run("fetch", "--data", tmp_path, "--from", server.address)
    assert "garden/names.tsv differs from what we compute and was not changed" in result.stderr
    result = run("fetch", "--data", tmp_path, "--from", server.address, "--force")
    assert "differs" not in result.stderr
    assert (tmp_path / "garden/names.tsv").read_text(encoding="utf-8") == DERIVED[
        "garden/names.tsv"
    ]


def test_status_counts_files_and_says_whether_test_can_be_scored(tmp_path: Path) -> None:
    fill(tmp_path, LAYOUT)
    (tmp_path / LABELS).unlink()
    result = run("status", "--data", tmp_path)
    assert result.exit_code == 0
    for cell in ("owner/garden", "CC BY 4.0", "3/4", "0/1", "missing", "(computed)"):
        assert cell in result.stdout
    assert "marginalia data fetch garden" in result.stderr
    assert "marginalia data import garden" in result.stderr
    (task,) = json.loads(run("status", "--data", tmp_path, "--json").stdout)["tasks"]
    assert (task["task"], task["test_gold"]) == ("garden", False)
    assert task["repositories"][0]["missing"] == [LABELS]
    assert task["repositories"][0]["present"] == 3
    assert task["derived"]["missing"] == list(DERIVED)
    assert task["import_only"]["missing"] == ["garden/words.tsv"]


def test_status_of_a_wrong_file_has_an_exit_code(tmp_path: Path) -> None:
    fill(tmp_path, {**LAYOUT, LABELS: LAYOUT[LABELS].replace(b"3", b"4")})
    assert run("status", "garden", "--data", tmp_path).exit_code == 0, "sizes are right"
    result = run("status", "garden", "--data", tmp_path, "--verify")
    assert result.exit_code == 1
    assert f"wrong: {tmp_path / LABELS}: the SHA-256 is" in result.stderr
    wrong = json.loads(run("status", "--data", tmp_path, "--verify", "--json").stdout)
    assert list(wrong["tasks"][0]["repositories"][0]["wrong"]) == [LABELS]


def test_import_says_what_it_took_and_what_is_missing(tmp_path: Path) -> None:
    fill(tmp_path / "checkout", dict(FILES.values()))
    folder = tmp_path / "data"
    result = run("import", "garden", tmp_path / "checkout", "--data", folder)
    assert result.stdout == "garden: 4 files imported, 1 computed; 1 still missing\n"
    again = json.loads(run("import", "garden", folder, "--data", folder, "--json").stdout)
    assert (again["files"], again["already"]) == ([], 5)
    assert again["missing"] == ["garden/words.tsv"]


def test_errors_are_ours(tmp_path: Path) -> None:
    assert isinstance(run("status").exception, MissingError)
    assert isinstance(run("status", "--data", tmp_path / "none").exception, MissingError)
    assert isinstance(run("fetch", "forest", "--data", tmp_path).exception, UnknownNameError)
    assert isinstance(run("import", "garden", tmp_path, "--data", tmp_path).exception, MissingError)


@pytest.mark.parametrize("command", ["status", "fetch", "import"])
def test_help_says_what_a_command_does(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "data folder" in " ".join(result.stdout.split()) and "--json" in result.stdout
