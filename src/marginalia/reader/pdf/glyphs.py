"""Characters of a PDF: what fonts say of their style and of codes that the file does not explain, and runs of them.

Fonts of symbols have encodings of their own (Symbol, Wingdings, the mathematical ones of TeX). Where a file maps
their codes to nothing or into the private area of Unicode, the encoding of the font decides. This module imports
little, as the process that reads PDFs must start quickly.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Any

UNKNOWN = 0xE100
"""A control code that no encoding here explains is this much further up, for ``Ligatures`` to look at."""

_SYMBOL = (
    # From 0x20 to 0x7E, then from 0xA0 to 0xFE; a blank where the encoding has no sign.
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
)
_PIECES = "‾⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭"
"""Pieces of large brackets, from U+F8E5 on in the private area of many fonts."""
_WINGDINGS = {
    **dict.fromkeys("lmnqr§¨\x84\x9f", "•"),
    "à": "→", "ß": "←", "è": "→", "ð": "→", "Ø": "➢", "ü": "✓", "û": "✗", "þ": "☑", "o": "☐",
}  # fmt: skip
_EXTENSION = "()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\"
"""The large brackets of TeX's mathematical extension fonts, from code 0 on."""
_TEX_SYMBOLS = {0x10: "≍", 0x16: "⪯", 0x17: "⪰", 0x1C: "≪", 0x1D: "≫", 0x0F: "•"}
_TEX_ITALIC = {0x0F: "ϵ", 0x10: "ζ", 0x11: "η", 0x12: "θ", 0x13: "ι", 0x14: "κ"}
_OWN = {0xF6BE: "ȷ", 0xF8FF: "", **{0xF8E5 + n: s for n, s in enumerate(_PIECES)}}
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
}

BOLD, MONO, MATHS = 1, 2, 4

_BOLD = ("bold", "black", "heavy", "cmbx", "demi", "-bd")
_MONO = ("mono", "courier", "consol", "cmtt", "typewriter", "menlo")
_MATHS = ("cmmi", "cmsy", "cmex", "math", "msbm", "msam", "stix", "mt-extra")
_FIXED_PITCH = 1
_FORCE_BOLD = 1 << 18

MIN_GAP_EM = 1.0
"""A gap of more than this many times the font size divides a run: it may lie between columns or cells."""


def needs_font(code: int) -> bool:
    """Whether the code alone does not tell the character."""
    hyphen = code == 2  # PDFium's own mark for one at the end of a line
    private = 0xE000 <= code < 0xF900 or code >= 0xF0000
    return not hyphen and (code < 0x20 or 0x7F <= code < 0xA0 or private)


def read_sign(code: int, font: str) -> str:
    """The character of a code that ``needs_font``; empty where nothing is to be seen."""
    name = font.lower()
    if code in _OWN:
        return _OWN[code]
    if 0xF000 <= code < 0xF100:  # where fonts of symbols put their codes
        code -= 0xF000
        if "wingding" not in name and "dingbat" not in name:
            return symbol(code)
    if "wingding" in name or "dingbat" in name:
        return _WINGDINGS.get(chr(code), "•") if code > 0x20 else " "
    if "cmex" in name or "extension" in name:
        return _EXTENSION[code] if code < len(_EXTENSION) else ""
    if "cmsy" in name or "mathsymbols" in name:
        return _TEX_SYMBOLS.get(code, "")
    if "cmmi" in name or "mathitalic" in name:
        return _TEX_ITALIC.get(code, "")
    return chr(UNKNOWN + code) if code < 0xA0 else ""


def symbol(code: int) -> str:
    """A code of the Symbol font."""
    for first, signs in zip((0x20, 0xA0), _SYMBOL, strict=True):
        if first <= code < first + len(signs):
            return signs[code - first]
    return ""


def combining(sign: str) -> str:
    """The accent that a sign of its own stands for when it is set over a letter; empty if none."""
    return _ACCENTS.get(sign, "")


def font_style(name: str, weight: int, flags: int) -> int:
    """The sum of BOLD, MONO and MATHS, as far as they apply."""
    name = name.lower()
    bold = weight >= 500 or flags & _FORCE_BOLD or any(word in name for word in _BOLD)
    mono = flags & _FIXED_PITCH or any(word in name for word in _MONO)
    maths = any(word in name for word in _MATHS)
    return BOLD * bool(bold) | MONO * bool(mono) | MATHS * maths


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
