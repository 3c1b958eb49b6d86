"""Quantities as the shared task wants them: an annotation set of official spans for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from marginalia.quantities.quantity import Quantity
from marginalia.tasks.measurement.official.spans import Span, Spans

ORDER = ("MeasuredProperty", "MeasuredEntity", "Qualifier")
"""In which order the roles follow the quantity."""


def to_annotation_sets(text: str, quantities: Iterable[Quantity]) -> Spans:
    """The official rows of a paragraph, with what was chosen of each quantity's context."""
    return tuple(
        span
        for number, quantity in enumerate(quantities, start=1)
        for span in _set(text, number, quantity)
    )


def _set(text: str, number: int, quantity: Quantity) -> Iterator[Span]:
    """The entity leads to the property where there is one, all else to the quantity."""
    says: dict[str, Any] = {}
    if quantity.unit is not None:
        says["unit"] = text[slice(*quantity.unit)]
    if quantity.modifiers:
        says["mods"] = list(quantity.modifiers)
    ids = {"Quantity": f"T1-{number}"}
    quote = text[quantity.start : quantity.end]
    yield Span(number, "Quantity", quantity.start, quantity.end, ids["Quantity"], quote, says)
    given = sorted(quantity.given, key=lambda span: ORDER.index(span.role))
    for place, (role, start, end, _) in enumerate(given, start=2):
        id = f"T{place}-{number}"
        ids.setdefault(role, id)
        property = ids.get("MeasuredProperty") if role == "MeasuredEntity" else None
        # The qualifiers that are found stand close to their quantity and mostly are about it.
        name = "Qualifies" if role == "Qualifier" else "HasProperty" if property else "HasQuantity"
        relation = {name: property or ids["Quantity"]}
        yield Span(number, role, start, end, id, text[start:end], relation)
