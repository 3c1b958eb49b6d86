"""The hook that other projects name in their ``.pre-commit-config.yaml``."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")

HOOKS = Path(__file__).parent.parent.parent / ".pre-commit-hooks.yaml"


def test_the_entry_is_a_command_that_takes_file_names(tmp_path: Path) -> None:
    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    assert hook["id"] == "marginalia-lint" and hook["language"] == "python"
    program, *words = shlex.split(hook["entry"])
    assert program == "marginalia"  # the console script; here the same as a module
    (tmp_path / "a.md").write_text("It was *seperate*.\n")
    (tmp_path / "b.txt").write_text("The dog ran home.\n")
    command = [sys.executable, "-m", program, *words, "a.md", "b.txt"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 1, result.stderr
    assert result.stdout.startswith("a.md:1:9: warning: seperate: ")
