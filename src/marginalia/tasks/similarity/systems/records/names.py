"""Whether two names are of the same person or body, however they are written."""

from __future__ import annotations

import re
from collections.abc import Sequence

MIN_NAME_RATIO = 0.6
"""Names less alike than this, letter by letter, have nothing to do with each other."""
INITIAL_SCORE = 0.95


def names_of(field: str) -> list[str]:
    """The names in a field, in small letters and in the order of speech: ``Penfold, Clara`` is clara penfold."""
    found = []
    for part in re.split(r"\s*;\s*|\n", field):
        name = re.sub(r"\([^)]*\)|\b\d{3,4}\b|[-–?]\s*$", " ", part)
        last, comma, first = name.partition(",")
        name = f"{first} {last}" if comma else name
        name = " ".join(re.findall(r"[^\W\d_]+", name.lower().replace("&", " and ")))
        if name:
            found.append(name)
    return found


def alike(a: str, b: str) -> float:
    """From 0 for two names to 1 for one; ``c penfold`` may be clara penfold."""
    from rapidfuzz import fuzz

    if a == b:
        return 1.0
    one, other = a.split(), b.split()
    if one[-1] == other[-1] and one[0][0] == other[0][0] and 1 in (len(one[0]), len(other[0])):
        return INITIAL_SCORE
    ratio = float(fuzz.token_sort_ratio(a, b)) / 100
    return max(0.0, (ratio - MIN_NAME_RATIO) / (1 - MIN_NAME_RATIO))


def matched(a: Sequence[str], b: Sequence[str]) -> float:
    """How well the names of either side are found on the other, on average; 0 where a side has none."""
    if not a or not b:
        return 0.0
    there = sum(max(alike(x, y) for y in b) for x in a) / len(a)
    back = sum(max(alike(x, y) for x in a) for y in b) / len(b)
    return (there + back) / 2


def shares(a: Sequence[str], b: Sequence[str]) -> float:
    """The best match of any two."""
    return max((alike(x, y) for x in a for y in b), default=0.0)
