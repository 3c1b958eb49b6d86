"""Model cards: what is filled into the text written by hand."""

from __future__ import annotations

import hashlib
from pathlib import Path

from marginalia import __version__
from marginalia.nlp.training.card import commit, write_card
from marginalia.nlp.weights import write_weights


def test_marks_become_tables_hashes_and_the_version(tmp_path: Path) -> None:
    template = tmp_path / "card.md"
    template.write_text("# Card\n\nmade by VERSION\n\nDEV\n\nFILES\n", encoding="utf-8")
    folder = tmp_path / "weights"
    write_weights(folder, {"b.onnx": b"two", "a.onnx": b"one"})
    write_card(folder, template, {"DEV": (("system", "F1"), [["ours", "0.5"]])})
    lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
    assert f"made by marginalia {__version__}, commit unknown" in lines
    at = lines.index("| system | F1 |")
    assert lines[at + 1 : at + 3] == ["| --- | --- |", "| ours | 0.5 |"]
    hashes = {
        name: hashlib.sha256(data).hexdigest() for name, data in (("a", b"one"), ("b", b"two"))
    }
    assert lines[-2:] == [f"| `{name}.onnx` | `{digest}` |" for name, digest in hashes.items()]


def test_a_folder_without_history_has_no_commit(tmp_path: Path) -> None:
    assert commit(tmp_path) == "unknown"
