"""The official modifiers of a quantity by rule, from its words and those before it."""

from __future__ import annotations

import re

from marginalia.quantities.lexicon import APPROXIMATE, BOUND, OR_MORE

MEAN_WINDOW = 70
"""Characters before a quantity that are searched for a mean or median."""
_APPROXIMATE = re.compile(rf"[~∼≈≃≅≲≳]|\b(?:{APPROXIMATE})(?!\w)", re.IGNORECASE)
_BOUND = re.compile(rf"[<>≤≥⩽⩾≲≳≪≫]|\b(?:{BOUND})(?!\w)|{OR_MORE}", re.IGNORECASE)
# No number and no end of a sentence may stand between the word and the quantity.
_TO_HERE = r"(?![^\d.;]*[\d.;])"
_MEAN = re.compile(
    r"\b(?:mean|averaged?|averaging|Mittelwert|mittlere[rns]?|durchschnittlich(?:e[rns]?)?)\b"
    + _TO_HERE,
    re.IGNORECASE,
)
_MEDIAN = re.compile(r"\bmedian\w*" + _TO_HERE, re.IGNORECASE)
_DEVIATION = re.compile(r"\b(?:\d?SD|s\.d\.|standard deviation|Standardabweichung)")
_INSIDE = re.compile(r"average|mean|durchschnittlich|im Mittel", re.IGNORECASE)


def read_modifiers(
    text: str, start: int, end: int, joints: frozenset[str], *, count: bool
) -> tuple[str, ...]:
    """The modifiers of ``text[start:end]``, whose numbers are joined by ``joints``."""
    quote, before = text[start:end], text[max(0, start - MEAN_WINDOW) : start]
    mods = set()
    spread = "range" in joints or _BOUND.search(quote) is not None
    tolerance = "tolerance" in joints or "±" in quote
    mean = not count and _MEAN.search(before) is not None
    if _APPROXIMATE.search(quote):
        mods.add("IsApproximate")
    if count:
        mods.add("IsCount")
    if "list" in joints:
        mods.add("IsList")
    if _MEDIAN.search(before):
        mods.add("IsMedian")
    if tolerance and mean:
        mods.add("IsMeanHasSD" if _DEVIATION.search(before) else "IsMeanHasTolerance")
    elif tolerance:
        mods.add("IsRangeHasTolerance" if spread else "HasTolerance")
    elif spread:
        mods.add("IsMeanIsRange" if _INSIDE.search(quote) else "IsRange")
    elif mean or _INSIDE.search(quote):
        mods.add("IsMean")
    return tuple(sorted(mods))
