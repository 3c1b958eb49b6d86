"""Quantities whose value must not go into a table in SI, although number and unit are read: titles, changes, repetitions."""

from __future__ import annotations

import re

from marginalia.tasks.measurement.official.spans import Span
from marginalia.tasks.measurement.quantities.values import Value
from marginalia.tasks.measurement.units.unit import Unit

_LENGTH = "A0E0L1I0M0H0T0D0"
_TIME = "A0E0L0I0M0H0T1D0"
_TITLED = re.compile(r"[A-Z][a-z]+[ -](?!Old\b)[A-Z][a-z]+|\d+-[A-Z][a-z]{2,}(?=[ -][A-Z][a-z])")
"""English words in capitals, the number among them: ``One-Minute``, ``30-Minute Movie``."""
_QUOTES = "\"“”„‚‘’'»«›‹"
_FROM = re.compile(r"(?:from|von)\b", re.IGNORECASE)
_BOUND = re.compile(
    r"(?:less than|more than|fewer than|at least|at most|up to|as (?:little|low|few|much|many|high) as|mindestens|höchstens|maximal|weniger als|mehr als|bis zu)\b",
    re.IGNORECASE,
)
_UNITLESS = re.compile(r"[\d.,]+\s(?:and|or|und|oder)\s[\d.,]+\s?[^\d\s]+")
_DENIED = re.compile(r"(?:\b(?:not|nicht)|n['’]t)\s\Z", re.IGNORECASE)
_OR_TWO = re.compile(r"\s(?:or|oder)\s(?:two|three|so|zwei|drei)\b", re.IGNORECASE)
_ON = re.compile(r"unter \d+-?Bit")
_EQUALS = re.compile(r"\s?=")
_OPENS = re.compile(r"\b(?:between|from|zwischen|von)\s\Z", re.IGNORECASE)
_GOES_ON = re.compile(r"\s\([^()]{1,60}\)\s(?:and|to|und|bis)\s")
_ENDS = re.compile(
    r"\b(?:between|from|zwischen|von)\s[^.;()]{1,20}\([^()]{1,60}\)\s(?:and|to|und|bis)\s\Z",
    re.IGNORECASE,
)
MAX_RATIO = 20
"""Two numbers that share the unit behind the second are rarely further apart."""
_REPEATED = re.compile(r"\D*[\d.,]+\s?[×x]")


def doubt_of_value(
    text: str, quantity: Span, value: Value, unit: Unit, language: str = "en"
) -> str | None:
    """Why the value has no place in a table; None where nothing speaks against it."""
    if _falls(value, quantity.text):
        return "it falls from the first to the last, which is no range"
    if value.kind == "number" and _DENIED.search(text, max(0, quantity.start - 8), quantity.start):
        return "it is said not to be so"
    if _ON.fullmatch(quantity.text):
        return "it may name a system, not a bound"
    if value.kind in ("number", "bound") and _is_one_end(text, quantity):
        return "it is one end of a range"
    if _OR_TWO.match(text, quantity.end):
        return "it goes on, and a little more is meant"
    if value.kind == "range" and _EQUALS.match(text, quantity.end):
        return "it may be a calculation"
    if value.kind in ("range", "list") and _BOUND.match(quantity.text):
        return "it is a bound that is given as a range"
    if value.kind == "list" and _far_apart(value, quantity.text):
        return "the unit may belong to the last number alone"
    if _is_title(text, quantity, unit, language):
        return "it seems to be part of a title"
    if value.kind == "size" and unit.dimension != _LENGTH and _REPEATED.match(quantity.text):
        return "it may be a size or a number of times"
    if unit.offset and any(
        end is not None and end < _zero(unit) for end in (value.low, value.high)
    ):
        return "it is below absolute zero"
    return None


def _zero(unit: Unit) -> float:
    """Absolute zero on the scale of a temperature."""
    return -float(unit.offset) / float(unit.factor)


def _falls(value: Value, quote: str) -> bool:
    """Whether it is a change: "from above 80% to less than 40%"."""
    ends = [number.value for number in value.numbers if not number.tolerance]
    falls = value.kind == "range" and len(ends) == 2 and ends[0] > ends[1]
    return falls and _FROM.match(quote) is not None


def _is_one_end(text: str, quantity: Span) -> bool:
    """Whether the other end stands behind a bracket: "between 0 % (opaque) and 100 % (clear)"."""
    opens = _OPENS.search(text, max(0, quantity.start - 10), quantity.start)
    if opens and _GOES_ON.match(text, quantity.end):
        return True
    return _ENDS.search(text, max(0, quantity.start - 110), quantity.start) is not None


def _far_apart(value: Value, quote: str) -> bool:
    """Whether it is "0.0448 or 4.48 %": two numbers with one unit, and one much greater."""
    if _UNITLESS.fullmatch(quote) is None or not value.low or value.high is None:
        return False
    return value.high > MAX_RATIO * value.low


def _is_title(text: str, quantity: Span, unit: Unit, language: str) -> bool:
    """Whether number and unit are capitalised like a title, or a time is all that stands in quotation marks."""
    titled = _TITLED.match(text, quantity.start) if language == "en" else None
    if titled and titled.end() >= quantity.start + len(quantity.text):
        return True
    before, behind = text[max(0, quantity.start - 1) : quantity.start], text[quantity.end :][:1]
    quoted = before != "" and before in _QUOTES and behind != "" and behind in _QUOTES
    return quoted and unit.dimension == _TIME
