"""Does a sentence name a variable, or only imply it? And by which words?

An explicit mention has most of what the label or the question says; an implicit one needs the rest of the
paper to be understood. The paper's annotators did not agree on the difference, so this is a rule anyone
can check by looking at the words, not a learned one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from marginalia.nlp.frequency import zipf
from marginalia.tasks.variables.catalogue.parts import CORE, clean, parts_of
from marginalia.tasks.variables.index.terms import stems_with_places
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable

MIN_EXPLICIT_SHARE = 0.5
"""From this share of a field's words on, rare words counting more, the sentence quotes it."""
MIN_SHARED_WORDS = 2
"""A single word quotes nothing, unless it is all that the field says."""


@dataclass(frozen=True, slots=True)
class Match:
    """How a sentence meets a variable."""

    kind: str
    """``explicit`` or ``implicit``."""
    words: tuple[tuple[int, int], ...]
    """Where the sentence has words of the variable."""
    fields: tuple[str, ...]
    """The parts of the variable that have them, the best covered first."""
    share: float
    """How much of the best covered part the sentence has, from 0 to 1."""


def explain(sentence: str, variable: Variable, fields: Mapping[str, str] | None = None) -> Match:
    """Compare a sentence with the fields of a variable, or with these fields of it."""
    known = fields if fields is not None else parts_of(Catalogue([variable]))[variable.id]
    stems = {stem for _, _, found in stems_with_places(sentence) for stem in found}
    covered: dict[str, tuple[float, int, int]] = {}
    wanted: set[str] = set()
    for name in CORE:
        weights = _weights(clean(known.get(name, "")))
        hits = stems & weights.keys()
        if hits:
            wanted |= hits
            share = sum(weights[stem] for stem in sorted(hits)) / sum(weights.values())
            covered[name] = share, len(hits), len(weights)
    order = sorted(covered, key=lambda name: -covered[name][0])
    explicit = any(
        share >= MIN_EXPLICIT_SHARE and (hits >= MIN_SHARED_WORDS or hits == total)
        for share, hits, total in covered.values()
    )
    words = tuple(
        (start, end)
        for start, end, found in stems_with_places(sentence)
        if not wanted.isdisjoint(found)
    )
    return Match(
        "explicit" if explicit else "implicit",
        words,
        tuple(order),
        round(covered[order[0]][0], 4) if order else 0.0,
    )


def _weights(text: str) -> dict[str, float]:
    """The stems of a text; a rare word weighs more than a usual one, a part of a compound half."""
    found: dict[str, float] = {}
    for start, end, names in stems_with_places(text):
        word = text[start:end].lower()
        weight = max(0.5, 7 - max(zipf(word, "en"), zipf(word, "de")))
        found[names[0]] = weight
    return found
