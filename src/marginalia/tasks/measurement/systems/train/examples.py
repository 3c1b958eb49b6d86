"""Training examples: windows of paragraphs with what the annotation says of each quantity."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from marginalia.tasks.measurement.systems.inputs import (
    MAX_WINDOW_PIECES,
    Pieces,
    Window,
    read_windows,
)
from marginalia.tasks.measurement.systems.train.corpus import (
    LabelledParagraph,
    LabelledQuantity,
    Place,
)

MAX_ASKINGS, MAX_OTHERS = 5, 1
"""Quantities of a window that are asked about in an epoch, and how many of these are none: another time others are."""
_DIGITS = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class Asking:
    """A quantity, or a number that is none, by its pieces; each role has all the places that are right."""

    quantity: Pieces
    is_row: bool
    entity: Sequence[Pieces] = ()
    property: Sequence[Pieces] = ()
    conditions: Sequence[Pieces] = ()
    purpose: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    window: Window
    convention: str
    quantities: list[Pieces]
    """All of the window, also those that are not asked about."""
    askings: list[Asking]


def make_examples(
    paragraph: LabelledParagraph,
    tokenizer: Any,
    random: Random,
    max_pieces: int = MAX_WINDOW_PIECES,
    *,
    varied: bool = False,
) -> list[Example]:
    """The windows of a paragraph; ``varied`` changes digits, and takes half of the quantities as the rules find them."""
    text = other_digits(paragraph.text, random) if varied else paragraph.text
    return [
        _label(window, paragraph, random) for window in read_windows(text, tokenizer, max_pieces)
    ]


def _label(window: Window, paragraph: LabelledParagraph, random: Random) -> Example:
    askings = []
    for one in paragraph.quantities:
        place = one.place
        if random.random() < 0.5:
            place = paragraph.found.get(place, place)
        pieces = window.cover(*place)
        if pieces is not None:
            askings.append(_asking(window, pieces, one))
    rest = (window.cover(*place) for place in paragraph.others)
    others = [Asking(pieces, is_row=False) for pieces in rest if pieces is not None]
    quantities = [asking.quantity for asking in (*askings, *others)]
    others = random.sample(others, min(len(others), MAX_OTHERS))
    own = random.sample(askings, min(len(askings), MAX_ASKINGS - len(others)))
    return Example(window, paragraph.convention, quantities, own + others)


def _asking(window: Window, pieces: Pieces, one: LabelledQuantity) -> Asking:
    def covered(places: Sequence[Place]) -> list[Pieces]:
        found = (window.cover(*place) for place in places)
        return [place for place in found if place is not None]

    return Asking(
        pieces,
        True,
        covered(one.entity),
        covered(one.property),
        covered(one.conditions),
        one.purpose,
    )


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
