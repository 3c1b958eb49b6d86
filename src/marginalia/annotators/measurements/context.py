"""What a quantity measures as it is shown: the spans that are sure enough, and what else it could be."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from marginalia.quantities.quantity import RoleSpan
from marginalia.tasks.measurement.official.spans import Span
from marginalia.tasks.measurement.systems.confidence import choose

_TAKES = re.compile(
    r"\)?\s(?:(?:has|have|had|that|which|will|can|may|could|would)\s)?(?:is|was|are|were|be|been|lasts?|lasted|lasting|takes?|took|taken|runs?|ran|of|for|dauert|dauerte|ist|war|von)"
    r"(?:\s(?:for|about|only|just|at|least|around|over|up|to|a|an|nur|etwa|rund))*\s"
)
_COMPARED = re.compile(
    r"\s(?:behind|ahead|later|earlier|before|after|older|younger|apart|away|late|early|nach|vor|später|früher)\b"
)
"""Behind a time that says how far two things are apart."""
_CHANGE_IN = re.compile(
    r"\b(?:differences?|changes?|increases?|decreases?|reductions?|rises?|drops?|gains?|variations?|gaps?|disparit(?:y|ies)|"
    r"Unterschiede?|Differenz|Änderung|Veränderung|Zunahme|Abnahme)\s(?:in|im|of|between|der|des|beim)\s(?:(?:the|their|mean|median|average|der)\s){0,2}\Z"
)
CHANGE_WINDOW = 50
"""Characters before a property in which a word says that it is a difference."""


@dataclass(frozen=True, slots=True)
class Part:
    """A span of the text; ``text[start:end] == quote``."""

    start: int
    end: int
    quote: str


def _widened(text: str, property: Part | None) -> Part | None:
    """The property with what makes it another: four years of "difference in age" are no age."""
    if property is None:
        return None
    said = _CHANGE_IN.search(text, max(0, property.start - CHANGE_WINDOW), property.start)
    return part_of(text, said.start(), property.end) if said else property


def part_of(text: str, start: int, end: int) -> Part:
    return Part(start, end, text[start:end])


@dataclass(frozen=True, slots=True)
class MeasuredContext:
    """Entity, property and qualifiers of a quantity, and how sure each is where the system says so."""

    entity: Part | None = None
    property: Part | None = None
    qualifiers: tuple[Part, ...] = ()
    official_property: Part | None = None
    """What the system gives in any case: it may tell a difference of temperatures."""
    confidence: Mapping[str, float] = field(default_factory=dict)
    """Role -> that of what is shown in it."""
    others: tuple[RoleSpan, ...] = ()
    """Candidates that are not shown, the best first."""
    judged: bool = False

    @classmethod
    def of(
        cls,
        text: str,
        spans: Sequence[Span],
        judged: Sequence[RoleSpan] | None,
        least: Mapping[str, float],
    ) -> Self:
        """The best of the ``judged`` candidates, where they reach ``least``; without any, the official spans."""

        def parts(type: str) -> list[Part]:
            return [part_of(text, s.start, s.end) for s in spans if s.type == type]

        property = _widened(text, next(iter(parts("MeasuredProperty")), None))
        if judged is None:
            entity = next(iter(parts("MeasuredEntity")), None)
            return cls(entity, property, tuple(parts("Qualifier")), property)
        shown = choose(judged, least)
        found = {role: part_of(text, span.start, span.end) for role, span in shown.items()}
        others = sorted((s for s in judged if s not in shown.values()), key=lambda s: -s.score)
        return cls(
            entity=found.get("MeasuredEntity"),
            property=_widened(text, found.get("MeasuredProperty")),
            qualifiers=(found["Qualifier"],) if "Qualifier" in found else (),
            official_property=property,
            confidence={role: span.score for role, span in shown.items()},
            others=tuple(others),
            judged=True,
        )

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

    def of_time(self, text: str, start: int, end: int) -> Self:
        """A time alone beside a thing before it is shown only where a verb ties them: "the survey ran for two weeks"."""
        if not self.judged or self.property or not self.entity or self.entity.end > start:
            return self
        tied = _TAKES.fullmatch(text, self.entity.end, start) is not None
        tied = tied and _COMPARED.match(text, end) is None
        return self if tied else replace(self, entity=None)

    def of_date(self) -> Self:
        """A date measures nothing: what was found beside it is not shown."""
        if not self.judged:
            return self
        return replace(self, entity=None, property=None, qualifiers=(), confidence={})
