"""From probabilities to spans."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.measurement.systems.decoding import (
    count_blanks,
    overlaps,
    possible,
    ranked,
    word_numbers,
)


def one_hot(size: int, **places: float) -> np.ndarray:
    row = np.full(size, 1e-6)
    for place, value in places.items():
        row[int(place[1:])] = value
    return row / row.sum()


def test_a_certain_span_has_nearly_all_of_the_probability() -> None:
    inside = np.zeros(12)
    inside[3:6] = 0.99
    spans, chances = possible(one_hot(12, p3=1), one_hot(12, p5=1), inside)
    assert spans[0].tolist() == [3, 5] and chances[0] > 0.9


def test_no_span_has_much_where_the_network_says_that_there_is_none() -> None:
    _, chances = possible(one_hot(12, p0=1), one_hot(12, p0=1), np.full(12, 0.01))
    assert chances.sum() < 0.1


@given(st.integers(2, 30), st.integers(0, 10_000))
def test_ranked_spans_do_not_meet(size: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    starts, ends = random.dirichlet(np.full(size, 0.3), size=2)
    words = np.array([[k // 2, k // 2] for k in range(size)])
    spans, chances = possible(starts, ends, random.random(size))
    overlap, meets = overlaps(spans, spans, words)
    taken: set[int] = set()
    for choice in ranked(spans, overlap @ chances, meets @ chances, meets):
        assert 1 <= choice.first <= choice.last < size
        assert -1e-6 <= choice.score <= 1 + 1e-6
        covered = set(range(words[choice.first, 0], words[choice.last, 1] + 1))
        assert not covered & taken
        taken |= covered


def test_words_are_counted_by_single_blanks_as_the_official_program_does() -> None:
    text = "a 😀bc  d"
    offsets = np.array([[0, 1], [2, 3], [3, 5], [7, 8]])
    assert word_numbers(count_blanks(text), offsets).tolist() == [[0, 0], [1, 1], [1, 1], [3, 3]]
