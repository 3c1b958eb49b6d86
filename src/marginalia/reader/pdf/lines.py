"""Runs of characters on a PDF page become lines; cells and columns side by side stay apart.

Pages that are read from right to left are mirrored first. Ligatures whose code has no meaning are read by the words they
stand in: where only the name of a glyph distinguishes ``fi`` from ``ff``, the file holds a control code. The same code means
the same letters throughout a document's text in one font, so all words that it stands in vote.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any

from marginalia.nlp.frequency import zipf
from marginalia.reader.parse.content import shifted
from marginalia.reader.pdf.encodings import CODES, MAX_FONTS, UNKNOWN
from marginalia.reader.pdf.glyphs import BOLD, MATHS, MIN_GAP_EM, MONO

MAX_SCRIPT_SIZE = 0.85
"""What is smaller than this beside a letter and does not stand on its line is above or below it."""
MAX_SIZE_SHIFT, MIN_SIZE_SHARE = 0.08, 0.2
"""Sizes that differ by less are one; a size counts if this share of the line has it."""
MIN_SPACE_EM = 0.13
"""A gap of this part of the font size is a space, whether the file has one there or not."""
MAX_HOLE_CHARACTERS = 6
"""Characters for which a line leaves a space."""
MAX_LINE_CHARACTERS = 5_000
"""Characters of a line. No page is as wide; a file may still claim so."""

_LEADERS = re.compile(r"\s*(?:[.·…]\s?){5,}\s*")
"""The dots that lead from the title of a section to its page."""

_ELLIPSIS = re.compile(r"(?<!\. )\. \. \.(?! \.)")
"""Three dots with spaces between them, as TeX sets them: no end of a sentence."""

_OPERATORS = frozenset("∑∏∫∮∐⋃⋂⋀⋁⊎⊔√⊕⊗⊙()[]{}⟨⟩⌊⌋⌈⌉|‖⎛⎝⎞⎠")

CANDIDATES = ("fi", "fl", "ff", "ffi", "ffl", "ft", "tt", "Th", "fj")
MIN_ZIPF, MIN_LAST_ZIPF = 1.5, 4.0
"""A word as rare as this is no evidence; nor is one at the end of another word, unless it is common."""

_LOST = f"[\\u{UNKNOWN:04x}-\\u{UNKNOWN + MAX_FONTS * CODES - 1:04x}]"
_SIGN = re.compile(_LOST)
_WORD = re.compile(rf"[^\W\d_]*{_LOST}[^\W\d_]*")


class Line:
    """A piece of one line: its text and where each character begins, in tenths of a point.

    ``edges`` has one number more than the text has characters: the last one ends there.
    """

    __slots__ = (
        "after",
        "baseline",
        "bold",
        "bottom",
        "cells",
        "edges",
        "is_entry",
        "maths",
        "mono",
        "script",
        "size",
        "sizes",
        "text",
        "top",
        "weight",
    )

    def __init__(self, run: Sequence[Any]) -> None:
        self.text: str = run[0]
        self.size: int = run[1]
        style: int = run[2]
        self.baseline: int = run[3]
        self.top: int = run[4]
        self.bottom: int = run[5]
        self.edges: list[int] = list(run[6])
        self.weight = len(self.text.replace(" ", ""))
        """Characters of this size: the size of a line is that of most of them."""
        self.sizes = {self.size: self.weight}
        self.bold, self.mono, self.maths = (
            self.weight if style & bit else 0 for bit in (BOLD, MONO, MATHS)
        )
        self.cells = 1
        self.after = "\n"
        """What stands between this line of a table and the next."""
        self.script = ""
        self.is_entry = False
        """Whether it is a line of a table of contents."""

    @property
    def left(self) -> int:
        return self.edges[0]

    @property
    def right(self) -> int:
        return self.edges[-1]

    @property
    def width(self) -> int:
        return self.edges[-1] - self.edges[0]

    @property
    def height(self) -> int:
        return self.bottom - self.top

    @property
    def is_operator(self) -> bool:
        """Whether it is a sum, an integral or a bracket from a font in which such signs hang below the line."""
        text = self.text.strip()
        return 0 < len(text) <= 3 and self.maths > 0 and set(text) <= _OPERATORS

    def is_as_large(self, other: Line) -> bool:
        """Whether two lines have letters of one size, though some words may be set in another font."""
        return any(abs(a - b) <= MAX_SIZE_SHIFT * b for a in self._usual() for b in other._usual())

    def shares_size(self, other: Line) -> bool:
        """Whether any of their letters have one size, though most of a line may be small capitals."""
        return any(abs(a - b) <= MAX_SIZE_SHIFT * b for a in self.sizes for b in other.sizes)

    def _usual(self) -> list[int]:
        whole = sum(self.sizes.values())
        return [size for size, weight in self.sizes.items() if weight >= MIN_SIZE_SHARE * whole]

    def share(self, part: int) -> float:
        """The share of its characters that are bold, of fixed width or mathematical."""
        return part / max(1, len(self.text.replace(" ", "").replace("\t", "")))

    def append(self, other: Line, gap: str) -> None:
        """Add what stands to the right of it."""
        if gap and not self.text.endswith(gap):
            self.text = self.text.rstrip(" ") if gap == "\t" else self.text
            self.edges = self.edges[: len(self.text) + 1]
            self.text += gap
            self.edges.append(max(self.right, other.left))
        self.edges[-1:] = other.edges
        self.text += other.text
        # A raised figure does not make the line higher: highlights would cover the line above.
        if not other.script:
            self.top, self.bottom = min(self.top, other.top), max(self.bottom, other.bottom)
            for size, weight in other.sizes.items():
                self.sizes[size] = self.sizes.get(size, 0) + weight
        self.is_entry |= other.is_entry
        self.bold += other.bold
        self.mono += other.mono
        self.maths += other.maths
        if not other.script and (self.script or other.weight > self.weight):
            self.size, self.baseline, self.weight = other.size, other.baseline, other.weight
            self.script = ""
        elif other.size == self.size:
            self.weight += other.weight

    def cut(self, count: int) -> None:
        """Leave out its last characters."""
        if count:
            self.text = self.text[:-count]
            self.edges = self.edges[: len(self.text) + 1]

    def behead(self, count: int) -> None:
        """Leave out its first characters."""
        self.text, self.edges = self.text[count:], self.edges[count:]

    def put(self, place: int, text: str) -> None:
        """Put a few characters in place of one; they share its width."""
        left, right = self.edges[place], self.edges[place + 1]
        between = [left + (right - left) * n // len(text) for n in range(1, len(text))]
        self.text = self.text[:place] + text + self.text[place + 1 :]
        self.edges[place + 1 : place + 1] = between

    def parted(self, place: int) -> tuple[Line, Line]:
        """What stands before a place and what stands after it, without the space between them."""
        first, rest = copy(self), copy(self)
        first.edges, rest.edges = list(self.edges), list(self.edges)
        first.cut(len(self.text) - place + 1)
        rest.behead(place)
        return first, rest

    def fill(self, piece: Line) -> bool:
        """Put a piece where this line has a space of its width; whether there is one."""
        slack = MIN_SPACE_EM * self.size
        if not self.left < piece.left < piece.right < self.right:
            return False
        place = bisect_left(self.edges, piece.left + slack) - 1
        if not (
            self.text[place : place + 1] == " "
            and self.edges[place] - slack <= piece.left
            and piece.right <= self.edges[place + 1] + slack
        ):
            return False
        first, rest = self.parted(place + 1)
        rest.bold = rest.mono = rest.maths = rest.weight = 0
        rest.sizes = {}
        _set_scripts(first, piece)
        first.append(piece, " " if piece.left - first.right > slack else "")
        first.append(rest, " " if rest.left - piece.right > slack else "")
        for name in Line.__slots__:
            setattr(self, name, getattr(first, name))
        return True

    def strip(self) -> None:
        """Leave out the white space around it, dots that lead on, and hyphens that would show only at its end."""
        self.behead(len(self.text) - len(self.text.lstrip()))
        self.cut(len(self.text) - len(self.text.rstrip()))
        dots = _LEADERS.search(self.text)
        if dots:
            self.is_entry = True
            self.text = f"{self.text[: dots.start()]}\t{self.text[dots.end() :]}"
            del self.edges[dots.start() + 1 : dots.end()]
        for found in reversed(list(_ELLIPSIS.finditer(self.text))):
            spaces = (found.start() + 3, found.start() + 1)
            is_listed = self.text[found.end() : found.end() + 2] in (" ,", " ;")
            for place in (found.end(), *spaces) if is_listed else spaces:
                self.text = self.text[:place] + self.text[place + 1 :]
                del self.edges[place + 1]
        for place in range(len(self.text) - 2, -1, -1):
            if self.text[place] == "\xad":
                self.text = self.text[:place] + self.text[place + 1 :]
                del self.edges[place + 1]


def make_lines(runs: Iterable[Sequence[Any]]) -> list[Line]:
    """The lines in the order of the file."""
    found: list[Line] = []
    for run in runs:
        piece = Line(run)
        last = found[-1] if found else None
        if last is not None and _is_next(last, piece):
            _set_scripts(last, piece)
            touches = piece.left - last.right < MIN_SPACE_EM * max(last.size, piece.size)
            last.append(piece, "" if touches or last.text.endswith(" ") else " ")
        else:
            found.append(piece)
    found = _fill_holes(found)
    for line in found:
        line.strip()
    return [line for line in found if line.text]


def _fill_holes(found: list[Line]) -> list[Line]:
    """Put letters of another font or raised ones, which may come late in the file, where a line has left a space for them."""
    lines = sorted(
        (line for line in found if len(line.text) > MAX_HOLE_CHARACTERS),
        key=lambda line: line.baseline,
    )
    gone: set[int] = set()
    for piece in found:
        if len(piece.text) > MAX_HOLE_CHARACTERS:
            continue
        first = bisect_left(lines, piece.baseline - piece.size, key=lambda line: line.baseline)
        for line in lines[first:]:
            if line.baseline > piece.baseline + piece.size:
                break
            shared = min(line.bottom, piece.bottom) - max(line.top, piece.top)
            if shared > 0.3 * piece.height and line.fill(piece):
                gone.add(id(piece))
                break
    return [line for line in found if id(line) not in gone]


def _is_next(line: Line, piece: Line) -> bool:
    """Whether the piece goes on where the line ends."""
    size = max(line.size, piece.size)
    if (
        len(line.text) > MAX_LINE_CHARACTERS
        or not -size < piece.left - line.right < MIN_GAP_EM * size
    ):
        return False
    shift = abs(piece.baseline - line.baseline)
    if shift < 0.12 * size:
        return True
    if min(line.size, piece.size) >= MAX_SCRIPT_SIZE * size and any(
        large.is_operator and large.top < other.baseline - 0.25 * other.size < large.bottom
        for large, other in ((piece, line), (line, piece))
    ):
        return True
    # The lowered E of TeX and its family.
    if piece.text.strip() == "E" and shift < 0.3 * size and piece.left - line.right < 0.3 * size:
        return True
    shared = min(line.bottom, piece.bottom) - max(line.top, piece.top)
    return _is_script(line, piece) and shared > 0.3 * min(line.height, piece.height)


def _is_script(one: Line, other: Line) -> bool:
    """Whether one of them is so much smaller, or a little smaller and raised so far, that it may stand above or below the other."""
    small, large = (one, other) if one.size < other.size else (other, one)
    if small.size < MAX_SCRIPT_SIZE * large.size:
        return True
    is_raised = abs(small.baseline - large.baseline) > 0.25 * large.size
    return is_raised and small.size < 0.95 * large.size and small.weight <= 4


def _set_scripts(line: Line, piece: Line) -> None:
    """Mark whichever of the two is a figure above or below the other's line."""
    if piece.is_operator and not line.is_operator and piece.size >= MAX_SCRIPT_SIZE * line.size:
        piece.script = "operator"
        return
    small, large = (piece, line) if piece.size < line.size else (line, piece)
    shift = large.baseline - small.baseline
    if not _is_script(small, large) or abs(shift) < 0.08 * large.size:
        return
    if small is line and small.weight > 4:
        return
    small.script = "sup" if shift > 0 else "sub"
    body = small.text.rstrip(" ")
    small.text = shifted(body, small.script) + small.text[len(body) :]


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


def _zipf(word: str) -> float:
    return max(zipf(word, "en"), zipf(word, "de"))


class Ligatures:
    """What the unexplained codes of one document stand for, as far as its words show."""

    def __init__(self) -> None:
        self.votes: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def repair(self, lines: Iterable[Line]) -> None:
        """Put letters in place of the codes of a page; one that nothing explains is a bullet where an item
        begins, U+FFFD within a word, and a blank elsewhere."""
        lost = [line for line in lines if _SIGN.search(line.text)]
        for line in lost:
            for word in _WORD.findall(line.text):
                self._vote(word)
        for line in lost:
            for match in reversed(list(_SIGN.finditer(line.text))):
                line.put(match.start(), self._letters(match.group(), line.text, match.start()))

    def _vote(self, word: str) -> None:
        signs = _SIGN.findall(word)
        if len(signs) != 1 or len(word) < 4:
            return
        before, after = word.lower().split(signs[0], 1)
        # Of a name such as that of a command, the last word may be known; the longest one counts.
        for start in range(max(1, len(before))):
            known = {
                letters: value
                for letters in CANDIDATES
                if (value := _zipf(before[start:] + letters + after))
                >= (MIN_LAST_ZIPF if start else MIN_ZIPF)
            }
            for letters, value in known.items():
                self.votes[signs[0]][letters] += round(value * 10)
            if known:
                return

    def _letters(self, sign: str, text: str, place: int) -> str:
        if self.votes[sign]:
            return self.votes[sign].most_common(1)[0][0]
        before, after = text[:place].strip(), text[place + 1 : place + 2]
        if not before and after in ("", " "):
            return "•"
        return "\ufffd" if after.isalpha() and before[-1:].isalpha() else " "
