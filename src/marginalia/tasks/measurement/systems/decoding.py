"""From the network's probabilities to spans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

MAX_SPAN_PIECES = 40
"""Pieces of an entity, property or qualifier; gold has few longer ones."""
MAX_ENDS = 25
"""Starts and ends that are combined, the most probable ones."""
MAX_SPANS = 20
"""Spans whose expected overlap is computed, the most probable ones."""
TAG_WEIGHT = 0.5
"""The weight of the tags between two ends, beside the ends themselves."""


@dataclass(frozen=True, slots=True)
class PieceSpan:
    """A span by its first and last piece, and the probability that it overlaps the true one."""

    first: int
    last: int
    score: float


def overlaps(spans: Ints, others: Ints, words: Ints) -> tuple[Floats, NDArray[np.bool_]]:
    """The official overlap of each span with each of the others, in words, and whether they share one."""
    lows, highs = words[spans[:, :1], 0], words[spans[:, 1:], 1]
    other_lows, other_highs = words[others[:, 0], 0], words[others[:, 1], 1]
    shared = np.minimum(highs, other_highs) - np.maximum(lows, other_lows) + 1
    shared = np.maximum(shared, 0)
    return 2 * shared / ((highs - lows + 1) + (other_highs - other_lows + 1)), shared > 0


def ranked(spans: Ints, worth: Floats, met: Floats, meets: NDArray[np.bool_]) -> list[PieceSpan]:
    """The spans from the worthiest on, without those that meet a better one; ``met`` are their scores."""
    free = np.ones(len(spans), dtype=bool)
    found = []
    for place in np.argsort(-worth, kind="stable"):
        if free[place]:
            first, last = spans[place]
            found.append(PieceSpan(int(first), int(last), float(met[place])))
            free &= ~meets[place]
    return found


def possible(
    starts: Floats,
    ends: Floats,
    inside: Floats,
    *,
    doubt: float = 1.0,
    count: int = MAX_SPANS,
) -> tuple[Ints, Floats]:
    """The most probable spans and their probabilities, which with that of "none" add up to 1.

    The evidence of both ends is divided by ``doubt``.
    """
    log_start, log_end = np.log(starts + 1e-12) / doubt, np.log(ends + 1e-12) / doubt
    first = 1 + np.argsort(-log_start[1:], kind="stable")[:MAX_ENDS]
    last = 1 + np.argsort(-log_end[1:], kind="stable")[:MAX_ENDS]
    length = last - first[:, None] + 1
    fits = (length >= 1) & (length <= MAX_SPAN_PIECES)
    at_first, at_last = (first[:, None] + 0 * last)[fits], (0 * first[:, None] + last)[fits]
    tags = tagged(inside, at_first, at_last)
    score = log_start[at_first] + log_end[at_last] + TAG_WEIGHT * tags
    order = np.argsort(-score, kind="stable")[:count]
    none = log_start[0] + log_end[0]
    chance = np.exp(np.concatenate([score[order], [none]]) - max(score.max(initial=none), none))
    chance /= chance.sum()
    return np.stack([at_first, at_last], axis=1)[order], chance[:-1].astype(np.float32)


def tagged(inside: Floats, first: Ints, last: Ints) -> Floats:
    """How far the tags from each first to each last piece speak for the role, from -1 to 1."""
    odds = np.log((inside + 1e-4) / (1 - inside + 1e-4))
    total = np.concatenate([[0.0], np.cumsum(odds)])
    found: Floats = np.tanh((total[last + 1] - total[first]) / (last - first + 1) / 3)
    return found


def count_blanks(text: str) -> Ints:
    """How many single blanks stand before each place of the text."""
    signs = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.concatenate([[0], np.cumsum(signs == 32)]).astype(np.int64)


def word_numbers(blanks: Ints, offsets: Ints) -> Ints:
    """In which blank-separated word each piece begins and ends."""
    return np.stack([blanks[offsets[:, 0]], blanks[offsets[:, 1]]], axis=1)
