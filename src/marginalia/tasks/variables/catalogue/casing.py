"""Labels as one would say them.

The labels of many surveys are in capitals, the German ones with AE for Ä. An encoder to which capitals matter
reads VERMOEGEN as a code, not as a word.
"""

from __future__ import annotations

import re
from functools import lru_cache

from marginalia.nlp.frequency import zipf

MIN_CAPITAL_SHARE = 0.6
"""From this share of its letters on a text is in capitals."""
UMLAUTS = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"))
_LETTERS = re.compile(r"[^\W\d_]+")


def spoken(text: str) -> str:
    """A text in capitals in small letters, with umlauts where they make a word; any other as it is."""
    letters = [sign for sign in text if sign.isalpha()]
    if sum(map(str.isupper, letters)) <= MIN_CAPITAL_SHARE * len(letters):
        return text
    return _LETTERS.sub(lambda match: with_umlauts(match.group()), text.lower())


@lru_cache(maxsize=50_000)
def with_umlauts(word: str) -> str:
    """``vermögen`` for ``vermoegen``; ``neue`` and ``value`` stay, since they are the commoner words."""
    changed = word
    for two, one in UMLAUTS:
        changed = changed.replace(two, one)
    if changed == word or zipf(changed, "de") <= zipf(word, "de"):
        return word
    return changed
