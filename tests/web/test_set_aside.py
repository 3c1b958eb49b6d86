"""A library whose database is lost: no file is deleted, and all of them can be brought back."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marginalia import keep_decisions
from marginalia.cli.library import library_command
from marginalia.cli.serve import serve_command
from marginalia.web.server import Server
from marginalia.web.store.store import Store
from tests.web.seen import EXAMPLES

DATABASE = "library.sqlite"
DECISION = {"sentence": "They trust the courts.", "variable": "V23", "verdict": "accepted"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library of two documents and a catalogue with a decision."""
    folder = tmp_path / "library"
    store = Store(folder)
    for name, text in (("a.txt", "First text."), ("b.txt", "Second text.")):
        (store.incoming / name).write_text(text, encoding="utf-8")
        store.documents.add(name, store.incoming / name, owner="anna")
    shutil.copyfile(EXAMPLES / "survey.ddi.xml", store.incoming / "survey")
    kept = store.catalogues.add("survey.ddi.xml", store.incoming / "survey", owner="anna")
    keep_decisions(kept.path, [DECISION])
    store.close()
    return folder


def lose(folder: Path) -> None:
    for file in folder.glob(f"{DATABASE}*"):
        file.unlink()


def empty(folder: Path) -> None:
    lose(folder)
    (folder / DATABASE).touch()


def make_new(folder: Path) -> None:
    lose(folder)
    Store(folder, alone=False).close()


def texts(folder: Path) -> list[str]:
    return sorted(path.read_text(encoding="utf-8") for path in folder.rglob("*.txt"))


def command(folder: Path, *words: str) -> Result:
    result = CliRunner().invoke(library_command, [*words, "--library", str(folder)])
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize("harm", [lose, empty, make_new])
def test_files_outlive_a_lost_database(
    folder: Path, harm: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(server: Server, sockets: list) -> None:
        sockets[0].close()
        server.library.close()

    monkeypatch.setattr("marginalia.web.server.Server.run", run)
    monkeypatch.setattr("marginalia.web.library.Library.warm", lambda self: None)
    harm(folder)
    words = ["--library", str(folder), "--port", "0"]
    started = CliRunner().invoke(serve_command, words)
    assert started.exit_code == 0, started.output
    assert (
        started.stderr.count("\n") == 1 and "3 files that library.sqlite does not" in started.stderr
    )
    assert str(folder / "set-aside") in started.stderr and "library recover" in started.stderr
    assert texts(folder) == ["First text.", "Second text."]
    assert CliRunner().invoke(serve_command, words).stderr == "", "said once"
    assert command(folder, "recover").stdout == "3 files brought back\n"
    assert not (folder / "set-aside").exists()
    store = Store(folder)
    assert store.notice == "" and texts(folder / "files") == ["First text.", "Second text."]
    found = {one.name: one.state for one in store.documents.all()}
    assert found == {"a.txt": "waiting", "b.txt": "waiting"}
    (catalogue,) = store.catalogues.all()
    assert catalogue.name == "survey.ddi.xml" and catalogue.variables == 26
    assert [one.variable for one in keep_decisions(catalogue.path, [])] == ["V23"]
    store.close()


def test_an_older_database_costs_no_file(folder: Path) -> None:
    """What was added since the copy was made."""
    shutil.copyfile(folder / DATABASE, folder.parent / "backup")
    store = Store(folder)
    (store.incoming / "c").write_text("Third text.", encoding="utf-8")
    store.documents.add("c.txt", store.incoming / "c", owner="anna")
    store.close()
    lose(folder)
    shutil.copyfile(folder.parent / "backup", folder / DATABASE)
    assert "1 file that library.sqlite does not know" in command(folder, "recover").stderr
    store = Store(folder)
    assert [one.name for one in store.documents.all()] == ["a.txt", "b.txt", "c.txt"]
    store.close()


def test_what_an_exported_copy_has_does_not_come_twice(folder: Path) -> None:
    copy = str(folder.parent / "copy.zip")
    command(folder, "export", copy)
    lose(folder)
    assert "set-aside" in command(folder, "import", copy).stderr
    said = command(folder, "recover").stdout
    assert "0 files brought back" in said and "3 are here already" in said
    assert texts(folder / "set-aside") == ["First text.", "Second text."], "and none is deleted"


def test_nothing_is_set_aside_where_nothing_is_unknown(folder: Path) -> None:
    (folder / "files" / "unknown" / "0123").mkdir(parents=True)
    store = Store(folder)
    assert store.notice == "" and not (folder / "set-aside").exists()
    assert not (folder / "files" / "unknown").exists(), "an upload that was killed before it moved"
    store.close()
