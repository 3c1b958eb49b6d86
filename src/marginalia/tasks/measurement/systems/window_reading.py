"""What the network says of the quantities of one window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.tasks.measurement.official.spans import ROLES
from marginalia.tasks.measurement.systems.decoding import Floats, Ints, PieceSpan
from marginalia.tasks.measurement.systems.inputs import Pieces, Window


class Pointing(NamedTuple):
    """Where a role begins and ends and what it covers: probabilities over the pieces, 0 standing for "none"."""

    starts: Floats
    ends: Floats
    inside: Floats


class Answer(NamedTuple):
    """What the network says of one quantity."""

    tags: Floats
    """A table of pieces by ``TAGS``."""
    ends: Floats
    row: float
    """The probability that it is worth a row."""
    purposes: Floats
    """In the order of ``PURPOSES``."""


@dataclass(frozen=True, slots=True)
class WindowReading:
    """The quantities that a window answers for, in reading order, with an answer for each."""

    window: Window
    words: Ints
    """In which blank-separated word each piece begins and ends, without the last special token."""
    quantities: Sequence[Quantity]
    places: Sequence[Pieces]
    answers: Sequence[Answer]
    """None where there were too many to ask."""

    @property
    def asked(self) -> bool:
        return len(self.answers) == len(self.quantities)

    def worth(self, least: float) -> Self:
        """Only the quantities whose answer says that they are worth a row."""
        if not self.asked:
            return self
        kept = [number for number, answer in enumerate(self.answers) if answer.row >= least]
        return replace(
            self,
            quantities=[self.quantities[number] for number in kept],
            places=[self.places[number] for number in kept],
            answers=[self.answers[number] for number in kept],
        )

    def pointing(self, number: int, role: str) -> Pointing:
        place = ROLES.index(role)
        ends = self.answers[number].ends[:-1]
        inside = self.answers[number].tags[:-1, place + 1]
        return Pointing(ends[:, 2 * place], ends[:, 2 * place + 1], inside)

    def role_span(self, role: str, span: PieceSpan) -> RoleSpan:
        offsets = self.window.offsets
        start, end = int(offsets[span.first, 0]), int(offsets[span.last, 1])
        return RoleSpan(role, start, end, round(span.score, 4))
