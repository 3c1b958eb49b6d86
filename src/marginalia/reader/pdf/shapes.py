"""Signs by their shape: what a glyph is whose code neither the file nor its font explains.

Some publishers set minus and relation signs from fonts in which they have the codes of letters or none at all. A glyph
is drawn small, and the few signs that matter in formulae and quantities are told by their bars, waves and corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MIN_MINUS_EM = 0.4
"""A shorter bar is a hyphen."""
MAX_DOT_EM = 0.28
MIN_BAR = 4
"""A bar is this many times as wide as it is high."""

Rows = Sequence[Sequence[bool]]
"""Where there is ink, row by row from the top."""


def read_shape(rows: Rows, em: float, above: float) -> str:
    """The sign that is drawn, or an empty text; ``em`` is the font size in rows, ``above`` its foot over the baseline."""
    bands = _bands(rows)
    kinds = "".join(_kind(band) for band in bands)
    if kinds == "-":
        return "_" if above < 0 else "−" if bands[0].width >= MIN_MINUS_EM * em else "-"
    if kinds == "o":
        return "°" if above > 0.25 * em else ""
    if kinds == ".":
        large = bands[0].width > MAX_DOT_EM * em
        return "" if above < 0.1 * em else "•" if large else "·"
    whole = {
        "--": "=", "---": "≡", "+": "+", "+-": "±", "-+": "∓", "x": "×", "<": "<", ">": ">", "<-": "≤", ">-": "≥",
        "~": "∼", "~~": "≈", "~-": "≃", "(": "(", ")": ")", "r": "→", "l": "←",
    }  # fmt: skip
    return whole.get(kinds, "")


@dataclass(frozen=True, slots=True)
class _Band:
    """Rows with ink that follow each other; ``spans`` are the first and last column of each."""

    rows: Rows
    spans: list[tuple[int, int]]

    @property
    def left(self) -> int:
        return min(first for first, _ in self.spans)

    @property
    def width(self) -> int:
        return max(last for _, last in self.spans) + 1 - self.left

    @property
    def height(self) -> int:
        return len(self.spans)

    def at(self, share: float) -> tuple[float, float]:
        """Where the ink begins and ends at a height, as shares of the width; 0 is the top."""
        first, last = self.spans[min(self.height - 1, int(share * self.height))]
        return (first - self.left) / self.width, (last + 1 - self.left) / self.width

    def without(self, rows: int) -> _Band:
        """All but its last rows."""
        return _Band(self.rows[:-rows], self.spans[:-rows])

    def ink(self, row: int) -> int:
        return sum(self.rows[row])

    @property
    def fill(self) -> float:
        return sum(map(self.ink, range(self.height))) / (self.width * self.height)

    def centre(self, share: float) -> float:
        """The middle of the ink of a column as a share of the height."""
        column = self.left + min(self.width - 1, int(share * self.width))
        inked = [place for place, row in enumerate(self.rows) if row[column]]
        return sum(inked) / (len(inked) * self.height) if inked else 0.5


def _bands(rows: Rows) -> list[_Band]:
    found: list[list[Sequence[bool]]] = []
    was_blank = True
    for row in rows:
        if any(row):
            if was_blank:
                found.append([])
            found[-1].append(row)
        was_blank = not any(row)
    spans = [
        [(row.index(True), len(row) - 1 - row[::-1].index(True)) for row in map(list, band)]
        for band in found
    ]
    return [_Band(band, span) for band, span in zip(found, spans, strict=True)]


def _kind(band: _Band) -> str:
    """One letter for what a band is; ``?`` where it is nothing that is known here."""
    if band.width >= MIN_BAR * band.height and band.fill > 0.8:
        return "-"
    top, middle, bottom = band.at(0.02), band.at(0.5), band.at(0.98)
    ratio = band.width / band.height
    if ratio > 1.5:
        return _arrow(band) or (
            "~" if band.centre(0.22) < 0.45 and band.centre(0.78) > 0.5 else "?"
        )
    is_hollow = band.ink(band.height // 2) < 0.75 * (middle[1] - middle[0]) * band.width
    if 0.75 < ratio < 1.33 and band.fill > 0.65 and not is_hollow:
        return "."
    if 0.75 < ratio < 1.33 and is_hollow and _is_round(band):
        return "o"
    if _is_cross(band):
        return "+"
    foot = max(1, band.height // 8)  # the bar of ± may touch the cross above it
    if band.ink(band.height - 1) > 0.9 * band.width and _is_cross(band.without(foot)):
        return "+-"
    if ratio > 0.6 and band.fill < 0.5:
        if top[0] < 0.25 and top[1] > 0.75 and bottom[0] < 0.25 and bottom[1] > 0.75:
            is_open = max(band.ink(0), band.ink(band.height - 1)) < 0.75 * band.width
            return "x" if is_open and middle[0] > 0.3 and middle[1] < 0.7 else "?"
        if min(top[1], bottom[1]) > 0.8 and min(top[0], bottom[0]) > 0.5 and middle[0] < 0.1:
            return "<"
        if max(top[0], bottom[0]) < 0.2 and max(top[1], bottom[1]) < 0.5 and middle[1] > 0.9:
            return ">"
    if ratio < 0.5 and band.height > 12:
        if min(top[0], bottom[0]) > 0.4 and middle[0] < 0.1 and middle[1] < 0.6:
            return "("
        if max(top[1], bottom[1]) < 0.6 and middle[0] > 0.4 and middle[1] > 0.9:
            return ")"
    return "?"


def _arrow(band: _Band) -> str:
    whole = max(range(band.height), key=band.ink)
    if band.ink(whole) < 0.9 * band.width:
        return ""
    top, bottom = band.at(0.2), band.at(0.8)
    if min(top[0], bottom[0]) > 0.5:
        return "r"
    return "l" if max(top[1], bottom[1]) < 0.5 else ""


def _is_round(band: _Band) -> bool:
    top, bottom = band.at(0.02), band.at(0.98)
    return all(first > 0.15 and last < 0.85 for first, last in (top, bottom))


def _is_cross(band: _Band) -> bool:
    """A stem in the middle of most rows, and a bar across it."""
    narrow = sum(band.at((row + 0.5) / band.height)[1] - band.at((row + 0.5) / band.height)[0] < 0.35 for row in range(band.height))  # fmt: skip
    ends = [band.at(0.05), band.at(0.95)]
    is_centred = all(0.3 < (first + last) / 2 < 0.7 and last - first < 0.35 for first, last in ends)
    widest = max(map(band.ink, range(band.height)))
    return is_centred and narrow > 0.5 * band.height and widest > 0.9 * band.width
