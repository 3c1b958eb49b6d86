"""``marginalia lint`` as editors and CI call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.reader.documents import pdf

TEXT = "# Notes\n\nIt was *serendipitous*.\n\nThe dog ran home.\n"


def lint(*words: str, cwd: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "marginalia", "lint", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, input=text)


def test_findings_have_their_place_and_fail(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    result = lint("a.md", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stdout.startswith("a.md:3:9: note: serendipitous: ")
    assert result.stdout.endswith("[complexity.hard-word]\n") and result.stdout.count("\n") == 1
    assert result.stderr == "1 finding in 1 file\n"


def test_what_is_allowed_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    assert lint("a.md", "--max", "1", cwd=tmp_path).returncode == 0
    assert lint("a.md", "--severity", "warning", cwd=tmp_path).returncode == 0
    (tmp_path / ".marginalia.toml").write_text('max = 1\n[severity]\n"hard-word" = "error"\n')
    result = lint(".", "--format", "json", cwd=tmp_path)
    assert result.returncode == 0
    assert json.loads(result.stdout)[0]["severity"] == "error"


def test_wrong_input_is_not_a_finding(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe\x00")
    assert lint("no.md", cwd=tmp_path).returncode == 2
    result = lint("a.md", "b.txt", cwd=tmp_path)
    assert result.returncode == 2 and "a.md:3:9" in result.stdout and "b.txt" in result.stderr
    (tmp_path / ".marginalia.toml").write_text("maximum = 1")
    result = lint("a.md", cwd=tmp_path)
    assert result.returncode == 2 and "'maximum' is unknown" in result.stderr


def test_the_report_is_a_file_and_never_an_input(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    result = lint("a.md", "-o", "lint.sarif", cwd=tmp_path)
    assert result.returncode == 1 and result.stdout == ""
    report = json.loads((tmp_path / "lint.sarif").read_text())
    assert report["runs"][0]["results"][0]["ruleId"] == "complexity.hard-word"
    assert lint("a.md", "-o", "a.md", cwd=tmp_path).returncode == 2
    assert (tmp_path / "a.md").read_text() == TEXT


def test_an_editor_sends_what_is_not_saved_yet(tmp_path: Path) -> None:
    result = lint("-", cwd=tmp_path, text=TEXT)
    assert result.returncode == 1 and result.stderr == "1 finding in 1 file\n"
    assert result.stdout.startswith("stdin:3:9: note: serendipitous: ")
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / ".marginalia.toml").write_text('[severity]\n"hard-word" = "error"\n')
    words = ("-", "--stdin-filename", "docs/new.txt", "--format", "json")
    (found,) = json.loads(lint(*words, cwd=tmp_path, text=TEXT).stdout)
    # As a .txt the asterisks are text; the settings are those beside the file that will be.
    assert (found["path"], found["severity"]) == (str(Path("docs/new.txt")), "error")
    assert (found["line"], found["column"]) == (3, 9)
    assert lint("-", cwd=tmp_path).returncode == 0
    result = lint("a.md", "--stdin-filename", "b.md", cwd=tmp_path)
    assert result.returncode == 2 and "give - for FILE" in result.stderr


def test_a_folder_may_hold_what_has_no_lines_or_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    (tmp_path / "empty.md").write_text("<!-- to do -->\n")
    (tmp_path / "paper.pdf").write_bytes(pdf(["Some text."]))
    result = lint(".", cwd=tmp_path)
    assert result.returncode == 1 and result.stderr == "1 finding in 2 files\n"
    result = lint("paper.pdf", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("marginalia: paper.pdf: a pdf file has no lines to point to")


def test_a_misspelled_task_is_no_clean_bill(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    result = lint("a.md", "--select", "complexty.hard-word", cwd=tmp_path)
    assert result.returncode == 2 and "Did you mean 'complexity'?" in result.stderr


def test_a_byte_order_mark_is_no_column(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("It was serendipitous.\n", encoding="utf-8-sig")
    assert lint("a.md", cwd=tmp_path).stdout.startswith("a.md:1:8: ")
