"""What training wants of the heads: ratings and their bounds, and what a language model says."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from marginalia.nlp.encoder import english
from marginalia.tasks.clarification.systems.passes import CENTRE, HEADS, SPREAD
from marginalia.tasks.clarification.systems.train.learning import (
    AFTER_SPREAD,
    FURTHER,
    LM_CENTRE,
    LM_SPREAD,
    contexts,
    make_example,
    targets,
)
from tests.tasks.clarification.invented import invented

FILLERS = ("the pose", "your leg", "the chair", "a cloud", "the stretch")
TAUGHT = {
    "7": {
        "fillers": {filler: [-9.0 - n, -20.0 - n, 2] for n, filler in enumerate(FILLERS)},
        "words": {f"word{n}": -10.0 for n in range(20)},
    }
}


@pytest.mark.parametrize(
    ("rating", "above"),
    [(1, (0, 0)), (2.5, (0, 0)), (2.75, (1, 0)), (3.99, (1, 0)), (4, (1, 1)), (5, (1, 1))],
)
def test_targets_follow_the_official_bounds(rating: float, above: tuple[int, int]) -> None:
    row = targets(rating)
    assert tuple(row[1:3]) == above
    assert row[0] * SPREAD + CENTRE == pytest.approx(rating)
    assert np.isnan(row[3:]).all()


def test_a_context_for_each_sentence(tmp_path: Path) -> None:
    first, second = contexts(invented(tmp_path), TAUGHT)
    assert first.fillers == FILLERS
    assert first.ratings == (4.5, 3.5, 2.5, 1.0, 4.0)
    assert first.taught is not None
    assert second.taught is None
    assert first.size > second.size


def test_without_a_language_model_only_the_ratings_are_known(tmp_path: Path) -> None:
    _, second = contexts(invented(tmp_path), TAUGHT)
    example = make_example(second, english().tokenizer, Random(0))
    assert example.wanted.shape == (5, len(HEADS)) == (len(example.packed.spans), len(HEADS))
    assert np.isnan(example.wanted[:, 3:]).all()
    assert not np.isnan(example.wanted[:, :3]).any()


def test_a_language_model_teaches_further_words(tmp_path: Path) -> None:
    first, _ = contexts(invented(tmp_path), TAUGHT)
    example = make_example(first, english().tokenizer, Random(0))
    assert len(example.wanted) == len(example.packed.spans) == 5 + FURTHER
    own, after = example.wanted[:5, 3], example.wanted[:5, 4]
    np.testing.assert_allclose(own * LM_SPREAD + LM_CENTRE, [-9, -10, -11, -12, -13], atol=1e-5)
    np.testing.assert_allclose(after * AFTER_SPREAD, [2, 1, 0, -1, -2], atol=1e-5)
    assert np.isnan(example.wanted[5:, :3]).all()
    assert np.isnan(example.wanted[5:, 4]).all()
    other = make_example(first, english().tokenizer, Random(1))
    assert not np.array_equal(example.packed.pieces, other.packed.pieces)
