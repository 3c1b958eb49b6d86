"""From probabilities to spans: tag sequences, runs, and spans chosen by expected overlap."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.measurement.systems.decoding import (
    best_tags,
    choose,
    count_blanks,
    longest_run,
    number_blocks,
    tagged_runs,
    word_numbers,
)


def allowed(tags: tuple[int, ...]) -> bool:
    return all(
        tag % 2 or tag == 0 or before in (tag, tag - 1)
        for before, tag in zip((0, *tags), tags, strict=False)
    )


@given(
    st.lists(st.lists(st.floats(0.01, 1), min_size=5, max_size=5), min_size=1, max_size=5),
)
def test_the_best_tags_are_those_of_a_full_search(rows: list[list[float]]) -> None:
    scores = np.array(rows)
    logs = np.log(scores)

    def value(tags: tuple[int, ...]) -> float:
        return float(sum(logs[place, tag] for place, tag in enumerate(tags)))

    found = tuple(best_tags(scores, kinds=2))
    best = max(value(tags) for tags in product(range(5), repeat=len(rows)) if allowed(tags))
    assert allowed(found)
    assert value(found) == pytest.approx(best)


def test_tags_as_spans() -> None:
    assert tagged_runs([0, 1, 2, 1, 0, 3, 4, 4]) == [(0, 1, 2), (0, 3, 3), (1, 5, 7)]
    assert best_tags(np.zeros((0, 3))) == []


@given(st.lists(st.booleans(), max_size=20))
def test_the_longest_run(chosen: list[bool]) -> None:
    run = longest_run(np.array(chosen, dtype=bool))
    lengths = [len(part) for part in "".join("x" if c else " " for c in chosen).split()]
    assert (0 if run is None else run[1] - run[0] + 1) == max(lengths, default=0)
    if run is not None:
        assert all(chosen[run[0] : run[1] + 1])


def one_hot(size: int, **places: float) -> np.ndarray:
    row = np.full(size, 1e-6)
    for place, value in places.items():
        row[int(place[1:])] = value
    return row / row.sum()


WORDS = np.array([[k, k] for k in range(12)])


def test_a_certain_span_is_chosen() -> None:
    inside = np.zeros(12)
    inside[3:6] = 0.99
    choices = choose(one_hot(12, p3=1), one_hot(12, p5=1), inside, WORDS)
    assert (choices[0].first, choices[0].last) == (3, 5)
    assert choices[0].score > 0.9


def test_no_span_has_little_score_when_the_network_says_there_is_none() -> None:
    choices = choose(one_hot(12, p0=1), one_hot(12, p0=1), np.full(12, 0.01), WORDS)
    assert all(choice.score < 0.1 for choice in choices)


def test_between_likely_spans_the_one_that_overlaps_most_is_chosen() -> None:
    """2:4, 3:4 and 4:4 are about as likely; 3:4 loses least, though 4:4 is a little likelier."""
    starts = one_hot(12, p2=0.32, p3=0.33, p4=0.35)
    choices = choose(starts, one_hot(12, p4=1), np.full(12, 0.5), WORDS)
    assert (choices[0].first, choices[0].last) == (3, 4)
    assert all(choice.last < 3 or choice.first > 4 for choice in choices[1:])


@given(st.integers(2, 30), st.integers(0, 10_000))
def test_choices_are_spans_that_do_not_meet_and_scores_are_probabilities(
    size: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    starts, ends = random.dirichlet(np.full(size, 0.3), size=2)
    words = np.array([[k // 2, k // 2] for k in range(size)])
    taken: set[int] = set()
    for choice in choose(starts, ends, random.random(size), words):
        assert 1 <= choice.first <= choice.last < size
        assert -1e-6 <= choice.score <= 1 + 1e-6
        covered = set(range(words[choice.first, 0], words[choice.last, 1] + 1))
        assert not covered & taken
        taken |= covered


def test_words_are_counted_by_single_blanks_as_the_official_program_does() -> None:
    text = "a 😀bc  d"
    offsets = np.array([[0, 1], [2, 3], [3, 5], [7, 8]])
    assert word_numbers(count_blanks(text), offsets).tolist() == [[0, 0], [1, 1], [1, 1], [3, 3]]


def test_blocks_end_with_sentences_and_at_breaks() -> None:
    breaks = np.array([0, 0, 1, 0, 0, 0, 1, 1, 0], dtype=bool)
    sentences = np.array([1, 1, 1, 1, 2, 2, 2, 2, 2])
    blocks = number_blocks(breaks, sentences)
    assert blocks[breaks].tolist() == [-1] * 3
    assert blocks[0] == blocks[1] != blocks[3] != blocks[4] == blocks[5] != blocks[8]


def test_a_choice_stays_within_a_block() -> None:
    blocks = np.array([0, 0, 0, 0, -1, 1, 1, 1, 1, 1, 1, 1])
    starts, ends = one_hot(12, p2=0.9, p6=0.1), one_hot(12, p3=0.1, p8=0.9)
    free = choose(starts, ends, np.full(12, 0.5), WORDS)[0]
    held = choose(starts, ends, np.full(12, 0.5), WORDS, blocks)
    assert (free.first, free.last) == (2, 8)
    assert all(blocks[c.first] == blocks[c.last] >= 0 for c in held)
    assert {(c.first, c.last) for c in held[:2]} == {(2, 3), (6, 8)}
