"""Runs of characters, as ``pdf_child`` finds them and ``lines`` puts them together."""

from __future__ import annotations

from typing import Any

MIN_GAP_EM = 1.0
"""A gap of more than this many times the font size divides a run: it may lie between columns or cells."""


class Run:
    """Characters of one style on one line, and where each begins."""

    def __init__(self, size: float, style: int, baseline: int) -> None:
        self.size, self.style, self.baseline = size, style, baseline
        self.text = ""
        self.edges: list[int] = []
        self.top = self.bottom = 0
        self.right = 0

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

    def to_json(self) -> list[Any]:
        # The letters of a ligature all have its box: they share it.
        edges = [*self.edges, max(self.right, self.edges[-1])]
        for place in range(1, len(edges) - 1):
            if edges[place] <= edges[place - 1]:
                after = next((x for x in edges[place:] if x > edges[place - 1]), edges[place - 1])
                count = 1 + next(n for n, x in enumerate(edges[place:]) if x == after or n > 4)
                edges[place] = edges[place - 1] + (after - edges[place - 1]) // count
        size, style = round(self.size * 10), self.style
        return [self.text, size, style, self.baseline, self.top, self.bottom, edges]

    def is_far(self, left: int) -> bool:
        """Whether a character that begins there belongs to something else."""
        return not -10 * self.size < left - self.right < 10 * MIN_GAP_EM * self.size
