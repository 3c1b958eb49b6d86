"""A quantity of a text: where it stands, its unit and modifiers, and candidates for what it measures.

This is the one shape from the first number that is read to the official spans: rules find it
(``finder``), rules or the network add its context (``systems/contexts``, ``systems/inference``), and
``systems/annotation_sets`` writes it as rows of the shared task.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple


class RoleSpan(NamedTuple):
    """``text[start:end]`` as the entity, property or qualifier of a quantity, with the probability of that."""

    role: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Quantity:
    """``text[start:end]`` is the quantity with the words that modify it, ``text[slice(*unit)]`` its unit."""

    start: int
    end: int
    unit: tuple[int, int] | None
    modifiers: tuple[str, ...]
    """As the shared task names them: ``IsRange``, ``IsCount``, …"""
    score: float
    """How often such a number is a quantity."""
    context: tuple[RoleSpan, ...] = ()
    """Candidates for entity, property and qualifier; those of a role from the best to the worst."""
    given: tuple[RoleSpan, ...] = ()
    """Those of the candidates that were chosen: at most one entity and one property, and any number of qualifiers."""
    purpose: str | None = None
    """Why it stands in a paper, where a system says so: ``result``, ``setup``, ``criterion`` or ``background``."""

    def moved(self, offset: int) -> Quantity:
        """The same in a text that begins so many characters earlier."""

        def move(spans: tuple[RoleSpan, ...]) -> tuple[RoleSpan, ...]:
            return tuple(s._replace(start=s.start + offset, end=s.end + offset) for s in spans)

        return replace(
            self,
            start=self.start + offset,
            end=self.end + offset,
            unit=(self.unit[0] + offset, self.unit[1] + offset) if self.unit else None,
            context=move(self.context),
            given=move(self.given),
        )
