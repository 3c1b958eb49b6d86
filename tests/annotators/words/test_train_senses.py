"""What speaks for a sense is learned from uses that have one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from marginalia.annotators.words.senses import FEATURES
from marginalia.annotators.words.train.senses import Use, accuracy, fit, left_out, read_uses
from marginalia.lexicon.dictionary import dictionary


def uses(count: int, seed: int = 0) -> list[Use]:
    """Uses whose right sense is the one with the largest first feature."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(count):
        rows = random.normal(size=(3, len(FEATURES))).astype(np.float32)
        made.append(Use(f"text {number % 10}", rows, int(np.argmax(rows[:, 0]))))
    return made


def test_the_weights_find_what_decides() -> None:
    weights = fit(uses(200))
    assert int(np.argmax(np.abs(weights))) == 0
    assert accuracy(uses(100, seed=1), weights) > 0.8
    assert left_out(uses(200)) == pytest.approx(accuracy(uses(200), weights), abs=0.1)


def test_uses_are_read_from_their_texts(tmp_path: Path) -> None:
    words = dictionary("en")
    assert words is not None
    entry = words.entry("kernel")
    assert entry is not None and len(entry.senses) > 1
    text = "It rained. The kernel of the operating system talks to the disk."
    start = text.index("kernel")
    wanted = entry.senses[1].gloss
    rows = [
        {"id": "a", "start": start, "end": start + 6, "word": "kernel", "gloss": wanted},
        {"id": "a", "start": start - 1, "end": start, "word": "kernel", "gloss": wanted},
    ]
    (tmp_path / "texts.jsonl").write_text(json.dumps({"id": "a", "text": text}) + "\n")
    (tmp_path / "uses.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    [use] = read_uses(tmp_path, words)
    assert (use.group, use.right, len(use.rows)) == ("a", 1, len(entry.senses))
