"""Which heading is above which: by their numbers, else by the size of their letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MAX_LEVEL = 6

_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s")


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    size: int
    is_bold: bool
    page: int

    @property
    def style(self) -> tuple[int, bool, bool]:
        """What headings of one level have in common; half a point makes no difference."""
        return (round(self.size / 5), self.is_bold, self.text.isupper())

    @property
    def depth(self) -> int | None:
        """How many numbers it has but one: 0 for ``2 Methods``, 1 for ``2.1 Sample``."""
        number = _NUMBER.match(self.text)
        return number.group(1).count(".") if number else None


def levels(headings: Sequence[Heading]) -> list[int]:
    """The level of each heading, from 1. The largest on the first page is the title if there is no other like it."""
    if not headings:
        return []
    first = max(headings, key=lambda heading: heading.size)
    title = first.style if first.page == headings[0].page else None
    if sum(heading.style == title and heading.page != first.page for heading in headings):
        title = None
    top = 1 if title is None else 2
    styles = sorted({heading.style for heading in headings} - {title}, reverse=True)
    ranks = {style: top + rank for rank, style in enumerate(styles)}
    depths: dict[tuple[int, bool, bool], int] = {}
    for heading in headings:
        if heading.depth is not None:
            depths[heading.style] = min(heading.depth, depths.get(heading.style, heading.depth))
    found = []
    for heading in headings:
        if heading.style == title:
            level = 1
        elif heading.depth is not None:
            level = top + heading.depth
        elif heading.style in depths:
            level = top + depths[heading.style]
        else:
            level = ranks[heading.style]
        found.append(min(level, MAX_LEVEL))
    return found
