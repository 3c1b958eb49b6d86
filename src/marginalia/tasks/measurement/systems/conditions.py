"""Which phrases of a paragraph are conditions of a quantity, and how probable each is.

The network tags pieces. Runs of them at several thresholds are candidates, and a logistic model weighs what the tags say with where
the run stands and what the network says of the quantity. Its weights are fitted by ``train/chances.py`` on paragraphs that the network has
not learned from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from marginalia.quantities.lexicon import stop_words
from marginalia.quantities.quantity import RoleSpan
from marginalia.tasks.measurement.systems.decoding import Floats, PieceSpan
from marginalia.tasks.measurement.systems.inputs import PURPOSES, TAGS
from marginalia.tasks.measurement.systems.window_reading import WindowReading

CONDITION = "Qualifier"
THRESHOLDS = (0.2, 0.35, 0.5)
"""Of the probability that a piece is in a condition: each gives runs of its own, longer and shorter ones."""
MOST = 4
"""Conditions of a quantity that are given."""
FEATURES = (
    "mean", "most", "begins", "length", "same_sentence", "after", "distance",
    "entity", "property", "other_quantity", *PURPOSES,
)  # fmt: skip
"""Logits of the tags in the run, its length and place, how far it is tagged as entity or property, whether it has another
quantity in it, and why the quantity is in the paper."""
_FLOOR = 1e-4
_WORD = re.compile(r"[^\s,;:()\[\]]*[^\W_][^\s,;:()\[\]]*")
_OPENING = frozenset({"and", "or", "the", "und", "oder", "der", "die", "das"})
"""A condition may begin with a preposition, but not with these."""


def candidates(text: str, reading: WindowReading, number: int) -> list[tuple[RoleSpan, Floats]]:
    """The runs of pieces that may be a condition of a quantity, each with its features."""
    begins, goes_on = TAGS.index("condition begins"), TAGS.index("condition")
    tags = reading.answers[number].tags[:-1]
    within = tags[:, begins] + tags[:, goes_on]
    first, last = reading.places[number]
    found = []
    runs = dict.fromkeys(
        run
        for least in THRESHOLDS
        for run in _runs(within, tags[:, begins] > tags[:, goes_on], least)
    )
    for low, high in runs:
        span = _trimmed(text, reading.role_span(CONDITION, PieceSpan(low, high, 0.0)))
        if span is not None and not (low <= last and first <= high):
            found.append((span, _features(reading, number, (low, high), within)))
    return found


def _runs(within: Floats, begins: NDArray[np.bool_], least: float) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for place in range(1, len(within)):
        if within[place] < least:
            continue
        if found and found[-1][1] == place - 1 and not begins[place]:
            found[-1] = found[-1][0], place
        else:
            found.append((place, place))
    return found


def _trimmed(text: str, span: RoleSpan) -> RoleSpan | None:
    """The span in whole words, without function words, brackets and commas at its ends; None where nothing is left."""
    start, end = span.start, span.end
    while start > 0 and _is_word(text[start]) and _is_word(text[start - 1]):
        start -= 1
    while end < len(text) and _is_word(text[end - 1]) and _is_word(text[end]):
        end += 1
    words = [match.span() for match in _WORD.finditer(text, start, end)]
    while words and text[slice(*words[-1])] in stop_words():
        words.pop()
    while words and text[slice(*words[0])] in _OPENING:
        words.pop(0)
    if all(text[slice(*word)].lower() in stop_words() for word in words):
        return None
    start, end = words[0][0], words[-1][1]
    closes = text[end : end + 1] == ")" and text.count("(", start, end) > text.count(
        ")", start, end
    )
    return span._replace(start=start, end=end + closes)


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign in "-‐‑–"


def _features(reading: WindowReading, number: int, run: tuple[int, int], within: Floats) -> Floats:
    low, high = run
    tags = reading.answers[number].tags[low : high + 1]
    first, last = reading.places[number]
    sentences = reading.window.sentences
    inside = within[low : high + 1]
    others = (place for n, place in enumerate(reading.places) if n != number)
    return np.array(
        [
            _logit(float(inside.mean())),
            _logit(float(inside.max())),
            _logit(float(tags[0, TAGS.index("condition begins")])),
            math.log(high - low + 1),
            float(sentences[low] == sentences[first]),
            float(low > last),
            math.log(max(low - last, first - high, 1)),
            float(tags[:, TAGS.index("entity")].mean()),
            float(tags[:, TAGS.index("property")].mean()),
            float(any(a <= high and low <= b for a, b in others)),
            *map(float, reading.answers[number].purposes),
        ],
        dtype=np.float32,
    )


def _logit(chance: float) -> float:
    sure = min(max(chance, _FLOOR), 1 - _FLOOR)
    return math.log(sure / (1 - sure))


def condition_chance(features: Floats, weights: Mapping[str, float]) -> float:
    """1 / (1 + exp(-(constant + weights · features)))."""
    total = weights["constant"] + sum(
        weights[name] * float(value) for name, value in zip(FEATURES, features, strict=True)
    )
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def conditions(
    text: str, reading: WindowReading, number: int, weights: Mapping[str, float]
) -> list[RoleSpan]:
    """The likeliest conditions of a quantity; no two share a character."""
    scored = [
        span._replace(score=condition_chance(features, weights))
        for span, features in candidates(text, reading, number)
    ]
    found: list[RoleSpan] = []
    for span in sorted(scored, key=lambda span: -span.score):
        if not any(span.start < one.end and one.start < span.end for one in found):
            found.append(span)
    return found[:MOST]
