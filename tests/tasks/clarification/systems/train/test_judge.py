"""The judge of unclear phrases: passages as they were before they were revised, their labels, and the fit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from marginalia import Document
from marginalia.tasks.clarification.gaps.finder import find
from marginalia.tasks.clarification.gaps.places import read_guide
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.systems.judge import JUDGE_FILE, judge, traits
from marginalia.tasks.clarification.systems.train.judge import (
    before_revision,
    fit,
    is_revised,
    revised,
)


def item(sentence: str, pattern: str = "IMPLICIT REFERENCE", **more: str) -> Item:
    given = {"title": "How to Bake", "header": "", "previous": "", "followup": "", **more}
    return Item(pattern=pattern, sentence=sentence, filler="the dough", others=(), **given)


@pytest.mark.parametrize(
    ("sentence", "pattern", "old"),
    [
        ("Let ______ rest.", "IMPLICIT REFERENCE", "Let rest."),
        ("Press the ______ button.", "ADDED COMPOUND", "Press the button."),
        ("Use these ______.", "FUSED HEAD", "Use these."),
        ("Check the ______ of the tyres.", "METONYMIC REFERENCE", "Check the tyres."),
    ],
)
def test_a_sentence_as_it_was(sentence: str, pattern: str, old: str) -> None:
    made = item(sentence, pattern, previous="(...) Knead it. Wait.", followup="Bake it. Cool it.")
    text, start, end, at = before_revision(made)
    assert " ".join(text[start:end].split()) == old
    assert text.startswith("Knead it. Wait.\n\n") and text.endswith("\n\nBake it.")
    assert start <= at <= end


def test_only_the_revised_place_is_unclear() -> None:
    made = item("Let ______ rest for an hour.", previous="Fold the sheet and hold for a minute.")
    [(title, rows, labels)] = revised([made])
    assert title == "How to Bake" and len(rows) == len(labels) > 1
    assert sum(labels) == 1
    text, start, end, at = before_revision(made)
    guide = read_guide(Document(id="x", text=text, meta={"lang": "en"}))
    places = find(Document(id="x", text=text, meta={"lang": "en"}), per_100_words=None)
    by_quote = {place.quote: is_revised(place, made, start, end, at) for place in places}
    assert by_quote["Let"] is True and by_quote["hold"] is False
    assert traits(places, guide).shape == (len(places), rows.shape[1])


def test_the_fit_gives_probabilities(tmp_path: Path) -> None:
    doc = Document(id="x", text="Lift your leg. Hold for ten seconds.", meta={"lang": "en"})
    guide = read_guide(doc)
    [place] = find(doc, per_100_words=None)
    width = traits([place], guide).shape[1]
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(200, width)).astype(np.float32)
    rows[:, 0] *= 5
    labels = rows[:, :20].sum(1) > 0
    made = fit(rows, labels, [str(n % 20) for n in range(200)])
    assert made["auc"] > 0.6 and made["slope"] > 0 and made["revised"] == labels.sum()
    (tmp_path / JUDGE_FILE).write_text(json.dumps(made), encoding="utf-8")
    [probability] = judge([place], guide, tmp_path)
    assert 0 < probability < 1
    assert judge([], guide, tmp_path) == []
