"""The fast system: quantities, units and modifiers by rule, and what they measure by light rules; no encoder.

It learns nothing and needs no weights. ``pointer`` takes its quantities from the same ``find_quantities``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from marginalia.nlp.language import guess
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span, Spans
from marginalia.tasks.measurement.quantities.finder import Found, find_quantities
from marginalia.tasks.measurement.systems.contexts import Context, find_contexts


class Rules:
    """Reads English and German; the language of a paragraph is guessed where the item does not say it."""

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        return {id: read(item.text, item.language) for id, item in items.items()}


def read(text: str, language: str = "") -> Spans:
    """The annotation sets of a paragraph, one for each quantity, in reading order."""
    language = language or guess(text)
    quantities = find_quantities(text, language=language)
    contexts = find_contexts(text, quantities, language)
    sets = enumerate(zip(quantities, contexts, strict=True), 1)
    return tuple(span for number, pair in sets for span in _spans(text, number, *pair))


def _spans(text: str, number: int, quantity: Found, context: Context) -> Iterator[Span]:
    """One set: the entity points to the property if there is one, and that to the quantity."""
    other: dict[str, Any] = {}
    if quantity.unit:
        other["unit"] = text[slice(*quantity.unit)]
    if quantity.mods:
        other["mods"] = list(quantity.mods)
    end = f"T1-{number}"
    parts: list[tuple[str, tuple[int, int] | None, str, dict[str, Any]]] = [
        ("Quantity", (quantity.start, quantity.end), end, other),
        ("MeasuredProperty", context.property, f"T2-{number}", {"HasQuantity": end}),
        (
            "MeasuredEntity",
            context.entity,
            f"T3-{number}",
            {"HasProperty": f"T2-{number}"} if context.property else {"HasQuantity": end},
        ),
        ("Qualifier", context.qualifier, f"T4-{number}", {"Qualifies": end}),
    ]
    for type, place, id, says in parts:
        if place is not None:
            yield Span(number, type, *place, id, text[slice(*place)], says)
