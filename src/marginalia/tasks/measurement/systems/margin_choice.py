"""Which entity, property and conditions of a quantity a table or a margin shows, and how sure each is.

Of an entity or property the span is taken that most probably agrees with the true one in at least half of its
words: spans that overlap vouch for each other, and so do two places with the same text. A logistic curve for each role,
fitted by ``benchmarks/contexts.py`` on articles that the network had not seen, turns that into a calibrated probability.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from marginalia.core.errors import FormatError
from marginalia.core.files import read_json
from marginalia.core.resources import read_resource
from marginalia.quantities.quantity import RoleSpan
from marginalia.tasks.measurement.systems.conditions import CONDITION, conditions
from marginalia.tasks.measurement.systems.decoding import Floats, Ints, PieceSpan, overlaps
from marginalia.tasks.measurement.systems.span_chances import Evidence, Weights, span_chances
from marginalia.tasks.measurement.systems.window_reading import WindowReading

ENTITY, PROPERTY = "MeasuredEntity", "MeasuredProperty"
AGREES = 0.5
"""The least overlap of two spans that say the same."""
MAX_WORDS = 12
"""Of an entity or property; longer ones, and those that go on in the next sentence, are two phrases and what is between them."""
CANDIDATES = 3
"""Of a role that are given: the best, and others that it could be."""
FILE = "calibration.json"

Curves = Mapping[str, Mapping[str, float]]
"""Role -> ``bias`` and ``slope`` of its curve, and from which probability on it is ``shown``."""


def read_curves(folder: Path) -> Curves:
    """Those of a weights folder that has its own, else those that ship."""
    path = folder / FILE
    found = (
        read_json(path)
        if path.is_file()
        else read_resource("marginalia.tasks.measurement", f"systems/{FILE}")
    )
    for role in (ENTITY, PROPERTY, CONDITION):
        own = found.get(role) if isinstance(found, dict) else None
        if not isinstance(own, dict) or not {"bias", "slope", "shown"} <= own.keys():
            raise FormatError(f"the curve of {role} is not there", path=path)
    curves: Curves = found
    return curves


def calibrated(score: float, curve: Mapping[str, float]) -> float:
    """1 / (1 + exp(-(bias + slope · logit(score))))."""
    sure = min(max(score, 1e-4), 1 - 1e-4)
    total = curve["bias"] + curve["slope"] * math.log(sure / (1 - sure))
    return 1 / (1 + math.exp(-total))


def roles_of(
    text: str,
    reading: WindowReading,
    number: int,
    evidence: Mapping[str, Evidence],
    weights: Weights,
    curves: Curves,
) -> list[RoleSpan]:
    """The candidates of a quantity, those of a role from the surest on, with calibrated scores.

    No two of the best share a character, nor with the quantity.
    """
    found: dict[str, list[RoleSpan]] = {ENTITY: [], PROPERTY: []}
    for role, own in evidence.items():
        found[role] = _agreed(text, reading, role, own.spans, span_chances(own, weights[role]))
    quantity = reading.quantities[number]
    taken = [(quantity.start, quantity.end)]
    made: list[RoleSpan] = []
    first, second = sorted(found, key=lambda role: -found[role][0].score if found[role] else 0.0)
    for role in (first, second):
        free = [span for span in found[role] if not _meets(span, taken)][:CANDIDATES]
        made += (
            span._replace(score=round(calibrated(span.score, curves[role]), 4)) for span in free
        )
        taken += [(span.start, span.end) for span in free[:1]]
    for span in conditions(text, reading, number, weights[CONDITION]):
        if not _meets(span, taken):
            taken.append((span.start, span.end))
            made.append(span._replace(score=round(calibrated(span.score, curves[CONDITION]), 4)))
    return made


def _agreed(
    text: str, reading: WindowReading, role: str, spans: Ints, chances: Floats
) -> list[RoleSpan]:
    """The spans of a role from the likeliest on, scored by what agrees with them; no two overlap."""
    sentences, words = reading.window.sentences, reading.words
    lengths = words[spans[:, 1], 1] - words[spans[:, 0], 0] + 1
    fits = (sentences[spans[:, 0]] == sentences[spans[:, 1]]) & (lengths <= MAX_WORDS)
    spans, chances = spans[fits], chances[fits]
    overlap, meets = overlaps(spans, spans, words)
    places = [whole_words(text, reading.role_span(role, PieceSpan(a, b, 0.0))) for a, b in spans]
    quotes = np.array([text[one.start : one.end].lower() for one in places])
    agrees = (overlap >= AGREES) | (quotes[:, None] == quotes)
    worth = agrees @ chances
    # Among spans that vouch for each other the likeliest itself is the best written one.
    order = np.argsort(-(worth + chances), kind="stable")
    free = np.ones(len(spans), dtype=bool)
    found, last = [], 1.0
    for place in order:
        if free[place]:
            last = min(last, float(worth[place]))
            found.append(places[place]._replace(score=last))
            free &= ~(meets[place] | agrees[place])
    return found


def whole_words(text: str, span: RoleSpan) -> RoleSpan:
    """The span without half words at its edges."""
    start, end = span.start, span.end
    while start > 0 and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return span._replace(start=start, end=end)


def _meets(span: RoleSpan, taken: list[tuple[int, int]]) -> bool:
    return any(span.start < end and start < span.end for start, end in taken)
