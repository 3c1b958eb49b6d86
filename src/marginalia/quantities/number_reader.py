"""Numbers from the tokens of a quantity's text, each with its sign and the cues before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from marginalia.quantities.dates import announce
from marginalia.quantities.value_tokens import Token

BOUNDS = frozenset(("less", "most", "more", "least"))
JOINS = frozenset(("to", "and", "ratio"))
_DURATION = re.compile(
    r"\W*(?:the|an?)\b|[^,;]{0,40}?\b(?:years?|months?|weeks?|days?|hours?|yrs?|byr)\b", re.I
)
"""``over the 9-year period`` and ``over 4 weeks`` are no bounds."""
_DOWN = re.compile(r"\s?/?\s?[-−–]\s?")


@dataclass(slots=True)
class ParsedNumber:
    """A number with the cues before it: bounds, signs, what joins it to the last one."""

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
class NumberSequence:
    """The numbers of a quantity in reading order, and what is said of all of them."""

    numbers: list[ParsedNumber] = field(default_factory=list)
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
    sign: Token | None = None
    compared: bool = False
    bare: bool = True


def parse_numbers(quote: str, tokens: Sequence[Token], language: str) -> NumberSequence:
    with_years = announce(language)
    parsed, between, aside = NumberSequence(), Between(), 0
    for at, token in enumerate(tokens):
        if aside:
            aside += (token.kind == "open") - (token.kind == "close")
            continue
        before = tokens[at - 1] if at else None
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        fresh = not parsed.numbers or bool(between.roles)  # what comes cannot join two numbers
        if token.kind == "number":
            parsed.approximate |= token.vague
            parsed.numbers.append(_number(token, between))
            between = Between()
        elif token.kind == "open":
            aside = int(not fresh and not (after and after.kind == "power"))
        elif token.kind == "power":
            parsed.power = parsed.power or token.power
        elif token.kind in ("dash", "plus"):
            if fresh:
                between.sign = token if _is_sign(quote, token, after) else None
            elif _leads_on(after):
                between.roles.append("to" if token.kind == "dash" else "and")
            elif token.kind == "plus" and token.start == parsed.numbers[-1].end:  # "65+"
                between.roles.append("or more")
        elif token.kind != "close":
            roles = _roles(quote, token, before, after)
            _note(parsed, between, token, roles, quote[token.start : token.end], with_years)
    parsed.trailing = between.roles
    if len(parsed.numbers) > 1 and parsed.numbers[0].tolerance:  # of nothing: "±5 and 10"
        parsed.numbers[0].roles = [r for r in parsed.numbers[0].roles if r != "tolerance"]
    _asymmetric(quote, parsed)
    _share(parsed)
    return parsed


def _note(
    parsed: NumberSequence,
    between: Between,
    token: Token,
    roles: list[str],
    text: str,
    with_years: frozenset[str],
) -> None:
    between.roles += roles
    between.sign = None
    between.compared |= token.kind == "sign" and bool(BOUNDS & set(roles))
    between.bare &= bool(roles)
    parsed.approximate |= "about" in roles
    parsed.plain &= bool(roles) or text.lower() in with_years or text in (".", "'", "’")


def _number(token: Token, between: Between) -> ParsedNumber:
    assert token.value is not None  # noqa: S101 - all numbers have one
    negative = between.sign is not None and between.sign.kind == "dash"
    start = between.sign.start if between.sign else token.start
    seen = ParsedNumber(
        start, token.end, token.value.copy_negate() if negative else token.value, between.roles
    )
    seen.compared = between.compared and not JOINS & set(between.roles)
    seen.bare = between.bare
    if (numeral := token.numeral) and numeral.power is not None:
        seen.power, seen.mantissa_end = numeral.power, numeral.mantissa_end
        seen.mantissa = numeral.mantissa.copy_negate() if negative else numeral.mantissa
    return seen


def _is_sign(quote: str, token: Token, after: Token | None) -> bool:
    """Whether the dash or plus belongs to the number behind it and to no word before it."""
    if after is None or after.kind != "number" or after.start - token.end > 1:
        return False
    glued = token.start > 0 and quote[token.start - 1].isalnum() and token.end == after.start
    return not glued


def _leads_on(after: Token | None) -> bool:
    """Whether the dash leads to a number; that of ``5-year`` does not."""
    if after is None:
        return False
    return after.kind in ("number", "dash", "open") or bool(
        after.roles & (BOUNDS | {"about", "tolerance"})
    )


def _roles(quote: str, token: Token, before: Token | None, after: Token | None) -> list[str]:
    roles = token.roles
    if "ratio" in roles:  # the slash of a unit joins nothing
        close = before and after and before.kind == after.kind == "number"
        return ["ratio"] if close else []
    over = "more" in roles and quote[token.start : token.end].lower() == "over"
    if over and _DURATION.match(quote, token.end, token.end + 60):
        return ["and"]
    return sorted(roles)


def _asymmetric(quote: str, parsed: NumberSequence) -> None:
    """``5.2 +0.3/−0.2``: two tolerances of the number before them."""
    for first, up, down in zip(
        parsed.numbers, parsed.numbers[1:], parsed.numbers[2:], strict=False
    ):
        if (
            quote[first.end : up.start].strip() == "+"
            and _DOWN.fullmatch(quote, up.end, down.start)
            and not first.tolerance
        ):
            up.roles, down.roles = ["tolerance"], ["tolerance"]


def _share(parsed: NumberSequence) -> None:
    """The power behind the last number belongs to those before it, too: ``2–3 × 10−4``."""
    if len(parsed.numbers) < 2 or parsed.power:
        return
    *others, last = parsed.numbers
    if last.power is None or last.mantissa is None or any(o.power is not None for o in others):
        return
    if any(seen.compared or not seen.bare for seen in parsed.numbers[1:]):
        return
    if last.tolerance or all(o.value.copy_abs() <= last.mantissa.copy_abs() for o in others):
        parsed.power = last.power
        last.end, last.value, last.power = last.mantissa_end, last.mantissa, None
