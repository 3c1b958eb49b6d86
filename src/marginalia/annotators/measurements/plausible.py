"""Contexts that the words between them and their quantity speak against: what is left out is not shown, the rest stays.

The network points to what is near; it does not see that "dots in one cm²" are no area, or that of "mice treated with 5 μM
curcumin" the curcumin has the concentration.
"""

from __future__ import annotations

import re
from dataclasses import replace

from marginalia.annotators.measurements.context import MeasuredContext, Part
from marginalia.annotators.measurements.si_exclusions import OPERAND
from marginalia.quantities.lexicon import stop_words
from marginalia.quantities.units.unit import DIMENSIONLESS, Unit
from marginalia.quantities.values import Value
from marginalia.tasks.measurement.official.spans import Span

BEFORE_WINDOW, BEHIND_WINDOW = 40, 30
"""Characters before and behind a quantity whose words are looked at."""
_INSIDE = re.compile(
    r"(?<!results)(?<!resulted)(?<!resulting)(?<!result)(?<!specified)(?<!given)(?<!measured)\s(?:in|within|inside|into|across)\s(?:only\s|just\s|about\s)?\Z"
)
"""What happens in a time, or lies in an area, does not measure so much."""
_GIVEN = re.compile(
    r"\b(?:with|using|adding|received?|containing|contained|plus|and|by|of|to)\s(?:an?\s|the\s)?\Z"
)
_WORD = re.compile(r"\s([^\W\d_][\w-]+)")
_VERB = re.compile(
    r"(?:is|was|were|are|has|had|\w+ed|\w+ing|higher|lower|long|wide|high|deep|thick|tall|old|more|less|later)\Z"
)
_MIXED = frozenset(
    ("A1E0L-3I0M0H0T0D0", "A0E0L-3I0M1H0T0D0", "A0E0L0I0M1H0T0D0", "A0E0L3I0M0H0T0D0")
)
"""Concentrations, masses and volumes: what follows such a quantity is what there is so much of."""
_TIMES = re.compile(
    r"(?:\btimes|[*×/÷])\s?\Z|(?:\d|\b(?:one|two|three|four|five|six|zwei|drei|vier|fünf|sechs))\s(?:mal|by)\s\Z"
)
_PREPOSITION = re.compile(
    r"\b(?:with|by|on|in|over|of|to|from|for|under|onto|mit|auf|von|über|an|bei|aus|durch|für|zu|unter|nach)\s(?:den\s|the\s|about\s|etwa\s)?\Z"
)
_OPERAND = re.compile(OPERAND + r"|\s?\+\s\d|\s(?:log|ln|exp|sin|cos|tan|sqrt)\b")
_RATIO = re.compile(r"(?i:\b(?:ratios?|proportions?|quotients?)\b|verhältnis)")
_SIZELESS = re.compile(
    r"(?i:(?:\w+\s)?(?:course|basis|use|amount|percentage|prozentsatz|hilfe|numbers?|nummern?|value|values|default|setting|option|wert|werte|voreinstellung|standardwert))"
)
_CONTAINER = re.compile(
    r"(?i:samples?|groups?|cohorts?|totals?|sets?|subsets?|pools?|populations?|panels?|series|batch(?:es)?|lists?|collections?|teams?|networks?|fleets?|"
    r"data\s?sets?|corpus|corpora|database|family|chain|cluster|crew|staff|class|capacity|size|number|mixture|combination|stichprobe|gruppe|menge)\Z"
)
_UNKNOWN_UNIT = re.compile(r"(?:kilo|mega|giga|milli|micro|nano)[a-z]{3,}")
_NEEDS = re.compile(r"needs\sto\b")
_ADDEND = re.compile(r"(?:[\d)\]]|(?<![^\W_])[^\W\d_])\s?\Z")
"""Before a plus sign: a number, a bracket or the letter of a variable, as in "1/(r + 3)"."""
_CHAIN = re.compile(r"=[^=.;]{1,38}=\s?\Z")
_GOES_ON = re.compile(r"\s(?:or|and|und|oder)\s")
_OF = re.compile(r"\s(?:of|von)\s(?:some\s|about\s|etwa\s)?")


def plausible(
    context: MeasuredContext, text: str, quantity: Span, value: Value, unit: Unit | None
) -> MeasuredContext:
    """The context without what cannot be measured by this quantity, as the words around it say."""
    if not context.judged or not (context.entity or context.property):
        return context
    start, end = quantity.start, quantity.end
    before = text[max(0, start - BEFORE_WINDOW) : start]
    behind = text[end : end + BEHIND_WINDOW]
    if quantity.unit in ("times", "mal"):
        return _without(context, entity=True, property=True)  # "each appears 10 times"
    added = quantity.text.startswith("+") and _ADDEND.search(before) is not None
    added = added or _CHAIN.search(before) is not None
    if added or _TIMES.search(before) or _OPERAND.match(behind):
        return _without(context, entity=True, property=True)
    entity, property = context.entity, context.property
    within = _INSIDE.search(before) and _is_before(entity, start) and _is_before(property, start)
    if within or (property and _is_foreign(text, property, quantity, value, unit)):
        context = _without(context, entity=True, property=True)
    if entity and property and entity.start < property.end and property.start < entity.end:
        context = _without(context, property=True)  # one thing is not a property of itself
    if property and not entity and _SIZELESS.fullmatch(property.quote):
        context = _without(context, property=True)
    if entity and not property and _is_odd(text, entity, quantity, unit, before, behind):
        context = _without(context, entity=True)
    return context


def _is_foreign(text: str, property: Part, quantity: Span, value: Value, unit: Unit | None) -> bool:
    """Whether a property is none that such a value has: a ratio in metres, a length without a unit."""
    is_ratio = _RATIO.search(property.quote) is not None
    if is_ratio and (value.kind == "size" or (unit is not None and _is_dimensional(unit))):
        return True
    return _is_of_things(text, property, quantity, unit)


def _is_odd(
    text: str, entity: Part, quantity: Span, unit: Unit | None, before: str, behind: str
) -> bool:
    """Whether a thing alone is none that has this quantity."""
    if _SIZELESS.fullmatch(entity.quote):
        return True
    follows = entity.end > quantity.start
    if follows and behind.startswith((")", "]")):
        return True  # "(0% - 100%) of the layer"
    if _UNKNOWN_UNIT.fullmatch(entity.quote) or _NEEDS.match(text, entity.end - 5):
        return True  # "10 kiloparsec"; "the intake needs to be 9 mg"
    if entity.start == quantity.end:
        return True  # "5 %ige Lösung"
    if follows and unit is None and entity.start == quantity.end + 1:
        return _GOES_ON.match(text, entity.end) is not None and not entity.quote.endswith("s")
    if follows:
        # "ten minutes Emacs"; but "a 28-day test"
        glued = unit is not None and unit.si == "second" and entity.start == quantity.end + 1
        return glued and "-" not in quantity.text
    if before.endswith("(") and entity.end < quantity.start - 2:
        return True  # "edges of areas are narrow (1 pixel)"
    if unit is None and not quantity.unit and _counts_another(before, behind):
        return True
    if _is_of_things(text, entity, quantity, unit):
        return True
    if unit is None or unit.dimension not in _MIXED or not _GIVEN.search(before):
        return False
    word = _WORD.match(behind)
    return word is not None and word[1].lower() not in stop_words() and not _VERB.match(word[1])


def _counts_another(before: str, behind: str) -> bool:
    """Whether what is counted stands behind, or a preposition parts the number from what stands before it."""
    word = _WORD.match(behind)
    noun = word is not None and word[1].lower() not in stop_words() and not _VERB.match(word[1])
    return noun or _PREPOSITION.search(before) is not None


def _is_of_things(text: str, part: Part, quantity: Span, unit: Unit | None) -> bool:
    """Whether the quantity counts things that the part is of: "survival of 7874 residents"; not "a sample of 20 men"."""
    if unit is not None or not quantity.unit or part.end > quantity.start:
        return False
    of = _OF.fullmatch(text, part.end, quantity.start)
    return of is not None and _CONTAINER.search(part.quote) is None


def _is_dimensional(unit: Unit) -> bool:
    """Angles too, whose dimension is that of a number."""
    return unit.dimension != DIMENSIONLESS or unit.si == "radian"


def _is_before(part: Part | None, start: int) -> bool:
    return part is None or part.end <= start


def _without(
    context: MeasuredContext, *, entity: bool = False, property: bool = False
) -> MeasuredContext:
    left_out = [
        role for role, drop in (("MeasuredEntity", entity), ("MeasuredProperty", property)) if drop
    ]
    return replace(
        context,
        entity=None if entity else context.entity,
        property=None if property else context.property,
        confidence={
            role: sure for role, sure in context.confidence.items() if role not in left_out
        },
    )
