"""Pages that are read from right to left: seen in a mirror, they are laid out like all others."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any


def is_rightmost(runs: Iterable[list[Any]]) -> bool:
    """Whether most letters of a page belong to scripts that are written from right to left."""
    right = left = 0
    for text, *_ in runs:
        for sign in text:
            if sign > "\u0590" and unicodedata.bidirectional(sign) in ("R", "AL"):
                right += 1
            else:
                left += sign.isalpha()
    return right > left


def turn(runs: Iterable[list[Any]], width: int, *, mirrored: bool) -> None:
    """Let the edges of every run go up, on a page as it is or as it is seen in a mirror.

    A word of the other direction has the right place and width; its letters share that width.
    """
    for run in runs:
        edges = [width - x for x in run[6]] if mirrored else run[6]
        if edges[0] > edges[-1]:
            low, high, count = min(edges), max(edges), len(edges) - 1
            edges = [low + (high - low) * place // count for place in range(count + 1)]
        run[6] = edges
