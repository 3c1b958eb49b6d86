"""What the network says of the quantities of one window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.tasks.measurement.official.spans import ROLES
from marginalia.tasks.measurement.systems.decoding import Floats, Ints, PieceSpan
from marginalia.tasks.measurement.systems.inputs import Pieces, Window


class Pointing(NamedTuple):
    """Where a role begins and ends and what it covers: probabilities over the pieces, 0 standing for "none"."""

    starts: Floats
    ends: Floats
    inside: Floats


@dataclass(frozen=True, slots=True)
class WindowReading:
    """The quantities that a window answers for, in reading order, with a row of probabilities for each."""

    window: Window
    words: Ints
    """In which blank-separated word each piece begins and ends, without the last special token."""
    quantities: Sequence[Quantity]
    places: Sequence[Pieces]
    all_places: Sequence[Pieces]
    """Also of the quantities that a neighbouring window answers for."""
    tags: Sequence[Floats]
    """For each quantity a table of pieces by roles; none where there were too many to ask."""
    ends: Sequence[Floats]

    @property
    def asked(self) -> bool:
        return len(self.ends) == len(self.quantities)

    def pointing(self, number: int, role: str) -> Pointing:
        place = ROLES.index(role)
        ends = self.ends[number][:-1]
        inside = self.tags[number][:-1, place + 1]
        return Pointing(ends[:, 2 * place], ends[:, 2 * place + 1], inside)

    def role_span(self, role: str, span: PieceSpan) -> RoleSpan:
        offsets = self.window.offsets
        start, end = int(offsets[span.first, 0]), int(offsets[span.last, 1])
        return RoleSpan(role, start, end, round(span.score, 4))
