"""Neither read nor extract writes over what it reads, over another text beside an .ann, or over what is no file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from marginalia import Document, write

COMMANDS = {
    "read": ([], ["--notes", "words"]),
    "extract": (["measurement"], ["--system", "rules"]),
}
"""Command -> the words before and after those of the case."""


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["notes.txt", "-o", "notes.ann"], "notes.txt"),
        ([".", "-o", ".", "--format", "brat"], "notes.txt"),
        (["article.html", "-o", "../w/article.html"], "article.html"),
        ([".", "-o", "article.html"], "article.html"),
        (["notes.txt", "-o", "notes.txt", "--format", "json"], "notes.txt"),
        (["article.html", "-o", "other.ann"], "other.txt"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_inputs_and_texts_beside_are_not_written_over(
    tmp_path: Path, command: str, words: list[str], name: str
) -> None:
    """A byte order mark, CRLF and another's text would be lost."""
    before = {
        "article.html": b"<p>It weighed 5 kg.</p>",
        "notes.txt": b"\xef\xbb\xbfIt weighed 5 kg.\r\nTwice.\r\n",
        "other.txt": b"Nothing here.",
    }
    folder = tmp_path / "w"
    folder.mkdir()
    for file, data in before.items():
        (folder / file).write_bytes(data)
    before_words, after_words = COMMANDS[command]
    result = subprocess.run(
        [sys.executable, "-m", "marginalia", command, *before_words, *words, *after_words],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2, result.stdout + result.stderr
    (sentence,) = result.stderr.splitlines()
    assert name in sentence and "name another place for the output" in sentence
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs on this system")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_fifo_takes_the_output_and_stays(tmp_path: Path, command: str) -> None:
    (tmp_path / "notes.txt").write_text("It weighed 5 kg.", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")
    before, after = COMMANDS[command]
    words = [*before, "notes.txt", "--format", "json", "-o", "pipe", *after]
    with ThreadPoolExecutor(1) as pool:
        received = pool.submit((tmp_path / "pipe").read_bytes)
        subprocess.run([sys.executable, "-m", "marginalia", command, *words], cwd=tmp_path, check=True)  # fmt: skip
        assert json.loads(received.result())
    assert (tmp_path / "pipe").is_fifo()


def test_a_link_is_followed_where_it_is_named_but_not_out_of_a_folder(tmp_path: Path) -> None:
    doc = Document(id="notes", text="It weighed 5 kg.")
    (tmp_path / "outside.json").write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    link = tmp_path / "folder" / "notes.json"
    link.symlink_to("../outside.json")
    write(doc, tmp_path / "folder", "json")
    assert (tmp_path / "outside.json").read_bytes() == b"old" and not link.is_symlink()
    link.unlink()
    link.symlink_to("../outside.json")
    assert write(doc, link) == [link]
    assert link.is_symlink() and json.loads((tmp_path / "outside.json").read_bytes())


def test_a_named_ann_is_followed_and_the_text_beside_it_is_not(tmp_path: Path) -> None:
    (tmp_path / "notes.ann").symlink_to("kept.ann")
    (tmp_path / "notes.txt").symlink_to("elsewhere.txt")
    write(Document(id="notes", text="It weighed 5 kg."), tmp_path / "notes.ann")
    assert (tmp_path / "notes.ann").is_symlink() and (tmp_path / "kept.ann").exists()
    assert not (tmp_path / "notes.txt").is_symlink() and not (tmp_path / "elsewhere.txt").exists()
