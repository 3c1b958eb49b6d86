"""Quantities as official spans."""

from __future__ import annotations

from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.tasks.measurement.official.spans import Span, check_spans
from marginalia.tasks.measurement.systems.annotation_sets import to_annotation_sets

ENTITY, PROPERTY, QUALIFIER = "MeasuredEntity", "MeasuredProperty", "Qualifier"
TEXT = "The mass of the rod was about 5 kg in air."


def quantity(*context: RoleSpan) -> Quantity:
    return Quantity(24, 34, (32, 34), ("IsApproximate",), 0.98, context, context)


def test_an_annotation_set_has_consecutive_ids_and_leads_to_the_quantity() -> None:
    rod, mass = RoleSpan(ENTITY, 16, 19, 0.8), RoleSpan(PROPERTY, 4, 8, 0.9)
    air, about = RoleSpan(QUALIFIER, 35, 41, 0.9), RoleSpan(QUALIFIER, 20, 23, 0.9)
    spans = to_annotation_sets(TEXT, [quantity(rod, mass, air, about), quantity(rod)])
    check_spans(spans)
    says = {"unit": "kg", "mods": ["IsApproximate"]}
    assert spans == (
        Span(1, "Quantity", 24, 34, "T1-1", "about 5 kg", says),
        Span(1, PROPERTY, 4, 8, "T2-1", "mass", {"HasQuantity": "T1-1"}),
        Span(1, ENTITY, 16, 19, "T3-1", "rod", {"HasProperty": "T2-1"}),
        Span(1, QUALIFIER, 35, 41, "T4-1", "in air", {"Qualifies": "T1-1"}),
        Span(1, QUALIFIER, 20, 23, "T5-1", "was", {"Qualifies": "T1-1"}),
        Span(2, "Quantity", 24, 34, "T1-2", "about 5 kg", says),
        Span(2, ENTITY, 16, 19, "T2-2", "rod", {"HasQuantity": "T1-2"}),
    )
