"""Quantities that must not go into a table, or not in SI, although number and unit are read: equations, titles, changes."""

from __future__ import annotations

import re

from marginalia.quantities.units.unit import Unit
from marginalia.quantities.values import Value
from marginalia.tasks.measurement.official.spans import Span

TITLE = "it seems to be part of a title"
_LENGTH = "A0E0L1I0M0H0T0D0"
_TIME = "A0E0L0I0M0H0T1D0"
_TITLED = re.compile(r"[A-Z][a-z]+[ -](?!Old\b)[A-Z][a-z]+|\d+-[A-Z][a-z]{2,}(?=[ -][A-Z][a-z])")
"""English words in capitals, the number among them: ``One-Minute``, ``30-Minute Movie``."""
_QUOTES = "\"“”„‚‘’'»«›‹"
_UNQUOTED = re.compile(rf"(?:[ -]\w{{1,12}}){{0,2}}[{_QUOTES}](?!\w)")
"""The end of a short quotation: “24 hours”, „24h short“."""
_CLOCK = re.compile(
    r"(?:12|24)[- ]?(?:h|hour|Stunden)[- ](?i:clock|notation|format|mode|time|uhr|anzeige)\w*"
)
_FROM = re.compile(r"(?:from|von)\b", re.IGNORECASE)
CHANGE_WINDOW = 70
"""Characters before "from" in which a verb of change stands."""
_CHANGES = re.compile(
    r"\b(?:increas(?:e|es|ed|ing)|rais(?:e|es|ed|ing)|ris(?:e|es|en|ing)|rose|grew|grown|grow|chang(?:e|es|ed|ing)|extend(?:ed|s)?|expand(?:ed|s)?|went|jump(?:ed|s)?"
    r"|climb(?:ed|s)?|improv(?:e|es|ed|ing)|upgrad(?:e|ed|ing)|steig\w*|stieg\w*|erhöh\w*|wuchs\w*|wachs\w*|änder\w*|vergrößer\w*)"
    r"\b[^.;:()\n]*\Z",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"(?:less than|more than|fewer than|at least|at most|up to|as (?:little|low|few|much|many|high) as|mindestens|höchstens|maximal|weniger als|mehr als|bis zu)\b",
    re.IGNORECASE,
)
_UNITLESS = re.compile(r"[\d.,]+\s(?:and|or|und|oder)\s[\d.,]+\s?[^\d\s]+")
_DENIED = re.compile(r"(?:\b(?:not|nicht)|n['’]t)\s(?:an?\s)?\Z", re.IGNORECASE)
OPERAND = r"\s?[/*×÷]\s?\d"
"""Behind a number that is multiplied or divided."""
_OPERAND = re.compile(OPERAND)
_OPERATED = re.compile(r"[\d)\w]\s?[*×÷]\s?\Z|[\d)]\s/\s\Z|\w\s/\s\Z")
_VAGUE = re.compile(
    r"\b(?:few|several|many|mehrere|einige)\s|\b(?:hundreds|thousands|millions|dozens|Dutzende|Hunderte|Tausende)\b",
    re.IGNORECASE,
)
_NUMBER_BEFORE = re.compile(r"(?<![\w.,/:-])\d{1,3}\s\Z")
_NAMED_BEFORE = re.compile(r"[^\W\d_]{2}/\Z")
_COUNTED_DAYS = re.compile(r"\b(?:on|an)\s(?:an?\s)?\Z", re.IGNORECASE)
_OR_TWO = re.compile(r"\s(?:or|oder)\s(?:two|three|so|zwei|drei)\b", re.IGNORECASE)
_UEBER = re.compile(r"über\s", re.IGNORECASE)
_LASTS = re.compile(
    r"\b(?:seit|vor|nach|in|dauert|dauerte|dauern|währt|währte|braucht|brauchte)\s\Z", re.IGNORECASE
)
_EQUALS = re.compile(r"\s?=")
_OPENS = re.compile(r"\b(?:between|from|zwischen|von)\s\Z", re.IGNORECASE)
_GOES_ON = re.compile(r"\s\([^()]{1,60}\)\s(?:and|to|und|bis)\s")
_ENDS = re.compile(
    r"\b(?:between|from|zwischen|von)\s[^.;()]{1,20}\([^()]{1,60}\)\s(?:and|to|und|bis)\s\Z",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"[<>≤≥]\s?")
EQUATION_WINDOW = 40
"""Characters before a number in which the left side of an equation stands."""
_EQUATION = re.compile(
    r"(?<![^\W_])(?![FtTHUQWzr]\(\d)(?:[A-Za-zα-ω]|log|ln|exp|sin|cos|tan|sqrt)(?:\([\w,+ -]{1,12}\)|\[[^\]\n]{1,12}\])\s?[=≠<>≤≥]\s?\Z"
    r"|(?<![\w-])(?:[A-Za-z]\d{0,2}|\d+)\s?[-+*/]\s?(?:[A-Za-z]\d{0,2}|\d+)\)?\s?=\s?\Z|[Σ∑∏∫∇′]\w{0,3}\s?[=≠<>≤≥]\s?\Z|[^\W\d_]\s?\u0338\s?=\s?\Z"
    r"|\b(?i:when|whenever|if|let|suppose|assume|assuming|where|for|and|then|set|choose|take|consider|that|gives|wenn|falls|sei|seien|für|gilt|setze|mit)\s"
    r"(?:[a-z]{2,9}\s)?[a-ceghi-mquvwxyA-CXY](?:_?\d)?\s?[=≠<>≤≥]\s?\Z"
    r"|(?<![^\W_])[xyijk](?:_?\d)?\s?[=≠<>≤≥]\s?\Z"
    r"|\b(?i:id|nummer|number|index|idx|key|seed|port|line|page|row|col|column|version|level|mode|flag)\s?[=#]\s?\Z"
)
"""``n = 35``, ``p < .05``, ``t(34) = 2.1`` and ``T = 300`` are results."""
_GREEK = re.compile(r"(?<!\w)[α-ωΑ-Ω]\s?=\s?\Z")
_PLAIN_CASE = re.compile(r"[01](?![\d.,%])")
"""A parameter set to 0 or 1 is a case that is looked at; "β = 0.35" is a result."""
MAX_RATIO = 20
"""Two numbers that share the unit behind the second are rarely further apart."""
_REPEATED = re.compile(r"\D*[\d.,]+\s?[×x]")


def doubt_of_value(
    text: str, quantity: Span, value: Value, unit: Unit, language: str = "en"
) -> str | None:
    """Why the value has no place in a table; None where nothing speaks against it."""
    if _falls(value, quantity.text):
        return "it falls from the first to the last, which is no range"
    if value.kind == "range" and _is_change(text, quantity):
        return "it changes from the first to the last, which is no range"
    if _VAGUE.search(quantity.text):
        return "it does not say how many"
    if value.kind == "number" and _DENIED.search(text, max(0, quantity.start - 8), quantity.start):
        return "it is said not to be so"
    if value.kind in ("number", "bound") and _is_one_end(text, quantity):
        return "it is one end of a range"
    if (
        unit.dimension == _TIME
        and _UEBER.match(quantity.text)
        and not _LASTS.search(text, max(0, quantity.start - 12), quantity.start)
    ):
        return "über may be for so long or for longer"
    if unit.ucum == "d" and _COUNTED_DAYS.search(text, max(0, quantity.start - 8), quantity.start):
        return "days on which something happens are counted"
    if _OPERAND.match(text, quantity.end) or _OPERATED.search(
        text, max(0, quantity.start - 6), quantity.start
    ):
        return "it is part of a calculation"
    if quantity.text[:1].isdigit() and _NUMBER_BEFORE.search(
        text, max(0, quantity.start - 5), quantity.start
    ):
        return "another number stands right before it, so that a sign may be lost"
    before = text[max(0, quantity.start - 12) : quantity.start]
    if _NAMED_BEFORE.search(before):
        return "it is part of a name"
    if _OR_TWO.match(text, quantity.end):
        return "it goes on, and a little more is meant"
    if value.kind == "range" and _EQUALS.match(text, quantity.end):
        return "it may be a calculation"
    if value.kind in ("range", "list") and _BOUND.match(quantity.text):
        return "it is a bound that is given as a range"
    if value.kind == "list" and _far_apart(value, quantity.text):
        return "the unit may belong to the last number alone"
    if _is_title(text, quantity, unit, language):
        return TITLE
    if value.kind == "size" and unit.dimension != _LENGTH and _REPEATED.match(quantity.text):
        return "it may be a size or a number of times"
    if unit.offset and any(
        end is not None and end < _zero(unit) for end in (value.low, value.high)
    ):
        return "it is below absolute zero"
    return None


def is_equation(text: str, start: int) -> bool:
    """Whether the number at ``start`` is what a variable or a function is set to: "f(0) = 1", "when x = 0"."""
    if _PLAIN_CASE.match(text, start) and _GREEK.search(text, max(0, start - 4), start):
        return True
    compared = _COMPARED.match(text, start)
    end = compared.end() if compared else start
    return _EQUATION.search(text, max(0, start - EQUATION_WINDOW), end) is not None


def _zero(unit: Unit) -> float:
    """Absolute zero on the scale of a temperature."""
    return -float(unit.offset) / float(unit.factor)


def _falls(value: Value, quote: str) -> bool:
    """Whether it is a change: "from above 80% to less than 40%"."""
    ends = [number.value for number in value.numbers if not number.tolerance]
    falls = value.kind == "range" and len(ends) == 2 and ends[0] > ends[1]
    return falls and _FROM.match(quote) is not None


def _is_change(text: str, quantity: Span) -> bool:
    """Whether a verb says so: "increase the thickness from 0.15 mm to 0.3 mm"."""
    clause = text[max(0, quantity.start - CHANGE_WINDOW) : quantity.start]
    return _FROM.match(quantity.text) is not None and _CHANGES.search(clause) is not None


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
    before = text[max(0, quantity.start - 1) : quantity.start]
    quoted = before != "" and before in _QUOTES and _UNQUOTED.match(text, quantity.end) is not None
    return unit.dimension == _TIME and (quoted or _CLOCK.match(text, quantity.start) is not None)
