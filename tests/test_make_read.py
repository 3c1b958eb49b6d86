"""The README's command for a first look does what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_make_read_is_a_command_that_works(tmp_path: Path) -> None:
    """The line of the Makefile, on one document: its options must be those of the default reader."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    line = next(each for each in makefile.splitlines() if "$(BIN)/marginalia read" in each)
    words = line.split("marginalia ", 1)[1].replace("$(DOCUMENTS)", "examples/guide.md")
    words = words.replace("$(PAGES)/", f"{tmp_path}/")
    command = [sys.executable, "-m", "marginalia", *words.split()]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "guide.html").is_file()
