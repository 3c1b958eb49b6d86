"""Candidates for the entity, property and qualifier of a quantity: those of network and rules merged, and trimmed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from marginalia.quantities.lexicon import stop_words
from marginalia.quantities.quantity import ROLE_THRESHOLDS, RoleSpan
from marginalia.tasks.measurement.systems.decoding import number_blocks
from marginalia.tasks.measurement.systems.inputs import Pieces, Window

Candidates = dict[str, list[RoleSpan]]
"""Role -> its candidates, the best first."""
BREAKS = frozenset("()[]{};:,")
"""Signs that no span of ``strict`` crosses."""
_WORD = re.compile(r"\w+(?:\S*\w)?|\S")


def blocks_of(text: str, window: Window, quantities: Iterable[Pieces]) -> Any:
    """The parts of a sentence between its quantities, brackets, commas, colons and semicolons."""
    breaks = np.array([text[low:high] in BREAKS for low, high in window.offsets.tolist()])
    for first, last in quantities:
        breaks[first : last + 1] = True
    return number_blocks(breaks, window.sentences)[:-1]


def trim(text: str, candidates: Candidates) -> None:
    """Cut function words and punctuation from the edges; what has nothing else is no candidate."""
    for role, spans in candidates.items():
        bare = (without_edges(text, span.start, span.end) for span in spans)
        candidates[role] = [
            span._replace(start=start, end=end)
            for span, (start, end) in zip(spans, bare, strict=True)
            if start < end
        ]


def without_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without function words and punctuation at its edges; empty where nothing is left."""
    words = [word.span() for word in _WORD.finditer(text, start, end)]
    while words and _edge(text, *words[0]):
        words.pop(0)
    while words and _edge(text, *words[-1]):
        words.pop()
    return (words[0][0], words[-1][1]) if words else (start, start)


def _edge(text: str, start: int, end: int) -> bool:
    word = text[start:end]
    return word.lower() in stop_words() or not any(sign.isalnum() for sign in word)


def add_from_rules(candidates: Candidates, context: Iterable[RoleSpan]) -> None:
    """Put the rules' property first where it does not overlap the network's, and their qualifier where it has none.

    The rules know the words for what is measured, of which a network sees too few in some hundred paragraphs.
    """
    for ruled in context:
        spans = candidates[ruled.role]
        given = [span for span in spans[:1] if span.score >= ROLE_THRESHOLDS[ruled.role]]
        if ruled.role == "MeasuredEntity" or (given and ruled.role == "Qualifier"):
            continue
        if not any(_overlap(span, ruled) for span in given):
            others = (s for s in spans if (s.start, s.end) != (ruled.start, ruled.end))
            candidates[ruled.role] = [ruled, *others]


def keep_apart(candidates: Candidates) -> None:
    """The entity and the qualifier share no character with the property, nor with each other."""
    taken: list[RoleSpan] = []
    for role in ("MeasuredProperty", "MeasuredEntity", "Qualifier"):
        candidates[role] = [
            span for span in candidates[role] if not any(_overlap(span, other) for other in taken)
        ]
        taken += [s for s in candidates[role][:1] if s.score >= ROLE_THRESHOLDS[role]]


def _overlap(a: RoleSpan, b: RoleSpan) -> bool:
    return a.start < b.end and b.start < a.end
