"""The numbers of a quantity's text in reading order, each with its sign and what is said before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from marginalia.tasks.measurement.quantities.dates import ANNOUNCE
from marginalia.tasks.measurement.quantities.tokens import Piece

BOUNDS = frozenset(("less", "most", "more", "least"))
JOINS = frozenset(("to", "and", "ratio"))
_DURATION = re.compile(
    r"\W*(?:the|an?)\b|[^,;]{0,40}?\b(?:years?|months?|weeks?|days?|hours?|yrs?|byr)\b", re.I
)
"""``over the 9-year period`` and ``over 4 weeks`` are no bounds."""
_DOWN = re.compile(r"\s?/?\s?[-−–]\s?")


@dataclass(slots=True)
class Seen:
    """A number with all that the text says of it."""

    start: int
    end: int
    value: Decimal
    roles: list[str] = field(default_factory=list)
    """Of the words and signs between the last number and this one, in order."""
    compared: bool = False
    """Whether a sign such as ``≤`` stands between the two, and no word that joins them."""
    bare: bool = True
    """Whether no unit and no noun stands between the two."""
    power: int | None = None
    mantissa: Decimal | None = None
    mantissa_end: int = 0
    """Of ``3 × 10−4``: −4, 3, and where the 3 ends."""

    @property
    def tolerance(self) -> bool:
        return "tolerance" in self.roles

    @property
    def bound(self) -> str | None:
        """The last one said: ``over <20`` is less than 20."""
        return next((role for role in reversed(self.roles) if role in BOUNDS), None)


@dataclass(slots=True)
class Reading:
    seen: list[Seen] = field(default_factory=list)
    trailing: list[str] = field(default_factory=list)
    """Roles behind the last number: ``5 or more``."""
    power: int = 0
    approximate: bool = False
    plain: bool = True
    """Whether there is nothing but numbers and words with a role: no unit, no noun."""


@dataclass(slots=True)
class Between:
    """What has been read since the last number."""

    roles: list[str] = field(default_factory=list)
    sign: Piece | None = None
    compared: bool = False
    bare: bool = True


def collect(quote: str, pieces: Sequence[Piece]) -> Reading:
    reading, between, aside = Reading(), Between(), 0
    for at, piece in enumerate(pieces):
        if aside:
            aside += (piece.kind == "open") - (piece.kind == "close")
            continue
        before = pieces[at - 1] if at else None
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        fresh = not reading.seen or bool(between.roles)  # what comes cannot join two numbers
        if piece.kind == "number":
            reading.approximate |= piece.vague
            reading.seen.append(_seen(piece, between))
            between = Between()
        elif piece.kind == "open":
            aside = int(not fresh and not (after and after.kind == "power"))
        elif piece.kind == "power":
            reading.power = reading.power or piece.power
        elif piece.kind in ("dash", "plus"):
            if fresh:
                between.sign = piece if _is_sign(quote, piece, after) else None
            elif _leads_on(after):
                between.roles.append("to" if piece.kind == "dash" else "and")
            elif piece.kind == "plus" and piece.start == reading.seen[-1].end:  # "65+"
                between.roles.append("or more")
        elif piece.kind != "close":
            _note(reading, between, piece, _roles(quote, piece, before, after), quote)
    reading.trailing = between.roles
    if len(reading.seen) > 1 and reading.seen[0].tolerance:  # of nothing: "±5 and 10"
        reading.seen[0].roles = [r for r in reading.seen[0].roles if r != "tolerance"]
    _asymmetric(quote, reading)
    _share(reading)
    return reading


def _note(reading: Reading, between: Between, piece: Piece, roles: list[str], quote: str) -> None:
    between.roles += roles
    between.sign = None
    between.compared |= piece.kind == "sign" and bool(BOUNDS & set(roles))
    between.bare &= bool(roles)
    reading.approximate |= "about" in roles
    text = quote[piece.start : piece.end].lower()
    reading.plain &= bool(roles) or text in ANNOUNCE or text in (".", "'", "’")


def _seen(piece: Piece, between: Between) -> Seen:
    assert piece.value is not None  # noqa: S101 - all numbers have one
    negative = between.sign is not None and between.sign.kind == "dash"
    start = between.sign.start if between.sign else piece.start
    seen = Seen(
        start, piece.end, piece.value.copy_negate() if negative else piece.value, between.roles
    )
    seen.compared = between.compared and not JOINS & set(between.roles)
    seen.bare = between.bare
    if (numeral := piece.numeral) and numeral.power is not None:
        seen.power, seen.mantissa_end = numeral.power, numeral.mantissa_end
        seen.mantissa = numeral.mantissa.copy_negate() if negative else numeral.mantissa
    return seen


def _is_sign(quote: str, piece: Piece, after: Piece | None) -> bool:
    """Whether the dash or plus belongs to the number behind it and to no word before it."""
    if after is None or after.kind != "number" or after.start - piece.end > 1:
        return False
    glued = piece.start > 0 and quote[piece.start - 1].isalnum() and piece.end == after.start
    return not glued


def _leads_on(after: Piece | None) -> bool:
    """Whether the dash leads to a number; that of ``5-year`` does not."""
    if after is None:
        return False
    return after.kind in ("number", "dash", "open") or bool(
        after.roles & (BOUNDS | {"about", "tolerance"})
    )


def _roles(quote: str, piece: Piece, before: Piece | None, after: Piece | None) -> list[str]:
    roles = piece.roles
    if "ratio" in roles:  # the slash of a unit joins nothing
        close = before and after and before.kind == after.kind == "number"
        return ["ratio"] if close else []
    over = "more" in roles and quote[piece.start : piece.end].lower() == "over"
    if over and _DURATION.match(quote, piece.end, piece.end + 60):
        return ["and"]
    return sorted(roles)


def _asymmetric(quote: str, reading: Reading) -> None:
    """``5.2 +0.3/−0.2``: two tolerances of the number before them."""
    for first, up, down in zip(reading.seen, reading.seen[1:], reading.seen[2:], strict=False):
        if (
            quote[first.end : up.start].strip() == "+"
            and _DOWN.fullmatch(quote, up.end, down.start)
            and not first.tolerance
        ):
            up.roles, down.roles = ["tolerance"], ["tolerance"]


def _share(reading: Reading) -> None:
    """The power behind the last number belongs to those before it, too: ``2–3 × 10−4``."""
    if len(reading.seen) < 2 or reading.power:
        return
    *others, last = reading.seen
    if last.power is None or last.mantissa is None or any(o.power is not None for o in others):
        return
    if any(seen.compared or not seen.bare for seen in reading.seen[1:]):
        return
    if last.tolerance or all(o.value.copy_abs() <= last.mantissa.copy_abs() for o in others):
        reading.power = last.power
        last.end, last.value, last.power = last.mantissa_end, last.mantissa, None
