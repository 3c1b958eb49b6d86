"""``marginalia lint`` as editors and CI call it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.reader.documents import pdf

TEXT = "# Notes\n\nIt was *seperate*.\n\nThe dog ran home.\n"


def lint(*words: str, cwd: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "marginalia", "lint", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, input=text)


def test_findings_have_their_place_and_fail(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    result = lint("a.md", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stdout.startswith("a.md:3:9: warning: seperate: ")
    assert result.stdout.endswith("[wording.misspelled] *\n") and result.stdout.count("\n") == 1
    assert result.stderr == "1 finding in 1 file\n"


def test_what_is_allowed_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    assert lint("a.md", "--max", "1", cwd=tmp_path).returncode == 0
    assert lint("a.md", "--severity", "error", cwd=tmp_path).returncode == 0
    (tmp_path / ".marginalia.toml").write_text('max = 1\n[severity]\n"misspelled" = "error"\n')
    result = lint(".", "--json", cwd=tmp_path)
    assert result.returncode == 0
    assert json.loads(result.stdout)[0]["severity"] == "error"


def test_wrong_input_is_not_a_finding(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe\x00")
    assert lint("no.md", cwd=tmp_path).returncode == 2
    result = lint("a.md", "b.txt", cwd=tmp_path)
    assert result.returncode == 2 and "a.md:3:9" in result.stdout and "b.txt" in result.stderr
    assert "1 finding in 1 file\n" in result.stderr  # the other one was not looked at
    (tmp_path / ".marginalia.toml").write_text("maximum = 1")
    result = lint("a.md", cwd=tmp_path)
    assert result.returncode == 2 and "'maximum' is unknown" in result.stderr


def test_the_report_is_a_file_and_never_an_input(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(TEXT)
    result = lint("a.md", "-o", "lint.sarif", cwd=tmp_path)
    assert result.returncode == 1 and result.stdout == ""
    report = json.loads((tmp_path / "lint.sarif").read_text())
    assert report["runs"][0]["results"][0]["ruleId"] == "wording.misspelled"
    assert lint("a.md", "-o", "a.md", cwd=tmp_path).returncode == 2
    assert (tmp_path / "a.md").read_text() == TEXT


def test_an_editor_sends_what_is_not_saved_yet(tmp_path: Path) -> None:
    result = lint("-", cwd=tmp_path, text=TEXT)
    assert result.returncode == 1 and result.stderr == "1 finding in 1 file\n"
    assert result.stdout.startswith("stdin:3:9: warning: seperate: ")
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / ".marginalia.toml").write_text('[severity]\n"misspelled" = "error"\n')
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
    result = lint("a.md", "--select", "wrds.hard-word", cwd=tmp_path)
    assert result.returncode == 2 and "Did you mean 'words'?" in result.stderr


def test_a_byte_order_mark_is_no_column(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("It was seperate.\n", encoding="utf-8-sig")
    assert lint("a.md", cwd=tmp_path).stdout.startswith("a.md:1:8: ")


SLIPS = "\ufeffFold the the sheet.\r\nThe dataset, a dataset, the data set.\r\n"


def test_fixes_are_shown_and_made(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(SLIPS.encode())
    result = lint("a.md", "--select", "spelling,wording", "--diff", cwd=tmp_path)
    assert result.returncode == 1 and "+Fold the sheet.\n" in result.stdout
    assert path.read_bytes() == SLIPS.encode()
    result = lint("a.md", "--select", "spelling,wording", "--fix", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == "a.md: 2 fixed\n0 findings in 1 file\n"
    fixed = SLIPS.replace("the the", "the").replace("data set", "dataset")
    assert path.read_bytes() == fixed.encode()
    result = lint("-", "--fix", cwd=tmp_path, text="the the")
    assert result.returncode == 2 and "take --diff" in result.stderr


def test_formats_carry_the_rule_and_the_fix(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Fold the the sheet.\n")
    select = ("a.md", "--select", "wording")
    assert lint(*select, cwd=tmp_path).stdout.endswith("[wording.doubled] *\n")
    (found,) = json.loads(lint(*select, "--format", "json", cwd=tmp_path).stdout)
    mended = {"line": 1, "column": 6, "end_line": 1, "end_column": 13, "text": "the"}
    assert found["fix"] == [mended] and found["help"].endswith("lint-rules.md#wordingdoubled")
    (run,) = json.loads(lint(*select, "--format", "sarif", cwd=tmp_path).stdout)["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["helpUri"] == found["help"] and rule["defaultConfiguration"]["level"] == "warning"
    (change,) = run["results"][0]["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "the"}
    assert found["help"] in lint(*select, "--format", "github", cwd=tmp_path).stdout


def test_a_baseline_and_figures(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Fold the the sheet.\n")
    result = lint(".", "--select", "wording", "--write-baseline", "known.json", cwd=tmp_path)
    assert result.returncode == 0 and "recorded in known.json" in result.stderr
    (tmp_path / ".marginalia.toml").write_text('select = ["wording"]\nbaseline = "known.json"\n')
    assert lint("a.md", cwd=tmp_path).returncode == 0
    (tmp_path / "a.md").write_text("New.\n\nFold the the sheet. We recieve it.\n")
    result = lint("a.md", "--statistics", "--format", "json", cwd=tmp_path)
    figures = json.loads(result.stdout)
    assert result.returncode == 1 and figures["codes"] == {"wording.misspelled": 1}
    assert figures["files"][0]["readability"]["LIX"] > 0
    assert "Flesch Reading Ease" in lint("a.md", "--statistics", cwd=tmp_path).stdout
    assert lint("a.md", "--baseline", "none.json", cwd=tmp_path).returncode == 2


def test_rules_explain_themselves(tmp_path: Path) -> None:
    result = lint("--explain", "spelling.variants", cwd=tmp_path)
    assert result.returncode == 0 and result.stdout.startswith("### spelling.variants\n")
    family = lint("--explain", "spelling", cwd=tmp_path).stdout
    assert family.count("### spelling.") > 2 and "\n\n### spelling.case\n" in family
    codes = {row["code"] for row in json.loads(lint("--rules", "--json", cwd=tmp_path).stdout)}
    assert {"spelling.variants", "words.hard-word"} <= codes
    result = lint("--explain", "spelling.varients", cwd=tmp_path)
    assert result.returncode == 2 and "Did you mean 'spelling.variants'?" in result.stderr
    assert lint(cwd=tmp_path).returncode == 2
