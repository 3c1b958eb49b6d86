"""The fast system: quantities, units and modifiers by rule, and what they measure by light rules; no encoder.

It learns nothing and needs no weights. ``pointer`` takes its quantities from the same ``find_quantities``.
"""

from __future__ import annotations

from collections.abc import Mapping

from marginalia.nlp.language import english_or_german
from marginalia.quantities.finder import find_quantities
from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Spans
from marginalia.tasks.measurement.systems.annotation_sets import to_annotation_sets
from marginalia.tasks.measurement.systems.confidence import judge
from marginalia.tasks.measurement.systems.contexts import add_contexts


class Rules:
    """Reads English and German; the language of a paragraph is guessed where the item does not say it."""

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        return {id: read(item.text, item.language) for id, item in items.items()}

    def contexts(self, items: Mapping[str, Paragraph]) -> dict[str, dict[int, list[RoleSpan]]]:
        """For each set of ``predict`` the noun phrases that could be in its roles, with their confidence."""
        found: dict[str, dict[int, list[RoleSpan]]] = {}
        for id, item in items.items():
            language = item.language or english_or_german(item.text)
            quantities = _quantities(item.text, language)
            judged = judge(item.text, quantities, language=language, network=False)
            found[id] = dict(enumerate(judged, start=1))
        return found


def read(text: str, language: str = "") -> Spans:
    """The annotation sets of a paragraph, one for each quantity, in reading order."""
    return to_annotation_sets(text, _quantities(text, language or english_or_german(text)))


def _quantities(text: str, language: str) -> list[Quantity]:
    return add_contexts(text, find_quantities(text, language=language), language)
