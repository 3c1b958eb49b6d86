"""Runs of characters of a PDF: their style, and accents that are set over letters.

This module imports little, as the process that reads PDFs must start quickly.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Any

from marginalia.reader.pdf.encodings import NEGATION, is_pi

_ACCENTS = {
    "\u0060": "\u0300",
    "\u00b4": "\u0301",
    "\u005e": "\u0302",
    "\u02c6": "\u0302",
    "\u007e": "\u0303",
    "\u02dc": "\u0303",
    "\u00a8": "\u0308",
    "\u02dd": "\u030b",
    "\u02da": "\u030a",
    "\u02c7": "\u030c",
    "\u02d8": "\u0306",
    "\u00af": "\u0304",
    "\u02d9": "\u0307",
    "\u00b8": "\u0327",
    "\u02db": "\u0328",
    NEGATION: NEGATION,
}

MAX_ACCENT = 1.3
"""The width of an accent, in widths of its letter."""

BOLD, MONO, MATHS, PI = 1, 2, 4, 8

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in tenths of a point."""

_BOLD = ("bold", "black", "heavy", "cmbx", "demi", "-bd", "l-medi")
_REGULAR = ("regu", "roman", "book", "light", "cmr", "cmmi", "cmti", "cmsy")
_MONO = ("mono", "courier", "consol", "cmtt", "typewriter", "menlo")
_MATHS = ("cmmi", "cmsy", "cmex", "math", "msbm", "msam", "stix", "mt-extra")
_FIXED_PITCH = 1
_FORCE_BOLD = 1 << 18

MIN_GAP_EM = 1.0
"""A gap of more than this many times the font size divides a run: it may lie between columns or cells."""
MIN_SURE_SPACE_EM = 0.3
"""A gap of this part of the font size within a run is a space, though PDFium may make none."""


def combining(sign: str) -> str:
    """The accent that a sign of its own stands for when it is set over a letter; empty if none."""
    if sign < "\u0300" or len(sign) > 1 or not unicodedata.combining(sign):
        return _ACCENTS.get(sign, "")
    return sign


def compose(letter: str, mark: str) -> str:
    """The letter with the accent, as one character if there is one; empty if an accent does not stand over such a sign."""
    whole = unicodedata.normalize("NFC", letter.replace("ı", "i").replace("ȷ", "j") + mark)
    return whole if len(whole) == 1 or letter.isalpha() else ""


def is_over(accent: Box, letter: Box) -> bool:
    """Whether an accent stands over or under a letter."""
    shared = min(accent[2], letter[2]) - max(accent[0], letter[0])
    narrow = min(accent[2] - accent[0], letter[2] - letter[0])
    return shared >= 0.5 * narrow if narrow else accent[0] - 5 <= letter[0] <= accent[0] + 20


def font_style(name: str, weight: int, flags: int) -> int:
    """The sum of BOLD, MONO, MATHS and PI, as far as they apply."""
    pi = is_pi(name)
    name = name.lower()
    # Programs that write a PDF once more measure the weight of its fonts badly; names are right.
    heavy = weight >= 500 or flags & _FORCE_BOLD
    bold = any(w in name for w in _BOLD) or (heavy and not any(w in name for w in _REGULAR))
    mono = flags & _FIXED_PITCH or any(word in name for word in _MONO)
    maths = pi or any(word in name for word in _MATHS)
    return BOLD * bool(bold) | MONO * bool(mono) | MATHS * maths | PI * pi


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
        if text > "\u0590" and self._is_turned(text, left, right):
            place = self.edges.index(left)
            self.text = self.text[:place] + text + self.text[place:]
            self.edges.append(left)
            return
        self.edges.append(left)
        for place in range(1, len(text)):
            self.edges.append(left + (right - left) * place // len(text))
        self.text += text
        self.right = right
        self.far_right = max(self.far_right, right)

    def _is_turned(self, text: str, left: int, right: int) -> bool:
        """Whether this is one more letter of a glyph that is read from right to left: PDFium has its letters from left to right."""
        same = bool(self.edges) and (self.edges[-1], self.right) == (left, right)
        return same and unicodedata.bidirectional(text[0]) in ("R", "AL")

    def is_like(self, size: float, style: int, baseline: int) -> bool:
        return (
            self.style == style
            and abs(self.size - size) < 0.3
            and abs(self.baseline - baseline) < 5
        )

    def put_accent(self, mark: str, box: Box, *, on_signs: bool = False) -> bool:
        """Set an accent over the letter that it stands over, if there is one; with ``on_signs``, over any sign."""
        if abs((box[1] + box[3]) - (self.top + self.bottom)) > 12 * self.size:
            return False
        ends = [*self.edges[1:], self.right]
        boxes = [
            (left, self.top, right, self.bottom)
            for left, right in zip(self.edges, ends, strict=True)
        ]
        over = [n for n, one in enumerate(boxes) if is_over(box, one) and self.text[n] != " "]
        under = [n for n in over if self.text[n].isalpha()] or (over if on_signs else [])
        if not under:
            return False
        place = under[-1]
        if box[2] - box[0] > MAX_ACCENT * (ends[place] - self.edges[place]):
            place = under[0]  # it stands over several letters
        whole = compose(self.text[place], mark) or self.text[place] + mark
        self.text = self.text[:place] + whole + self.text[place + 1 :]
        self.edges[place + 1 : place + 1] = [ends[place]] * (len(whole) - 1)
        return True

    @property
    def is_leftward(self) -> bool:
        """Whether its characters go from right to left."""
        steps = [b - a for a, b in pairwise(self.edges)]
        return sum(step < 0 for step in steps) > sum(step > 0 for step in steps)

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
