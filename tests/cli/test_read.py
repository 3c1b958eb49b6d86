"""``marginalia read``: what is shown, what is written, and for whom."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from marginalia.reader.formats.signature import parsed_suffixes
from tests.reader.documents import pdf

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
    assert "measurement × " not in result.stdout
    assert re.search(r"\d+ measurements: --for curator shows them", result.stdout)
    assert "measurement × " in read(str(EXAMPLES / "guide.md"), "--for", "curator").stdout


def test_profiles_and_kinds_of_notes(tmp_path: Path) -> None:
    counts = []
    for profile in ("learner", "specialist"):
        words = ("-", "--json", "--for", profile, "--notes", "words")
        result = read(*words, text="A conducive place for an enigma and a ubiquitous look at it.")
        assert result.returncode == 0, result.stderr
        counts.append(len(json.loads(result.stdout)["annotations"]))
    assert counts[0] > counts[1]


def test_the_terms_of_a_document_as_json() -> None:
    result = read(str(EXAMPLES / "guide.md"), "--glossary", "--json")
    terms = json.loads(result.stdout)
    assert terms and {"document", "term", "meaning", "page"} <= terms[0].keys()


def test_the_ending_says_what_is_written(tmp_path: Path) -> None:
    result = read(
        str(EXAMPLES / "abstract-de.txt"), "--for", "curator", "-o", "out.html", cwd=tmp_path
    )
    assert result.returncode == 0, result.stderr
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "Sesshaftigkeit" in page and "<mark" in page
    assert [path.name for path in tmp_path.iterdir()] == ["out.html"]


def test_what_an_old_code_page_lacks_is_printed_all_the_same(tmp_path: Path) -> None:
    """As on Windows, where a pipe has no UTF-8."""
    (tmp_path / "a.txt").write_text("A “small” test → שלום.", encoding="utf-8")
    command = [sys.executable, "-m", "marginalia", "read", "a.txt", "--notes", "words"]
    without = {k: v for k, v in os.environ.items() if k not in ("PYTHONIOENCODING", "PYTHONUTF8")}
    ascii_only = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for more, expected in (
        (ascii_only, "→ שלום".encode()),
        ({"PYTHONIOENCODING": "cp1252"}, rb"\u2192 \u05e9"),
    ):
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, env={**without, **more})
        assert result.returncode == 0, result.stderr
        assert expected in result.stdout


def test_a_dash_is_standard_output(tmp_path: Path) -> None:
    result = read("-", "-o", "-", "--format", "jsonl", cwd=tmp_path, text="A plain sentence.")
    assert json.loads(result.stdout)["text"] == "A plain sentence."
    assert list(tmp_path.iterdir()) == []


def test_one_bad_file_of_many_is_left_out_and_named(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("It was serendipitous.", encoding="utf-8")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\x00")
    result = read(".", "-o", "out.json", cwd=tmp_path)
    assert result.returncode == 1
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["id"] == "good"
    assert "left out" in result.stderr and "bad.txt" in result.stderr


def test_pages_that_could_not_be_read_are_named(tmp_path: Path) -> None:
    whole = pdf(["Some text."], ["More text."])
    broken = whole.replace(b"8 0 obj\n<< /Type /Page", b"8 0 obj\n<< /Type /Pxge")
    (tmp_path / "x.pdf").write_bytes(broken)
    result = read("x.pdf", "--notes", "words", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "marginalia: x.pdf: page 2 " in result.stderr
    assert "Some text." in result.stdout


def test_if_no_file_can_be_read_nothing_is_written(tmp_path: Path) -> None:
    for words in (("no.txt", "nor.txt"), ("no.txt", "nor.txt", "-o", "out.html")):
        result = read(*words, cwd=tmp_path)
        assert result.returncode == 2 and result.stdout == ""
        assert result.stderr.endswith("marginalia: none of the documents could be read\n")
    assert list(tmp_path.iterdir()) == []


def test_many_documents_become_many_pages(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("It was serendipitous.", encoding="utf-8")
    words = ("a.txt", "b.txt", "--notes", "words", "--format", "html", "-o", "pages/")
    result = read(*words, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["a.html", "b.html"]


def test_an_option_of_other_notes_is_said_to_be_theirs(tmp_path: Path) -> None:
    given = str(tmp_path)  # there, so that this is not what is wrong
    result = read("-", "--notes", "words", "--catalogue", given, text="A text.")
    assert result.returncode == 2
    assert result.stderr == "marginalia: the option 'catalogue' is for variables notes only\n"


def test_a_tip_is_given_once_and_holds_for_every_option(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("It was serendipitous.", encoding="utf-8")
    result = read("a.txt", "b.txt", "--notes", "words", cwd=tmp_path)
    assert result.stdout.count("as a page: add -o page.html") == 1


def test_a_file_says_what_it_leaves_out(tmp_path: Path) -> None:
    text = " ".join(f"The box weighs {number} kg." for number in range(2, 60))
    (tmp_path / "boxes.txt").write_text(text, encoding="utf-8")
    words = ("boxes.txt", "--notes", "measurements", "-o", "notes.csv")
    result = read(*words, cwd=tmp_path)
    assert re.search(r"notes left out: \d+ measurements; --all writes them", result.stderr)
    few = (tmp_path / "notes.csv").read_text(encoding="utf-8").count("\n")
    result = read(*words, "--all", cwd=tmp_path)
    assert "left out" not in result.stderr
    assert (tmp_path / "notes.csv").read_text(encoding="utf-8").count("\n") > few


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_make_read_reads_every_example() -> None:
    command = ["make", "--dry-run", "read", "-o", ".venv/installed", "VENV=.venv"]
    root = EXAMPLES.parent
    shown = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    line = next(line for line in shown.splitlines() if "marginalia read" in line)
    documents = {word for word in line.split() if word.startswith("examples/")}
    catalogue = EXAMPLES / "survey.ddi.xml"  # XML, but of variables: `link` reads it, not `read`
    readable = {path for path in EXAMPLES.iterdir() if path.suffix in parsed_suffixes()}
    assert {root / word for word in documents} == readable - {catalogue}, (
        "examples and Makefile differ"
    )
    assert "file://" in shown
