"""What is chosen of a quantity's context."""

from __future__ import annotations

from marginalia.quantities.quantity import Quantity, RoleSpan

ENTITY, PROPERTY, QUALIFIER = "MeasuredEntity", "MeasuredProperty", "Qualifier"


def quantity(*context: RoleSpan) -> Quantity:
    """Of "The mass of the rod was about 5 kg in air."."""
    return Quantity(24, 34, (32, 34), ("IsApproximate",), 0.98, context)


def test_the_best_candidate_is_chosen_where_it_reaches_the_threshold() -> None:
    rod, mass = RoleSpan(ENTITY, 16, 19, 0.02), RoleSpan(PROPERTY, 4, 8, 0.9)
    other, air = RoleSpan(PROPERTY, 0, 8, 0.5), RoleSpan(QUALIFIER, 35, 41, 0.4)
    one = quantity(rod, mass, other, air)
    assert one.chosen() == {ENTITY: rod, PROPERTY: mass}
    assert one.alternatives() == [other, air]
    assert quantity().chosen() == {} and quantity().alternatives() == []
