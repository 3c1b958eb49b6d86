"""How the weights are made: the whole program on a few pairs, and what it keeps without a dictionary."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from marginalia import Split
from marginalia.core.files import read_json
from marginalia.nlp.weights import open_weights
from marginalia.tasks.similarity.official import data
from marginalia.tasks.similarity.official.data import Pair
from marginalia.tasks.similarity.systems.inputs import read_scales, shipped_scales
from marginalia.tasks.similarity.systems.meaning import NAMES
from marginalia.tasks.similarity.systems.train.recipe import Labelled, means_of_the_same

SAID = (
    ("A man plays a guitar.", "A man is playing the guitar.", 4.8),
    ("A man plays a guitar.", "A woman slices 3 onions.", 0.4),
    ("The dog runs on the beach.", "A dog is running along the beach.", 4.4),
    ("The dog runs on the beach.", "The dog sleeps.", 2.2),
    ("Prices rose by 12 % in May.", "In May prices went up by 12 percent.", 5.0),
    ("Prices rose by 12 % in May.", "Prices did not rise in 2012.", 2.0),
)


def split() -> Split:
    items = {
        f"{name}/{n}": Pair(f"{a}", f"{b}", f"2012-train/{name}")
        for name in ("MSRpar", "MSRvid")
        for n, (a, b, _) in enumerate(SAID)
    }
    gold = {id: SAID[int(id[-1])][2] for id in items}
    return Split(name="train", items=items, gold=gold, group={id: id for id in items})


def test_the_means_of_what_says_the_same() -> None:
    rows = Labelled([("a", "b"), ("a", "a"), ("a", "c")], np.array([5.0, 5.0, 4.0]), ["x"] * 3)
    x = np.arange(12.0).reshape(3, 4)
    assert means_of_the_same(rows, NAMES, x) == dict(zip(NAMES, (0.0, 1.0, 2.0, 3.0), strict=True))


def test_the_program_from_pairs_to_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    from marginalia.tasks.similarity.systems.learned import Learned
    from marginalia.tasks.similarity.systems.train import recipe as train

    monkeypatch.setattr(data, "load", lambda name, folder: split())
    monkeypatch.setattr(sys, "argv", ["train", "--data", str(tmp_path), "--out", str(tmp_path)])
    train.main()
    assert open_weights(tmp_path)["files"].keys() == {"english.json", "multilingual.json", "surface.json"}  # fmt: skip
    assert "`learned`" in (tmp_path / "README.md").read_text(encoding="utf-8")
    made = read_json(tmp_path / "multilingual.json")
    assert read_scales(made["scales"]) == shipped_scales("multilingual")
    assert "scales" not in read_json(tmp_path / "english.json")
    pred = Learned(tmp_path).predict(split().items)
    assert pred["MSRvid/0"].score > pred["MSRvid/1"].score
