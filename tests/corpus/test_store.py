"""A part is there wholly or not at all, whatever moment a run ends at; and one process writes at a time."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from marginalia import FormatError, MissingError
from marginalia.corpus.store import Inventory, Store
from tests.corpus.rows import all_rows, put

FACTS = {"notes": ["fragile"], "version": "1"}


class Killed(BaseException):
    """The process ends here; nothing afterwards is done."""


def note(document: str) -> dict[str, list[dict[str, object]]]:
    row = {
        "document": document,
        "id": "n1",
        "task": "fragile",
        "label": "hard word",
        "quote": document,
    }
    return {"documents": [{"document": document, "text": document}], "annotations": [row]}


def test_a_run_that_ends_at_any_step_leaves_each_part_whole_or_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every write, sync, rename and folder is once the last thing that happens."""
    steps = count_steps(tmp_path / "counted", monkeypatch)
    assert steps > 20
    whole = [all_rows(tmp_path / "counted")]
    for last in range(steps):
        folder = tmp_path / str(last)
        with monkeypatch.context() as patch, pytest.raises(Killed):
            interrupt(patch, last)
            fill(folder)
        with Store.open_to_write(folder, FACTS) as store:
            done = set(Inventory.of(store.commits()).documents)
            assert done in (set(), {"a"}, {"a", "b"})
            for name in sorted({"a", "b"} - done):
                put(store, note(name))
        assert [all_rows(folder)] == whole
        on_disk = {path.relative_to(folder).as_posix() for path in folder.glob("*/*.parquet")}
        named = {path for record in Store(folder).commits() for path in record["files"]}
        assert on_disk == named


def fill(folder: Path) -> None:
    store = Store.open_to_write(folder, FACTS)
    try:
        put(store, note("a"))
        put(store, note("b"))
    finally:
        os.close(store.lock)  # as the system does when a process ends


def count_steps(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    with monkeypatch.context() as patch:
        steps = interrupt(patch, None)
        fill(folder)
    return len(steps)


def interrupt(patch: pytest.MonkeyPatch, last: int | None) -> list[str]:
    """Count what is done to the disk, and stop before the step of this number."""
    steps: list[str] = []

    def counted(name: str, function):
        def call(*args, **kwargs):
            if len(steps) == last:
                raise Killed
            steps.append(name)
            return function(*args, **kwargs)

        return call

    patch.setattr(Path, "replace", counted("rename", Path.replace))
    patch.setattr(Path, "mkdir", counted("mkdir", Path.mkdir))
    patch.setattr(Path, "open", counted("open", Path.open))
    patch.setattr(os, "fsync", counted("fsync", os.fsync))
    return steps


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    with (
        Store.open_to_write(tmp_path / "c", FACTS),
        pytest.raises(FormatError, match="another process"),
    ):
        Store.open_to_write(tmp_path / "c", FACTS)
    Store.open_to_write(tmp_path / "c", FACTS).close()


def test_other_settings_are_refused_or_start_again(tmp_path: Path) -> None:
    with Store.open_to_write(tmp_path / "c", FACTS) as store:
        put(store, note("a"))
    other = {**FACTS, "notes": ["words"]}
    with pytest.raises(FormatError, match=r"notes: \['fragile'\] then"):
        Store.open_to_write(tmp_path / "c", other)
    with Store.open_to_write(tmp_path / "c", other, again=True) as store:
        assert not list(store.commits())
    assert not list((tmp_path / "c").glob("*/*.parquet"))


def test_a_folder_of_something_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(FormatError, match="something else"):
        Store.open_to_write(tmp_path, FACTS)
    with pytest.raises(MissingError, match="is no corpus"):
        Store.open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"kind": "marginalia corpus", "layout": 99}'])
def test_a_manifest_of_another_kind_says_so(tmp_path: Path, content: str) -> None:
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(FormatError, match="manifest"):
        Store.open(tmp_path).manifest()


def test_readers_see_committed_parts_only(tmp_path: Path) -> None:
    with Store.open_to_write(tmp_path / "c", FACTS) as store:
        put(store, note("a"))
        put(store, note("b"))
        (tmp_path / "c/commits/000002.json").unlink()
        assert set(all_rows(tmp_path / "c")["documents"]) == {
            row for row in all_rows(tmp_path / "c")["documents"] if "'a'" in row
        }
    manifest = json.loads((tmp_path / "c/manifest.json").read_text())
    assert manifest["settings"] == FACTS
