"""What a quantity measures as it is shown: the spans that are sure enough, and what else it could be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.tasks.measurement.official.spans import Span


@dataclass(frozen=True, slots=True)
class Part:
    """A span of the text; ``text[start:end] == quote``."""

    start: int
    end: int
    quote: str
    name: str = ""
    """Of a condition: the head of the column in which it stands, such as "Dose (mg)"."""


def part_of(text: str, start: int, end: int) -> Part:
    return Part(start, end, text[start:end])


def _shown(parts: Mapping[str, list[Part]]) -> tuple[Part | None, Part | None, tuple[Part, ...]]:
    entity, property = (
        next(iter(parts.get(role, ())), None) for role in ("MeasuredEntity", "MeasuredProperty")
    )
    return entity, property, tuple(parts.get("Qualifier", ()))


@dataclass(frozen=True, slots=True)
class MeasuredContext:
    """Entity, property and qualifiers of a quantity, and how sure each is where the system says so."""

    entity: Part | None = None
    property: Part | None = None
    qualifiers: tuple[Part, ...] = ()
    confidence: Mapping[str, float] = field(default_factory=dict)
    """Role -> that of what is shown in it; of several qualifiers the lowest."""
    others: tuple[RoleSpan, ...] = ()
    """Candidates that are not shown, the best first."""

    @classmethod
    def of(
        cls,
        text: str,
        spans: Sequence[Span],
        quantity: Quantity | None,
        least: float | None,
    ) -> Self:
        """What the system has chosen for the quantity, or its best candidates from the confidence ``least`` on; without a
        quantity the official spans."""
        sure: dict[str, float] = {}
        shown: dict[str, list[Part]] = {}
        if quantity is None:
            for span in spans:
                shown.setdefault(span.type, []).append(part_of(text, span.start, span.end))
        others: list[RoleSpan] = []
        if quantity is None:
            return cls(*_shown(shown))
        for one in quantity.context:
            full = one.role in shown and one.role != "Qualifier"
            chosen = one in quantity.given if least is None else one.score >= least
            if full or not chosen:
                others.append(one)
                continue
            shown.setdefault(one.role, []).append(part_of(text, one.start, one.end))
            sure[one.role] = min(one.score, sure.get(one.role, 1.0))
        return cls(*_shown(shown), sure, tuple(sorted(others, key=lambda one: -one.score)))

    def outside(self, start: int, end: int) -> Self:
        """Without what overlaps the unit there: in "12 smoots" smoots are nothing that is measured."""

        def keep(part: Part | RoleSpan | None) -> bool:
            return part is not None and not (part.start < end and start < part.end)

        return replace(
            self,
            entity=self.entity if keep(self.entity) else None,
            property=self.property if keep(self.property) else None,
            qualifiers=tuple(filter(keep, self.qualifiers)),
            others=tuple(filter(keep, self.others)),
        )
