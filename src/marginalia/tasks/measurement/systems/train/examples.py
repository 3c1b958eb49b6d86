"""Training examples: windows of paragraphs with what gold says of each piece and quantity."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from marginalia.tasks.measurement.official.spans import ROLES, Span, by_set
from marginalia.tasks.measurement.systems.inputs import (
    MAX_WINDOW_PIECES,
    Ints,
    Window,
    read_windows,
)
from marginalia.tasks.measurement.systems.tagger import PRIORITY

_DIGITS = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class Asking:
    """A quantity of gold: its first and last piece, those of its roles, and its modifiers."""

    quantity: tuple[int, int]
    roles: dict[str, tuple[int, int]]
    modifiers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A window; ``quantity`` tags its pieces 0, 1, 2 for outside, begin, inside; ``unit`` 0 or 1.

    ``kinds`` tags all four types as the plain tagger learns them, two numbers for each.
    """

    window: Window
    quantity: Ints
    unit: Ints
    kinds: Ints
    askings: list[Asking] = field(default_factory=list)


def make_examples(
    text: str, spans: Iterable[Span], tokenizer: Any, max_pieces: int = MAX_WINDOW_PIECES
) -> list[Example]:
    spans = list(spans)
    return [_label(window, spans) for window in read_windows(text, tokenizer, max_pieces)]


def _label(window: Window, spans: list[Span]) -> Example:
    size = len(window.pieces)
    quantity, unit, kinds = (np.zeros(size, dtype=np.int64) for _ in range(3))
    made = Example(window, quantity, unit, kinds)
    for members in by_set(spans).values():
        head = next((span for span in members if span.type == "Quantity"), None)
        place = window.cover(head.start, head.end) if head is not None else None
        if head is None or place is None:
            continue
        first, last = place
        quantity[first : last + 1] = 2
        quantity[first] = 1
        if head.unit and head.unit in head.text:
            begin = head.start + head.text.rfind(head.unit)
            low, high = window.cover(begin, begin + len(head.unit)) or (1, 0)
            unit[low : high + 1] = 1
        roles: dict[str, tuple[int, int]] = {}
        for span in members:
            where = window.cover(span.start, span.end)
            if span.type in ROLES and where is not None:
                roles.setdefault(span.type, where)
        made.askings.append(Asking(place, roles, head.mods))
    for number, kind in enumerate(PRIORITY):
        for span in spans:
            where = window.cover(span.start, span.end) if span.type == kind else None
            if where is not None and not kinds[where[0] : where[1] + 1].any():
                kinds[where[0] : where[1] + 1] = 2 * number + 2
                kinds[where[0]] = 2 * number + 1
    return made


def other_digits(text: str, random: Random) -> str:
    """The text with other digits in about half of its numbers, as many as before, so that offsets stay.

    The network is to learn the contexts of quantities, not the numbers of the training articles.
    """

    def change(match: re.Match[str]) -> str:
        if random.random() < 0.5:
            return match.group()
        first = random.choice("123456789")
        return first + "".join(random.choice("0123456789") for _ in match.group()[1:])

    return _DIGITS.sub(change, text)
