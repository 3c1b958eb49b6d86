"""German and mixed pairs on the scale of English ones.

What the measures count was learned from English pairs. To the multilingual encoder a translation is less
near than an English sentence in other words, and any two German sentences are nearer than two English
ones. So the ends of each measure of meaning lie elsewhere, and a line, made by two kinds of pairs of
which nobody needs to ask how alike they are (``anchors.py``), moves them to where they are in English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from marginalia.tasks.similarity.systems.languages import MIXED
from marginalia.tasks.similarity.systems.meaning import NAMES
from marginalia.tasks.similarity.systems.word_vectors import weights

Line = tuple[float, float]
"""Factor and shift"""
Scales = Mapping[str, Mapping[str, Line]]
"""By kind of pair, ``de`` or ``mixed``, and by measure"""

BETWEEN_LANGUAGES = (*NAMES, "numbers", "other number", "other date", "other negation", "length")
"""The measures that say something of a German and an English sentence; words written alike do not."""


def line(low: float, high: float, to_low: float, to_high: float) -> Line:
    """The line through two points."""
    factor = (to_high - to_low) / (high - low)
    return factor, to_low - factor * low


def rescaled(measured: Mapping[str, float], kind: str, scales: Scales) -> dict[str, float]:
    """The measures of a pair as they would be if both texts were English."""
    found = dict(measured)
    if kind == MIXED:
        found = {name: found[name] for name in BETWEEN_LANGUAGES}
    for name, (factor, shift) in scales.get(kind, {}).items():
        found[name] = min(1.0, factor * found[name] + shift)
    return found


def read_scales(data: Mapping[str, Any]) -> Scales:
    return {
        kind: {name: (float(one[0]), float(one[1])) for name, one in lines.items()}
        for kind, lines in data.items()
    }


@cache
def shipped_scales(encoder: str, folder: Path | None = None) -> Scales:
    """The scales of an encoder; of the English one, none."""
    return read_scales(weights(encoder, folder).get("scales", {}))
