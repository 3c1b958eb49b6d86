"""Texts in which readers marked what stopped them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from marginalia.annotators.words.train.marks import NATIVE_MARKED_BY_LEARNERS, SHARE, own_texts
from marginalia.lexicon.dictionary import dictionary


def test_a_word_is_marked_once_and_its_later_uses_say_nothing(tmp_path: Path) -> None:
    text = "The sonata was long. A sonata needs a vivid pianist."
    marks = [
        {"quote": "sonata", "level": "general", "importance": 3},
        {"quote": "vivid", "level": "learner", "importance": 2},
    ]
    (tmp_path / "texts.jsonl").write_text(json.dumps({"id": "1", "text": text}), encoding="utf-8")
    (tmp_path / "marks.jsonl").write_text(json.dumps({"id": "1", "marks": marks}), encoding="utf-8")
    words = dictionary("en")
    assert words is not None
    [read] = own_texts(tmp_path, words)
    forms = [one.form for sentence in read.sentences for one in sentence.candidates]
    shares = dict(zip(zip(forms, range(len(forms)), strict=True), read.marks, strict=True))
    first, later = (key for key in shares if key[0] == "sonata")
    assert shares[first].tolist() == np.float32([SHARE[3], SHARE[3]]).tolist()
    assert np.isnan(shares[later]).all()
    [vivid] = (share for key, share in shares.items() if key[0] == "vivid")
    assert vivid.tolist() == np.float32([NATIVE_MARKED_BY_LEARNERS, SHARE[2]]).tolist()
    [long] = (share for key, share in shares.items() if key[0] == "long")
    assert long.tolist() == [0, 0]
