"""What the network sees of a paragraph: its word pieces, how each is written, and where sentences end.

The encoder's vocabulary knows no capitals and few signs, so "M" and "m", "∼" and "≤" would be the same
to it. How a piece is written goes in beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.sentences import sentences

Ints = NDArray[np.int64]
Pieces = tuple[int, int]
"""The first and last word piece of a span."""

MAX_WINDOW_PIECES = 512
"""Pieces in a pass, with the encoder's two special tokens."""
WINDOW_OVERLAP = 128
"""Pieces that neighbouring windows of a long paragraph share."""
SHAPE_COUNT = 64
DISTANCE_COUNT = 32
MARK_COUNT = 3
"""Outside of every quantity, in the one asked about, in another one; for the encoder: outside, begin, inside."""
SENTENCE_COUNT = 8

_RUN = re.compile(r"[^\W\d_]+|\d+|[%‰°Å]\w*")
_SIGNS = {
    sign: number
    for number, signs in enumerate(
        ("∼~≈≃≅", "<>≤≥≲≳⩽⩾⪅", "±∓", "-–—−‐‑", "%‰°"), start=3
    )
    for sign in signs
}  # fmt: skip
NUMBER_WORDS = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
    "hundreds thousand thousands million millions billion half third quarter twice once both dozen "
    "single several few couple double triple".split()
)
UNIT_WORDS = frozenset(
    "% ‰ ° °C °F K Å nm μm µm mm cm dm m km ha pm fm μg µg ng pg mg g kg t μl µl ml mL l L dl μM µM nM "
    "pM mM M mol mmol μmol nmol μs µs ns ps fs ms s sec min h hr hrs d yr yrs Ma ka Ga Gyr Myr kyr Hz "
    "kHz MHz GHz THz V mV kV μV A mA μA nA W mW kW MW GW J kJ MJ eV keV MeV GeV Pa hPa kPa MPa GPa bar "
    "mbar μbar atm N kN mN ppm ppb ppq ppt dB wt vol rpm T mT nT G pc kpc Mpc AU au ly lb ft mi mph "
    "kcal cal Da kDa bp kb Mb GB MB TB C F Ω kΩ S sr rad deg arcsec mas Jy mJy erg dex Rp Rs RJ Re pH "
    "second seconds minute minutes hour hours day days week weeks month months year years decade "
    "decades century centuries times fold degrees degree percent per cent meter meters metre metres "
    "kilometers kilometres grams litres liters U IU units cells".split()
)
"""Units that science writes often: a hint to the network, not a list of what it can find."""


@dataclass(frozen=True, slots=True)
class Window:
    """As much of a paragraph as one pass takes; the first and last piece are the encoder's special tokens.

    It answers for the quantities that begin within ``owns``, so that none is found twice.
    """

    pieces: Ints
    offsets: Ints
    shapes: Ints
    sentences: Ints
    owns: tuple[int, int]

    def cover(self, start: int, end: int) -> Pieces | None:
        """The pieces that have a character of ``start:end``."""
        inside = np.flatnonzero((self.offsets[:, 0] < end) & (self.offsets[:, 1] > start))
        return (int(inside[0]), int(inside[-1])) if len(inside) else None


def read_windows(text: str, tokenizer: Any, max_pieces: int = MAX_WINDOW_PIECES) -> list[Window]:
    """The windows of a text in reading order; one for all but very long paragraphs."""
    encoding = tokenizer.encode(text)
    pieces = np.array(encoding.ids, dtype=np.int64)
    offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
    shapes = piece_shapes(text, offsets)
    begins = np.array([start for start, _ in sentences(text)], dtype=np.int64)
    number = np.searchsorted(begins, offsets[:, 0], side="right")
    found = []
    overlap = min(WINDOW_OVERLAP, max_pieces // 4)
    for start, end in _ranges(len(pieces) - 2, max_pieces - 2, overlap):
        inner = slice(start + 1, end + 1)
        low = 0 if start == 0 else int(offsets[start + 1 + overlap // 2, 0])
        last = end == len(pieces) - 2
        high = len(text) if last else int(offsets[end + 1 - overlap // 2, 0])
        found.append(
            Window(
                pieces=np.concatenate([pieces[:1], pieces[inner], pieces[-1:]]),
                offsets=np.concatenate([offsets[:1], offsets[inner], offsets[-1:]]),
                shapes=np.concatenate([[0], shapes[inner], [0]]),
                sentences=np.concatenate([[0], number[inner], [0]]),
                owns=(low, high),
            )
        )
    return found


def _ranges(count: int, room: int, overlap: int) -> Iterator[tuple[int, int]]:
    start = 0
    while True:
        end = min(start + room, count)
        yield start, end
        if end == count:
            return
        start = end - overlap


def piece_shapes(text: str, offsets: Ints) -> Ints:
    """How each piece is written: a number below SHAPE_COUNT, 0 for the encoder's special tokens."""
    runs = [match.span() for match in _RUN.finditer(text)]
    shapes = np.zeros(len(offsets), dtype=np.int64)
    at = 0
    for place, (start, end) in enumerate(offsets.tolist()):
        if start == end:
            continue
        while at < len(runs) and runs[at][1] <= start:
            at += 1
        inside = at < len(runs) and runs[at][0] <= start
        word = text[slice(*runs[at])] if inside else text[start:end]
        spaced = start == 0 or text[start - 1].isspace()
        shapes[place] = 4 * _look(text, start, end, word) + 2 * (word in UNIT_WORDS) + spaced
    return shapes


def _look(text: str, start: int, end: int, word: str) -> int:
    sign = text[start]
    if sign.isdigit():
        return 1
    if word.lower() in NUMBER_WORDS:
        return 2
    if sign in _SIGNS:
        return _SIGNS[sign]
    if not sign.isalnum():
        between = text[max(0, start - 1) : start].isdigit() and text[end : end + 1].isdigit()
        return 8 if sign in ".," and between else 9
    if word.islower():
        return 10
    if len(word) > 1 and word[0].isupper() and word[1:].islower():
        return 11
    return 12 if word.isupper() else 13


POINTED = ("entity", "property")
"""What the network points to: the first and last piece, or to piece 0 for "there is none"."""
TAGS = ("outside", *POINTED, "condition begins", "condition")
PURPOSES = ("result", "setup", "criterion", "background")
"""Why a quantity stands in a paper: found in it, chosen by its authors, a limit or definition, from elsewhere."""
CONVENTIONS = ("official", "margin")
"""Whose spans are asked for: those of the shared task, or those of our own annotation, which a table shows."""
ASKED = ("first", "last", "distances", "marks", "sentences", "convention")
"""The fields of ``Asked``, which are inputs of the graph."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Quantities of a window as the roles' layers see them: a row for each."""

    first: Ints
    last: Ints
    distances: Ints
    marks: Ints
    sentences: Ints
    convention: Ints


def mark(window: Window, quantities: Sequence[Pieces]) -> Ints:
    """For the encoder: 0 outside of every quantity, 1 where one begins, 2 within."""
    marks = np.zeros(len(window.pieces), dtype=np.int64)
    for first, last in quantities:
        marks[first : last + 1] = 2
        marks[first] = 1
    return marks


def ask(
    window: Window, quantities: Sequence[Pieces], others: Sequence[Pieces], convention: str
) -> Asked:
    """Where every piece stands seen from each quantity.

    ``others`` are all quantities of the window: they are marked too, since what lies near another
    one is more likely its own.
    """
    place = np.arange(len(window.pieces))
    first = np.array([low for low, _ in quantities], dtype=np.int64)
    last = np.array([high for _, high in quantities], dtype=np.int64)
    steps = np.minimum(0, place - first[:, None]) + np.maximum(0, place - last[:, None])
    within = (place >= first[:, None]) & (place <= last[:, None])
    marks = np.where(within, 1, np.where(mark(window, others) > 0, 2, 0))
    apart = np.clip(window.sentences - window.sentences[first][:, None], -3, 3) + 3
    apart[:, 0] = SENTENCE_COUNT - 1
    number = np.full(len(first), CONVENTIONS.index(convention), dtype=np.int64)
    return Asked(first, last, _bucket(steps), marks, apart, number)


def _bucket(steps: Ints) -> Ints:
    """Distances to the left and right in 16 classes each, wider with the distance."""
    far = np.abs(steps)
    coarse = 4 + np.floor(np.log2(np.maximum(far, 4) / 4) * 2.4).astype(np.int64)
    level = np.where(far < 4, far, np.minimum(coarse, 15))
    return np.where(steps < 0, 16 + level, level)
