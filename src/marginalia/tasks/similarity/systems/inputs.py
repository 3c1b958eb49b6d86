"""From pairs of sentences to measures: what the encoder and their words tell of them, with German and mixed pairs on the
scale of English ones.

What the measures count was learned from English pairs. To the multilingual encoder a translation is less
near than an English sentence in other words, and any two German sentences are nearer than two English
ones. So the ends of each measure of meaning lie elsewhere, and a line, made by two kinds of pairs
whose likeness is known without raters (``anchors.py``), moves them to where they are in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from marginalia.nlp.encoder import Encoder
from marginalia.tasks.similarity.systems.alignment import align
from marginalia.tasks.similarity.systems.features import Text, features
from marginalia.tasks.similarity.systems.languages import MIXED
from marginalia.tasks.similarity.systems.meaning import NAMES, Floats, Meaning, Weighting, compare
from marginalia.tasks.similarity.systems.word_vectors import weights, word_layer, word_units

_END = re.compile(r"[\s.;,]+$")
Line = tuple[float, float]
"""Factor and shift"""
Scales = Mapping[str, Mapping[str, Line]]
"""By kind of pair, ``de`` or ``mixed``, and by measure"""
BETWEEN_LANGUAGES = (*NAMES, "numbers", "other number", "other date", "other negation", "length")
"""The measures that say something of a German and an English sentence; words written alike do not."""


def plain(a: str, b: str) -> tuple[str, str]:
    """The two texts without the full stop at the end that only one of them has.

    It says nothing, and yet moves the vector of a short text, as definitions are.
    """
    ends = [_END.sub("", text) for text in (a, b)]
    if (a.rstrip() == ends[0]) == (b.rstrip() == ends[1]) or not all(ends):
        return a, b
    return ends[0], ends[1]


class Measures:
    """The measures of pairs by one encoder; without ``weighting`` those of the surface alone."""

    def __init__(self, encoder: Encoder, weighting: Weighting | None, centre: Floats) -> None:
        self.encoder, self.weighting, self.centre = encoder, weighting, centre

    def of(self, pairs: Iterable[tuple[str, str]]) -> Iterator[dict[str, float]]:
        """The measures of each pair; a text that comes twice is read once."""
        # In one order, so that exchanging the two texts changes nothing at all.
        ordered = [plain(*sorted(pair)) for pair in pairs]
        texts = list(dict.fromkeys(text for pair in ordered for text in pair))
        known = {text: Text(text) for text in texts}
        spans = {text: [(w.start, w.end) for w in one.spans] for text, one in known.items()}
        layer = word_layer(self.encoder)
        above = () if self.weighting is None else self.weighting.layers
        read: dict[str, Floats] = {}
        meant: dict[str, Meaning] = {}
        for text, tokens in zip(
            texts, self.encoder.tokens(texts, sorted({layer, *above})), strict=True
        ):
            read[text] = word_units(spans[text], tokens, self.centre, layer)
            if self.weighting is not None:
                meant[text] = Meaning.of(tokens, self.weighting)
        for a, b in ordered:
            linked = align(a, b, near=read[a] @ read[b].T)
            found = features(known[a], known[b], linked)
            yield compare(meant[a], meant[b]) | found if self.weighting else found


def line(low: float, high: float, to_low: float, to_high: float) -> Line:
    """The line through two points."""
    factor = (to_high - to_low) / (high - low)
    return factor, to_low - factor * low


def rescaled(measured: Mapping[str, float], kind: str, scales: Scales) -> dict[str, float]:
    """The measures of a pair as they would be if both texts were English."""
    measures = dict(measured)
    if kind == MIXED:
        measures = {name: measures[name] for name in BETWEEN_LANGUAGES}
    for name, (factor, shift) in scales.get(kind, {}).items():
        measures[name] = min(1.0, factor * measures[name] + shift)
    return measures


def read_scales(data: Mapping[str, Any]) -> Scales:
    return {
        kind: {name: (float(one[0]), float(one[1])) for name, one in lines.items()}
        for kind, lines in data.items()
    }


@cache
def shipped_scales(encoder: str, folder: Path | None = None) -> Scales:
    """The scales of an encoder; of the English one, none."""
    return read_scales(weights(encoder, folder).get("scales", {}))
