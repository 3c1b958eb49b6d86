"""The official modifiers of a quantity by rule, from its words and those before it."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from marginalia import lang
from marginalia.quantities.lexicon import lexicon

MEAN_WINDOW = 70
"""Characters before a quantity that are searched for a mean or median."""
# No number and no end of a sentence may stand between the word and the quantity.
_TO_HERE = r"(?![^\d.;]*[\d.;])"


class Patterns(NamedTuple):
    approximate: re.Pattern[str]
    bound: re.Pattern[str]
    mean: re.Pattern[str]
    median: re.Pattern[str]
    deviation: re.Pattern[str]
    inside: re.Pattern[str]


@cache
def _patterns(language: lang.Language) -> Patterns:
    words = lexicon(language.code)
    mean, median, deviation, inside = (
        words.pattern("numbers", name, table="modifiers")
        for name in ("mean", "median", "deviation", "inside")
    )
    return Patterns(
        re.compile(rf"[~∼≈≃≅≲≳]|\b(?:{words.approximate})(?!\w)", re.IGNORECASE),
        re.compile(rf"[<>≤≥⩽⩾≲≳≪≫]|\b(?:{words.bound})(?!\w)|{words.or_more}", re.IGNORECASE),
        re.compile(rf"(?:{mean}){_TO_HERE}", re.IGNORECASE),
        re.compile(rf"(?:{median}){_TO_HERE}", re.IGNORECASE),
        re.compile(deviation),
        re.compile(inside, re.IGNORECASE),
    )


def read_modifiers(
    text: str, start: int, end: int, joints: frozenset[str], *, count: bool, language: str
) -> tuple[str, ...]:
    """The modifiers of ``text[start:end]``, whose numbers are joined by ``joints``."""
    quote, before = text[start:end], text[max(0, start - MEAN_WINDOW) : start]
    mods, cues = set(), _patterns(lang.language(language))
    spread = "range" in joints or cues.bound.search(quote) is not None
    tolerance = "tolerance" in joints or "±" in quote
    mean = not count and cues.mean.search(before) is not None
    if cues.approximate.search(quote):
        mods.add("IsApproximate")
    if count:
        mods.add("IsCount")
    if "list" in joints:
        mods.add("IsList")
    if cues.median.search(before):
        mods.add("IsMedian")
    if tolerance and mean:
        mods.add("IsMeanHasSD" if cues.deviation.search(before) else "IsMeanHasTolerance")
    elif tolerance:
        mods.add("IsRangeHasTolerance" if spread else "HasTolerance")
    elif spread:
        mods.add("IsMeanIsRange" if cues.inside.search(quote) else "IsRange")
    elif mean or cues.inside.search(quote):
        mods.add("IsMean")
    return tuple(sorted(mods))
