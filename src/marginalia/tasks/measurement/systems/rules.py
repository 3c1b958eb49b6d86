"""The fast system: quantities, units and modifiers by rule, and what they measure by light rules; no encoder.

It learns nothing and needs no weights. ``pointer`` takes its quantities from the same ``find_quantities``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from marginalia.nlp.language import english_or_german
from marginalia.quantities.finder import find_quantities
from marginalia.quantities.quantity import Quantity
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Spans
from marginalia.tasks.measurement.systems.annotation_sets import to_annotation_sets
from marginalia.tasks.measurement.systems.contexts import add_contexts

SHOWN_FROM = 0.7
"""How often the rule must be right whose span a reader is shown."""


class Rules:
    """Reads English and German; the language of a paragraph is guessed where the item does not say it."""

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        return {id: read(item.text, item.language) for id, item in items.items()}

    def contexts(self, items: Mapping[str, Paragraph]) -> dict[str, dict[int, Quantity]]:
        """For each set of ``predict`` its quantity; given is what rules find that are right often enough for a reader."""
        found: dict[str, dict[int, Quantity]] = {}
        for id, item in items.items():
            read = (
                replace(one, given=tuple(s for s in one.context if s.score >= SHOWN_FROM))
                for one in _quantities(item.text, item.language)
            )
            found[id] = dict(enumerate(read, start=1))
        return found


def read(text: str, language: str = "") -> Spans:
    """The annotation sets of a paragraph, one for each quantity, in reading order."""
    return to_annotation_sets(text, _quantities(text, language))


def _quantities(text: str, language: str) -> list[Quantity]:
    language = language or english_or_german(text)
    return add_contexts(text, find_quantities(text, language=language), language)
