"""How likely an editor would ask at a place: how the encoder reads its words there, what the rules know about it, and the
probability that it was revised, as learned from CLAIRE.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from marginalia.core.files import read_json
from marginalia.tasks.clarification.gaps.orders import form_of
from marginalia.tasks.clarification.gaps.places import Guide, Place
from marginalia.tasks.clarification.official.data import PHENOMENA

PATTERNS = tuple(PHENOMENA)
MIN_RULE_SCORE = 0.4
"""Places of which the rules think less are not judged."""
LONG_SENTENCE = 30
"""Words from which on a sentence counts as long."""
JUDGE_FILE = "judge.json"


def traits(places: Sequence[Place], guide: Guide) -> NDArray[np.float32]:
    """A row for each place: the vector of its words, of its sentence, and what the rules know."""
    from marginalia.nlp.encoder import english
    from marginalia.nlp.tagger import english_tagger

    encoder, layer = english(), english_tagger().layer
    texts = [guide.sentences[place.number].text for place in places]
    rows = []
    for place, tokens in zip(places, encoder.tokens(texts, [layer]), strict=True):
        sentence = guide.sentences[place.number]
        low, high = place.start - sentence.start, place.end - sentence.start
        words = [
            tokens.span(low, high, layer),
            tokens.span(0, len(sentence.text), layer),
            np.array(_facts(place, guide), dtype=np.float32),
        ]
        rows.append(np.concatenate(words))
    width = 2 * encoder.width + len(PATTERNS) + 6
    return np.array(rows, dtype=np.float32) if rows else np.zeros((0, width), dtype=np.float32)


def _facts(place: Place, guide: Guide) -> list[float]:
    sentence = guide.sentences[place.number]
    at = next(
        i for i, word in enumerate(sentence.words) if word.start >= place.start - sentence.start
    )
    return [
        *(float(place.pattern == pattern) for pattern in PATTERNS),
        place.score,
        form_of(sentence.words, at),
        float(at == 0),
        float(at + 1 == len(sentence.words)),
        float(sentence.listed),
        min(1.0, len(sentence.words) / LONG_SENTENCE),
    ]


@lru_cache(maxsize=2)
def _read(path: Path) -> tuple[NDArray[np.float32], float, float, float]:
    made = read_json(path)
    return np.array(made["weights"], dtype=np.float32), made["bias"], made["slope"], made["shift"]


def judge(places: Sequence[Place], guide: Guide, folder: Path) -> list[float]:
    """The calibrated probability of each place, from 0 to 1."""
    if not places:
        return []
    weights, bias, slope, shift = _read(folder / JUDGE_FILE)
    scores = slope * (traits(places, guide) @ weights + bias) + shift
    return [round(float(p), 4) for p in 1 / (1 + np.exp(-scores))]
