"""Scanned pages: recognised when asked for, by a program that may be missing, fail or be there."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from marginalia import FormatError, MissingError
from marginalia.reader.pdf import ocr
from marginalia.reader.read import read
from tests.reader.documents import pdf


def program(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """A stand-in for the program, alone on the path."""
    path = folder / "bin" / ocr.COMMAND
    path.parent.mkdir()
    path.write_text(f"#!{sys.executable}\nimport sys\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", str(path.parent))


def recognising(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in that recognises ``done.pdf`` in every scan."""
    done = str(folder / "done.pdf")
    program(folder, monkeypatch, f"sys.stdout.buffer.write(open({done!r}, 'rb').read())")


def scan(folder: Path) -> Path:
    path = folder / "scan.pdf"
    path.write_bytes(pdf([]))
    return path


def test_a_scan_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"holds no text: its pages may be scans.*--ocr"):
        read(scan(tmp_path))


def test_what_is_recognised_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "done.pdf").write_bytes(pdf(["The jar holds honey."]))
    body = f"""
assert sys.stdin.buffer.read().startswith(b"%PDF") and sys.argv[-2:] == ["-", "-"]
assert sys.argv[sys.argv.index("--language") + 1] == "deu"
sys.stdout.buffer.write(open({str(tmp_path / "done.pdf")!r}, "rb").read())"""
    program(tmp_path, monkeypatch, body)
    doc = read(scan(tmp_path), ocr=True, lang="de")
    assert doc.text == "The jar holds honey." and doc.meta["geometry"]["lines"]


def test_other_formats_need_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "a.txt").write_text("A jar.", encoding="utf-8")
    assert read(tmp_path / "a.txt", ocr=True).text == "A jar."


def test_without_the_program_one_sentence_says_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingError, match="OCRmyPDF, which is not installed"):
        read(scan(tmp_path), ocr=True)


def test_a_failure_is_told_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, monkeypatch, 'sys.exit("no tesseract data for deu")')
    with pytest.raises(FormatError, match="could not be recognised: no tesseract data for deu"):
        read(scan(tmp_path), ocr=True)


@pytest.mark.skipif(shutil.which(ocr.COMMAND) is None, reason="OCRmyPDF is not installed")
def test_the_real_program_takes_our_words(tmp_path: Path) -> None:
    """A page that has text stays as it is, so that nothing depends on what is recognised."""
    path = tmp_path / "text.pdf"
    path.write_bytes(pdf(["The jar holds honey."]))
    assert read(path, ocr=True).text == "The jar holds honey."
