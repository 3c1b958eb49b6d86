"""``marginalia read``: what is shown, what is written, and for whom."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def read(*words: str, cwd: Path | None = None, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "marginalia", "read", *words],
        cwd=cwd,
        input=text,
        capture_output=True,
        text=True,
    )


def test_a_document_is_shown_with_its_notes() -> None:
    result = read(str(EXAMPLES / "guide.md"))
    assert result.returncode == 0, result.stderr
    assert "Sewing a pamphlet" in result.stdout
    assert "hard word × " in result.stdout


def test_levels_and_kinds_of_notes(tmp_path: Path) -> None:
    counts = []
    for level in ("learner", "expert"):
        words = ("-", "--format", "json", "--level", level, "--notes", "complexity")
        result = read(*words, text="The kinase perturbs cellular homeostasis in the liver.")
        assert result.returncode == 0, result.stderr
        counts.append(len(json.loads(result.stdout)["annotations"]))
    assert counts[0] > counts[1]


def test_the_ending_says_what_is_written(tmp_path: Path) -> None:
    result = read(str(EXAMPLES / "abstract-de.txt"), "-o", "out.html", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "Sesshaftigkeit" in page and "<mark" in page
    assert [path.name for path in tmp_path.iterdir()] == ["out.html"]
