"""A quantity of a text: where it stands, its unit and modifiers, and candidates for what it measures.

This is the one shape from the first number that is read to the official spans: rules find it
(``finder``), rules or the network add its context (``systems/contexts``, ``systems/inference``), and
``systems/annotation_sets`` writes it as rows of the shared task.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

ROLE_THRESHOLDS = {"MeasuredEntity": 0.0, "MeasuredProperty": 0.35, "Qualifier": 0.5}
"""The least probability of a span that is given in this role. Nearly every quantity has an entity."""


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
    given: tuple[RoleSpan, ...] | None = None
    """Those of the candidates that were chosen together; None where each role is chosen by its threshold."""

    def chosen(self) -> dict[str, RoleSpan]:
        """Role -> its best candidate, where that reaches the threshold or was chosen with the others."""
        if self.given is not None:
            return {span.role: span for span in self.given}
        best: dict[str, RoleSpan] = {}
        for span in self.context:
            best.setdefault(span.role, span)
        return {role: span for role, span in best.items() if span.score >= ROLE_THRESHOLDS[role]}

    def alternatives(self) -> list[RoleSpan]:
        """The candidates that were not chosen."""
        chosen = self.chosen()
        return [span for span in self.context if chosen.get(span.role) != span]
