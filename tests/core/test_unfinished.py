"""Half-written folders: of a process that was killed they go, of one that writes they stay."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from marginalia.core.files import PREFIX, unfinished, write_file

pytest.importorskip("fcntl", reason="folders cannot be locked there")

KILLED = """
import os, sys
from pathlib import Path
from marginalia.core.files import unfinished
with unfinished(Path(sys.argv[1])) as half:
    (half / "a.txt").write_text("half")
    os.kill(os.getpid(), 9)
"""


def halves(folder: Path) -> list[Path]:
    return list(folder.glob(f"{PREFIX}*"))


def test_the_next_one_cleans_up_after_a_killed_one(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert [[path.name for path in half.iterdir()] for half in halves(tmp_path)] == [["a.txt"]]
    write_file(tmp_path / "b.txt", "whole")
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


def test_what_is_being_written_stays(tmp_path: Path) -> None:
    with unfinished(tmp_path) as half:
        write_file(tmp_path / "b.txt", "whole")
        assert half.is_dir() and halves(tmp_path) == [half]
    assert not halves(tmp_path)


def test_links_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"{PREFIX}link").symlink_to(tmp_path / "elsewhere")
    write_file(tmp_path / "b.txt", "whole")
    assert (tmp_path / "elsewhere").is_dir() and (tmp_path / f"{PREFIX}link").is_symlink()
