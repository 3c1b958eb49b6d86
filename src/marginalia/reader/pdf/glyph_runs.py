"""Runs of characters, as ``child`` finds them and ``lines`` puts them together."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Any

from marginalia.reader.pdf.signs import combining

MIN_GAP_EM = 1.0
"""A gap of more than this many times the font size divides a run: it may lie between columns or cells."""


class Run:
    """Characters of one style on one line, and where each begins."""

    def __init__(self, size: float, style: int, baseline: int) -> None:
        self.size, self.style, self.baseline = size, style, baseline
        self.text = ""
        self.edges: list[int] = []
        self.top = self.bottom = 0
        self.right = self.far_right = 0

    def add(self, text: str, left: int, right: int, top: int, bottom: int) -> None:
        if top < self.top or not self.text:
            self.top = top
        if bottom > self.bottom or not self.text:
            self.bottom = bottom
        self.edges.append(left)
        for place in range(1, len(text)):
            self.edges.append(left + (right - left) * place // len(text))
        self.text += text
        self.right = right
        self.far_right = max(self.far_right, right)

    def put_accent(self, mark: str, left: int, right: int) -> bool:
        """Set an accent over the last letter, if it stands there."""
        if not self.text or not self.text[-1].isalpha() or not self._is_over(left, right):
            return False
        return self._compose(self.text[-1], mark)

    def take_accent(self, letter: str, left: int, right: int) -> bool:
        """Put a letter under the accent that came before it, if it stands there."""
        mark = combining(self.text[-1:])
        if not mark or not self._is_over(left, right) or not self._compose(letter, mark):
            return False
        self.edges[-1], self.right = min(self.edges[-1], left), max(self.right, right)
        return True

    def _is_over(self, left: int, right: int) -> bool:
        """Whether a character stands over or under the last one."""
        begin, end = self.edges[-1], self.right
        return min(right, end) - max(left, begin) >= 0.5 * min(right - left, end - begin)

    def _compose(self, letter: str, mark: str) -> bool:
        whole = unicodedata.normalize("NFC", letter.replace("ı", "i").replace("ȷ", "j") + mark)
        if len(whole) == 1:
            self.text = self.text[:-1] + whole
        return len(whole) == 1

    @property
    def is_leftward(self) -> bool:
        """Whether its characters go from right to left."""
        steps = [b - a for a, b in pairwise(self.edges)]
        return sum(step < 0 for step in steps) > len(steps) / 2

    def to_json(self) -> list[Any]:
        edges = self._leftward() if self.is_leftward else self._rightward()
        size, style = round(self.size * 10), self.style
        return [self.text, size, style, self.baseline, self.top, self.bottom, edges]

    def _leftward(self) -> list[int]:
        """From the right edge of the first character on, each edge further left."""
        edges = [max(self.far_right, *self.edges)]
        for left in self.edges:
            edges.append(min(edges[-1], left))
        return edges

    def _rightward(self) -> list[int]:
        # The letters of a ligature all have its box: they share it.
        edges = [*self.edges, max(self.right, self.edges[-1])]
        for place in range(1, len(edges) - 1):
            if edges[place] <= edges[place - 1]:
                after = next((x for x in edges[place:] if x > edges[place - 1]), edges[place - 1])
                places = (n for n, x in enumerate(edges[place:]) if x == after or n > 4)
                count = 1 + next(places, 0)
                edges[place] = edges[place - 1] + (after - edges[place - 1]) // count
        return edges

    def is_far(self, left: int) -> bool:
        """Whether a character that begins there belongs to something else."""
        return not -10 * self.size < left - self.right < 10 * MIN_GAP_EM * self.size
