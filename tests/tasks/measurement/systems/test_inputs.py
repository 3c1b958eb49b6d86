"""What the network sees: windows that cover the text, and how pieces are written."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from marginalia.nlp.encoder import english
from marginalia.tasks.measurement.systems.inputs import (
    DISTANCE_COUNT,
    MAX_WINDOW_PIECES,
    SENTENCE_COUNT,
    SHAPE_COUNT,
    ask,
    mark,
    piece_shapes,
    read_windows,
)

TOKENIZER = english().tokenizer


def shapes_of(text: str) -> dict[str, int]:
    window = read_windows(text, TOKENIZER)[0]
    pairs = zip(window.offsets.tolist(), window.shapes.tolist(), strict=True)
    return {text[a:b]: shape for (a, b), shape in pairs if b > a}


def test_what_the_vocabulary_confuses_is_told_apart() -> None:
    shapes = shapes_of("from 5 M to 5 m or ∼ 3 ≤ 4 ± 2 %, two Mice at MIT")
    assert shapes["M"] != shapes["m"]
    assert len({shapes[sign] for sign in "∼≤±%,"}) == 5
    assert shapes["5"] == shapes["3"] != shapes["two"]
    assert shapes["Mice"] != shapes["MIT"] != shapes["from"]


def test_a_point_between_digits_is_not_a_full_stop() -> None:
    text = "It is 3.5. Good."
    window = read_windows(text, TOKENIZER)[0]
    points = [
        s for (a, b), s in zip(window.offsets, window.shapes, strict=True) if text[a:b] == "."
    ]
    assert points[0] != points[1] == points[2]


@given(st.text(max_size=300))
def test_every_piece_has_a_shape_of_the_table(text: str) -> None:
    for window in read_windows(text, TOKENIZER):
        assert window.shapes.min() >= 0 and window.shapes.max() < SHAPE_COUNT
        assert window.shapes[0] == window.shapes[-1] == 0
        assert len(window.pieces) == len(window.offsets) == len(window.sentences)


def test_long_texts_are_cut_into_windows_that_own_every_character_once() -> None:
    text = " ".join(f"word{number} is {number} m." for number in range(700))
    windows = read_windows(text, TOKENIZER)
    assert len(windows) > 3
    assert all(len(window.pieces) <= MAX_WINDOW_PIECES for window in windows)
    owns = [window.owns for window in windows]
    assert owns[0][0] == 0 and owns[-1][1] == len(text)
    assert all(a[1] == b[0] for a, b in pairwise(owns))
    for window in windows:
        low, high = window.owns
        inner = window.offsets[1:-1]
        assert inner[0, 0] <= low and inner[-1, 1] >= high - 1


def test_asking_marks_the_quantity_the_others_and_the_distance() -> None:
    text = "It was 5 m. The other was 7 km wide."
    window = read_windows(text, TOKENIZER)[0]
    five, seven = window.cover(7, 10), window.cover(26, 30)
    assert five is not None and seven is not None
    asked = ask(window, [five, seven], [five, seven], "margin")
    assert asked.marks[0, five[0]] == 1 and asked.marks[0, seven[0]] == 2
    assert asked.marks[1, seven[1]] == 1 and asked.marks[1, five[1]] == 2
    assert asked.distances[0, five[0]] == asked.distances[0, five[1]] == 0
    assert asked.distances[0, five[1] + 1] == 1 and asked.distances[0, five[0] - 1] == 17
    assert asked.distances.max() < DISTANCE_COUNT and asked.sentences.max() < SENTENCE_COUNT
    assert asked.convention.tolist() == [1, 1]
    assert mark(window, [five])[[five[0], five[1], five[1] + 1]].tolist() == [1, 2, 0]
    assert asked.sentences[0, seven[0]] == asked.sentences[0, five[0]] + 1


def test_shapes_of_no_pieces() -> None:
    assert piece_shapes("", np.zeros((0, 2), dtype=np.int64)).tolist() == []
