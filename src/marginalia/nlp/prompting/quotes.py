"""Where a model's quotation stands in the text it was asked about; a quotation that is not there is worth nothing."""

from __future__ import annotations

import re

Place = tuple[int, int]


def find_quote(text: str, quote: str, *, near: int = 0, after: int = -1) -> Place | None:
    """The place of a quotation: the first that begins at ``after`` or later, else the nearest to ``near``.

    Line breaks and runs of blanks are taken as one: models do not keep them. All else must be the same.
    """
    places = _places(text, quote)
    if after >= 0:
        later = [place for place in places if place[0] >= after]
        places = later[:1] or places
    return min(places, key=lambda place: (abs(place[0] - near), place[0]), default=None)


def _places(text: str, quote: str) -> list[Place]:
    """Where the quotation stands as a whole: neither end cuts a word or a number in two, unless there is no such place."""
    words = quote.split()
    if not words:
        return []
    pattern = r"\s+".join(map(re.escape, words))
    whole = rf"(?<!\w){pattern}(?!\w)"
    found = list(re.finditer(whole, text)) or list(re.finditer(pattern, text))
    return [match.span() for match in found]
