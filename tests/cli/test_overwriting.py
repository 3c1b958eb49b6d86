"""Neither read nor extract writes over what it reads, or over another text beside an .ann."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = {
    "read": ([], ["--notes", "complexity"]),
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
